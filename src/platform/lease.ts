import { randomBytes } from 'node:crypto';
import { type Redis, RedisFailure, script } from './redis.ts';

/** The time in which one of several things belongs to this process alone. */
export type Term = {
  /** Which one it is, by its place in the list. */
  readonly place: number;
  /** Whether it may still be used now: for as long as what is begun now may take, nobody else gets it. Asks nobody. */
  mayUse(): boolean;
};

/** What processes that share a Redis lease from each other: each holds one of the list at most. */
export type Lease = {
  /** Told of the present term, then of each that begins, and of its end; null while there is none. */
  onTerm(told: (term: Term | null) => void): void;
  /** How many there are in the list. */
  readonly all: number;
  /** The place of what may be used now; null for nothing. */
  place(): number | null;
  /** How many of the list are leased, by whomever; null while Redis does not say. */
  leased(): number | null;
  /** Uses nothing any more. What is held is free for others at once when nothing of it is under way, else when it runs out. */
  end(isIdle: boolean): Promise<void>;
};

export type LeaseParts = {
  readonly redis: Pick<Redis, 'run' | 'serverRun' | 'onConnected'>;
  /** What each thing is called wherever it is used; the first free one is taken. */
  readonly names: readonly string[];
  readonly leaseMs?: number;
  /** The longest that what is begun with it may take: for so long before its end it is not used any more. */
  readonly marginMs?: number;
  readonly renewMs?: number;
  /** How often one is asked for while none is held. */
  readonly pollMs?: number;
  /** Begins to measure: what it gives tells how many milliseconds ago that was. */
  readonly stopwatch?: () => () => number;
};

const LEASE_MS = 25_000;
// A broadcast takes ten seconds at one node; clocks differ a little in how fast they go.
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

/** Leases one of several things, renews it well before it ends, and takes another one when it was lost. */
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

  /** Somebody else may have had it since: whatever comes next is another term. */
  function lose(): void {
    held = null;
    token = freshToken();
    tell();
  }

  async function turn(): Promise<void> {
    if (isEnded) return;
    // From before the question left: the server counts from when it came.
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
    // Where a server names no life of its own, each connection looks like one.
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
        // It runs out by itself.
        if (!(error instanceof RedisFailure)) throw error;
      });
    },
  };
}

const freshToken = (): string => randomBytes(16).toString('hex');

/** The longer of what two clocks say: the steady one stands still while a machine sleeps. */
function bothClocks(): () => number {
  const [steady, wall] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - steady, Date.now() - wall);
}
