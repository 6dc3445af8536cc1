import { RateLimiterRes } from 'rate-limiter-flexible';
import { BoundedCounters } from './bounded-counters.ts';

/** Where requests are counted: rate-limiter-flexible's `consume`, which rejects with a RateLimiterRes when over. */
interface Counters {
  consume(key: string): Promise<RateLimiterRes>;
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

interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds, rounded up, until the whole limit is there again. */
  readonly resetSeconds: number;
}

export interface RateLimit {
  /** Counts one request. Rejects only when the counters themselves fail. */
  take(key: string): Promise<RateDecision>;
  /** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10), and Retry-After on a refusal. */
  headers(decision: RateDecision): Record<string, string>;
}

/** A limit with fixed windows: a key's window begins with its first request, and exactly `limit` pass in it. */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { name, limit, windowSeconds, maxKeys } = options;
  const counters = options.counters ?? new BoundedCounters({ points: limit, windowSeconds, maxKeys });
  const policy = `"${name}";q=${limit};w=${windowSeconds}`;

  const decision = (allowed: boolean, { consumedPoints, msBeforeNext }: RateLimiterRes): RateDecision => ({
    allowed,
    limit,
    remaining: Math.max(0, limit - consumedPoints),
    // A clock set back would otherwise promise a wait longer than any window.
    resetSeconds: Math.min(windowSeconds, Math.max(1, Math.ceil(msBeforeNext / 1000))),
  });

  return {
    async take(key) {
      try {
        return decision(true, await counters.consume(key));
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        options.onRefused?.();
        return decision(false, refusal);
      }
    },

    headers({ allowed, remaining, resetSeconds }) {
      const shown = { 'RateLimit-Policy': policy, RateLimit: `"${name}";r=${remaining};t=${resetSeconds}` };
      return allowed ? shown : { ...shown, 'Retry-After': String(resetSeconds) };
    },
  };
}
