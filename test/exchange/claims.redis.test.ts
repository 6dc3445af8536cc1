import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisClaims } from '../../src/exchange/claims/redis-claims.ts';
import { openRedis, type Redis } from '../../src/platform/redis.ts';
import { connectTo, type RedisServer, redisMissing, startRedis } from '../support/redis.ts';
import { claimsContract, contractNow, freshClaim, freshKey, TRANSACTION } from './claims-contract.ts';

const pause = (forMs: number) => new Promise((resolve) => setTimeout(resolve, forMs));

describe.skipIf(redisMissing)('claims on a real Redis server', () => {
  let server: RedisServer;
  let redis: Redis;
  let other: Redis;

  beforeAll(async () => {
    server = await startRedis();
    redis = await connectTo(server);
    other = await connectTo(server);
  });
  afterAll(async () => {
    redis.close();
    other.close();
    await server.stop();
  });

  type Parts = { leaseMs?: number; patienceMs?: number };
  const make = (parts: Parts = {}) => redisClaims({ redis, now: contractNow, patienceMs: 0, ...parts });
  /** Two instances on one Redis. */
  const two = (parts: Parts = {}) =>
    [make(parts), redisClaims({ redis: other, now: contractNow, patienceMs: 0, ...parts })] as const;
  const sent = freshClaim({ state: 'sent', transaction: TRANSACTION });
  const settled = freshClaim({ state: 'settled', transaction: TRANSACTION });

  claimsContract('Redis', make);

  describe('that several instances use', () => {
    it('belong to their owner during its lease, and to any instance afterward', async () => {
      const [a, b] = two({ leaseMs: 2_000 });
      const key = freshKey();
      await a.open(key, freshClaim());
      expect((await b.open(key, freshClaim())).kind).toBe('held');
      const taken = freshClaim({ request: 'c'.repeat(64) });
      await expect.poll(async () => (await b.open(key, taken)).kind).toBe('opened');
      expect(await a.find(key)).toEqual({ kind: 'held', claim: taken });
    });

    it('cannot be sent, settled or dropped by an owner that was overtaken', async () => {
      const [a, b] = two({ leaseMs: 50 });
      for (const request of [freshClaim().request, 'c'.repeat(64)]) {
        const key = freshKey();
        const taken = freshClaim({ request });
        await a.open(key, freshClaim());
        await expect.poll(async () => (await b.open(key, taken)).kind).toBe('opened');
        const lost = request === freshClaim().request ? 'unconfirmed' : 'conflict';
        expect(await a.save(key, sent)).toBe(lost);
        await a.drop(key);
        expect(await a.save(key, settled)).toBe(lost);
        expect(await make().find(key)).toEqual({ kind: 'held', claim: taken });
        expect(await b.save(key, { ...taken, state: 'sent' })).toBe('saved');
      }
    });

    it('stay with the attempt that opened them if another attempt of its process asks for them', async () => {
      const [a] = two();
      const key = freshKey();
      expect((await a.open(key, freshClaim())).kind).toBe('opened');
      expect((await a.open(key, freshClaim())).kind).toBe('held');
      expect(await a.save(key, sent)).toBe('saved');
    });

    it('stay with their owner after the lease if nobody has taken them', async () => {
      const [a] = two({ leaseMs: 20 });
      const key = freshKey();
      await a.open(key, freshClaim());
      await pause(40);
      expect(await a.save(key, sent)).toBe('saved');
    });

    it('never pass to another owner once sent, however old they are, but any instance may look up their result', async () => {
      const [a, b] = two({ leaseMs: 20 });
      const key = freshKey();
      await a.open(key, freshClaim());
      await a.save(key, sent);
      await pause(40);
      expect(await b.open(key, freshClaim())).toEqual({ kind: 'held', claim: sent });
      expect(await b.save(key, settled)).toBe('saved');
      expect(await a.find(key)).toEqual({ kind: 'held', claim: settled });
    });

    it('are not dropped by one instance if another has sent them again', async () => {
      const [a, b] = two();
      const key = freshKey();
      await a.open(key, freshClaim());
      await a.save(key, sent);
      await b.save(key, sent);
      await a.drop(key);
      expect(await make().find(key)).toEqual({ kind: 'held', claim: sent });
    });

    it('make one instance wait a little for the same purchase at the other, but not for another request', async () => {
      const [a] = two();
      const [, b] = two({ patienceMs: 30_000 });
      const key = freshKey();
      await a.open(key, freshClaim());
      setTimeout(() => void a.save(key, sent), 50);
      setTimeout(() => void a.save(key, settled), 150);
      expect(await b.open(key, freshClaim())).toEqual({ kind: 'held', claim: settled });
      // If a caller waited here, it would wait for longer than any test runs.
      const [, patient] = two({ patienceMs: 3_600_000 });
      const second = freshKey();
      await a.open(second, freshClaim());
      expect((await patient.open(second, freshClaim({ request: 'c'.repeat(64) }))).kind).toBe('held');
    });

    it('are taken over at once if the other instance releases them during that wait', async () => {
      const [a] = two();
      const [, b] = two({ patienceMs: 30_000 });
      const key = freshKey();
      await a.open(key, freshClaim());
      setTimeout(() => void a.drop(key), 50);
      expect(await b.open(key, freshClaim())).toEqual({ kind: 'opened' });
    });
  });

  it('are kept for as long as they can be collected and ten minutes more, and sent ones for a week', async () => {
    const claims = make();
    const key = freshKey();
    // The lifetimes are compared in minutes, because seconds pass during the test.
    const MINUTE = 60;
    const ttl = async () => {
      const seconds = Number(await server.command('TTL', `{paid}:claim:${key}`));
      return Math.ceil(seconds / MINUTE) * MINUTE;
    };
    await claims.open(key, freshClaim());
    expect(await ttl()).toBe(120 + 86_400 + 600);
    await claims.save(key, sent);
    expect(await ttl()).toBe(7 * 86_400);
    await claims.save(key, settled);
    expect(await ttl()).toBe(120 + 86_400 + 600);
  });

  it('keep the expiry of an authorization as older releases wrote and read it', async () => {
    const claims = make();
    const key = freshKey();
    const { validBefore } = freshClaim();
    await claims.open(key, freshClaim());
    const field = () => server.command('HGET', `{paid}:claim:${key}`, 'expires');
    expect(await field()).toBe(String(validBefore + 600));
    await server.command('HSET', `{paid}:claim:${key}`, 'expires', String(validBefore + 660));
    expect(await claims.find(key)).toMatchObject({ claim: { validBefore: validBefore + 60 } });
  });

  it('are restored if they were sent or paid for within a day and the server has lost everything', async () => {
    const clock = { nowMs: contractNow() };
    const own = await connectTo(server);
    const claims = redisClaims({ redis: own, now: () => clock.nowMs, patienceMs: 0 });
    const [young, old, pending] = [freshKey(), freshKey(), freshKey()];
    for (const [key, claim, validBefore] of [
      [young, settled, freshClaim().validBefore],
      [old, settled, freshClaim().validBefore - 60],
      [pending, sent, freshClaim().validBefore],
    ] as const) {
      await claims.open(key, freshClaim({ validBefore }));
      await claims.save(key, { ...claim, validBefore });
      await server.command('DEL', `{paid}:claim:${key}`);
    }
    clock.nowMs += 86_490_000;
    await server.command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    for (const key of [pending, young])
      await expect.poll(async () => (await make().find(key)).kind).toBe('held');
    expect((await make().find(old)).kind).toBe('absent');
    own.close();
  });

  it('do not allow a payment to be sent if the server has lost them', async () => {
    const claims = make();
    const key = freshKey();
    await claims.open(key, freshClaim());
    await server.command('DEL', `{paid}:claim:${key}`);
    expect(await claims.save(key, sent)).toBe('unconfirmed');
    expect(await claims.find(key)).toEqual({ kind: 'absent' });
  });

  it('are known to this process if it sent them, even if the server has lost them', async () => {
    for (const last of [sent, settled]) {
      const claims = make();
      const key = freshKey();
      await claims.open(key, freshClaim());
      await claims.save(key, sent);
      await claims.save(key, last);
      await server.command('DEL', `{paid}:claim:${key}`);
      expect(await claims.open(key, freshClaim())).toEqual({ kind: 'held', claim: last });
      expect(await claims.find(key)).toEqual({ kind: 'held', claim: last });
    }
  });

  it('fail at once while there is no server', async () => {
    const gone = openRedis({ url: 'redis://127.0.0.1:1' });
    const claims = redisClaims({ redis: gone, now: contractNow });
    const key = freshKey();
    expect(await claims.open(key, freshClaim())).toEqual({ kind: 'down' });
    expect(await claims.find(key)).toEqual({ kind: 'down' });
    expect(await claims.save(key, sent)).toBe('unconfirmed');
    expect(await claims.save(key, settled)).toBe('unconfirmed');
    await claims.drop(key);
    expect(await claims.name('d', { claim: key, request: 'a' }, 0)).toEqual({ kind: 'down' });
    expect([await claims.completeSince(), claims.size()]).toEqual([null, 0]);
    expect(await claims.find(key)).toEqual({ kind: 'down' });
    gone.close();
  });

  it('run their scripts on a server that has forgotten the scripts', async () => {
    await server.command('SCRIPT', 'FLUSH');
    expect((await make().open(freshKey(), freshClaim())).kind).toBe('opened');
  });

  it('report that the server is full, and are taken again when it has room', async () => {
    const claims = make();
    await server.command('CONFIG', 'SET', 'maxmemory', '1');
    const key = freshKey();
    const full = await claims.open(key, freshClaim());
    await server.command('CONFIG', 'SET', 'maxmemory', '0');
    expect(full).toEqual({ kind: 'full' });
    expect(await claims.open(key, freshClaim())).toEqual({ kind: 'opened' });
  });
});
