import { createHash, createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Redis } from '../../src/platform/redis.ts';
import { createRateLimit, redisCounters } from '../../src/surfaces/calls/limits.ts';
import { connectTo, type RedisServer, redisMissing, startRedis, until } from '../support/redis.ts';

const CALLER = '203.0.113.77';
const SECRET = 'a secret that all instances have';
const MIDNIGHT = Date.UTC(2026, 10, 25);

describe.skipIf(redisMissing)('the limit of 30 requests a minute on a shared Redis', () => {
  let server: RedisServer;
  let connections: Redis[] = [];

  beforeEach(async () => {
    server = await startRedis();
    connections = [await connectTo(server, { deadlineMs: 3_000 }), await connectTo(server)];
  });
  afterEach(async () => {
    for (const redis of connections) redis.close();
    await server.stop();
  });

  const limitsOf = (secrets: readonly string[], now: () => number) =>
    connections.map((redis, index) => {
      const options = { name: 'free', limit: 30, windowSeconds: 60, maxKeys: 100 };
      const secret = secrets[index % secrets.length] as string;
      return createRateLimit({ ...options, counters: redisCounters(redis, { ...options, secret, now }) });
    });
  const limits = () => limitsOf([SECRET], () => MIDNIGHT);
  const names = () => server.command('KEYS', '*') as Promise<string[]>;
  const takeMany = async (times: number, of = limits()) =>
    Promise.all(Array.from({ length: times }, (_, index) => of[index % of.length]?.take(CALLER)));

  it('allows exactly 30 requests in total, even if all come at once', async () => {
    const decisions = await takeMany(70);
    expect(decisions.filter((decision) => decision?.allowed)).toHaveLength(30);
  });

  it('has the same count and window at both instances', async () => {
    const [a, b] = limits();
    expect(await a?.take(CALLER)).toEqual({ allowed: true, limit: 30, remaining: 29, resetSeconds: 60 });
    expect(await b?.take(CALLER)).toEqual({ allowed: true, limit: 30, remaining: 28, resetSeconds: 60 });
    await takeMany(28);
    expect(await b?.take(CALLER)).toMatchObject({ allowed: false, remaining: 0 });
    expect(await b?.take('203.0.113.78')).toMatchObject({ allowed: true, remaining: 29 });
  });

  it('starts again when the window is over', async () => {
    const of = limits();
    expect((await takeMany(31, of)).filter((decision) => decision?.allowed)).toHaveLength(30);
    const [key = ''] = await names();
    await server.command('PEXPIRE', key, '1');
    await expect.poll(() => server.command('DBSIZE')).toBe(0);
    expect(await of[1]?.take(CALLER)).toMatchObject({ allowed: true, remaining: 29 });
  });

  it('is counted by each instance separately while Redis is unavailable, and together again afterward', async () => {
    const of = limits();
    await takeMany(10, of);
    await server.kill();
    await Promise.all(connections.map((redis) => until(redis, 'down')));
    const alone = await Promise.all(Array.from({ length: 40 }, () => of[0]?.take(CALLER)));
    expect(alone.filter((decision) => decision?.allowed)).toHaveLength(30);
    await server.start();
    await Promise.all(connections.map((redis) => until(redis, 'ok')));
    expect((await takeMany(40, of)).filter((decision) => decision?.allowed)).toHaveLength(30);
  });

  it('is delayed by a hanging Redis only once, until the deadline', async () => {
    const [a] = limits();
    server.freeze();
    expect(await a?.take(CALLER)).toMatchObject({ allowed: true });
    // The first request found that Redis hangs, so the second one does not call it.
    expect(connections[0]?.status()).toBe('down');
    expect(await a?.take(CALLER)).toMatchObject({ allowed: true, remaining: 28 });
    server.thaw();
  });

  it('does not store addresses in Redis, and its counters expire with the window', async () => {
    await takeMany(3);
    const keys = await names();
    expect(keys).toEqual([expect.stringMatching(/^\{paid\}:rate:free:[\w-]{43}$/)]);
    expect(await server.command('TTL', keys[0] as string)).toBeLessThanOrEqual(60);
  });

  it('has counter names that depend on the secret of this deployment', async () => {
    await takeMany(3);
    const [key = ''] = await names();
    const digest = createHash('sha256').update(CALLER).digest('base64url');
    const keyed = createHmac('sha256', SECRET).update(CALLER).digest('base64url');
    for (const guess of [CALLER, digest, keyed]) expect(key).not.toContain(guess);
    await takeMany(
      2,
      limitsOf(['the secret of another deployment'], () => MIDNIGHT),
    );
    expect((await names()).length).toBe(2);
  });

  it('has another counter name and a fresh allowance on the next day', async () => {
    let now = MIDNIGHT - 1;
    const of = limitsOf([SECRET], () => now);
    expect((await takeMany(31, of)).filter((decision) => decision?.allowed)).toHaveLength(30);
    now = MIDNIGHT;
    expect(await of[1]?.take(CALLER)).toMatchObject({ allowed: true, remaining: 29 });
    expect((await names()).length).toBe(2);
  });

  it('allows each instance its full 30 requests while their secrets differ, as during an upgrade', async () => {
    const of = limitsOf(['before', 'after'], () => MIDNIGHT);
    expect((await takeMany(60, of)).filter((decision) => decision?.allowed)).toHaveLength(60);
  });
});
