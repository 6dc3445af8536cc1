import type { Operation } from '../../catalog/operation.ts';
import type { Fault } from '../../domain/result.ts';
import type { Outcome } from '../../exchange/outcome.ts';
import { type DecodedPayment, decodePayment, MAX_PAYMENT_CHARACTERS } from '../../payments/x402/payment.ts';
import { type CallsParts, takeCall } from '../calls/calls.ts';
import type { ChallengeOf } from '../challenges.ts';
import { named } from '../http/idempotency-key.ts';
import { outcomeResult } from './outcome-result.ts';
import type { Repeated } from './post.ts';
import type { ToolResult } from './problem-result.ts';

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
  /** Whether the text of an answer is the JSON of its structuredContent. */
  readonly isJson: boolean;
};

export type ToolCallerParts = CallsParts & {
  readonly tools: ReadonlyMap<string, Operation>;
  /** The challenge of a paid tool, as this surface words it. */
  readonly challengeOf: ChallengeOf;
  readonly baseUrl: string;
};

export type ToolCaller = {
  /** Takes a call to its end; null for an unknown tool, 'failed' for a fault of ours. */
  call(call: ToolCall): Promise<ToolReply | 'failed' | null>;
};

/** Where a tool call becomes a call of the exchange and its outcome a result. */
export function createToolCaller(parts: ToolCallerParts): ToolCaller {
  const { tools, baseUrl } = parts;
  return {
    async call({ name, values, repeated, payment, idempotencyKey, caller, requestId }) {
      const operation = tools.get(name);
      if (operation === undefined) return null;
      const isFree = operation.price === null;
      const { headers, ...taken } = await takeCall<never>(
        { operation, caller, isCounted: isFree, requestId },
        parts,
        () => {
          const raw = { values: { ...operation.toolDefaults, ...values }, faults: repeated.inArguments };
          return isFree
            ? { raw, payment: null }
            : { ...named(raw, idempotencyKey), payment: decoded(payment, repeated.inPayment) };
        },
      );
      const { outcome } = taken as { outcome: Outcome };
      const challenge = isFree ? null : parts.challengeOf(operation);
      const result = outcomeResult(outcome, { baseUrl, operation, challenge });
      if (result === null) return 'failed';
      return { result, headers: { ...retryAfter(outcome), ...headers }, isJson: operation.text === null };
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
  return seconds === null ? {} : { 'Retry-After': String(seconds) };
}
