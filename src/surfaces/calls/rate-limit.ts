import { RateLimiterRes } from 'rate-limiter-flexible';
import { BoundedCounters } from './bounded-counters.ts';
import type { MaybePromise } from './maybe-promise.ts';

/** Where requests are counted: rate-limiter-flexible's `consume`, which rejects with a RateLimiterRes when over. */
interface Counters {
  consume(key: string): Promise<RateLimiterRes>;
  /** The same at once, where the counters are in memory; the answer says by its points whether the key is over. */
  counted?(key: string): RateLimiterRes;
}

export interface RateLimitOptions {
  /** The policy's name in the RateLimit headers; letters, digits, `-` and `_`. */
  readonly name: string;
  /** Requests that one key may make in a window. */
  readonly limit: number;
  readonly windowSeconds: number;
  /** The most counters held in memory. */
  readonly maxKeys: number;
  /** Counters elsewhere, such as Redis, made for the same limit and window; memory when left out. */
  readonly counters?: Counters;
  /** Told of every refusal. */
  readonly onRefused?: () => void;
}

export interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds, rounded up, until the whole limit is there again. */
  readonly resetSeconds: number;
}

export interface RateLimit {
  /** Counts one request. Rejects only when the counters themselves fail. */
  take(key: string): MaybePromise<RateDecision>;
  /** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10), and Retry-After on a refusal. */
  headers(decision: RateDecision): Record<string, string>;
}

/** Whole seconds of a wait, rounded up. A clock set back would otherwise promise one longer than any window. */
export const wholeSeconds = (waitMs: number, windowSeconds: number): number =>
  Math.min(windowSeconds, Math.max(1, Math.ceil(waitMs / 1000)));

/** A limit with fixed windows: a key's window begins with its first request, and exactly `limit` pass in it. */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { name, limit, windowSeconds, maxKeys } = options;
  const counters: Counters =
    options.counters ?? new BoundedCounters({ points: limit, windowSeconds, maxKeys });
  const policy = `"${name}";q=${limit};w=${windowSeconds}`;

  const decision = (allowed: boolean, { consumedPoints, msBeforeNext }: RateLimiterRes): RateDecision => ({
    allowed,
    limit,
    remaining: Math.max(0, limit - consumedPoints),
    resetSeconds: wholeSeconds(msBeforeNext, windowSeconds),
  });

  const refused = (counted: RateLimiterRes): RateDecision => {
    options.onRefused?.();
    return decision(false, counted);
  };
  const waitedFor = (counting: Promise<RateLimiterRes>): Promise<RateDecision> =>
    counting.then(
      (counted) => decision(true, counted),
      (refusal) => {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return refused(refusal);
      },
    );

  return {
    take(key) {
      const counted = counters.counted?.(key);
      if (counted === undefined) return waitedFor(counters.consume(key));
      return counted.consumedPoints > limit ? refused(counted) : decision(true, counted);
    },

    headers({ allowed, remaining, resetSeconds }) {
      const shown = { 'RateLimit-Policy': policy, RateLimit: `"${name}";r=${remaining};t=${resetSeconds}` };
      return allowed ? shown : { ...shown, 'Retry-After': String(resetSeconds) };
    },
  };
}
