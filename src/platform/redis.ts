import { createHash } from 'node:crypto';

/** Lua that the server runs as one step. */
export type Script = { readonly text: string; readonly sha1: string };

export const script = (text: string): Script => ({
  text,
  sha1: createHash('sha1').update(text).digest('hex'),
});

/** Why the server gave no answer, in a word that is safe to log: its own error code, Node's, `TIMEOUT` or `LOST`. */
export class RedisFailure extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`Redis: ${code}`);
    this.code = code;
  }
}

export type RedisReport =
  | { readonly state: 'connected'; readonly mayEvict: boolean }
  | { readonly state: 'lost'; readonly code: string };

/** One connection to Redis 7 or Valkey that comes back by itself and keeps nobody waiting while it is away. */
export type Redis = {
  /** Runs a script. Rejects with a RedisFailure: at once without a connection, else after a second at the latest. */
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Names the server's present life: another one after every restart. null without a connection. */
  serverRun(): string | null;
  /** `may_evict`: its memory policy could forget claims. */
  status(): 'ok' | 'may_evict' | 'down';
  /** Resolves when the first attempt to connect has ended, well or not, or after `forMs`. */
  tried(forMs: number): Promise<void>;
  /** Told of every connection, the present one included, before anything else uses a new one. */
  onConnected(told: () => void): void;
  close(): void;
};

export type RedisOptions = {
  /** redis:// or rediss://; a secret, never shown. */
  readonly url: string;
  /** How long a connection or a command may take. */
  readonly deadlineMs?: number;
  /** Told when the connection is made, and once when it is lost. */
  readonly onReport?: (report: RedisReport) => void;
};

const DEADLINE_MS = 1_000;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 2_000;
// A server that lost its role, or is still reading its data, answers but cannot serve: perhaps another one can.
const UNFIT = new Set(['READONLY', 'LOADING', 'MASTERDOWN', 'TIMEOUT', 'LOST']);

/** What we use of the client: its own type differs with every option. */
type Client = {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  destroy(): void;
  sendCommand(words: readonly string[]): Promise<unknown>;
};
type Session = { readonly client: Client; readonly serverRun: string; readonly mayEvict: boolean };

/** Connects in the background, again and again; the client library is loaded now, and only when this is called. */
export function openRedis({ url, deadlineMs = DEADLINE_MS, onReport = () => {} }: RedisOptions): Redis {
  const listeners: (() => void)[] = [];
  let session: Session | null = null;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isClosed = false;

  async function connect(): Promise<void> {
    try {
      const made = await connected(url, deadlineMs, (client) => lose(client, 'LOST'));
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
    // Instances that lost the same server do not come back in step.
    timer = setTimeout(() => void connect(), waitMs * (0.5 + Math.random() / 2));
  }

  /** A server that did not answer in time is left: the next caller must not wait for it too. */
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

async function connected(
  url: string,
  deadlineMs: number,
  onLost: (client: Client) => void,
): Promise<Session> {
  const { createClient } = await import('redis');
  const client = createClient({
    url,
    // Understood by every server and proxy; our scripts need no more.
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // A connection that is lost stays lost: whoever uses the next one knows that it is another, perhaps to a server
    // that forgot.
    socket: { connectTimeout: deadlineMs, reconnectStrategy: false },
  });
  client.on('error', () => onLost(client));
  try {
    await within(deadlineMs, client.connect());
    const facts = String(await within(deadlineMs, client.sendCommand(['INFO'])));
    const fact = (name: string): string => new RegExp(`^${name}:(\\S+)`, 'm').exec(facts)?.[1] ?? '';
    // Where a server does not name its life, each connection counts as one.
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

function end(client: Client): void {
  if (client.isOpen) client.destroy();
}

/** Errors of the server begin with their code; whatever else breaks a command has lost the connection. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'LOST';
  if (error instanceof RedisFailure) return error.code;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /^([A-Z]{2,20}) /.exec(error.message)?.[1] ?? 'LOST';
}

async function within<Value>(limitMs: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new RedisFailure('TIMEOUT')), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
