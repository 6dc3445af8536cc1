import { createHash } from 'node:crypto';
import { parseUrl } from '../domain/url.ts';

/** Lua that the server runs as one step. */
export type Script = { readonly text: string; readonly sha1: string };

export const script = (text: string): Script => ({
  text,
  sha1: createHash('sha1').update(text).digest('hex'),
});

export type RedisReport =
  | { readonly state: 'connected'; readonly mayEvict: boolean }
  | { readonly state: 'lost'; readonly code: string };

/** A connection to the Redis 7 or Valkey that accepts writes. It reconnects. Calls fail at once while it is down. */
export type Redis = {
  /** Runs a script. Rejects with a RedisFailure: at once without a connection, otherwise within a second. */
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Identifies the server's current run, which changes with every restart; null without a connection. */
  serverRun(): string | null;
  /** `may_evict`: under its memory policy, it may evict claims. */
  status(): 'ok' | 'may_evict' | 'down';
  /** Resolves when the first connection attempt has ended, successfully or not, or after `forMs`. */
  tried(forMs: number): Promise<void>;
  /** Calls the listener for every connection, including the current one, before any other use. */
  onConnected(listener: () => void): void;
  close(): void;
};

export type RedisOptions = {
  /** The URL in the form of `redisAddress`; a secret, never shown. */
  readonly url: string;
  /** How long a connection or a command may take. */
  readonly deadlineMs?: number;
  /** Called when the connection is made, and once when it is lost. */
  readonly onReport?: (report: RedisReport) => void;
  /** Called with the duration of every script that ran. */
  readonly onAnswer?: (durationMs: number) => void;
};

const DEADLINE_MS = 1_000;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 2_000;
// A server that lost its role, or is still loading data, answers but cannot serve. Another server may.
const UNFIT = new Set(['READONLY', 'LOADING', 'MASTERDOWN', 'TIMEOUT', 'LOST']);

type Session = {
  readonly client: Client;
  readonly server: RedisHost;
  /** A value of the server's INFO; empty if there is none. */
  readonly fact: (name: string) => string;
  readonly serverRun: string;
  readonly mayEvict: boolean;
};

/** Connects in the background and retries. The client library is loaded only when this is called. */
export function openRedis(options: RedisOptions): Redis {
  const { url, deadlineMs = DEADLINE_MS, onReport = () => {}, onAnswer = () => {} } = options;
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
      for (const listener of listeners) listener();
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

  /** A server that did not answer in time is dropped, so that the next caller does not also wait for it. */
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
      const startedMs = performance.now();
      try {
        const answer = await within(deadlineMs, evaluate(client, code, keys, args));
        onAnswer(performance.now() - startedMs);
        return answer;
      } catch (error) {
        const failure = new RedisFailure(codeOf(error));
        if (UNFIT.has(failure.code)) lose(client, failure.code);
        throw failure;
      }
    },
    serverRun: () => session?.serverRun ?? null,
    status: () => (session === null ? 'down' : session.mayEvict ? 'may_evict' : 'ok'),
    tried: (forMs) => within(forMs, first).catch(() => undefined),
    onConnected(listener) {
      listeners.push(listener);
      if (session !== null) listener();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      if (session !== null) lose(session.client, 'LOST');
    },
  };
}

/** The address in a URL that the settings have accepted. */
export function addressOf(url: string): RedisAddress {
  const address = redisAddress(url);
  if (typeof address === 'string') throw new TypeError(`REDIS_URL ${address}`);
  return address;
}

/** Connects to the server that accepts writes, and reads its INFO. Throws a RedisFailure, or an error of the client. */
export async function connected(
  address: RedisAddress,
  deadlineMs: number,
  onLost: (client: Client) => void,
): Promise<Session> {
  const server = await writerOf(address, deadlineMs);
  const client = await clientOf(address, server, { deadlineMs });
  client.on('error', () => onLost(client));
  try {
    await within(deadlineMs, client.connect());
    const facts = String(await within(deadlineMs, client.sendCommand(['INFO'])));
    const fact = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(facts)?.[1] ?? '';
    // The sentinel that named this server may not know yet that the server was replaced.
    if (address.kind !== 'server' && fact('role') !== 'master') throw new RedisFailure('READONLY');
    // If a server has no run id, each connection counts as a new run.
    const serverRun = fact('run_id') || `${Date.now()}.${Math.random()}`;
    const mayEvict = !['0', ''].includes(fact('maxmemory')) && fact('maxmemory_policy') !== 'noeviction';
    return { client, server, fact, serverRun, mayEvict };
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

/**
 * The server that accepts our writes now: the one that most of the answering sentinels name, since a sentinel that is
 * cut off still names the former one. One answer is enough. Throws a RedisFailure on a tie, and if none is named.
 */
async function writerOf(address: RedisAddress, deadlineMs: number): Promise<RedisHost> {
  const [first] = address.hosts;
  if (address.kind === 'server' && first) return first;
  const replies = await Promise.allSettled(address.hosts.map((by) => namedBy(address, by, deadlineMs)));
  const votes = new Map<string, { host: RedisHost; count: number }>();
  for (const reply of replies) {
    if (reply.status === 'rejected') continue;
    const named = reply.value;
    const { count } = votes.get(hostName(named)) ?? { count: 0 };
    votes.set(hostName(named), { host: named, count: count + 1 });
  }
  const [most, next] = [...votes.values()].toSorted((a, b) => b.count - a.count);
  if (most === undefined)
    throw new RedisFailure(codeOf(replies.find((reply) => reply.status === 'rejected')?.reason));
  if (next?.count === most.count) throw new RedisFailure('DISAGREE');
  return most.host;
}

async function namedBy(address: RedisAddress, by: RedisHost, deadlineMs: number): Promise<RedisHost> {
  const client = await clientOf(address, by, { deadlineMs, isSentinel: true });
  client.on('error', () => undefined);
  const ask = (...words: string[]) => within(deadlineMs, client.sendCommand(words));
  try {
    await within(deadlineMs, client.connect());
    const named = await ask('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', address.group ?? '');
    // The sentinel watches no group of that name.
    if (!Array.isArray(named)) throw new RedisFailure('NOGROUP');
    return { host: String(named[0]), port: Number(named[1]) };
  } finally {
    end(client);
  }
}

/** The part of the client that is used here: its own type differs with every option. */
type Client = {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  destroy(): void;
  sendCommand(words: readonly string[]): Promise<unknown>;
  on(event: 'error', listener: () => void): unknown;
};

/** A client of one server, not connected yet. Loads the library. `isSentinel`: the server only names servers. */
async function clientOf(
  { credentials, sentinelCredentials, database, isEncrypted }: RedisAddress,
  { host, port }: RedisHost,
  { deadlineMs, isSentinel = false }: { readonly deadlineMs: number; readonly isSentinel?: boolean },
): Promise<Client> {
  const { createClient } = await import('redis');
  return createClient({
    ...(isSentinel ? sentinelCredentials : { ...credentials, database }),
    // Version 2 works with every server and proxy, and is enough for our scripts.
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // No reconnection: a new connection may reach a server that has lost data, and the caller must know that.
    socket: {
      host,
      port,
      connectTimeout: deadlineMs,
      reconnectStrategy: false,
      ...(isEncrypted && { tls: true }),
    },
  });
}

export function end(client: Client): void {
  if (client.isOpen) client.destroy();
}

/** Why the server gave no answer, as a code that is safe to log: its own error code, Node's, `TIMEOUT` or `LOST`. */
export class RedisFailure extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`Redis: ${code}`);
    this.code = code;
  }
}

/** A server's error begins with a code. Any other error means that the connection is lost. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'LOST';
  if (error instanceof RedisFailure) return error.code;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /^([A-Z]{2,20}) /.exec(error.message)?.[1] ?? 'LOST';
}

/** Rejects with `TIMEOUT` if the work takes longer than `limitMs`. */
export async function within<Value>(limitMs: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const end = () => reject(new RedisFailure('TIMEOUT'));
    // The wait has two halves. On a busy machine, this process may not run for a second. It can then read a reply that
    // has already arrived before the second half ends.
    const wait = (next: () => void) => setTimeout(next, limitMs / 2);
    timer = wait(() => {
      timer = wait(end);
    });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A host and its port. */
type RedisHost = { readonly host: string; readonly port: number };
type Credentials = { readonly username?: string; readonly password?: string };

/** The Redis for claims and limits: this server, or the one that these sentinels name for the group. */
export type RedisAddress = {
  readonly kind: 'server' | 'sentinel';
  /** At least one; exactly one for `server`. */
  readonly hosts: readonly RedisHost[];
  readonly isEncrypted: boolean;
  readonly credentials: Credentials;
  readonly database: number;
  /** The name of the group that the sentinels watch; null without sentinels. */
  readonly group: string | null;
  readonly sentinelCredentials: Credentials;
};

const PORTS = { server: 6379, sentinel: 26_379 } as const;
const MOST_HOSTS = 16;
const FORM =
  /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^:@/?#]*):?([^@/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;

/**
 * Reads `redis://user:password@host:port/database` or `redis+sentinel://…@host:port,host:port/group/database`, each
 * with `rediss` for TLS. If sentinels have their own password, it is `?sentinel_password=`, with `sentinel_username`.
 * Otherwise returns what is wrong, without quoting the text.
 */
export function redisAddress(text: string): RedisAddress | string {
  const [, scheme, how = 'server', user = '', secret = '', list = '', path = '', query = ''] =
    FORM.exec(text) ?? [];
  const kind = how as RedisAddress['kind'];
  if (scheme === undefined) return 'must be a redis:// or rediss:// URL';
  if (how === 'cluster')
    return 'names a Redis Cluster, which is not supported; use a single server or redis+sentinel://';
  const hosts = list.split(',').map((entry) => hostOf(entry, PORTS[kind]));
  if (!hosts.every((host) => host !== null) || hosts.length > MOST_HOSTS)
    return `must name at most ${MOST_HOSTS} hosts, each as host:port`;
  if (kind === 'server' && hosts.length > 1) return 'names several hosts, which only redis+sentinel:// does';
  const [group = '', rest, ...more] = kind === 'sentinel' ? path.split('/') : ['', path];
  if (kind === 'sentinel' && group === '')
    return 'lacks the name of the group that the sentinels watch, as in redis+sentinel://host:26379,host:26379/mymaster';
  const database = /^\d{0,5}$/.test(rest ?? '') && more.length === 0 ? Number(rest || 0) : null;
  if (database === null) return 'has a path that is not the number of a database';
  const own = credentialsOf(user, secret);
  const asked = new URLSearchParams(query);
  const sentinel = credentialsOf(asked.get('sentinel_username') ?? '', asked.get('sentinel_password') ?? '');
  if (own === null || sentinel === null) return 'has a user name or password that is not percent-encoded';
  return {
    kind,
    hosts,
    isEncrypted: scheme === 'rediss',
    credentials: own,
    database,
    group: kind === 'sentinel' ? decodeURIComponent(group) : null,
    sentinelCredentials: sentinel,
  };
}

/** The hosts of an address for people: no user, no password. */
export const redisName = ({ kind, hosts, isEncrypted }: RedisAddress): string =>
  `redis${isEncrypted ? 's' : ''}${kind === 'server' ? '' : `+${kind}`}://${hosts.map(hostName).join(',')}`;

/** A host with its port, as in a URL. */
export const hostName = ({ host, port }: RedisHost): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

function hostOf(entry: string, port: number): RedisHost | null {
  const url = parseUrl(`redis://${entry}`);
  if (url === null || url.hostname === '' || url.port === '0') return null;
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || port) };
}

function credentialsOf(username: string, password: string): Credentials | null {
  try {
    return {
      ...(username !== '' && { username: decodeURIComponent(username) }),
      ...(password !== '' && { password: decodeURIComponent(password) }),
    };
  } catch {
    return null;
  }
}
