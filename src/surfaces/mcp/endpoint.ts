import type { Context } from 'hono';
import type { Fault } from '../../domain/result.ts';
import { requestIdOf } from '../../platform/request-id.ts';
import type { SurfaceParts } from '../calls/calls.ts';
import type { RateLimit } from '../calls/rate-limit.ts';
import { MAX_BODY_BYTES, readBody } from '../http/body.ts';
import { repeatedFields } from '../http/repeated-fields.ts';
import { createGuard } from './guard.ts';
import type { Repeated } from './post.ts';
import type { Protocol } from './protocol.ts';
import {
  type Answer,
  INTERNAL,
  INVALID_REQUEST,
  idOf,
  PARSE_ERROR,
  rpcError,
  TOO_MANY_REQUESTS,
  toResponse,
} from './rpc.ts';

export type EndpointParts = Pick<SurfaceParts, 'baseUrl' | 'callerOf' | 'onBug'> & {
  readonly floodLimit: RateLimit;
  readonly protocol: () => Promise<Protocol>;
};

/** The checks before the protocol: host and origin, the flood limit, a bounded JSON body of one message. */
export function createEndpoint(parts: EndpointParts): (context: Context) => Promise<Response> {
  const { baseUrl, floodLimit, callerOf, protocol, onBug } = parts;
  const isAllowed = createGuard(baseUrl);

  async function answer(context: Context): Promise<Answer> {
    const header = (name: string) => context.req.header(name);
    const host = header('host') ?? new URL(context.req.url).host;
    if (!isAllowed(host, header('origin')))
      return refused(403, `Host and Origin must be those of ${baseUrl}/mcp.`);
    const caller = callerOf(context);
    const decision = await floodLimit.take(caller);
    if (!decision.allowed) {
      const message = `Too many requests: ${decision.limit} a minute. Try again in ${decision.resetSeconds} s.`;
      const headers = floodLimit.headers(decision);
      return rpcError(429, { code: TOO_MANY_REQUESTS, message }, { headers });
    }
    const body = await readMessage(context);
    if ('refusal' in body) return body.refusal;
    try {
      const { message, repeated } = body;
      const requestId = requestIdOf(context);
      return await (await protocol())({ header, body: message, repeated, caller, requestId });
    } catch (error) {
      onBug('mcp', error, requestIdOf(context));
      return rpcError(200, INTERNAL, { id: idOf(body.message) });
    }
  }

  return async (context) => toResponse(await answer(context));
}

const refused = (status: number, message: string): Answer =>
  rpcError(status, { code: INVALID_REQUEST, message });

const utf8 = new TextDecoder('utf-8', { fatal: true });

// Levels of nesting: the message, params, _meta, a payment, its payload and the authorization.
const DEEPEST = 6;
// A call of a hundred lines has some four hundred; the SDK copies each of them several times.
const MAX_NAMES = 2_000;

type Read = { message: unknown; repeated: Repeated } | { refusal: Answer };

/** One JSON value that is no batch, or the refusal. */
async function readMessage(context: Context): Promise<Read> {
  const body = await readBody(context);
  if ('refusal' in body)
    return {
      refusal:
        body.refusal === 'payload_too_large'
          ? refused(413, `The body is over ${MAX_BODY_BYTES} bytes.`)
          : refused(415, 'Content-Type must be application/json, in UTF-8 and without a content encoding.'),
    };
  let text: string;
  let message: unknown;
  try {
    text = utf8.decode(body.bytes);
    message = JSON.parse(text);
  } catch {
    const fault = { code: PARSE_ERROR, message: 'Parse error: the body is not JSON in UTF-8.' };
    return { refusal: rpcError(400, fault) };
  }
  // The limits would count a batch of a hundred calls as one.
  if (Array.isArray(message)) return { refusal: refused(400, 'Batches are not taken: post one message.') };
  const { faults, names } = repeatedFields(text, message, DEEPEST);
  if (names > MAX_NAMES) return { refusal: refused(400, `The message has over ${MAX_NAMES} names.`) };
  const repeated = {
    inArguments: faultsIn(faults, ARGUMENTS, ''),
    inPayment: faultsIn(faults, PAYMENT, '/payment'),
  };
  if (repeated.inArguments.length + repeated.inPayment.length < faults.length)
    return { refusal: refused(400, 'A name is given more than once in an object of the message.') };
  return { message, repeated };
}

const ARGUMENTS = '/params/arguments';
const PAYMENT = '/params/_meta/x402~1payment';

const faultsIn = (faults: readonly Fault[], part: string, shownAs: string): Fault[] =>
  faults
    .filter(({ pointer }) => pointer.startsWith(`${part}/`))
    .map((fault) => ({ ...fault, pointer: `${shownAs}${fault.pointer.slice(part.length)}` }));
