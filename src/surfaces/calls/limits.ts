import type { RefusalLimit } from '../../exchange/limits.ts';
import { BoundedCounters } from './bounded-counters.ts';
import { createRateLimit, type RateLimit, type RateLimitOptions, wholeSeconds } from './rate-limit.ts';

export type LimitsParts = {
  readonly freeRequestsPerMinute: number;
  /** Refused payments that one caller may present in a minute. */
  readonly refusedPaymentsPerMinute: number;
  /** Where requests are counted; in memory when left out. */
  readonly countersOf?: (options: RateLimitOptions) => NonNullable<RateLimitOptions['counters']>;
  /** Told whenever a limit refuses a request. */
  readonly onLimited?: (limit: 'free' | 'unpaid' | 'payments' | 'mcp') => void;
};

/** What keeps one caller from asking too much. */
export type Limits = {
  /** Free requests, on all surfaces together. */
  readonly freeLimit: RateLimit;
  /** Requests for paid routes that carry no payment. */
  readonly unpaidLimit: RateLimit;
  /** Whatever is posted to the MCP endpoint; a call that pays is never refused. */
  readonly floodLimit: RateLimit;
  /** Payments that were refused. */
  readonly refusals: RefusalLimit;
  /** Payments that came with an input which buys nothing. */
  readonly wasted: RefusalLimit;
};

const WINDOW_SECONDS = 60;
const MAX_CALLERS = 100_000;
// A conversation over MCP takes several requests, and many people may share one hosted client's address.
const UNPAID_PER_MINUTE = 300;
const UNPAID_PER_FREE_REQUEST = 10;

export function limitsOf(parts: LimitsParts): Limits {
  const { freeRequestsPerMinute: free, refusedPaymentsPerMinute, countersOf, onLimited } = parts;
  const unpaid = Math.max(UNPAID_PER_MINUTE, UNPAID_PER_FREE_REQUEST * free);
  const perMinute = (name: 'free' | 'unpaid' | 'mcp', limit: number) => {
    const onRefused = () => onLimited?.(name);
    const options = { name, limit, windowSeconds: WINDOW_SECONDS, maxKeys: MAX_CALLERS, onRefused };
    return createRateLimit(countersOf ? { ...options, counters: countersOf(options) } : options);
  };
  return {
    freeLimit: perMinute('free', free),
    unpaidLimit: perMinute('unpaid', unpaid),
    floodLimit: perMinute('mcp', unpaid),
    refusals: refusalLimit(refusedPaymentsPerMinute, () => onLimited?.('payments')),
    wasted: refusalLimit(refusedPaymentsPerMinute, () => onLimited?.('payments')),
  };
}

/**
 * So many refused payments a caller may present in a minute, counted in this process alone: what they cost is this
 * process' time and its calls to the chain.
 */
export function refusalLimit(points: number, onRefused: () => void = () => {}): RefusalLimit {
  const counters = new BoundedCounters({ points, windowSeconds: WINDOW_SECONDS, maxKeys: MAX_CALLERS });
  return {
    async restSeconds(caller) {
      const counted = await counters.get(caller);
      if (counted === null || counted.consumedPoints < points) return null;
      onRefused();
      return wholeSeconds(counted.msBeforeNext, WINDOW_SECONDS);
    },
    async count(caller) {
      // Over the limit it is counted all the same: several were under way when it was reached.
      await counters.consume(caller).catch(() => undefined);
    },
  };
}
