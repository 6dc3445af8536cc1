import { methodsOf, type Operation } from '../../catalog/operation.ts';
import type { RawInput } from '../../exchange/validate.ts';
import { type DecodedPayment, decodePayment } from '../../payments/x402/payment.ts';
import { type SurfaceParts, type Taken, takeCall } from '../calls/calls.ts';
import type { RateDecision, RateLimit } from '../calls/limits.ts';
import { type ProblemCode, problem } from '../problem.ts';
import { decodeBody, decodeQuery, named, readJson, strayParameters } from './input.ts';
import type { Reply, Requested } from './listener.ts';
import { outcomeReply, problemReply } from './reply.ts';
import type { Handler, Router } from './router.ts';

export type HttpParts = SurfaceParts & {
  /** Counts requests for paid operations that carry no payment. */
  readonly unpaidLimit: RateLimit;
  /**
   * The status of a paid operation for a request without any input: 400, or 402 for catalogs that probe like that.
   */
  readonly coldProbe: 400 | 402;
  readonly forBrowsers: ForBrowsers;
};

/** Renders an unpaid answer as HTML if the client prefers it; null for other clients. */
export type ForBrowsers = (operation: Operation, requested: Requested, reply: Reply) => Reply | null;

/**
 * Mounts the route of every operation. A paid operation has no separate gate: its handler is the exchange, so a caller
 * cannot avoid payment by spelling a path differently, using HEAD or omitting a header.
 */
export function mountOperations(router: Router, parts: HttpParts): void {
  for (const operation of parts.operations) {
    const { route, price } = operation;
    if (route === null) continue;
    router.on(methodsOf(route), route.path, handlerOf(operation, parts));
    if (price === null) continue;
    router.onRefused(route.path, (requested, refused) =>
      isReading(requested) ? parts.forBrowsers(operation, requested, refused) : null,
    );
  }
}

/** GET, or HEAD, whose headers are the same. */
const isReading = ({ method }: Requested): boolean => method === 'GET' || method === 'HEAD';

function handlerOf(operation: Operation, parts: HttpParts): Handler {
  const isFree = operation.price === null;
  return async (requested, segment) => {
    const { requestId } = requested;
    const caller = parts.callerOf(requested);
    const payment = isFree ? null : paymentOf(requested);
    if (!isFree && !payment?.ok) {
      const decision = await parts.unpaidLimit.take(caller);
      if (!decision.allowed) {
        parts.onCall(operation.name, 'limited', 0, requestId);
        return unpaidReply(decision, parts);
      }
    }
    const asked = { operation, caller, isCounted: isFree, requestId };
    const taken = await takeCall<ProblemCode>(asked, parts, async () => {
      const raw = await readRaw(requested, operation, segment);
      return 'refusal' in raw ? raw : callOf(raw, payment, { operation, requested, parts });
    });
    return replyTo(taken, { operation, requested, parts });
  };
}

/** Too many requests that paid nothing. Only this answer names the limit, because requests that pay have none. */
function unpaidReply(decision: RateDecision, { baseUrl, unpaidLimit }: HttpParts): Reply {
  const { limit, resetSeconds } = decision;
  const detail = `${limit} unpaid requests a minute are used up; try again in ${resetSeconds} s. Requests with a payment are still accepted.`;
  const body = { ...problem(baseUrl, 'rate_limited', detail), 'violated-policies': ['unpaid'] };
  return problemReply(body, unpaidLimit.headers(decision));
}

/** HEAD returns what GET would without a payment, so it cannot pay. */
const signatureOf = ({ method, header }: Requested): string | undefined =>
  method === 'HEAD' ? undefined : header('payment-signature');

function paymentOf(requested: Requested): DecodedPayment | null {
  const signature = signatureOf(requested);
  return signature === undefined ? null : decodePayment(signature);
}

type Asked = { readonly operation: Operation; readonly requested: Requested; readonly parts: HttpParts };

function callOf(raw: RawInput, payment: DecodedPayment | null, { operation, requested, parts }: Asked) {
  if (operation.price === null) return { raw, payment };
  const mayProbe = parts.coldProbe === 402;
  return { ...named(raw, requested.header('idempotency-key')), payment, mayProbe };
}

function replyTo(taken: Taken<ProblemCode>, { operation, requested, parts }: Asked): Reply {
  const { baseUrl } = parts;
  const { headers } = taken;
  if ('refusal' in taken) return problemReply(problem(baseUrl, taken.refusal), headers);
  const { outcome } = taken;
  const { header } = requested;
  if (operation.price === null)
    return outcomeReply(outcome, { baseUrl, operation, challenge: null, header, headers });
  const signature = signatureOf(requested);
  const isOfV1 =
    outcome.state === 'challenged' && signature === undefined && header('x-payment') !== undefined;
  const said = isOfV1 ? { ...outcome, reason: 'invalid_x402_version' } : outcome;
  const challenge = parts.challengeOf(operation);
  const reply = outcomeReply(said, { baseUrl, operation, challenge, header, headers });
  if (signature !== undefined || !isReading(requested)) return reply;
  return parts.forBrowsers(operation, requested, reply) ?? reply;
}

async function readRaw(
  requested: Requested,
  { route }: Operation,
  segment: string,
): Promise<RawInput | { refusal: ProblemCode }> {
  const { query, method } = requested;
  if (method === 'POST') {
    const read = await readJson(requested);
    if ('refusal' in read) return read;
    const { values, faults } = decodeBody(read.bytes);
    return { values, faults: [...strayParameters(query), ...faults] };
  }
  const raw = decodeQuery(query);
  const name = /\{(\w+)\}$/.exec(route?.path ?? '')?.[1];
  return name === undefined ? raw : { ...raw, values: { ...raw.values, [name]: segment } };
}
