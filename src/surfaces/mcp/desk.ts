import type { Operation } from '../../catalog/operation.ts';
import type { Fault } from '../../domain/result.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Outcome } from '../../exchange/outcome.ts';
import type { Challenge } from '../../payments/challenge.ts';
import { type DecodedPayment, decodePayment, MAX_PAYMENT_CHARACTERS } from '../../payments/payment.ts';
import type { OnCall } from '../http/http.ts';
import { named } from '../http/idempotency-key.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { Repeated } from './endpoint.ts';
import { outcomeResult } from './outcome-result.ts';
import { problemResult, type ToolResult } from './problem-result.ts';

/** A `tools/call` whose shape the protocol has checked. */
export type ToolCall = {
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** What JSON gave twice in the arguments and the payment. */
  readonly repeated: Repeated;
  /** `_meta["x402/payment"]`, else PAYMENT-SIGNATURE; undefined when there is neither. */
  readonly payment: unknown;
  /** The client's own name for a purchase, as over HTTP. */
  readonly idempotencyKey: string | undefined;
  /** Whom the free limit counts. */
  readonly caller: string;
  /** Our own name for the request. */
  readonly requestId: string | null;
};

/** A result with the HTTP headers that go with it. */
export type ToolReply = {
  readonly result: ToolResult;
  readonly headers: Readonly<Record<string, string>>;
};

export type DeskParts = {
  readonly tools: ReadonlyMap<string, Operation>;
  /** The challenge of a paid tool, as this surface words it. */
  readonly challengeOf: (operation: Operation) => Challenge;
  readonly exchange: Exchange;
  readonly freeLimit: RateLimit;
  readonly baseUrl: string;
  readonly onCall: OnCall;
};

export type Desk = {
  /** Takes a call to its end; null for an unknown tool, 'failed' for a fault of ours. */
  call(call: ToolCall): Promise<ToolReply | 'failed' | null>;
};

/** Where a tool call becomes a call of the exchange and its outcome a result. */
export function createDesk(parts: DeskParts): Desk {
  const { tools, exchange, baseUrl, onCall } = parts;
  return {
    async call({ name, values, repeated, payment, idempotencyKey, caller, requestId }) {
      const operation = tools.get(name);
      if (operation === undefined) return null;
      const started = performance.now();
      const turn = await freeTurn(operation, caller, parts);
      if (turn.refusal !== null) {
        onCall(name, 'limited', performance.now() - started, requestId);
        return { result: turn.refusal, headers: turn.headers };
      }
      const given = { values: { ...operation.toolDefaults, ...values }, faults: repeated.inArguments };
      const outcome = await exchange.call(
        operation.price === null
          ? { operation, raw: given, payment: null, requestId }
          : {
              operation,
              ...named(given, idempotencyKey),
              payment: decoded(payment, repeated.inPayment),
              caller,
              requestId,
            },
      );
      onCall(name, outcome.state, performance.now() - started, requestId);
      const challenge = operation.price === null ? null : parts.challengeOf(operation);
      const result = outcomeResult(outcome, { baseUrl, operation, challenge });
      return result === null ? 'failed' : { result, headers: { ...turn.headers, ...retryAfter(outcome) } };
    },
  };
}

/** A payment as it came: an object is bound by the length that a header may have. */
function decoded(payment: unknown, repeated: readonly Fault[]): DecodedPayment | null {
  if (payment === undefined || payment === null) return null;
  if (typeof payment === 'object' && isLong(payment)) return { ok: false, faults: [TOO_LONG] };
  return repeated.length > 0 ? { ok: false, faults: repeated } : decodePayment(payment);
}

const TOO_LONG: Fault = {
  pointer: '/payment',
  code: 'too_long',
  detail: `is over ${MAX_PAYMENT_CHARACTERS} characters of JSON`,
  hint: 'send the x402 v2 PaymentPayload without what is not needed',
};

function isLong(payment: object): boolean {
  try {
    return JSON.stringify(payment).length > MAX_PAYMENT_CHARACTERS;
  } catch {
    // Nested deeper than can be written out.
    return true;
  }
}

function retryAfter(outcome: Outcome): Record<string, string> {
  const seconds = 'retryAfterSeconds' in outcome ? outcome.retryAfterSeconds : null;
  return seconds === null ? {} : { 'retry-after': String(seconds) };
}

/** Takes one of the caller's free turns, the same that HTTP counts; paid tools need none. */
async function freeTurn(
  operation: Operation,
  caller: string,
  { freeLimit, baseUrl }: DeskParts,
): Promise<{ refusal: ToolResult | null; headers: Record<string, string> }> {
  if (operation.price !== null) return { refusal: null, headers: {} };
  const decision = await freeLimit.take(caller);
  const headers = freeLimit.headers(decision);
  if (decision.allowed) return { refusal: null, headers };
  const { limit, resetSeconds } = decision;
  // As a tool result the wait reaches the model; an HTTP 429 would make most clients throw.
  const refusal = problemResult({
    baseUrl,
    code: 'rate_limited',
    detail: `The ${limit} free calls a minute of this address are used up.`,
    remedy: `Call again in ${resetSeconds} s; paid tools are not limited.`,
    retryAfterSeconds: resetSeconds,
  });
  return { refusal, headers };
}
