import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Lease, leaseOneOf, type Term } from '../../src/platform/lease.ts';
import type { Redis } from '../../src/platform/redis.ts';
import { connectTo, type RedisServer, redisMissing, startRedis } from '../support/redis.ts';
import { startSentinelGroup } from '../support/redis-groups.ts';

const LEASE_MS = 3_000;
const times = { leaseMs: LEASE_MS, marginMs: 1_000, renewMs: 300, pollMs: 100 };
const NAMES = ['relayer:eip155:8453:0xA1', 'relayer:eip155:8453:0xB2'];
const patiently = { timeout: 30_000 };
const LIMIT_MS = 120_000;

type Holder = {
  lease: Lease;
  redis: Redis;
  terms: (number | null)[];
  mayUse(place: number): boolean;
  /** What it may use now, and who is asked about it. */
  uses(): string | null;
};

describe.skipIf(redisMissing)('keys that processes lease from each other', () => {
  const holders: Holder[] = [];
  const stops: (() => Promise<void>)[] = [];
  let watch: NodeJS.Timeout;
  let overlaps: number;

  beforeEach(() => {
    overlaps = 0;
    // All live in this process, so that one look sees them at the same moment.
    watch = setInterval(() => {
      const used = holders.flatMap((holder) => holder.uses() ?? []);
      overlaps += used.length - new Set(used).size;
    }, 5);
  });
  afterEach(async () => {
    clearInterval(watch);
    for (const { lease, redis } of holders.splice(0)) {
      await lease.end(false);
      redis.close();
    }
    for (const stop of stops.splice(0)) await stop();
    expect(overlaps).toBe(0);
  });

  async function holderOn(server: Pick<RedisServer, 'url'>, names = NAMES): Promise<Holder> {
    const redis = await connectTo(server);
    const lease = leaseOneOf({ redis, names, ...times });
    const terms: (number | null)[] = [];
    let term: Term | null = null;
    lease.onTerm((told) => {
      term = told;
      terms.push(told?.place ?? null);
    });
    const uses = () => (term?.mayUse() ? `${server.url} ${names[term.place]}` : null);
    const mayUse = (place: number) => term?.place === place && term.mayUse();
    const holder = { lease, redis, terms, mayUse, uses };
    holders.push(holder);
    return holder;
  }
  const has = (holder: Holder, place: number) =>
    expect.poll(() => holder.mayUse(place), patiently).toBe(true);
  async function server(options: Parameters<typeof startRedis>[0] = {}): Promise<RedisServer> {
    const started = await startRedis(options);
    stops.push(started.stop);
    return started;
  }

  it('go to one holder each; a third waits until one is given back, which frees nothing else', async () => {
    const redis = await server();
    const from = Date.now();
    const a = await holderOn(redis);
    await has(a, 0);
    // A server that nobody knows may have forgotten who has what.
    expect(Date.now() - from).toBeGreaterThanOrEqual(LEASE_MS);
    const b = await holderOn(redis);
    await has(b, 1);
    const c = await holderOn(redis);
    await expect.poll(() => c.lease.leased()).toBe(2);
    expect(c.terms).toEqual([null]);
    const other = await holderOn(redis, ['relayer:eip155:84532:0xA1']);
    await has(other, 0);
    await a.lease.end(true);
    await has(c, 0);
    expect(b.terms).toEqual([null, 1]);
    // What stands there is who has it, in words that say nothing of a key.
    const leases = (await redis.command('KEYS', '*')) as string[];
    expect(leases.toSorted()).toEqual([
      '{paid}:lease:relayer:eip155:84532:0xA1',
      '{paid}:lease:relayer:eip155:8453:0xA1',
      '{paid}:lease:relayer:eip155:8453:0xB2',
      '{paid}:leases',
    ]);
    expect(await redis.command('GET', leases.find((key) => key.endsWith('B2')) as string)).toMatch(
      /^[0-9a-f]{32}$/,
    );
    // Who ends gives back what is its own.
    await redis.command('SET', '{paid}:lease:relayer:eip155:8453:0xA1', 'somebody else', 'PX', '5000');
    await c.lease.end(true);
    expect(await redis.command('GET', '{paid}:lease:relayer:eip155:8453:0xA1')).toBe('somebody else');
  });

  it('are left unused before they run out while Redis hangs, and go on with it when nobody had them', async () => {
    const redis = await server();
    const a = await holderOn(redis);
    await has(a, 0);
    redis.freeze();
    await expect.poll(() => a.mayUse(0), patiently).toBe(false);
    redis.thaw();
    await expect.poll(() => [a.mayUse(0), a.mayUse(1)].includes(true), patiently).toBe(true);
  });

  it('outlast a restart of Redis with its data, and after one without nobody has one too early', async () => {
    const redis = await server({ appendOnly: true });
    const a = await holderOn(redis);
    await has(a, 0);
    await redis.kill();
    await redis.start();
    await expect.poll(() => a.redis.status(), patiently).toBe('ok');
    await has(a, 0);
    expect(a.terms).toEqual([null, 0]);
    const forgetful = await server();
    const b = await holderOn(forgetful);
    await has(b, 0);
    await forgetful.kill();
    await forgetful.start();
    const from = Date.now();
    const c = await holderOn(forgetful);
    await expect.poll(() => b.mayUse(0) || c.mayUse(0), patiently).toBe(true);
    if (c.mayUse(0)) expect(Date.now() - from).toBeGreaterThanOrEqual(LEASE_MS - 1_000);
  });

  it('are held through a fail-over that sentinels decide', { timeout: LIMIT_MS }, async () => {
    const group = await startSentinelGroup();
    stops.push(group.stop);
    const [a, b] = [await holderOn(group), await holderOn(group)];
    await expect.poll(() => a.lease.place() !== null && b.lease.place() !== null, patiently).toBe(true);
    await (await group.primary()).kill();
    const both = () => [a.lease.place(), b.lease.place()].toSorted().join();
    await expect.poll(both, { timeout: 60_000 }).not.toBe('0,1');
    await expect.poll(both, { timeout: 60_000 }).toBe('0,1');
  });
});
