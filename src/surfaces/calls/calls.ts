import type { Operation } from '../../catalog/operation.ts';
import type { Call, Exchange } from '../../exchange/exchange.ts';
import type { RefusalLimit } from '../../exchange/limits.ts';
import type { Outcome } from '../../exchange/outcome.ts';
import type { OnBug } from '../../exchange/purchase.ts';
import type { Payment } from '../../payments/x402/payment.ts';
import type { ChallengeOf } from '../challenges.ts';
import type { RateDecision, RateLimit } from './limits.ts';
import { chain, type MaybePromise } from './maybe-promise.ts';

export type CallsParts = {
  readonly exchange: Exchange;
  /** The bucket that free requests take from. */
  readonly freeLimit: RateLimit;
  /** Counts payments that came with an input which buys nothing. */
  readonly wasted: RefusalLimit;
  /** Whether a payment was accepted for something before. */
  readonly isClaimed: (operation: Operation, payment: Payment) => Promise<boolean>;
  readonly onCall: OnCall;
};

/** What every surface that takes calls is made from. */
export type SurfaceParts = CallsParts & {
  readonly operations: readonly Operation[];
  /** As HTTP words it. */
  readonly challengeOf: ChallengeOf;
  /** An origin without a closing slash. */
  readonly baseUrl: string;
  /** Names the caller for counting; never logged. */
  readonly callerOf: (asking: Asking) => string;
  readonly onBug: OnBug;
};

/** The parts of a request that tell who asks. */
export type Asking = {
  /** The address that holds the connection; undefined once it is closed. */
  readonly socketAddress: string | undefined;
  header(name: string): string | undefined;
};

/** Told of every finished call: name, outcome and our name for the request, nothing the caller sent. */
export type OnCall = (
  operation: string,
  outcome: Outcome['state'],
  durationMs: number,
  requestId?: string | null,
) => void;

type Asked = {
  readonly operation: Operation;
  readonly caller: string;
  /** Whether it takes one of the caller's free turns. */
  readonly isCounted: boolean;
  /** Our own name for the request. */
  readonly requestId?: string | null;
};

/** What a surface has read of a call, or its own answer to what could not be read. */
type Read<Refusal> = Omit<Call, 'operation' | 'caller'> | { readonly refusal: Refusal };

/** How a call ended, with the headers of its free turn. */
export type Taken<Refusal> = { readonly headers: Readonly<Record<string, string>> } & (
  | { readonly outcome: Outcome }
  | { readonly refusal: Refusal }
);

/**
 * Takes a call from its free turn to its end, on every surface. Without a turn left nothing is read. At once where nothing
 * is waited for: counters in memory, input that is there, no payment.
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
    // Field by field: V8 makes an object anew for each field that stands behind a spread.
    const call = { operation, caller, requestId, raw, payment, idempotencyKey, mayProbe };
    if (payment?.ok) return paid(call, payment.payment);
    return chain(exchange.call(call), ended);
  };
  /** A payment that comes with an invalid input is no way around the limit of requests that pay nothing. */
  const paid = async (call: Call, payment: Payment): Promise<Taken<Refusal>> => {
    const restSeconds = await wasted.restSeconds(caller);
    if (restSeconds !== null && !(await isClaimed(operation, payment)))
      return ended({ state: 'limited', retryAfterSeconds: restSeconds });
    const outcome = exchange.call(call);
    // An outcome at once is one before the payment was looked at.
    if (!(outcome instanceof Promise)) await wasted.count(caller);
    return ended(await outcome);
  };
  const counted = (decision: RateDecision): MaybePromise<Taken<Refusal>> => {
    headers = freeLimit.headers(decision);
    const { allowed, limit, resetSeconds } = decision;
    return allowed
      ? chain(read(), taken)
      : ended({ state: 'limited', freeRequests: limit, retryAfterSeconds: resetSeconds });
  };
  return isCounted ? chain(freeLimit.take(caller), counted) : chain(read(), taken);
}

const NONE = {};
