import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { openRedis, type Redis, type RedisOptions } from '../../src/platform/redis.ts';
import { freePort } from './listening.ts';
import { until as untilSo } from './until.ts';

/** Set if redis-server is not available; suites that need it are then reported as skipped. */
export const redisMissing = process.env.SKIP_REDIS !== undefined;

/** The test's own redis-server, on a port that stays the same after a restart. */
export type RedisServer = {
  readonly url: string;
  /** Kills the server, as a crash would. */
  kill(): Promise<void>;
  /** Suspends the server: connections stay open, but it does not answer. */
  freeze(): void;
  thaw(): void;
  start(): Promise<void>;
  /** One command on a separate connection. */
  command(...words: string[]): Promise<unknown>;
  /** Ends the server and removes its files. */
  stop(): Promise<void>;
};

/** Starts a server on 127.0.0.1. Without `appendOnly`, it loses its data on a restart. */
export async function startRedis(
  options: { appendOnly?: boolean; password?: string; more?: readonly string[] } = {},
): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const port = await freePort();
  let child: ChildProcess | null = null;
  // A server that is killed while it starts counts as started.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };

  const launch = () =>
    new Promise<void>((resolve, reject) => {
      let said = '';
      const spawned = spawn(
        process.env.REDIS_PATH ?? 'redis-server',
        ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '']
          .concat(options.appendOnly ? ['--appendonly', 'yes', '--appendfsync', 'always'] : [])
          .concat(options.password ? ['--requirepass', options.password] : [])
          .concat(options.more ?? []),
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      child = spawned;
      spawned.once('error', reject);
      spawned.once('exit', () => reject(new Error(`redis-server did not start on port ${port}: ${said}`)));
      spawned.stdout?.on('data', (text: Buffer) => {
        said = `${said}${text}`.slice(-500);
        if (text.includes('Ready to accept connections')) resolve();
      });
    });
  const end = async () => {
    const ended = child;
    child = null;
    if (ended === null || ended.exitCode !== null || ended.signalCode !== null) return;
    const gone = new Promise((resolve) => ended.once('exit', resolve));
    ended.kill('SIGKILL');
    await gone;
  };
  const start = () =>
    inTurn(async () => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) await launch();
    });
  const kill = () => inTurn(end);
  await start();
  const url = `redis://${options.password ? `:${options.password}@` : ''}127.0.0.1:${port}`;
  return {
    url,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    start,
    async command(...words) {
      const client = createClient({ url, RESP: 2 });
      await client.connect();
      try {
        return await client.sendCommand(words);
      } finally {
        client.destroy();
      }
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Opens a connection that is open when this resolves; on a busy machine the first attempt may take too long. */
export async function connectTo(
  server: Pick<RedisServer, 'url'>,
  options: Partial<RedisOptions> = {},
): Promise<Redis> {
  const redis = openRedis({ url: server.url, ...options });
  // If the connection never opens, the test handles that.
  await untilSo(() => redis.status() !== 'down', 'Redis is there').catch(() => undefined);
  return redis;
}

/** Waits until the connection is `status`, which takes a few milliseconds after a server starts or stops. */
export async function until(redis: Redis, status: ReturnType<Redis['status']>): Promise<void> {
  await untilSo(() => redis.status() === status, `Redis is ${status}`);
}

/**
 * Registers relayer keys as free at a server, as the last process does that used them, so that no process waits for
 * an entry that a new server might have lost.
 */
export async function freeRelayerKeys(server: RedisServer, keys: readonly Hex[]): Promise<void> {
  const run = /^run_id:(\w+)/m.exec(String(await server.command('INFO', 'server')))?.[1] ?? '';
  for (const key of keys)
    await server.command('SET', `{paid}:relayer:eip155:8453:${privateKeyToAddress(key)}`, `free ${run}`);
}
