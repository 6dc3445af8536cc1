import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Operation, pageAddress } from '../../catalog/operation.ts';
import type { Outcome, Receipt } from '../../exchange/purchase.ts';
import type { Challenge } from '../../payments/x402/challenge.ts';
import { reasonDetail } from '../../payments/x402/reasons.ts';
import { signingGuide } from '../challenges.ts';
import { faultSummary, type Problem, type ProblemCode, problem } from '../problem.ts';
import type { Reply } from './listener.ts';

// Browsers may read every header that a buyer needs. @x402/fetch sends a response header as a request header, so that
// header is also allowed.
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'PAYMENT-REQUIRED, PAYMENT-RESPONSE, Retry-After, RateLimit, RateLimit-Policy, Link, ETag, X-Request-Id',
};

/** The additional headers of a preflight. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  ...CORS_HEADERS,
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers':
    'Content-Type, Accept, PAYMENT-SIGNATURE, X-PAYMENT, Access-Control-Expose-Headers, Idempotency-Key, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id',
  'access-control-max-age': '86400',
};

const COMMON: Readonly<Record<string, string>> = {
  ...CORS_HEADERS,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};
const JSON_HEADERS = { ...COMMON, 'content-type': 'application/json' };
const PROBLEM_HEADERS = { ...COMMON, 'content-type': 'application/problem+json' };

type Headers = Readonly<Record<string, string>>;

// In Node.js 20, a spread of more than one object takes V8 ten times as long.
const together = (...parts: Headers[]): Headers => Object.assign({}, ...parts);

export const problemReply = (
  body: Problem | (Problem & Record<string, unknown>),
  headers: Headers = {},
): Reply => ({
  status: body.status,
  headers: together(PROBLEM_HEADERS, headers),
  body: JSON.stringify(body),
});

const retryAfter = (seconds: number | null): Headers =>
  seconds === null ? {} : { 'retry-after': String(seconds) };
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const receiptHeader = (receipt: Receipt | null): Headers =>
  receipt === null ? {} : { 'payment-response': encoded(receipt) };

export type Encoding = {
  readonly baseUrl: string;
  readonly operation: Operation;
  /** null for a free operation. */
  readonly challenge: Challenge | null;
  /** The caller's request headers: what it accepts and has cached. */
  readonly header: (name: string) => string | undefined;
  /** Sent with every answer to this call, such as rate limits. */
  readonly headers: Headers;
};

/** Encodes an outcome as an HTTP response. */
export function outcomeReply(outcome: Outcome, encoding: Encoding): Reply {
  const { baseUrl, headers, operation, header } = encoding;
  const plain = (code: ProblemCode, detail?: string, more: Headers = {}) =>
    problemReply(problem(baseUrl, code, detail), { ...headers, ...more });
  switch (outcome.state) {
    case 'served':
      if (operation.cacheable && typeof outcome.body === 'object' && outcome.body !== null)
        return cachedReply(outcome.body, header, { common: JSON_HEADERS, own: headers });
      return { status: 200, headers: together(JSON_HEADERS, headers), body: JSON.stringify(outcome.body) };
    case 'settled':
      return {
        status: 200,
        headers: together(JSON_HEADERS, headers, receiptHeader(outcome.receipt)),
        body: JSON.stringify(outcome.body),
      };
    case 'rejected':
      return problemReply(
        problem(baseUrl, outcome.code, faultSummary(outcome.faults), outcome.faults),
        headers,
      );
    case 'challenged':
      return challengeReply(outcome, encoding);
    case 'conflict': {
      const { code, detail, receipt, retryAfterSeconds } = outcome;
      const body = { ...problem(baseUrl, code, detail), state: code };
      return problemReply(body, { ...headers, ...retryAfter(retryAfterSeconds), ...receiptHeader(receipt) });
    }
    case 'missing':
      return plain('not_found', outcome.detail);
    case 'limited':
      if (outcome.freeRequests !== undefined) {
        const detail = `${outcome.freeRequests} free requests a minute are used up; try again in ${outcome.retryAfterSeconds} s.`;
        const body = { ...problem(baseUrl, 'rate_limited', detail), 'violated-policies': ['free'] };
        return problemReply(body, headers);
      }
      return plain(
        'rate_limited',
        refusedPaymentsDetail(outcome.retryAfterSeconds),
        retryAfter(outcome.retryAfterSeconds),
      );
    case 'unavailable':
      return plain('settlement_unavailable', outcome.detail, retryAfter(outcome.retryAfterSeconds));
    case 'failed':
      return plain('internal');
  }
}

/** Why a payment is not accepted for a while. */
export const refusedPaymentsDetail = (seconds: number): string =>
  `Too many payments from this address were refused within a minute, so this one was not checked. Nothing was sent or charged for this request. Try again in ${seconds} s.`;

/** The body of a 402: a problem that also carries the PaymentRequired and says how to pay. */
export function challengeBody(
  { baseUrl, operation, challenge }: Pick<Encoding, 'baseUrl' | 'operation'> & { challenge: Challenge },
  reason: string,
) {
  const usd = operation.price?.usd ?? '';
  const why = reason === 'payment_required' ? '' : `${reasonDetail(reason)} `;
  const detail = `${why}Pay ${usd} USD in USDC (x402 v2, scheme exact), then repeat this request with PAYMENT-SIGNATURE.`;
  return {
    // Without the input, because errors do not repeat it.
    ...(operation.page !== null && { pay_page: `${baseUrl}${pageAddress(operation.page)}` }),
    ...problem(baseUrl, 'payment_required', detail),
    ...challenge.required(reason),
    price_usd: usd,
    how_to_pay:
      'Sign an EIP-3009 transferWithAuthorization for one of accepts (the typed data is in sign) and repeat the identical request with the x402 v2 PaymentPayload (payment_payload) as base64-encoded JSON in the PAYMENT-SIGNATURE header. An x402 client such as @x402/fetch does this.',
    ...signingGuide(challenge.requirements),
    retry_policy:
      'If the reply is lost, repeat the identical request with the same PAYMENT-SIGNATURE: it is never charged twice.',
    docs: `${baseUrl}/openapi.json`,
  };
}

function challengeReply(outcome: Outcome & { state: 'challenged' }, encoding: Encoding): Reply {
  const { baseUrl, operation, challenge, headers } = encoding;
  if (challenge === null) throw new Error('A free operation has no challenge');
  const { reason, receipt, beforePaying } = outcome;
  const text = challengeText({ baseUrl, operation, challenge }, reason);
  return {
    status: 402,
    headers: together(
      PROBLEM_HEADERS,
      headers,
      { 'payment-required': challenge.header(reason) },
      receiptHeader(receipt),
    ),
    // The operation's text about this input comes before the part that is the same for every input.
    body: beforePaying === undefined ? text : `${JSON.stringify(beforePaying).slice(0, -1)},${text.slice(1)}`,
  };
}

// Like the header, the body depends only on the operation and one of few reasons.
const challengeTexts = new WeakMap<Challenge, Map<string, string>>();

function challengeText(of: Parameters<typeof challengeBody>[0], reason: string): string {
  const known = challengeTexts.get(of.challenge) ?? new Map<string, string>();
  challengeTexts.set(of.challenge, known);
  const text = known.get(reason) ?? JSON.stringify(challengeBody(of, reason));
  known.set(reason, text);
  return text;
}

/** The bytes of a representation as sent. */
export type Representation = {
  readonly coding: Coding;
  /** Never a string, which Node would encode again for each answer. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
};

/** The content to represent. */
export type Body = {
  readonly type: string;
  readonly body: string | Buffer;
  /** The body as the build compressed it, with a slower setting than a request allows. */
  readonly brotli?: Buffer;
  /**
   * Whether to compress the body with a slower setting, because every byte of a first visit counts. Large bodies
   * never use it.
   */
  readonly isTight?: boolean;
};

// Below this size, compression saves barely more than its headers add.
const MIN_COMPRESSED_BYTES = 600;

/** Constant content in the coding that a client accepts. Each is made once, at its first request. */
export function representations<Made>(
  { type, body, brotli, isTight }: Body,
  made: (representation: Representation) => Made,
): (coding: Coding) => Made {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const hash = createHash('sha256').update(type).update(body).digest('base64url').slice(0, 22);
  const plain = made({ coding: 'identity', bytes: new Uint8Array(bytes), etag: `"${hash}"` });
  if (bytes.length < MIN_COMPRESSED_BYTES || isCompressed(type)) return () => plain;
  const known = new Map<Coding, Made>([['identity', plain]]);
  return (coding) => {
    const before = known.get(coding);
    if (before !== undefined) return before;
    const small = new Uint8Array(coding === 'br' && brotli ? brotli : compressed(bytes, coding, isTight));
    const ready = made({ coding, bytes: small, etag: `"${hash}-${coding}"` });
    known.set(coding, ready);
    return ready;
  };
}

const isCompressed = (type: string): boolean => /^image\/(?:png|x-icon|vnd)/.test(type);

// Compression blocks all requests, though only once: 20 KB take 2 ms, or 20 ms with the slower setting; the whole
// directory would take 150.
const MOST_TIGHT_BYTES = 65_536;
const FAST = 6;
const PATIENT = 10;

function compressed(bytes: Buffer, coding: Coding, isTight = false): Buffer {
  const quality = isTight && bytes.length <= MOST_TIGHT_BYTES ? PATIENT : FAST;
  if (coding === 'br')
    return brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    });
  return gzipSync(bytes, { level: 7 });
}

const MAX_AGE_SECONDS = 300;

/** A body in one coding, with all headers of its answer that are the same for every caller. */
type Rendered = Representation & { readonly headers: Headers };

// Cacheable operations return the same frozen body for the same input.
const rendered = new WeakMap<object, (coding: Coding) => Rendered>();

/**
 * Answers a request whose answer changes only with a release: ETag, 304, and compression if it helps. `common` are
 * headers of every answer, cached with the first answer; `own` are headers of only this answer, under other names.
 */
function cachedReply(
  body: object,
  header: (name: string) => string | undefined,
  { common, own }: { readonly common: Headers; readonly own: Headers },
): Reply {
  const { coding, bytes, etag, headers } = rendering(body, common)(codingFor(header('accept-encoding')));
  // A spread of more than one object takes V8 of Node.js 20 ten times as long.
  const all: Record<string, string> = Object.assign({}, headers, own);
  if (!isKnown(header('if-none-match'), etag)) {
    if (coding !== 'identity') all['content-encoding'] = coding;
    return { status: 200, headers: all, body: bytes };
  }
  return { status: 304, headers: all, body: null };
}

function rendering(body: object, common: Headers): (coding: Coding) => Rendered {
  const known = rendered.get(body);
  if (known !== undefined) return known;
  const made = representations(
    { type: 'application/json', body: JSON.stringify(body) },
    (representation) => ({
      ...representation,
      headers: {
        ...common,
        // Each caller has its own limits, so only the caller's own cache may keep the answer with its headers.
        'cache-control': `private, max-age=${MAX_AGE_SECONDS}`,
        etag: representation.etag,
        vary: 'Accept-Encoding',
      },
    }),
  );
  rendered.set(body, made);
  return made;
}

/** The weights in an Accept or Accept-Encoding header (RFC 9110, 12.4): value to weight, in order. */
function weights(header: string): Map<string, number> {
  const weighed = new Map<string, number>();
  for (const part of header.toLowerCase().split(',', MAX_PARTS)) {
    const [value = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    if (value !== '') weighed.set(value, Number.isFinite(weight) ? weight : 0);
  }
  return weighed;
}

const MAX_PARTS = 40;

export type Coding = 'br' | 'gzip' | 'identity';

/** The best coding that a client accepts; identity if it accepts none of our codings. */
export function codingFor(acceptEncoding: string | undefined): Coding {
  const weighed = weights(acceptEncoding ?? '');
  const weight = (coding: string) => weighed.get(coding) ?? weighed.get('*') ?? 0;
  const [br, gzip] = [weight('br'), weight('gzip')];
  if (br > 0 && br >= gzip) return 'br';
  return gzip > 0 ? 'gzip' : 'identity';
}

/**
 * Chooses which of our media types a client prefers, as an index; the first if it does not say. A named type goes
 * before one that a wildcard covers, then the order in the header decides.
 */
export function preferredType(accept: string | undefined, types: readonly string[]): number {
  if (accept === undefined || types.length === 1) return 0;
  const weighed = weights(accept);
  const named = [...weighed.keys()];
  const rank = (type: string) => {
    const family = `${type.split('/', 1)[0]}/*`;
    const range = [type, family, '*/*'].find((candidate) => weighed.has(candidate));
    if (range === undefined) return { weight: 0, exact: false, place: named.length };
    const weight = weighed.get(range) ?? 0;
    // A type with weight 0 is not acceptable, even if it is named.
    return { weight, exact: range === type && weight > 0, place: named.indexOf(range) };
  };
  const ranks = types.map((type, index) => ({ index, ...rank(type) }));
  ranks.sort(
    (one, other) =>
      other.weight - one.weight ||
      Number(other.exact) - Number(one.exact) ||
      (one.exact ? one.place - other.place : 0) ||
      one.index - other.index,
  );
  return ranks[0]?.index ?? 0;
}

/** Whether an If-None-Match names an entity tag, compared weakly (RFC 9110, 13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch
    .split(',', MAX_PARTS)
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
}
