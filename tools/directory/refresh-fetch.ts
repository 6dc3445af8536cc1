import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import {
  type Address,
  assertPublicUrl,
  ForbiddenAddress,
  loopbackPortOf,
  type Network,
  publicAddresses,
  siteOf,
} from './refresh-address.ts';

export type FetchLimits = { readonly deadlineMs: number; readonly maxBytes: number };

export type FetchRequest = {
  readonly url: string;
  /** Registrable names within which redirects are followed. */
  readonly sites: ReadonlySet<string>;
  readonly network: Network;
  readonly limits: FetchLimits;
  readonly userAgent: string;
  /** Called for every address before it is requested, including redirects. */
  readonly mayVisit: (url: URL) => Promise<boolean>;
};

export type Fetched =
  | {
      readonly kind: 'page';
      /** The address to record: the target of permanent redirects, or the requested one. */
      readonly permanentUrl: string;
      readonly contentType: string;
      readonly body: Buffer;
    }
  /** The vendor answered that the page no longer exists. */
  | { readonly kind: 'lost'; readonly reason: string }
  /** Nothing is known about the page; `status` is the status of the vendor's answer, if there was one. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly status: number | null };

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const PERMANENT = new Set([301, 308]);
const GONE = new Set([404, 410]);

class TooLarge extends Error {}

/** Fetches one page for reading, following redirects within the vendor's sites. Never throws. */
export async function fetchPage(request: FetchRequest): Promise<Fetched> {
  const signal = AbortSignal.timeout(request.limits.deadlineMs);
  try {
    return await follow(request, signal);
  } catch (error) {
    if (signal.aborted)
      return unknown(`no complete answer within ${request.limits.deadlineMs / 1000} seconds`);
    if (error instanceof TooLarge) return unknown(`the page has more than ${request.limits.maxBytes} bytes`);
    if (error instanceof ForbiddenAddress) return unknown(error.message);
    return unknown(`the connection failed (${codeOf(error)})`);
  }
}

const unknown = (reason: string, status: number | null = null): Fetched => ({
  kind: 'unknown',
  reason,
  status,
});

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'no reason given';

async function follow(request: FetchRequest, signal: AbortSignal): Promise<Fetched> {
  let url = new URL(request.url);
  let permanentUrl = request.url;
  let isPermanent = true;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const addresses = await checked(url, request, hop);
    if (!Array.isArray(addresses)) return addresses;
    if (!(await request.mayVisit(url))) return unknown('robots.txt asks not to read this page');
    const response = await send(url, addresses, request, signal);
    const status = response.statusCode ?? 0;
    if (!REDIRECTS.has(status)) return answer(response, permanentUrl, request);
    response.destroy();
    const location = response.headers.location ?? '';
    if (!URL.canParse(location, url.href)) return { kind: 'lost', reason: 'it redirects to nowhere' };
    const next = new URL(location, url);
    if (!request.sites.has(siteOf(next.href)))
      return { kind: 'lost', reason: `it redirects to another site, ${next.hostname}` };
    isPermanent &&= PERMANENT.has(status);
    if (isPermanent) permanentUrl = next.href;
    url = next;
  }
  return { kind: 'lost', reason: `it redirects more than ${MAX_REDIRECTS} times` };
}

/** The addresses to connect to. A bad first address is our fault, and a bad redirect is the vendor's. */
async function checked(
  url: URL,
  { network }: FetchRequest,
  hop: number,
): Promise<[Address, ...Address[]] | Fetched> {
  try {
    assertPublicUrl(url);
    return await publicAddresses(url.hostname, network);
  } catch (error) {
    if (hop > 0 && error instanceof ForbiddenAddress)
      return { kind: 'lost', reason: `it redirects and ${error.message}` };
    throw error;
  }
}

function send(
  url: URL,
  addresses: readonly [Address, ...Address[]],
  { userAgent, network }: FetchRequest,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const lookup: LookupFunction = (_host, options, done) => {
    if (options.all === true) done(null, [...addresses]);
    else done(null, addresses[0].address, addresses[0].family);
  };
  const headers = {
    'user-agent': userAgent,
    accept: 'text/html, text/plain, text/markdown;q=0.9, */*;q=0.1',
    'accept-language': 'en, *;q=0.5',
    'accept-encoding': 'gzip, br, deflate',
    host: url.host,
  };
  const port = loopbackPortOf(addresses[0].address, network);
  const { get } = port === null ? https : http;
  const target = port === null ? url : new URL(`http://${url.host}:${port}${url.pathname}${url.search}`);
  return new Promise((resolve, reject) => {
    get(target, { lookup, signal, headers, agent: false }, resolve).on('error', reject);
  });
}

async function answer(
  response: http.IncomingMessage,
  permanentUrl: string,
  { limits }: FetchRequest,
): Promise<Fetched> {
  const status = response.statusCode ?? 0;
  if (status !== 200) response.destroy();
  if (GONE.has(status)) return { kind: 'lost', reason: `the page is gone (${status})` };
  if (status !== 200) return unknown(`the vendor answered with status ${status}`, status);
  const body = await readBody(response, limits.maxBytes);
  const contentType = response.headers['content-type'] ?? '';
  return { kind: 'page', permanentUrl, contentType, body };
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  br: () => zlib.createBrotliDecompress(),
  deflate: () => zlib.createInflate(),
};

/** Reads at most this many bytes before and after decompression, so that a small bomb stays small. */
async function readBody(response: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  const decoder = DECODERS[response.headers['content-encoding'] ?? '']?.();
  let wireBytes = 0;
  response.on('data', (chunk: Buffer) => {
    wireBytes += chunk.length;
    if (wireBytes > maxBytes) response.destroy(new TooLarge());
  });
  if (decoder !== undefined) response.on('error', (error) => decoder.destroy(error)).pipe(decoder);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of decoder ?? response) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > maxBytes) {
      response.destroy();
      throw new TooLarge();
    }
  }
  return Buffer.concat(chunks);
}
