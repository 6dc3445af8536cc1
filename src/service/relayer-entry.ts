import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { HealthMonitor } from '../health/health.ts';
import type { KeyOwnership } from '../payments/settlers/settlers.ts';
import type { Log } from '../platform/log.ts';
import { type Redis, RedisFailure, script } from '../platform/redis.ts';

/** The entry in Redis that gives a relayer key to one process. */
export type RelayerEntry = KeyOwnership & {
  /**
   * Stops renewing the entry. `isIdle`: the key has no pending transactions, so another process may have it at once.
   */
  end(isIdle: boolean): Promise<void>;
};

export type RelayerEntryParts = {
  readonly redis: Pick<Redis, 'run' | 'serverRun' | 'onConnected'>;
  /** Identifies the account and its chain; the same in all processes. */
  readonly name: string;
};

// Another process takes the key only after it has seen the entry unchanged for this long. The holder uses the key for a
// shorter time, measured from before it sent the renewal. Everything that the holder has begun is over by then.
export const LIFE_MS = 10_000;
export const USED_MS = 7_000;
const RENEW_MS = 2_000;
const WATCH_MS = 1_000;
// Entries of unused accounts disappear after this long.
const KEPT_MS = 7 * 86_400_000;
const FREE = 'free ';

/**
 * KEYS: the entry. ARGV: our token, an entry that may be replaced, the new entry, how long it is kept. Returns the
 * entry as it is afterward.
 */
const RENEW = script(`
local held = redis.call('GET', KEYS[1]) or ''
if held ~= ARGV[2] and string.sub(held, 1, #ARGV[1]) ~= ARGV[1] then return held end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
return ARGV[3]
`);

/**
 * Keeps one entry for a relayer key, so that no two processes use it at once. If the entry is still ours after Redis
 * was unavailable or restarted, it is valid at once. If Redis lost it, its holder writes it again, and others may take
 * it only after the life of the lost entry.
 */
export function relayerEntry({ redis, name }: RelayerEntryParts): RelayerEntry {
  const key = `{paid}:relayer:${name}`;
  const token = randomBytes(16).toString('hex');
  const listeners: ((isOurs: boolean) => void)[] = [];
  let isOurs = false;
  let isEnded = false;
  let count = 0;
  // The time since just before the last renewal was sent.
  let heldMs = () => Number.POSITIVE_INFINITY;
  // The entry as last seen, '' if there is none, and for how long it has not changed.
  let seen = { entry: 'unknown', forMs: () => 0 };
  let timer: NodeJS.Timeout | undefined;
  let turns: Promise<void> = Promise.resolve();

  const mayUse = () => isOurs && !isEnded && heldMs() < USED_MS;

  /** The entry that ours may replace. Our own entry may always be replaced. */
  function replaceable(): string {
    // Redis lost the entry, but nobody else can have taken it yet.
    if (mayUse()) return '';
    if (seen.entry === FREE + redis.serverRun()) return seen.entry;
    // An entry that was released in an earlier run of the server may be out of date.
    return seen.forMs() >= LIFE_MS ? seen.entry : 'unknown';
  }

  /** Requests the key or renews it; resolves to the milliseconds until the next turn. */
  async function turn(): Promise<number> {
    if (isEnded) return WATCH_MS;
    const sinceMs = byBothClocks();
    count += 1;
    const fresh = `${token} ${count}`;
    const entry = await redis
      .run(RENEW, [key], [token, replaceable(), fresh, String(KEPT_MS)])
      .catch((error: unknown) => {
        if (error instanceof RedisFailure) return null;
        throw error;
      });
    if (entry === null || isEnded) return isOurs ? RENEW_MS : WATCH_MS;
    if (entry !== seen.entry) seen = { entry: String(entry), forMs: byMonotonicClock() };
    if (entry === fresh) heldMs = sinceMs;
    if ((entry === fresh) !== isOurs) {
      isOurs = entry === fresh;
      for (const listener of listeners) listener(isOurs);
    }
    if (isOurs) return RENEW_MS;
    // The holder has released the key.
    return replaceable() === entry ? 0 : WATCH_MS;
  }

  function look(): void {
    turns = turns.then(turn).then((waitMs) => {
      clearTimeout(timer);
      if (!isEnded) timer = setTimeout(look, waitMs).unref();
    });
  }
  look();
  redis.onConnected(look);

  return {
    mayUse,
    onChange(listener) {
      listeners.push(listener);
      if (isOurs) listener(true);
    },
    async end(isIdle) {
      isEnded = true;
      clearTimeout(timer);
      await turns;
      if (!isIdle || !isOurs) return;
      // If the key cannot be released, another process takes it later.
      const given = FREE + redis.serverRun();
      await redis.run(RENEW, [key], [token, 'unknown', given, String(KEPT_MS)]).catch((error: unknown) => {
        if (!(error instanceof RedisFailure)) throw error;
      });
    },
  };
}

// Two ways to measure time. If one of them is wrong, the key is not used.

function byMonotonicClock(): () => number {
  const from = performance.now();
  return () => performance.now() - from;
}

/** The longer of two measured times: the monotonic clock stops while a machine sleeps. */
function byBothClocks(): () => number {
  const [monotonicMs, from] = [byMonotonicClock(), Date.now()];
  return () => Math.max(monotonicMs(), Date.now() - from);
}

/** The entry of the relayer key; null without Redis or a relayer key. */
export function relayerEntryOf(
  { relayer, settlers, network }: Config,
  {
    redis,
    log,
    monitor,
  }: { readonly redis: Redis | null; readonly log: Log; readonly monitor: HealthMonitor },
): RelayerEntry | null {
  if (redis === null || relayer === null || settlers.every(({ kind }) => kind !== 'local')) return null;
  // Nonces belong to an account on a chain, so all deployments that settle with it share one entry.
  const entry = relayerEntry({ redis, name: `${network.caip2}:${relayer.address}` });
  entry.onChange((isOurs) => {
    if (isOurs) log.info('relayer_key', { state: 'held' });
    else log.warn('relayer_key', { state: 'lost' });
    // Refreshes the health after the settler has received the change.
    setImmediate(monitor.refresh);
  });
  return entry;
}
