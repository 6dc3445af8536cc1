import type { RefusalLimit } from '../../exchange/unproven.ts';
import { createRateLimit, type RateLimit, type RateLimitOptions } from './rate-limit.ts';
import { refusalLimit } from './refusal-limit.ts';

export type LimitsParts = {
  readonly freeRequestsPerMinute: number;
  /** Refused payments that one caller may present in a minute. */
  readonly refusedPaymentsPerMinute: number;
  /** Where requests are counted; in memory when left out. */
  readonly countersOf?: (options: RateLimitOptions) => NonNullable<RateLimitOptions['counters']>;
  /** Told whenever a limit refuses a request. */
  readonly onLimited?: (limit: 'free' | 'payments' | 'mcp') => void;
};

/** What keeps one caller from asking too much. */
export type Limits = {
  /** Free requests, on all surfaces together. */
  readonly freeLimit: RateLimit;
  /** Whatever is posted to the MCP endpoint. */
  readonly floodLimit: RateLimit;
  readonly refusals: RefusalLimit;
};

const WINDOW_SECONDS = 60;
const MAX_CALLERS = 100_000;
// A conversation over MCP takes several requests, and many people may share one hosted client's address.
const POSTS_PER_MINUTE = 300;
const POSTS_PER_FREE_REQUEST = 10;

export function limitsOf(parts: LimitsParts): Limits {
  const { freeRequestsPerMinute: free, refusedPaymentsPerMinute, countersOf, onLimited } = parts;
  const perMinute = (name: 'free' | 'mcp', limit: number) => {
    const onRefused = () => onLimited?.(name);
    const options = { name, limit, windowSeconds: WINDOW_SECONDS, maxKeys: MAX_CALLERS, onRefused };
    return createRateLimit(countersOf ? { ...options, counters: countersOf(options) } : options);
  };
  return {
    freeLimit: perMinute('free', free),
    floodLimit: perMinute('mcp', Math.max(POSTS_PER_MINUTE, POSTS_PER_FREE_REQUEST * free)),
    refusals: refusalLimit(refusedPaymentsPerMinute, () => onLimited?.('payments')),
  };
}
