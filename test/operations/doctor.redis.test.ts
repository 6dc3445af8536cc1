import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../support/listening.ts';
import { type RedisServer, redisMissing, startRedis } from '../support/redis.ts';
import { startSentinelGroup } from '../support/redis-groups.ts';
import { examined } from './doctor.ts';

describe.skipIf(redisMissing)("the doctor's check of a Redis server", () => {
  let server: RedisServer;
  let name: string;

  beforeEach(async () => {
    server = await startRedis({ appendOnly: true });
    name = `REDIS_URL ${server.url}`;
  });
  afterEach(() => server.stop());

  const look = async (url = server.url) =>
    examined({
      NODE_ENV: 'development',
      PORT: String(await freePort()),
      SETTLERS: `http://127.0.0.1:${await freePort()}`,
      PAY_TO: '0x00000000000000000000000000000000000000aa',
      REDIS_URL: url,
    });
  const ofRedis = (names: readonly string[]) => names.filter((what) => what.startsWith('REDIS_URL'));

  it('accepts a server that is new enough, accepts writes, evicts nothing and keeps its data over a restart', async () => {
    const { wrong, warned, line } = await look();
    expect([ofRedis(wrong), ofRedis(warned)]).toEqual([[], []]);
    expect(line(name)).toMatch(
      /^ok {4}REDIS_URL redis:\/\/127\.0\.0\.1:\d+: answers, (Redis|Valkey) \d+\.\d+/,
    );
    expect(line(`${name}, maxmemory-policy`)).toContain('noeviction');
    expect(line(`${name}, persistence`)).toContain('appendonly is on');
  });

  it('fails a server that may evict data, but only warns if the server has no memory limit', async () => {
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    expect((await look()).line(`${name}, maxmemory-policy`)).toMatch(/^warn .*allkeys-lru/);
    await server.command('CONFIG', 'SET', 'maxmemory', '100mb');
    expect((await look()).line(`${name}, maxmemory-policy`)).toMatch(
      /^FAIL .*allkeys-lru\. Set it to noeviction/,
    );
  });

  it('warns about a server that forgets everything on a restart', async () => {
    await server.command('CONFIG', 'SET', 'appendonly', 'no');
    expect((await look()).line(`${name}, persistence`)).toMatch(/^warn .*appendonly is off/);
  });

  it('checks the server that the sentinels name, and what a primary without contact would do', {
    timeout: 300_000,
  }, async () => {
    const group = await startSentinelGroup();
    try {
      const { wrong, warned } = await look(`${group.url}?sentinel_username=`);
      expect([ofRedis(wrong), ofRedis(warned)]).toEqual([[], []]);
      const primary = await group.primary();
      await primary.command('CONFIG', 'SET', 'min-replicas-to-write', '0');
      const told = await look(group.url);
      expect(told.text).toMatch(/warn .*min-replicas-to-write: is 0\. Set it to 1/);
      expect((await look(group.url.replace('mymaster', 'other'))).text).toMatch(
        /FAIL .*cannot be used \(NOGROUP\)/,
      );
    } finally {
      await group.stop();
    }
  });

  it('fails a replica', async () => {
    await server.command('REPLICAOF', '127.0.0.1', '1');
    expect((await look()).line(name)).toMatch(/^FAIL .*cannot be used \(READONLY\)\. Check .*primary/);
  });

  it('fails a server that is down, hangs or requires another password, and does not show secrets', async () => {
    await server.command('CONFIG', 'SET', 'requirepass', 'right-4711');
    const wrongPassword = server.url.replace('redis://', 'redis://someone:wrong-4711@');
    for (const [url, code] of [
      [server.url, 'NOAUTH'],
      [wrongPassword, 'WRONGPASS'],
    ] as const) {
      const { line, text } = await look(url);
      expect(line(name)).toContain(`cannot be used (${code})`);
      expect(text).not.toContain('4711');
      expect(text).not.toContain('someone');
    }
    server.freeze();
    expect((await look()).line(name)).toContain('cannot be used (TIMEOUT)');
    server.thaw();
    await server.kill();
    expect((await look()).line(name)).toContain('cannot be used (ECONNREFUSED)');
  });

  it('fails a user without permission for the commands that claims need', async () => {
    await server.command('ACL', 'SETUSER', 'limited', 'on', '>word', '~*', '+@all', '-eval', '-evalsha');
    const { line } = await look(server.url.replace('redis://', 'redis://limited:word@'));
    expect(line(name)).toContain('cannot be used (NOPERM)');
  });
});
