import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Redis } from '../../src/platform/redis.ts';
import { type RelayerEntry, relayerEntry } from '../../src/service/relayer-entry.ts';
import { connectTo, type RedisServer, redisMissing, startRedis } from '../support/redis.ts';
import { startSentinelGroup } from '../support/redis-groups.ts';

const NAME = 'eip155:8453:0xA1';
const KEY = `{paid}:relayer:${NAME}`;
const patiently = { timeout: 60_000, interval: 20 };
const LIMIT_MS = 180_000;

describe.skipIf(redisMissing)('a relayer key that is leased in a real Redis', () => {
  const holders: { entry: RelayerEntry; redis: Redis }[] = [];
  const stops: (() => Promise<void>)[] = [];
  let watch: NodeJS.Timeout;
  let overlaps: number;

  beforeEach(() => {
    overlaps = 0;
    // The test simulates all processes in its own process, so that one check sees them at the same moment.
    watch = setInterval(() => {
      if (holders.filter(({ entry }) => entry.mayUse()).length > 1) overlaps += 1;
    }, 5);
  });
  afterEach(async () => {
    clearInterval(watch);
    for (const { entry, redis } of holders.splice(0)) {
      await entry.end(false);
      redis.close();
    }
    for (const stop of stops.splice(0)) await stop();
    expect(overlaps).toBe(0);
  });

  async function holderOn(server: Pick<RedisServer, 'url'>) {
    const redis = await connectTo(server);
    const entry = relayerEntry({ redis, name: NAME });
    const changes: boolean[] = [];
    entry.onChange((isOurs) => changes.push(isOurs));
    holders.push({ entry, redis });
    return { entry, redis, changes };
  }
  async function server(options: Parameters<typeof startRedis>[0] = {}): Promise<RedisServer> {
    const started = await startRedis(options);
    stops.push(started.stop);
    return started;
  }
  const mayUse = ({ entry }: { entry: RelayerEntry }, is: boolean) =>
    expect.poll(entry.mayUse, patiently).toBe(is);

  it('can be used at once after a restart of Redis with its data, but not while Redis hangs', {
    timeout: LIMIT_MS,
  }, async () => {
    const redis = await server({ appendOnly: true });
    const first = await holderOn(redis);
    await mayUse(first, true);
    const entry = await redis.command('GET', KEY);
    await redis.kill();
    await mayUse(first, false);
    await redis.start();
    expect(String(await redis.command('GET', KEY)).slice(0, 32)).toBe(String(entry).slice(0, 32));
    await mayUse(first, true);
    redis.freeze();
    await mayUse(first, false);
    redis.thaw();
    await mayUse(first, true);
    // The key never belonged to another process.
    expect(first.changes).toEqual([true]);
  });

  it('is never used by two processes during a fail-over by sentinels', { timeout: LIMIT_MS }, async () => {
    const group = await startSentinelGroup();
    stops.push(group.stop);
    const [first, second] = [await holderOn(group), await holderOn(group)];
    const inUse = () => [first, second].filter(({ entry }) => entry.mayUse()).length;
    await expect.poll(inUse, patiently).toBe(1);
    const run = first.redis.serverRun();
    await (await group.primary()).kill();
    const isOver = () => [first, second].every(({ redis }) => ![null, run].includes(redis.serverRun()));
    await expect.poll(isOver, { ...patiently, timeout: 90_000 }).toBe(true);
    await expect.poll(inUse, patiently).toBe(1);
  });
});
