import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RefusalLimit } from '../../exchange/limits.ts';
import { type Redis, type Script, script } from '../../platform/redis.ts';
import type { MaybePromise } from './maybe-promise.ts';

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
  /** Everything posted to the MCP endpoint; a call that pays is never rejected. */
  readonly floodLimit: RateLimit;
  /** Payments that were rejected. */
  readonly refusals: RefusalLimit;
  /** Payments for an input that has no answer. */
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
 * Limits the rejected payments of a caller per minute. It counts only in this process, because they cost this process
 * time and calls to the chain.
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
      // Refusals are also counted over the limit, because several payments were in progress when it was reached.
      await counters.consume(caller).catch(() => undefined);
    },
  };
}

/** Counters for requests: rate-limiter-flexible's `consume`, which rejects with a RateLimiterRes over the limit. */
interface Counters {
  consume(key: string): Promise<RateLimiterRes>;
  /**
   * A synchronous `consume` for counters in memory. The points in the answer show whether the key is over the limit.
   */
  counted?(key: string): RateLimiterRes;
}

export interface RateLimitOptions {
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
}

export interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds, rounded up, until the full limit is available again. */
  readonly resetSeconds: number;
}

export interface RateLimit {
  /** Counts one request. Rejects only when the counters themselves fail. */
  take(key: string): MaybePromise<RateDecision>;
  /** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10), and Retry-After on a refusal. */
  headers(decision: RateDecision): Record<string, string>;
}

/** Whole seconds of a wait, rounded up. If the clock was set back, the wait is still no longer than a window. */
const wholeSeconds = (waitMs: number, windowSeconds: number): number =>
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

interface BoundedCountersOptions {
  readonly points: number;
  readonly windowSeconds: number;
  /** Maximum number of counters, two or more. */
  readonly maxKeys: number;
}

type Counted = { -readonly [Name in keyof RateLimiterRes]: RateLimiterRes[Name] };
type Memory = { incrby(key: string, points: number, seconds: number): Counted };

/**
 * Fixed-window counters in memory that a flood of keys can neither grow nor reset. Three quarters of `maxKeys` are
 * exact, one for each key. While those are all in use, new keys share the remaining quarter by a secret hash. No
 * counter is ever evicted, so a spent key stays spent, and nobody gets more than `points`. During a flood, a new key
 * gets less only if others with the same counter have used it up, which for all counters takes `points` x `maxKeys` / 4
 * requests in a window. A key that began in a shared counter stays there until that counter's window ends, so that it
 * does not get a second allowance when an exact counter becomes free.
 */
export class BoundedCounters extends RateLimiterMemory {
  readonly #exactKeys: number;
  readonly #sharedKeys: number;
  readonly #windowMs: number;
  // The memory answers synchronously. The methods of this class return promises.
  readonly #memory = (this as unknown as { readonly _memoryStorage: Memory })._memoryStorage;
  // All windows have the same length, so a Map's order, in which they began, is also the order in which they end.
  readonly #exact = new Map<string, number>();
  readonly #shared = new Map<string, number>();
  // Secret, so that nobody can choose keys that fill a victim's shared counter.
  readonly #salt = randomBytes(16);

  constructor({ points, windowSeconds, maxKeys }: BoundedCountersOptions) {
    super({ points, duration: windowSeconds, keyPrefix: '' });
    this.#sharedKeys = Math.max(1, Math.floor(maxKeys / 4));
    this.#exactKeys = Math.max(1, maxKeys - this.#sharedKeys);
    this.#windowMs = windowSeconds * 1000;
  }

  override consume(key: string | number, points = 1): Promise<RateLimiterRes> {
    const counted = this.counted(`${key}`, points);
    return counted.consumedPoints > this.points ? Promise.reject(counted) : Promise.resolve(counted);
  }

  /** Counts synchronously. The key is over the limit if it has consumed more than `points`. */
  counted(key: string, points = 1): RateLimiterRes {
    const now = performance.now();
    const { counter, began } = this.#counterOf(key, now);
    if (!began.has(counter)) began.set(counter, now);
    const counted = this.#memory.incrby(this.getKey(counter), points, this.duration);
    counted.remainingPoints = Math.max(0, this.points - counted.consumedPoints);
    return counted;
  }

  /** Reads the count of a key without increasing it; null if there is none. */
  override get(key: string | number): Promise<RateLimiterRes | null> {
    return super.get(this.#counterOf(`${key}`, performance.now()).counter);
  }

  #counterOf(key: string, now: number): { counter: string; began: Map<string, number> } {
    this.#forgetEnded(this.#exact, now);
    this.#forgetEnded(this.#shared, now);
    const shared = this.#exact.has(key) || !this.#needsSharing() ? null : this.#sharedName(key);
    const inShared = shared !== null && (this.#shared.has(shared) || this.#exact.size >= this.#exactKeys);
    return inShared ? { counter: shared, began: this.#shared } : { counter: key, began: this.#exact };
  }

  #needsSharing(): boolean {
    return this.#shared.size > 0 || this.#exact.size >= this.#exactKeys;
  }

  #sharedName(key: string): string {
    const hash = createHmac('sha256', this.#salt).update(key).digest().readUInt32BE();
    return `shared ${hash % this.#sharedKeys}`;
  }

  // The parent class deletes its own counters, with a timer of the same length.
  #forgetEnded(began: Map<string, number>, now: number): void {
    for (const [counter, start] of began) {
      if (now - start < this.#windowMs) return;
      began.delete(counter);
    }
  }
}

type SharedOptions = RateLimitOptions & {
  /** A secret that all instances have and Redis never sees. */
  readonly secret: string;
  readonly now: () => number;
};
type EvalOptions = { readonly keys: readonly string[]; readonly arguments: readonly string[] };

const DAY_MS = 86_400_000;

/**
 * Counters that all instances on one Redis share, exact across them. While Redis is away, each instance counts in its
 * own memory. Keys live for one window, but a log of Redis keeps them longer. Only instances can tell which caller a
 * key belongs to.
 */
export function redisCounters(redis: Redis, options: SharedOptions): Counters {
  const { name, limit, windowSeconds, maxKeys, secret, now } = options;
  const keyOf = callerKeys(secret, now);
  const scripts = new Map<string, Script>();
  const scriptOf = (text: string): Script => {
    const found = scripts.get(text) ?? script(text);
    scripts.set(text, found);
    return found;
  };
  const limiter = new RateLimiterRedis({
    // The only call that counting makes. Ours times out and never waits for a server that is away.
    storeClient: {
      eval: (text: string, { keys, arguments: args }: EvalOptions) => redis.run(scriptOf(text), keys, args),
    },
    useRedisPackage: true,
    keyPrefix: `{paid}:rate:${name}`,
    points: limit,
    duration: windowSeconds,
    insuranceLimiter: new BoundedCounters({ points: limit, windowSeconds, maxKeys }),
  });
  return { consume: (caller) => limiter.consume(keyOf(caller)) };
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
