import { createHash } from 'node:crypto';
import { type RedisAddress, redisAddress } from './redis-address.ts';
import { type Client, clientOf, end } from './redis-client.ts';
import { codeOf, RedisFailure, within } from './redis-failure.ts';
import { writerOf } from './redis-writer.ts';

/** Lua that the server runs as one step. */
export type Script = { readonly text: string; readonly sha1: string };

export const script = (text: string): Script => ({
  text,
  sha1: createHash('sha1').update(text).digest('hex'),
});

export { RedisFailure };

export type RedisReport =
  | { readonly state: 'connected'; readonly mayEvict: boolean }
  | { readonly state: 'lost'; readonly code: string };

/** A connection to the Redis 7 or Valkey that accepts writes. It reconnects; calls fail at once while it is down. */
export type Redis = {
  /** Runs a script. Rejects with a RedisFailure: at once without a connection, else after a second at the latest. */
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Identifies the server's current run, which changes with every restart. null without a connection. */
  serverRun(): string | null;
  /** `may_evict`: its memory policy could forget claims. */
  status(): 'ok' | 'may_evict' | 'down';
  /** Resolves when the first connection attempt has ended, successfully or not, or after `forMs`. */
  tried(forMs: number): Promise<void>;
  /** Calls the listener for every connection, the present one included, before anything else uses it. */
  onConnected(told: () => void): void;
  close(): void;
};

export type RedisOptions = {
  /** As `redisAddress` reads it; a secret, never shown. */
  readonly url: string;
  /** How long a connection or a command may take. */
  readonly deadlineMs?: number;
  /** Called when the connection is made, and once when it is lost. */
  readonly onReport?: (report: RedisReport) => void;
};

const DEADLINE_MS = 1_000;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 2_000;
// A server that lost its role, or is still loading data, answers but cannot serve: another one may.
const UNFIT = new Set(['READONLY', 'LOADING', 'MASTERDOWN', 'MOVED', 'CLUSTERDOWN', 'TIMEOUT', 'LOST']);

type Session = { readonly client: Client; readonly serverRun: string; readonly mayEvict: boolean };

/** Connects in the background and retries; the client library is loaded only when this is called. */
export function openRedis({ url, deadlineMs = DEADLINE_MS, onReport = () => {} }: RedisOptions): Redis {
  const address = addressOf(url);
  const listeners: (() => void)[] = [];
  let session: Session | null = null;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isClosed = false;

  async function connect(): Promise<void> {
    try {
      const made = await connected(address, deadlineMs, (client) => lose(client, 'LOST'));
      if (isClosed) return end(made.client);
      if (!made.client.isReady) throw new RedisFailure('LOST');
      session = made;
      failures = 0;
      onReport({ state: 'connected', mayEvict: made.mayEvict });
      for (const told of listeners) told();
    } catch (error) {
      if (failures === 0) onReport({ state: 'lost', code: codeOf(error) });
      later();
    }
  }

  function later(): void {
    if (isClosed) return;
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS);
    failures += 1;
    // Jitter, so that instances do not reconnect in step.
    timer = setTimeout(() => void connect(), waitMs * (0.5 + Math.random() / 2));
  }

  /** A server that did not answer in time is dropped: the next caller must not wait for it, too. */
  function lose(client: Client, code: string): void {
    if (session?.client !== client) return;
    session = null;
    end(client);
    if (isClosed) return;
    onReport({ state: 'lost', code });
    later();
  }

  const first = connect();
  return {
    async run(code, keys, args) {
      if (session === null) throw new RedisFailure('LOST');
      const { client } = session;
      try {
        return await within(deadlineMs, evaluate(client, code, keys, args));
      } catch (error) {
        const failure = new RedisFailure(codeOf(error));
        if (UNFIT.has(failure.code)) lose(client, failure.code);
        throw failure;
      }
    },
    serverRun: () => session?.serverRun ?? null,
    status: () => (session === null ? 'down' : session.mayEvict ? 'may_evict' : 'ok'),
    tried: (forMs) => within(forMs, first).catch(() => undefined),
    onConnected(told) {
      listeners.push(told);
      if (session !== null) told();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      if (session !== null) lose(session.client, 'LOST');
    },
  };
}

function addressOf(url: string): RedisAddress {
  const address = redisAddress(url);
  if (typeof address === 'string') throw new TypeError(`REDIS_URL ${address}`);
  return address;
}

async function connected(
  address: RedisAddress,
  deadlineMs: number,
  onLost: (client: Client) => void,
): Promise<Session> {
  const client = await clientOf(address, await writerOf(address, deadlineMs), { deadlineMs });
  client.on('error', () => onLost(client));
  try {
    await within(deadlineMs, client.connect());
    const facts = String(await within(deadlineMs, client.sendCommand(['INFO'])));
    const fact = (name: string): string => new RegExp(`^${name}:(\\S+)`, 'm').exec(facts)?.[1] ?? '';
    // Whoever named it may not know yet that it was replaced.
    if (address.kind !== 'server' && fact('role') !== 'master') throw new RedisFailure('READONLY');
    // Where a server has no run id, each connection counts as a new run.
    const serverRun = fact('run_id') || `${Date.now()}.${Math.random()}`;
    const mayEvict = !['0', ''].includes(fact('maxmemory')) && fact('maxmemory_policy') !== 'noeviction';
    return { client, serverRun, mayEvict };
  } catch (error) {
    end(client);
    throw error;
  }
}

async function evaluate(
  client: Client,
  { text, sha1 }: Script,
  keys: readonly string[],
  args: readonly string[],
): Promise<unknown> {
  const rest = [String(keys.length), ...keys, ...args];
  try {
    return await client.sendCommand(['EVALSHA', sha1, ...rest]);
  } catch (error) {
    if (codeOf(error) !== 'NOSCRIPT') throw error;
    return client.sendCommand(['EVAL', text, ...rest]);
  }
}
