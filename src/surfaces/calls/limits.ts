import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { RefusalLimit } from '../../exchange/limits.ts';
import { type Redis, script } from '../../platform/redis.ts';

export type LimitsParts = {
  readonly freeRequestsPerMinute: number;
  /** Maximum rejected payments per caller and minute. */
  readonly refusedPaymentsPerMinute: number;
  /** Counters for requests; in memory by default. */
  readonly countersOf?: (options: RateLimitOptions) => Counters;
  /** Called whenever a limit rejects a request. */
  readonly onLimited?: (limit: 'free' | 'unpaid' | 'payments' | 'mcp') => void;
};

/** The limits on each caller. */
export type Limits = {
  /** Free requests, on all surfaces together. */
  readonly freeLimit: RateLimit;
  /** Requests for paid routes that carry no payment. */
  readonly unpaidLimit: RateLimit;
  /** Everything posted to the MCP endpoint. A call that pays is counted but not rejected. */
  readonly floodLimit: RateLimit;
  /** Payments that were rejected. */
  readonly refusals: RefusalLimit;
  /** Payments for an input that has no answer. */
  readonly wasted: RefusalLimit;
};

const WINDOW_SECONDS = 60;
const MAX_CALLERS = 100_000;
// A conversation over MCP takes several requests, and many people may use a hosted client with one address.
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
 * Limits the rejected payments of a caller per minute. It counts only in this process, because they cost this process
 * time and calls to the chain.
 */
export function refusalLimit(points: number, onRefused: () => void = () => {}): RefusalLimit {
  const counters = new BoundedCounters(WINDOW_SECONDS, MAX_CALLERS);
  return {
    async restSeconds(caller) {
      const counted = counters.read(caller);
      if (counted === null || counted.count < points) return null;
      onRefused();
      return wholeSeconds(counted.restMs, WINDOW_SECONDS);
    },
    async count(caller) {
      // Refusals are also counted over the limit, because several payments were in progress when it was reached.
      counters.count(caller);
    },
  };
}

/** What a key has used in its window, and how long the window still lasts. */
type Counted = { readonly count: number; readonly restMs: number };

/** Counters for requests, each with the same window. */
type Counters = {
  /** Adds one request, also over the limit. */
  count(key: string): Counted | Promise<Counted>;
};

export type RateLimitOptions = {
  /** The policy's name in the RateLimit headers; letters, digits, `-` and `_`. */
  readonly name: string;
  /** Requests that one key may make in a window. */
  readonly limit: number;
  readonly windowSeconds: number;
  /** Maximum number of counters in memory. */
  readonly maxKeys: number;
  /** Counters elsewhere, such as in Redis, for the same limit and window; in memory by default. */
  readonly counters?: Counters;
  /** Called for every refusal. */
  readonly onRefused?: () => void;
};

export type RateDecision = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds, rounded up, until the full limit is available again. */
  readonly resetSeconds: number;
};

export type RateLimit = {
  /** Counts one request. Rejects only when the counters themselves fail. */
  take(key: string): Promise<RateDecision>;
  /** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10), and Retry-After on a refusal. */
  headers(decision: RateDecision): Record<string, string>;
};

/** Whole seconds of a wait, rounded up. If the clock was set back, the wait is still no longer than a window. */
const wholeSeconds = (waitMs: number, windowSeconds: number): number =>
  Math.min(windowSeconds, Math.max(1, Math.ceil(waitMs / 1000)));

/** A limit with fixed windows: a key's window begins with its first request, and exactly `limit` pass in it. */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { name, limit, windowSeconds, maxKeys, onRefused } = options;
  const counters = options.counters ?? new BoundedCounters(windowSeconds, maxKeys);
  const policy = `"${name}";q=${limit};w=${windowSeconds}`;
  const decision = ({ count, restMs }: Counted): RateDecision => {
    const allowed = count <= limit;
    if (!allowed) onRefused?.();
    const remaining = Math.max(0, limit - count);
    return { allowed, limit, remaining, resetSeconds: wholeSeconds(restMs, windowSeconds) };
  };
  return {
    take: async (key) => decision(await counters.count(key)),

    headers({ allowed, remaining, resetSeconds }) {
      const shown = { 'RateLimit-Policy': policy, RateLimit: `"${name}";r=${remaining};t=${resetSeconds}` };
      return allowed ? shown : { ...shown, 'Retry-After': String(resetSeconds) };
    },
  };
}

/** A window in progress. */
type Window = { count: number; readonly endMs: number };

/**
 * Fixed-window counters in memory that a flood of keys can neither grow nor reset. Three quarters of `maxKeys` (two or
 * more) are exact, one for each key. While those are all in use, new keys share the remaining quarter by a secret hash.
 * No counter is ever evicted, so a spent key stays spent, and nobody gets more than the limit. During a flood, a new key
 * gets less only if other keys have used up the same counter. To use up all counters takes a quarter of `maxKeys`
 * times the limit in a window. A key that began in a shared counter stays there until that counter's window ends, so
 * that it does not get a second allowance when an exact counter becomes free.
 */
export class BoundedCounters implements Counters {
  readonly #windowMs: number;
  readonly #exactKeys: number;
  readonly #sharedKeys: number;
  // All windows have the same length, so a Map's order, in which they began, is also the order in which they end.
  readonly #exact = new Map<string, Window>();
  readonly #shared = new Map<string, Window>();
  // Secret, so that nobody can choose keys that fill a victim's shared counter.
  readonly #salt = randomBytes(16);

  constructor(windowSeconds: number, maxKeys: number) {
    this.#windowMs = windowSeconds * 1000;
    this.#sharedKeys = Math.max(1, Math.floor(maxKeys / 4));
    this.#exactKeys = Math.max(1, maxKeys - this.#sharedKeys);
  }

  count(key: string): Counted {
    const now = performance.now();
    const { name, windows } = this.#counterOf(key, now);
    const window = windows.get(name) ?? this.#begin(name, windows, now);
    window.count += 1;
    return { count: window.count, restMs: window.endMs - now };
  }

  /** Reads the count of a key without increasing it; null if there is none. */
  read(key: string): Counted | null {
    const now = performance.now();
    const { name, windows } = this.#counterOf(key, now);
    const window = windows.get(name);
    return window === undefined ? null : { count: window.count, restMs: window.endMs - now };
  }

  /** Number of counters in use. */
  get size(): number {
    return this.#exact.size + this.#shared.size;
  }

  #counterOf(key: string, now: number): { name: string; windows: Map<string, Window> } {
    forgetEnded(this.#exact, now);
    forgetEnded(this.#shared, now);
    const exact = { name: key, windows: this.#exact };
    const isFull = this.#exact.size >= this.#exactKeys;
    if (this.#exact.has(key) || (!isFull && this.#shared.size === 0)) return exact;
    const hash = createHmac('sha256', this.#salt).update(key).digest().readUInt32BE();
    const name = String(hash % this.#sharedKeys);
    return isFull || this.#shared.has(name) ? { name, windows: this.#shared } : exact;
  }

  #begin(name: string, windows: Map<string, Window>, now: number): Window {
    const window = { count: 0, endMs: now + this.#windowMs };
    windows.set(name, window);
    // No key is kept for longer than its window, even if no other request comes. A timer may run a little early.
    const forget = () => forgetEnded(windows, Math.max(window.endMs, performance.now()));
    setTimeout(forget, this.#windowMs).unref();
    return window;
  }
}

function forgetEnded(windows: Map<string, Window>, now: number): void {
  for (const [name, { endMs }] of windows) {
    if (endMs > now) return;
    windows.delete(name);
  }
}

/** Counts a request in the window of a key, which begins with the first request. */
const COUNT = script(`
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}
`);

type SharedOptions = RateLimitOptions & {
  /** A secret that all instances have and Redis never sees. */
  readonly secret: string;
  readonly now: () => number;
};

const DAY_MS = 86_400_000;

/**
 * Counters that all instances on one Redis share, exact across them. While Redis is unavailable, each instance counts
 * in its own memory. Keys live for one window, but a log of Redis keeps them longer. Only instances can tell which
 * caller a key belongs to.
 */
export function redisCounters(redis: Redis, options: SharedOptions): Counters {
  const { name, windowSeconds, maxKeys, secret, now } = options;
  const keyOf = callerKeys(secret, now);
  const alone = new BoundedCounters(windowSeconds, maxKeys);
  return {
    async count(caller) {
      const key = keyOf(caller);
      try {
        const answer = await redis.run(COUNT, [`{paid}:rate:${name}:${key}`], [String(windowSeconds)]);
        const [count, restMs] = answer as [number, number];
        return { count, restMs };
      } catch {
        return alone.count(key);
      }
    },
  };
}

/**
 * Names callers with a secret that changes daily. A window that includes midnight starts again, in favor of the
 * caller.
 */
function callerKeys(secret: string, now: () => number): (caller: string) => string {
  let day = Number.NaN;
  let daySecret: Uint8Array = new Uint8Array();
  return (caller) => {
    const today = Math.floor(now() / DAY_MS);
    if (today !== day)
      daySecret = new Uint8Array(hkdfSync('sha256', secret, '', `callers of day ${today}`, 32));
    day = today;
    return createHmac('sha256', daySecret).update(caller).digest('base64url');
  };
}
