import { createHmac, hkdfSync } from 'node:crypto';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { type Redis, type Script, script } from '../../platform/redis.ts';
import type { RateLimitOptions } from './limits.ts';
import { BoundedCounters } from './limits.ts';

type Counters = NonNullable<RateLimitOptions['counters']>;
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
