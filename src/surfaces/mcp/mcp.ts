import type { Fault } from '../../domain/result.ts';
import { parseUrl } from '../../domain/url.ts';
import type { SurfaceParts } from '../calls/calls.ts';
import type { RateDecision, RateLimit } from '../calls/limits.ts';
import { toolChallenges } from '../challenges.ts';
import { once, type Warmed } from '../http/documents.ts';
import { MAX_BODY_BYTES, readJson, repeatedFields } from '../http/input.ts';
import type { Reply, Requested } from '../http/listener.ts';
import { CORS_HEADERS } from '../http/reply.ts';
import type { Router } from '../http/router.ts';
import {
  type Answer,
  createProtocol,
  INTERNAL,
  INVALID_REQUEST,
  idOf,
  NOT_ALLOWED,
  PARSE_ERROR,
  rpcError,
  TOO_MANY_REQUESTS,
} from './protocol.ts';
import { isPaying, type Post, type ToolCallerParts, toolCaller } from './tool-calls.ts';
import { instructionsFor, toolList } from './tools.ts';

export type McpParts = SurfaceParts & {
  readonly payPageOf: ToolCallerParts['payPageOf'];
  /** The document with which chats show the answers of free tools. */
  readonly viewHtml: () => string;
  readonly freeRequestsPerMinute: number;
  /** Counts every POST to /mcp. A call that pays is counted and never rejected. */
  readonly floodLimit: RateLimit;
};

/** Mounts POST /mcp for every tool of the catalog. `warm` renders the list of tools. */
export function mountMcp(router: Router, parts: McpParts): Warmed {
  const { operations, baseUrl, floodLimit, callerOf, onBug } = parts;
  const isAllowed = createGuard(baseUrl);
  const tools = new Map(operations.filter(({ tool }) => tool).map((tool) => [tool.name, tool]));
  const protocol = once(() => {
    const challengeOf = toolChallenges(operations, parts.challengeOf);
    return createProtocol({
      baseUrl,
      tools: toolList(operations, (operation) => challengeOf(operation).requirements),
      instructions: instructionsFor(parts),
      viewHtml: parts.viewHtml,
      callTool: toolCaller({ ...parts, tools, challengeOf }),
    });
  });

  const flooded = (decision: RateDecision): Answer => {
    const { limit, resetSeconds } = decision;
    const message = `Too many requests: ${limit} a minute. Try again in ${resetSeconds} s.`;
    return rpcError(429, { code: TOO_MANY_REQUESTS, message }, { headers: floodLimit.headers(decision) });
  };

  /** The checks before the protocol: host and origin, the flood limit, a bounded JSON body of one message. */
  async function answer(requested: Requested): Promise<Answer> {
    const { header, requestId } = requested;
    if (!isAllowed(header('host'), header('origin')))
      return refused(403, `Host and Origin must be those of ${baseUrl}/mcp.`);
    const caller = callerOf(requested);
    const decision = await floodLimit.take(caller);
    const sent = await readJson(requested);
    const mayPay =
      header('payment-signature') !== undefined ||
      ('bytes' in sent && Buffer.from(sent.bytes).includes(PAYMENT_NAME));
    if (!decision.allowed && !mayPay) return flooded(decision);
    const read = messageIn(sent);
    if (!decision.allowed && !('body' in read && isPaying({ ...read, header }, tools)))
      return flooded(decision);
    if ('refusal' in read) return read.refusal;
    try {
      return await protocol()({ ...read, header, caller, requestId });
    } catch (error) {
      onBug('mcp', error, requestId);
      return rpcError(200, INTERNAL, { id: idOf(read.body) });
    }
  }

  router.on(['POST'], '/mcp', async (requested) => replyOf(await answer(requested)));
  // Some clients repeat the GET stream of older revisions until they get a 405 that allows POST.
  router.onRefused('/mcp', () => replyOf(notAllowed));
  return {
    warm: async () => {
      protocol();
    },
  };
}

const HEADERS: Readonly<Record<string, string>> = {
  ...CORS_HEADERS,
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

const replyOf = ({ status, text, headers }: Answer): Reply => ({
  status,
  headers: { ...HEADERS, ...headers },
  body: text,
});

const notAllowed = rpcError(
  405,
  { code: NOT_ALLOWED, message: 'Method not allowed: this endpoint is stateless, use POST.' },
  { headers: { allow: 'POST' } },
);

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const hostnameOf = (text: string): string | null => {
  const url = parseUrl(text);
  return url === null || url.hostname === '' ? null : url.hostname;
};

/**
 * Makes the check against DNS rebinding, which returns whether a request cannot come from a foreign page. Browsers send
 * `Origin` with every POST, and it must be the service's own host; a loopback page may call only a loopback server.
 * `Host` is checked only if the service's own address is loopback, because no proxy is in front of it then. Proxies of
 * a public service often write their own host, and a caller without `Origin` is not a browser.
 */
export function createGuard(
  baseUrl: string,
): (host: string | undefined, origin: string | undefined) => boolean {
  const own = hostnameOf(baseUrl) ?? '';
  const isLocal = LOOPBACK.includes(own);
  const origins = new Set(isLocal ? LOOPBACK : [own]);
  const isLoopback = (host: string): boolean => {
    const hostname = /[/?#@\\]/.test(host) ? null : hostnameOf(`http://${host}`);
    return hostname !== null && LOOPBACK.includes(hostname);
  };
  return (host, origin) => {
    if (isLocal && (host === undefined || !isLoopback(host))) return false;
    if (origin === undefined || origin === '') return true;
    if (!/^https?:\/\//i.test(origin)) return false;
    const from = hostnameOf(origin);
    return from !== null && origins.has(from);
  };
}

const refused = (status: number, message: string): Answer =>
  rpcError(status, { code: INVALID_REQUEST, message });

const utf8 = new TextDecoder('utf-8', { fatal: true });

// Maximum nesting: the message, params, _meta, a payment, its payload and the authorization.
const DEEPEST = 6;
// A call with a hundred lines has about four hundred names.
const MAX_NAMES = 2_000;

// The key of a call's payment in `_meta`.
const PAYMENT_NAME = 'x402/payment';

/** One JSON value that is not a batch, or the refusal. */
function messageIn(
  sent: Awaited<ReturnType<typeof readJson>>,
): Pick<Post, 'body' | 'repeated'> | { refusal: Answer } {
  if ('refusal' in sent)
    return {
      refusal:
        sent.refusal === 'payload_too_large'
          ? refused(413, `The body is over ${MAX_BODY_BYTES} bytes.`)
          : refused(415, 'Content-Type must be application/json, in UTF-8 and without a content encoding.'),
    };
  let text: string;
  let body: unknown;
  try {
    text = utf8.decode(sent.bytes);
    body = JSON.parse(text);
  } catch {
    const fault = { code: PARSE_ERROR, message: 'Parse error: the body is not JSON in UTF-8.' };
    return { refusal: rpcError(400, fault) };
  }
  // The limits would count a batch of a hundred calls as one call.
  if (Array.isArray(body)) return { refusal: refused(400, 'Batches are not supported: post one message.') };
  const { faults, names } = repeatedFields(text, DEEPEST);
  if (names > MAX_NAMES) return { refusal: refused(400, `The message has more than ${MAX_NAMES} names.`) };
  const repeated = {
    inArguments: faultsIn(faults, '/params/arguments', ''),
    inPayment: faultsIn(faults, '/params/_meta/x402~1payment', '/payment'),
  };
  if (repeated.inArguments.length + repeated.inPayment.length < faults.length)
    return { refusal: refused(400, 'A name occurs more than once in an object of the message.') };
  return { body, repeated };
}

const faultsIn = (faults: readonly Fault[], part: string, shownAs: string): Fault[] =>
  faults
    .filter(({ pointer }) => pointer.startsWith(`${part}/`))
    .map((fault) => ({ ...fault, pointer: `${shownAs}${fault.pointer.slice(part.length)}` }));
