import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownPort, type RedisServer, startRedis } from './redis.ts';

export type SentinelGroup = {
  /** As REDIS_URL names the group. */
  readonly url: string;
  /** The server that the sentinels name as the one that takes writes. */
  primary(): Promise<RedisServer>;
  readonly servers: readonly RedisServer[];
  stop(): Promise<void>;
};

const portOf = ({ url }: RedisServer): string => new URL(url).port;
const DOWN_AFTER_MS = 1_500;
const COMMAND_MS = 20_000;

/** Polls a question about servers until it is answered well. */
async function ready(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + COMMAND_MS;
  while (!(await isSo().catch(() => false))) {
    if (Date.now() > end) throw new Error(`Not within ${COMMAND_MS / 1_000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A primary with two replicas and three sentinels, as docs/operations.md wants them. */
export async function startSentinelGroup(): Promise<SentinelGroup> {
  const settings = [
    '--min-replicas-to-write',
    '1',
    '--min-replicas-max-lag',
    '1',
    '--repl-diskless-sync-delay',
    '0',
  ];
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
  const port = await ownPort();
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

export type RedisCluster = {
  /** As REDIS_URL names it; it starts at the servers that do not have our slot. */
  readonly url: string;
  readonly servers: readonly RedisServer[];
  /** The server that has the slot of our keys. */
  owner(): Promise<RedisServer>;
  /** Gives that slot with all its keys to another server. */
  moveSlot(): Promise<void>;
  stop(): Promise<void>;
};

const SLOTS = [
  ['0', '5460'],
  ['5461', '10922'],
  ['10923', '16383'],
] as const;

/** Three servers that share the slots between them, without replicas. */
export async function startCluster(): Promise<RedisCluster> {
  const members = await Promise.all(
    SLOTS.map(async () => {
      const bus = String(await ownPort());
      const more = ['--cluster-enabled', 'yes', '--cluster-port', bus, '--cluster-node-timeout', '2000'];
      return { bus, server: await startRedis({ appendOnly: true, more }) };
    }),
  );
  const servers = members.map(({ server }) => server);
  const [first] = servers as [RedisServer, ...RedisServer[]];
  for (const [index, [from, to]] of SLOTS.entries())
    await servers[index]?.command('CLUSTER', 'ADDSLOTSRANGE', from, to);
  for (const { server, bus } of members.slice(1))
    await first.command('CLUSTER', 'MEET', '127.0.0.1', portOf(server), bus);
  const isWhole = async (server: RedisServer) => {
    const info = String(await server.command('CLUSTER', 'INFO'));
    return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3');
  };
  for (const server of servers) await ready(() => isWhole(server), 'the cluster is whole');
  const slot = String(await first.command('CLUSTER', 'KEYSLOT', '{paid}'));
  const owner = async (): Promise<RedisServer> => {
    for (const server of servers) {
      const lines = (await server.command('CLUSTER', 'SLOTS').catch(() => [])) as [
        number,
        number,
        [string, number],
      ][];
      const line = lines.find(([from, to]) => from <= Number(slot) && Number(slot) <= to);
      if (line) return servers.find((one) => portOf(one) === String(line[2][1])) as RedisServer;
    }
    throw new Error('Nobody has the slot');
  };
  const has = await owner();
  const others = servers.filter((server) => server !== has);
  return {
    url: `redis+cluster://${others.map((server) => `127.0.0.1:${portOf(server)}`).join(',')}`,
    servers,
    owner,
    moveSlot: async () => moveSlot(slot, { servers, from: await owner() }),
    async stop() {
      for (const server of servers) await server.stop();
    },
  };
}

async function moveSlot(
  slot: string,
  { servers, from }: { readonly servers: readonly RedisServer[]; readonly from: RedisServer },
): Promise<void> {
  const to = servers.find((server) => server !== from) as RedisServer;
  const idOf = async (server: RedisServer) => String(await server.command('CLUSTER', 'MYID'));
  await to.command('CLUSTER', 'SETSLOT', slot, 'IMPORTING', await idOf(from));
  await from.command('CLUSTER', 'SETSLOT', slot, 'MIGRATING', await idOf(to));
  const keys = (await from.command('CLUSTER', 'GETKEYSINSLOT', slot, '10000')) as string[];
  if (keys.length > 0)
    await from.command('MIGRATE', '127.0.0.1', portOf(to), '', '0', '5000', 'KEYS', ...keys);
  for (const server of [to, from, ...servers.filter((one) => one !== from && one !== to)])
    await server.command('CLUSTER', 'SETSLOT', slot, 'NODE', await idOf(to));
}
