import type { EmbeddedChain } from '../../src/devnet/chain.ts';
import type { Claims } from '../../src/exchange/claims/claims.ts';
import { type RedisClaimsParts, redisClaims } from '../../src/exchange/claims/redis-claims.ts';
import type { Redis } from '../../src/platform/redis.ts';
import { redisCounters } from '../../src/surfaces/calls/limits.ts';
import type { TestApp } from '../support/app.ts';
import { type ChainAppOptions, chainApp } from '../support/chain-app.ts';
import { connectTo, type RedisServer } from '../support/redis.ts';

export type Instance = TestApp & { readonly redis: Redis; close(): void };

type Options = ChainAppOptions & {
  claimParts?: Partial<RedisClaimsParts>;
  /** Breaks something between a purchase and its claims at that moment. */
  around?: (claims: Claims) => Claims;
};

/** One instance of the service on a chain and a Redis that it shares with others. */
export async function instanceOn(
  chain: EmbeddedChain,
  server: Pick<RedisServer, 'url'>,
  { claimParts, around = (claims) => claims, ...options }: Options = {},
): Promise<Instance> {
  // On a busy machine, Redis may not answer within the second that the service allows.
  const redis = await connectTo(server, { deadlineMs: 5_000 });
  const claims = around(redisClaims({ redis, now: options.now ?? Date.now, ...claimParts }));
  const app = chainApp(chain, {
    claims,
    countersOf: (limit) => redisCounters(redis, { ...limit, secret: 'of all instances', now: Date.now }),
    ...options,
  });
  return { ...app, redis, close: redis.close };
}

/** Every key with its whole content. */
export async function everythingIn(server: RedisServer): Promise<string> {
  const lines: unknown[] = [];
  for (const key of (await server.command('KEYS', '*')) as string[]) {
    const type = await server.command('TYPE', key);
    lines.push(key, await server.command(...(type === 'hash' ? ['HGETALL', key] : ['GET', key])));
  }
  return JSON.stringify(lines);
}
