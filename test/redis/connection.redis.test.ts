import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRedis, type Redis, type RedisReport, script } from '../../src/platform/redis.ts';
import { connectTo, type RedisServer, redisMissing, startRedis, until } from '../support/redis.ts';

const ONE = script('return 1');
const ask = (redis: Redis) => redis.run(ONE, [], []);

describe.skipIf(redisMissing)('the connection to Redis', () => {
  let server: RedisServer;
  let open: Redis[] = [];
  const connect = async (...args: Parameters<typeof connectTo>) => {
    const redis = await connectTo(...args);
    open.push(redis);
    return redis;
  };

  beforeEach(async () => {
    server = await startRedis();
  });
  afterEach(async () => {
    for (const redis of open) redis.close();
    open = [];
    await server.stop();
  });

  it('reports a missing server at once, and connects by itself when one starts', async () => {
    await server.kill();
    // If a command waited for an answer, it would wait for longer than any test runs.
    const redis = openRedis({ url: server.url, deadlineMs: 3_600_000 });
    open.push(redis);
    await redis.tried(30_000);
    await expect(ask(redis)).rejects.toMatchObject({ code: 'LOST' });
    expect(redis.serverRun()).toBeNull();
    await server.start();
    await until(redis, 'ok');
    expect(await ask(redis)).toBe(1);
  });

  it('waits only once for a server that hangs, and uses it again when it resumes', async () => {
    const redis = await connect(server, { deadlineMs: 2_000 });
    server.freeze();
    // Only the first command reaches its deadline; the others fail because the connection is lost.
    for (const code of ['TIMEOUT', 'LOST', 'LOST']) await expect(ask(redis)).rejects.toMatchObject({ code });
    server.thaw();
    await until(redis, 'ok');
    expect(await ask(redis)).toBe(1);
  });

  it('does not lose a healthy server if this process gets no processor time until after the deadline', async () => {
    const redis = await connect(server, { deadlineMs: 1_000 });
    const answer = ask(redis);
    spawnSync('sleep', ['2']);
    expect(await answer).toBe(1);
    expect(redis.status()).toBe('ok');
  });

  it('identifies the run of the server: it is the same for every client, and another one after a restart', async () => {
    const [a, b] = [await connect(server), await connect(server)];
    const first = a.serverRun();
    expect(first).toMatch(/^[0-9a-f]{40}$/);
    expect(b.serverRun()).toBe(first);
    await server.command('CLIENT', 'KILL', 'TYPE', 'normal');
    await until(a, 'down');
    await until(a, 'ok');
    expect(a.serverRun()).toBe(first);
    await server.kill();
    await server.start();
    await until(a, 'down');
    await until(a, 'ok');
    expect(a.serverRun()).not.toBe(first);
  });

  it('reports each event once, without the URL', async () => {
    const reports: RedisReport[] = [];
    const redis = await connect(server, { onReport: (report) => void reports.push(report) });
    await server.kill();
    await until(redis, 'down');
    let attempts = 0;
    const refusing = createServer((socket) => {
      attempts += 1;
      socket.destroy();
    }).listen(Number(new URL(server.url).port), '127.0.0.1');
    await expect.poll(() => attempts).toBeGreaterThan(2);
    await new Promise((resolve) => refusing.close(resolve));
    await server.start();
    await until(redis, 'ok');
    expect(reports).toEqual([
      { state: 'connected', mayEvict: false },
      { state: 'lost', code: 'LOST' },
      { state: 'connected', mayEvict: false },
    ]);
  });

  it('warns about a server that may evict claims', async () => {
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    expect((await connect(server)).status()).toBe('ok');
    await server.command('CONFIG', 'SET', 'maxmemory', '100mb');
    expect((await connect(server)).status()).toBe('may_evict');
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    expect((await connect(server)).status()).toBe('ok');
  });

  it('refuses a replica, because it cannot store claims', async () => {
    const redis = await connect(server);
    await server.command('REPLICAOF', '127.0.0.1', '1');
    await expect(redis.run(script(`return redis.call('SET', 'a', '1')`), [], [])).rejects.toMatchObject({
      code: 'READONLY',
    });
    expect(redis.status()).toBe('down');
    await server.command('REPLICAOF', 'NO', 'ONE');
    await until(redis, 'ok');
  });

  it('does not reveal the password of its URL when it is refused', async () => {
    await server.command('CONFIG', 'SET', 'requirepass', 'right');
    const reports: RedisReport[] = [];
    const redis = openRedis({
      url: server.url.replace('redis://', 'redis://:wrong-4711@'),
      onReport: (report) => void reports.push(report),
    });
    open.push(redis);
    await redis.tried(30_000);
    const error = await ask(redis).catch((reason: unknown) => reason);
    expect(reports).toEqual([{ state: 'lost', code: 'WRONGPASS' }]);
    expect(`${error} ${JSON.stringify(error)} ${(error as Error).stack}`).not.toContain('wrong-4711');
  });

  it('closes on request, even while it tries to connect', async () => {
    const redis = await connect(server);
    redis.close();
    await expect(ask(redis)).rejects.toMatchObject({ code: 'LOST' });
    await server.kill();
    // Both began to connect at the same time, so if one connects, the other would have connected, too.
    const [trying, control] = [openRedis({ url: server.url }), openRedis({ url: server.url })];
    open.push(control);
    await Promise.all([trying.tried(30_000), control.tried(30_000)]);
    trying.close();
    await server.start();
    await until(control, 'ok');
    expect(trying.status()).toBe('down');
    const clients = String(await server.command('CLIENT', 'LIST'));
    expect(clients.trim().split('\n')).toHaveLength(2);
  });
});
