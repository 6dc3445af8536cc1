import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './listening.ts';
import { type RedisServer, startRedis } from './redis.ts';
import { until } from './until.ts';

export type SentinelGroup = {
  /** The value of REDIS_URL for this group. */
  readonly url: string;
  /** The server that the sentinels name as the primary. */
  primary(): Promise<RedisServer>;
  readonly servers: readonly RedisServer[];
  stop(): Promise<void>;
};

const portOf = ({ url }: RedisServer): string => new URL(url).port;
const DOWN_AFTER_MS = 1_500;
const COMMAND_MS = 60_000;

/** Waits until a check of servers returns true; a failed check is repeated. */
const ready = (isSo: () => Promise<boolean>, what: string): Promise<void> =>
  until(() => isSo().catch(() => false), what, COMMAND_MS);

/** A primary with two replicas and three sentinels, as docs/scale.md requires. */
export async function startSentinelGroup(): Promise<SentinelGroup> {
  const settings = '--min-replicas-to-write 1 --min-replicas-max-lag 1 --repl-diskless-sync-delay 0'.split(
    ' ',
  );
  const first = await startRedis({ appendOnly: true, more: settings });
  const replica = () =>
    startRedis({ appendOnly: true, more: [...settings, '--replicaof', `127.0.0.1 ${portOf(first)}`] });
  const servers = [first, await replica(), await replica()];
  const sentinels = [await startSentinel(first), await startSentinel(first), await startSentinel(first)];
  const asked = (port: number, ...words: string[]) => commandAt(first, port, words);
  const named = async () => {
    for (const { port, child } of sentinels)
      if (child.exitCode === null) return asked(port, 'SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'mymaster');
    return null;
  };
  await ready(async () => {
    const [, , replicas] = (await first.command('ROLE')) as [string, number, unknown[]];
    const known = await asked(sentinels[0]?.port ?? 0, 'SENTINEL', 'CKQUORUM', 'mymaster');
    const watched = (await asked(sentinels[0]?.port ?? 0, 'SENTINEL', 'REPLICAS', 'mymaster')) as unknown[];
    return replicas.length === 2 && watched.length === 2 && String(known).startsWith('OK 3 usable');
  }, 'sentinels watch all');
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/mymaster`,
    servers,
    async primary() {
      const [, port] = (await named()) as [string, string];
      return servers.find((server) => portOf(server) === port) as RedisServer;
    },
    async stop() {
      for (const sentinel of sentinels) await sentinel.stop();
      for (const server of servers) await server.stop();
    },
  };
}

async function startSentinel(
  primary: RedisServer,
): Promise<{ port: number; child: ChildProcess; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'sentinel-'));
  const port = await freePort();
  const file = join(folder, 'sentinel.conf');
  writeFileSync(
    file,
    [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${folder}`,
      `sentinel monitor mymaster 127.0.0.1 ${portOf(primary)} 2`,
      `sentinel down-after-milliseconds mymaster ${DOWN_AFTER_MS}`,
      'sentinel failover-timeout mymaster 5000',
      '',
    ].join('\n'),
  );
  const child = spawn(process.env.REDIS_PATH ?? 'redis-server', [file, '--sentinel'], { stdio: 'ignore' });
  return {
    port,
    child,
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.kill('SIGKILL')) await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function commandAt(like: RedisServer, port: number, words: readonly string[]): Promise<unknown> {
  const { createClient } = await import('redis');
  const client = createClient({ url: like.url.replace(/:\d+$/, `:${port}`), RESP: 2 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await client.sendCommand([...words]);
  } finally {
    client.destroy();
  }
}
