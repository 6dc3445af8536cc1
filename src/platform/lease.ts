import { randomBytes } from 'node:crypto';
import { type Redis, RedisFailure, script } from './redis.ts';

/** The period in which an item of the list belongs to this process alone. */
export type Term = {
  /** The place of the item in the list. */
  readonly place: number;
  /** Whether it may be used now: work that starts now ends before anybody else can get the item. Sends no request. */
  mayUse(): boolean;
};

/** A lease among processes that share a Redis: each holds at most one item of the list. */
export type Lease = {
  /** Calls the listener with the present term, then on each begin and end of one; null while there is none. */
  onTerm(told: (term: Term | null) => void): void;
  /** Length of the list. */
  readonly all: number;
  /** The place of the item that may be used now; null for none. */
  place(): number | null;
  /** How many items are leased by any process; null while Redis does not answer. */
  leased(): number | null;
  /** Ends the use. When idle the item is freed at once, else its lease runs out. */
  end(isIdle: boolean): Promise<void>;
};

export type LeaseParts = {
  readonly redis: Pick<Redis, 'run' | 'serverRun' | 'onConnected'>;
  /** A unique name for each item, the same in all processes; the first free one is taken. */
  readonly names: readonly string[];
  readonly leaseMs?: number;
  /** The longest time that work may take: an item is not used any more for so long before its lease ends. */
  readonly marginMs?: number;
  readonly renewMs?: number;
  /** How often a free item is asked for while none is held. */
  readonly pollMs?: number;
  /** Starts a stopwatch; the returned function gives the milliseconds since. */
  readonly stopwatch?: () => () => number;
};

const LEASE_MS = 25_000;
// A broadcast takes ten seconds at one node; clocks run at slightly different speeds.
const MARGIN_MS = 12_000;
const RENEW_MS = 4_000;
const POLL_MS = 1_000;

const leaseKey = (name: string) => `{paid}:lease:${name}`;
const MEMORY_KEY = '{paid}:leases';

/**
 * KEYS: memory, then every lease. ARGV: token, length of a lease in milliseconds, the server's present life (empty where
 * it names none), the place of what is held (from 1 on, else 0). The place of what is held now, else 0, and how many are
 * leased.
 *
 * A server that restarted, was flushed or took over from another may have forgotten leases: in its first life that it
 * remembers, and in each new one, none is given out before the longest of them has run out.
 */
const TURN = script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('HMGET', KEYS[1], 'life', 'since')
if not known[2] or (ARGV[3] ~= '' and known[1] ~= ARGV[3]) then
  redis.call('HSET', KEYS[1], 'life', ARGV[3], 'since', string.format('%.0f', now))
  known[2] = now
end
local mine = 0
local held = tonumber(ARGV[4])
for place = 1, #KEYS - 1 do
  local isAsked = held == 0 or held == place
  if mine == 0 and isAsked and redis.call('GET', KEYS[place + 1]) == ARGV[1] then
    redis.call('PEXPIRE', KEYS[place + 1], ARGV[2])
    mine = place
  end
end
if held == 0 and mine == 0 and now - known[2] >= tonumber(ARGV[2]) then
  for place = 1, #KEYS - 1 do
    if mine == 0 and redis.call('SET', KEYS[place + 1], ARGV[1], 'NX', 'PX', ARGV[2]) then mine = place end
  end
end
return {mine, redis.call('EXISTS', unpack(KEYS, 2))}
`);

/** KEYS: every lease. ARGV: token. Frees what is held under it, and nothing else. */
const RELEASE = script(`
for _, key in ipairs(KEYS) do
  if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
end
return 1
`);

type Held = { readonly term: Term; age: () => number };

/** Leases one of several items, renews the lease well before it ends, and takes another item when it was lost. */
export function leaseOneOf(parts: LeaseParts): Lease {
  const { redis, leaseMs = LEASE_MS, marginMs = MARGIN_MS, renewMs = RENEW_MS, pollMs = POLL_MS } = parts;
  const { stopwatch = bothClocks } = parts;
  const keys = parts.names.map(leaseKey);
  const listeners: ((term: Term | null) => void)[] = [];
  let token = freshToken();
  let held: Held | null = null;
  let leased: number | null = null;
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;
  let turns: Promise<void> = Promise.resolve();

  const tell = () => {
    for (const told of listeners) told(held?.term ?? null);
  };

  function begin(place: number, age: () => number): void {
    const mine: Held = {
      age,
      term: { place, mayUse: () => held === mine && !isEnded && mine.age() < leaseMs - marginMs },
    };
    held = mine;
    tell();
  }

  /** Somebody else may have had the item in between: the next term is a new one. */
  function lose(): void {
    held = null;
    token = freshToken();
    tell();
  }

  async function turn(): Promise<void> {
    if (isEnded) return;
    // Measured from before the request: the server counts from its arrival.
    const age = stopwatch();
    const [at, count] = await asked(held === null ? 0 : held.term.place + 1);
    leased = count;
    if (isEnded || at === null) return;
    if (held !== null && at > 0) held.age = age;
    else if (held !== null) lose();
    else if (at > 0) begin(at - 1, age);
  }

  async function asked(place: number): Promise<[number | null, number | null]> {
    const run = redis.serverRun() ?? '';
    // Where a server has no run id, each connection counts as a new run.
    const life = /^[0-9a-f]{40}$/.test(run) ? run : '';
    try {
      const args = [token, String(leaseMs), life, String(place)];
      return (await redis.run(TURN, [MEMORY_KEY, ...keys], args)) as [number, number];
    } catch (error) {
      if (error instanceof RedisFailure) return [null, null];
      throw error;
    }
  }

  function look(): void {
    turns = turns.then(turn).then(() => {
      clearTimeout(timer);
      if (!isEnded) timer = setTimeout(look, held === null ? pollMs : renewMs).unref();
    });
  }
  look();
  redis.onConnected(look);

  return {
    onTerm(told) {
      listeners.push(told);
      told(held?.term ?? null);
    },
    all: keys.length,
    place: () => (held?.term.mayUse() ? held.term.place : null),
    leased: () => leased,
    async end(isIdle) {
      isEnded = true;
      clearTimeout(timer);
      await turns;
      if (!isIdle) return;
      await redis.run(RELEASE, keys, [token]).catch((error: unknown) => {
        // The lease runs out by itself.
        if (!(error instanceof RedisFailure)) throw error;
      });
    },
  };
}

const freshToken = (): string => randomBytes(16).toString('hex');

/** The longer time of two clocks: the monotonic one stands still while a machine sleeps. */
function bothClocks(): () => number {
  const [steady, wall] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - steady, Date.now() - wall);
}
