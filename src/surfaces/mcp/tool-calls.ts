import type { Operation } from '../../catalog/operation.ts';
import type { Fault } from '../../domain/result.ts';
import type { Outcome } from '../../exchange/outcome.ts';
import type { OnBug } from '../../exchange/purchase.ts';
import { type DecodedPayment, decodePayment, MAX_PAYMENT_CHARACTERS } from '../../payments/x402/payment.ts';
import { type CallsParts, takeCall } from '../calls/calls.ts';
import type { ChallengeOf } from '../challenges.ts';
import { named } from '../http/idempotency-key.ts';
import { outcomeResult } from './outcome-result.ts';
import type { Post } from './post.ts';
import type { ToolResult } from './problem-result.ts';

/** A `tools/call` whose shape the protocol has checked. */
export type ToolCall = {
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** `_meta["x402/payment"]`; without it, a payment is read from PAYMENT-SIGNATURE. */
  readonly payment?: unknown;
  /** The request that carries the call. */
  readonly post: Post;
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
  readonly onBug: OnBug;
};

/** Takes a call to its end; null for an unknown tool, 'failed' for an internal error. Never throws. */
export type CallTool = (call: ToolCall) => Promise<ToolReply | 'failed' | null>;

/** Where a tool call becomes a call of the exchange and its outcome a result. */
export function toolCaller(parts: ToolCallerParts): CallTool {
  const { tools, baseUrl } = parts;

  async function take(operation: Operation, call: ToolCall): Promise<ToolReply | 'failed'> {
    const { header, repeated, caller, requestId } = call.post;
    const isFree = operation.price === null;
    const { headers, ...taken } = await takeCall<never>(
      { operation, caller, isCounted: isFree, requestId },
      parts,
      () => {
        const raw = { values: { ...operation.toolDefaults, ...call.values }, faults: repeated.inArguments };
        if (isFree) return { raw, payment: null };
        const payment = decoded(call.payment ?? header('payment-signature'), repeated.inPayment);
        return { ...named(raw, header('idempotency-key')), payment };
      },
    );
    const { outcome } = taken as { outcome: Outcome };
    const challenge = isFree ? null : parts.challengeOf(operation);
    const result = outcomeResult(outcome, { baseUrl, operation, challenge });
    if (result === null) return 'failed';
    return { result, headers: { ...retryAfter(outcome), ...headers }, isJson: operation.text === null };
  }

  return async (call) => {
    const operation = tools.get(call.name);
    if (operation === undefined) return null;
    return take(operation, call).catch((error: unknown) => {
      parts.onBug('mcp', error, call.post.requestId);
      return 'failed' as const;
    });
  };
}

/** A payment as it was sent; an object may be as long as a header. */
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
    // Nested too deeply to be serialized.
    return true;
  }
}

function retryAfter(outcome: Outcome): Record<string, string> {
  const seconds = 'retryAfterSeconds' in outcome ? outcome.retryAfterSeconds : null;
  return seconds === null ? {} : { 'Retry-After': String(seconds) };
}
