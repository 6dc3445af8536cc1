import { createHash } from 'node:crypto';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { type Redis, type Script, script } from '../../platform/redis.ts';
import { BoundedCounters } from './bounded-counters.ts';
import type { RateLimitOptions } from './rate-limit.ts';

type Counters = NonNullable<RateLimitOptions['counters']>;
type EvalOptions = { readonly keys: readonly string[]; readonly arguments: readonly string[] };

/**
 * Counters that all instances on one Redis share, exact across them; each instance's own memory while Redis is away.
 * Keys are digests that live for one window, so that Redis holds no address as it is.
 */
export function redisCounters(redis: Redis, options: RateLimitOptions): Counters {
  const { name, limit, windowSeconds, maxKeys } = options;
  const scripts = new Map<string, Script>();
  const scriptOf = (text: string): Script => {
    const found = scripts.get(text) ?? script(text);
    scripts.set(text, found);
    return found;
  };
  const limiter = new RateLimiterRedis({
    // The one call that counting makes; ours gives up in time and never waits for a server that is away.
    storeClient: {
      eval: (text: string, { keys, arguments: args }: EvalOptions) => redis.run(scriptOf(text), keys, args),
    },
    useRedisPackage: true,
    keyPrefix: `{paid}:rate:${name}`,
    points: limit,
    duration: windowSeconds,
    insuranceLimiter: new BoundedCounters({ points: limit, windowSeconds, maxKeys }),
  });
  return { consume: (key) => limiter.consume(createHash('sha256').update(key).digest('base64url')) };
}
