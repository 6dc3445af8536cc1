import type { Operation } from '../../catalog/operation.ts';
import type { Call, Exchange } from '../../exchange/exchange.ts';
import type { RefusalLimit } from '../../exchange/limits.ts';
import type { OnBug, Outcome } from '../../exchange/purchase.ts';
import type { Payment } from '../../payments/x402/payment.ts';
import type { ChallengeOf } from '../challenges.ts';
import type { RateLimit } from './limits.ts';

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
  /** An origin without a trailing slash. */
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

/** The call as a surface read it, or the surface's own answer to an unreadable call. */
type Read<Refusal> =
  | (Pick<Call, 'raw' | 'payment'> & Partial<Pick<Call, 'idempotencyKey' | 'mayProbe'>>)
  | { readonly refusal: Refusal };

/** The outcome of a call, with the headers of its free request. */
export type Taken<Refusal> = { readonly headers: Readonly<Record<string, string>> } & (
  | { readonly outcome: Outcome }
  | { readonly refusal: Refusal }
);

/**
 * Processes a call on every surface, from the free limit to its outcome. If the limit is reached, the input is not
 * read.
 */
export async function takeCall<Refusal>(
  { operation, caller, isCounted, requestId = null }: Asked,
  { exchange, freeLimit, wasted, isClaimed, onCall }: CallsParts,
  read: () => Read<Refusal> | Promise<Read<Refusal>>,
): Promise<Taken<Refusal>> {
  const started = performance.now();
  let headers: Readonly<Record<string, string>> = {};
  const ended = (outcome: Outcome): Taken<Refusal> => {
    onCall(operation.name, outcome.state, performance.now() - started, requestId);
    return { outcome, headers };
  };
  if (isCounted) {
    const decision = await freeLimit.take(caller);
    const { allowed, limit, resetSeconds } = decision;
    headers = freeLimit.headers(decision);
    if (!allowed) return ended({ state: 'limited', freeRequests: limit, retryAfterSeconds: resetSeconds });
  }
  const asked = await read();
  if ('refusal' in asked) return { refusal: asked.refusal, headers };
  const { raw, payment, idempotencyKey = null, mayProbe = false } = asked;
  if (payment?.ok) {
    const restSeconds = await wasted.restSeconds(caller);
    if (restSeconds !== null && !(await isClaimed(operation, payment.payment)))
      return ended({ state: 'limited', retryAfterSeconds: restSeconds });
  }
  // Written field by field, because V8 creates a new object for each field after a spread.
  const outcome = exchange.call({ operation, caller, requestId, raw, payment, idempotencyKey, mayProbe });
  // A synchronous outcome means that the payment was not checked. A payment with an invalid input must not get around
  // the limit of requests that pay nothing.
  if (payment?.ok && !(outcome instanceof Promise)) await wasted.count(caller);
  return ended(await outcome);
}
