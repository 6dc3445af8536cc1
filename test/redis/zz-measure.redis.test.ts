import { it } from 'vitest';
import { memoryClaims } from '../../src/exchange/claims.ts';
import { redisClaims } from '../../src/exchange/redis-claims.ts';
import { redisCounters } from '../../src/surfaces/http/redis-counters.ts';
import { connectTo, startRedis } from '../support/redis.ts';
import { freshClaim, freshKey, TRANSACTION } from '../exchange/claims-contract.ts';

it('measure', async () => {
  const server = await startRedis({ appendOnly: false });
  const redis = await connectTo(server);
  const now = Date.now;
  const one = async (claims: any, name?: boolean) => {
    const key = freshKey();
    const expires = Date.now() / 1000 + 720;
    await claims.open(key, freshClaim({ expires }));
    await claims.completeSince();
    if (name) await claims.name(key, { claim: key, request: 'a'.repeat(64) }, expires);
    await claims.save(key, freshClaim({ state: 'sent', transaction: TRANSACTION, expires }));
    await claims.save(key, freshClaim({ state: 'settled', transaction: TRANSACTION, expires }));
    return key;
  };
  for (const [label, claims] of [['memory', memoryClaims({ maxClaims: 1e5, now })], ['redis', redisClaims({ redis, now })]] as const) {
    for (let i = 0; i < 500; i++) await one(claims);
    const times: number[] = [];
    for (let i = 0; i < 3000; i++) { const t = performance.now(); await one(claims); times.push(performance.now() - t); }
    times.sort((x, y) => x - y);
    const t = performance.now();
    for (let i = 0; i < 50; i++) await Promise.all(Array.from({ length: 100 }, () => one(claims)));
    console.log(label, 'p50', times[1500]?.toFixed(3), 'p99', times[2970]?.toFixed(3), 'claims/s at 100', Math.round(5000 / (performance.now() - t) * 1000));
  }
  const claims = redisClaims({ redis, now });
  const key = 'eip155:8453:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913:0x00000000000000000000000000000000000000bb:0x' + '1'.repeat(64);
  await claims.open(key, freshClaim({ expires: Date.now() / 1000 + 720 }));
  await claims.save(key, freshClaim({ state: 'sent', transaction: TRANSACTION }));
  console.log('bytes', await server.command('MEMORY', 'USAGE', `{paid}:claim:${key}`));
  const c = redisCounters(redis, { name: 'free', limit: 1e9, windowSeconds: 60, maxKeys: 100 });
  const times: number[] = [];
  for (let i = 0; i < 3000; i++) { const t = performance.now(); await c.consume(`10.0.0.${i % 250}`); times.push(performance.now() - t); }
  times.sort((x, y) => x - y);
  console.log('rate p50', times[1500]?.toFixed(3), 'p99', times[2970]?.toFixed(3));
  redis.close();
  await server.stop();
}, 120000);
