import type { Operation } from '../../catalog/operation.ts';
import type { Call, Exchange } from '../../exchange/exchange.ts';
import type { RefusalLimit } from '../../exchange/limits.ts';
import type { Outcome } from '../../exchange/outcome.ts';
import type { OnBug } from '../../exchange/purchase.ts';
import type { Payment } from '../../payments/x402/payment.ts';
import type { ChallengeOf } from '../challenges.ts';
import type { RateDecision, RateLimit } from './limits.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';

export type CallsParts = {
  readonly exchange: Exchange;
  /** The limit that free requests count in. */
  readonly freeLimit: RateLimit;
  /** Counts payments for an input that has no answer. */
  readonly wasted: RefusalLimit;
  /** Whether a payment was already accepted for another request. */
  readonly isClaimed: (operation: Operation, payment: Payment) => Promise<boolean>;
  readonly onCall: OnCall;
};

/** The parts of every surface that takes calls. */
export type SurfaceParts = CallsParts & {
  readonly operations: readonly Operation[];
  /** The challenge as sent over HTTP. */
  readonly challengeOf: ChallengeOf;
  /** An origin without a closing slash. */
  readonly baseUrl: string;
  /** Names the caller for counting; never logged. */
  readonly callerOf: (asking: Asking) => string;
  readonly onBug: OnBug;
};

/** The parts of a request that identify the caller. */
export type Asking = {
  /** The address that holds the connection; undefined once it is closed. */
  readonly socketAddress: string | undefined;
  header(name: string): string | undefined;
};

/** Called after every call with its name, its outcome and the request id, and no data from the caller. */
export type OnCall = (
  operation: string,
  outcome: Outcome['state'],
  durationMs: number,
  requestId?: string | null,
) => void;

type Asked = {
  readonly operation: Operation;
  readonly caller: string;
  /** Whether the call counts as one of the caller's free requests. */
  readonly isCounted: boolean;
  /** The service's id of the request. */
  readonly requestId?: string | null;
};

/** The call as a surface read it, or the surface's own answer to an unreadable one. */
type Read<Refusal> = Omit<Call, 'operation' | 'caller'> | { readonly refusal: Refusal };

/** The outcome of a call, with the headers of its free request. */
export type Taken<Refusal> = { readonly headers: Readonly<Record<string, string>> } & (
  | { readonly outcome: Outcome }
  | { readonly refusal: Refusal }
);

/**
 * Processes a call on every surface, from the free limit to its outcome. If the limit is reached, the input is not
 * read. Synchronous if there is nothing to wait for: counters in memory, input already read, no payment.
 */
export function takeCall<Refusal>(
  { operation, caller, isCounted, requestId = null }: Asked,
  { exchange, freeLimit, wasted, isClaimed, onCall }: CallsParts,
  read: () => MaybePromise<Read<Refusal>>,
): MaybePromise<Taken<Refusal>> {
  const started = performance.now();
  let headers: Readonly<Record<string, string>> = NONE;
  const ended = (outcome: Outcome): Taken<Refusal> => {
    onCall(operation.name, outcome.state, performance.now() - started, requestId);
    return { outcome, headers };
  };
  const taken = (read: Read<Refusal>): MaybePromise<Taken<Refusal>> => {
    if ('refusal' in read) return { refusal: read.refusal, headers };
    const { raw, payment, idempotencyKey = null, mayProbe = false } = read;
    // Written field by field, because V8 creates a new object for each field after a spread.
    const call = { operation, caller, requestId, raw, payment, idempotencyKey, mayProbe };
    if (payment?.ok) return paid(call, payment.payment);
    return andThen(exchange.call(call), ended);
  };
  /** A payment with an invalid input must not get around the limit of requests that pay nothing. */
  const paid = async (call: Call, payment: Payment): Promise<Taken<Refusal>> => {
    const restSeconds = await wasted.restSeconds(caller);
    if (restSeconds !== null && !(await isClaimed(operation, payment)))
      return ended({ state: 'limited', retryAfterSeconds: restSeconds });
    const outcome = exchange.call(call);
    // A synchronous outcome means that the payment was not checked.
    if (!(outcome instanceof Promise)) await wasted.count(caller);
    return ended(await outcome);
  };
  const counted = (decision: RateDecision): MaybePromise<Taken<Refusal>> => {
    headers = freeLimit.headers(decision);
    const { allowed, limit, resetSeconds } = decision;
    return allowed
      ? andThen(read(), taken)
      : ended({ state: 'limited', freeRequests: limit, retryAfterSeconds: resetSeconds });
  };
  return isCounted ? andThen(freeLimit.take(caller), counted) : andThen(read(), taken);
}

const NONE = {};
