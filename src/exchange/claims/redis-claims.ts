import { randomBytes } from 'node:crypto';
import type { Day } from '../../domain/calendar.ts';
import type { Hex } from '../../payments/x402/payment.ts';
import { type Redis, RedisFailure, type Script, script } from '../../platform/redis.ts';
import { type Claim, type Claims, COLLECT_SECONDS, type Found, type Opened, type Saved } from './claims.ts';

export type RedisClaimsParts = {
  readonly redis: Redis;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How long an open claim, for which nothing was sent, stays with an instance that may have crashed. */
  readonly leaseMs?: number;
  /** How long `open` waits for the result of the same purchase on another instance. */
  readonly patienceMs?: number;
};

// A settlement takes less than this before it sends. A slower attempt may find its claim taken, and then sends
// nothing.
const LEASE_MS = 60_000;
// An instance follows a sent payment for about this long. After that, the next instance that receives the request finds
// out the result.
const FOLLOWED_MS = 25_000;
const PATIENCE_MS = 3_000;
const POLL_MS = 100;
// The chain's clock may be behind ours.
const JUST_OVER_SECONDS = 600;

/**
 * Claims that all instances on one Redis share. A claim in Redis belongs to the attempt whose token it carries. A late
 * command of an attempt that was overtaken therefore cannot touch its successor's claim.
 */
export function redisClaims(parts: RedisClaimsParts): Claims {
  const { redis, now } = parts;
  const own = ownClaims(now);
  const store = redisClaimStore(redis, now);
  const save = saving(store, own);
  // The instance keeps its own sent claims too, and writes them again if the server lost them.
  redis.onConnected(() => {
    // Claims count as complete from now on, not only from the first purchase.
    void store.completeSince();
    void restoreAll(store, own, now() / 1000);
  });
  return {
    open: opening(store, own, save, parts),
    async find(key) {
      const known = own.known(key);
      const found = known?.state === 'settled' ? null : await store.find(key);
      if (known && (found === null || found === 'absent')) return { kind: 'held', claim: known };
      if (found === null) return { kind: 'down' };
      return found === 'absent' ? { kind: 'absent' } : { kind: 'held', claim: found.claim };
    },
    save,
    async drop(key) {
      const token = own.held(key);
      own.release(key);
      own.forget(key);
      if (token !== undefined) await store.drop(key, token);
    },
    async leave(key) {
      own.release(key);
    },
    name: store.name,
    named: store.named,
    completeSince: store.completeSince,
    size: own.size,
  };
}

/**
 * Restores the claims that can still move money first. The others follow one at a time, because a day of claims would
 * delay the first ones.
 */
async function restoreAll(store: ClaimStore, own: OwnClaims, nowSeconds: number): Promise<void> {
  const restore = ([key, claim]: readonly [string, Claim]) =>
    store.restore(key, own.held(key) ?? own.token(), claim);
  const all = own.all();
  const isUrgent = ({ state, validBefore }: Claim) =>
    state === 'sent' || validBefore + JUST_OVER_SECONDS >= nowSeconds;
  for (const entry of all) if (isUrgent(entry[1])) void restore(entry);
  for (const entry of all) if (!isUrgent(entry[1])) await restore(entry);
}

function opening(
  store: ClaimStore,
  own: OwnClaims,
  save: Claims['save'],
  { leaseMs = LEASE_MS, patienceMs = PATIENCE_MS }: RedisClaimsParts,
): Claims['open'] {
  const take = async (key: string, fresh: Claim) => {
    const owner = own.token();
    // If this process does not hold its own open claim, the reply to an earlier attempt was lost.
    const isLeftOver = own.held(key) === undefined;
    if (isLeftOver) own.hold(key, owner);
    const taken = await store.open(key, { owner, leaseMs, process: isLeftOver ? own.process : '' }, fresh);
    if (taken === 'opened' || typeof taken === 'number') own.hold(key, owner);
    else if (own.held(key) === owner) own.release(key);
    return taken;
  };
  const isUnderWayElsewhere = ({ claim, owner, ageMs }: StoredClaim, fresh: Claim): boolean => {
    if (owner.startsWith(own.process)) return false;
    if (claim.request !== fresh.request || claim.signature !== fresh.signature) return false;
    return (claim.state === 'open' && ageMs < leaseMs) || (claim.state === 'sent' && ageMs < FOLLOWED_MS);
  };
  return async (key, fresh): Promise<Opened> => {
    const known = own.known(key);
    const asKnown = (claim: Claim): Found => ({ kind: 'held', claim });
    if (known?.state === 'settled') return asKnown(known);
    const until = performance.now() + patienceMs;
    let taken = await take(key, fresh);
    while (isStored(taken) && isUnderWayElsewhere(taken, fresh) && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      taken = await take(key, fresh);
    }
    if (isStored(taken) && (taken.claim.state !== 'open' || known === undefined)) return asKnown(taken.claim);
    if (known !== undefined) {
      // Redis is unavailable, or has lost this sent claim.
      if (taken !== null) await save(key, known);
      return asKnown(known);
    }
    if (typeof taken === 'number') return { kind: 'opened', usedSince: taken };
    return { kind: taken === null ? 'down' : taken === 'full' ? 'full' : 'opened' };
  };
}

const isStored = (taken: StoredClaim | 'opened' | number | 'full' | null): taken is StoredClaim =>
  typeof taken === 'object' && taken !== null;

function saving(store: ClaimStore, own: OwnClaims): Claims['save'] {
  return async (key, claim) => {
    const token = own.held(key);
    const saved = await store.save(key, token ?? own.token(), claim);
    if (claim.state !== 'sent') own.release(key);
    if (claim.state === 'void' || saved === 'conflict') own.forget(key);
    else if (saved === 'saved') own.remember(key, claim);
    // No answer from Redis. A payment that this process sent is settled, because nobody else can have it. A payment
    // that was still open is checked again before it is answered, because another process may have taken it over.
    else if (saved === null && claim.state === 'settled' && (token !== undefined || own.known(key)))
      own.remember(key, own.known(key) ? claim : { ...claim, state: 'sent' });
    return saved ?? 'unconfirmed';
  };
}

const MAX_KNOWN = 20_000;
// No attempt takes this long, so a token that is older protects nothing.
const HELD_MS = 900_000;

/** The facts that a process knows about its own claims in a shared store. */
export function ownClaims(now: () => number) {
  const process = `${randomBytes(12).toString('hex')}.`;
  const holds = new Map<string, { token: string; since: number }>();
  const known = new Map<string, Claim>();
  let count = 0;
  const isCollectable = ({ validBefore }: Claim) => validBefore + COLLECT_SECONDS >= now() / 1000;
  return {
    /** The prefix of this process's tokens. No other process uses it. */
    process,
    /** A token that was never used before. */
    token(): string {
      count += 1;
      return `${process}${count}`;
    },
    /** The token under which this process holds a claim that has not ended. */
    held: (key: string) => holds.get(key)?.token,
    hold(key: string, token: string): void {
      // Oldest first.
      for (const [other, { since }] of holds) {
        if (now() - since < HELD_MS) break;
        holds.delete(other);
      }
      holds.set(key, { token, since: now() });
    },
    release: (key: string): void => void holds.delete(key),
    /** A claim that this process knows to be sent or settled. */
    known(key: string): Claim | undefined {
      const claim = known.get(key);
      return claim !== undefined && isCollectable(claim) ? claim : undefined;
    },
    remember(key: string, claim: Claim): void {
      known.delete(key);
      known.set(key, claim);
      if (known.size > MAX_KNOWN) for (const oldest of known.keys()) return void known.delete(oldest);
    },
    forget: (key: string): void => void known.delete(key),
    all: (): readonly (readonly [string, Claim])[] => [...known].filter(([, claim]) => isCollectable(claim)),
    size: (): number => holds.size,
  };
}

type OwnClaims = ReturnType<typeof ownClaims>;

/** A claim as stored in Redis, with the token of the attempt that last wrote it and its age. */
type StoredClaim = { readonly claim: Claim; readonly owner: string; readonly ageMs: number };
type Opening = {
  readonly owner: string;
  readonly leaseMs: number;
  /**
   * Open claims whose owner begins with this prefix are taken over regardless of their age; empty if this process
   * already holds the key.
   */
  readonly process: string;
};

/** The scripts as typed functions. They return null if Redis gave no answer. */
type ClaimStore = Pick<Claims, 'name' | 'named' | 'completeSince'> & {
  /** A number (Unix seconds): the claim was taken over, and since then the payment was used for nothing else. */
  open(key: string, opening: Opening, fresh: Claim): Promise<'opened' | number | StoredClaim | 'full' | null>;
  find(key: string): Promise<StoredClaim | 'absent' | null>;
  save(key: string, owner: string, claim: Claim): Promise<Saved | null>;
  restore(key: string, owner: string, claim: Claim): Promise<void>;
  drop(key: string, owner: string): Promise<void>;
};

// The field `expires` is ten minutes after the authorization ends. Older releases wrote it that way. A release that
// read it as the expiry itself could treat a valid payment as void.
const EXPIRES_AFTER_SECONDS = 600;
// The clocks of instances differ by less than this.
const MARGIN_SECONDS = 600;
// A claim with an unknown result is kept this long, so that the result can still be found.
const SENT_SECONDS = 7 * 86_400;
// The longest interval between blocks: a block's date may be ahead of the clock by that much.
const AHEAD_SECONDS = 2;
const MAX_NAME_STEPS = 5;

// One hash tag keeps all keys in one slot, which scripts with several keys need on split servers.
const claimKey = (key: string) => `{paid}:claim:${key}`;
const nameKey = (name: string) => `{paid}:name:${name}`;
const COMPLETE_KEY = '{paid}:complete';

export function redisClaimStore(redis: Redis, now: () => number): ClaimStore {
  const ask = async (script: Script, keys: readonly string[], args: readonly string[]) => {
    try {
      return await redis.run(script, keys, args);
    } catch (error) {
      if (error instanceof RedisFailure) return error;
      throw error;
    }
  };
  const lifetime = (validBefore: number) =>
    Math.max(0, Math.ceil(validBefore - Math.floor(now() / 1000)) + COLLECT_SECONDS) + MARGIN_SECONDS;
  const written = (owner: string, claim: Claim): string[] => {
    const seconds = Math.max(lifetime(claim.validBefore), claim.state === 'sent' ? SENT_SECONDS : 0);
    return [owner, String(seconds), ...record(claim)];
  };
  return {
    async open(key, { owner, leaseMs, process }, fresh) {
      const args = [String(leaseMs), process, redis.serverRun() ?? '', ...written(owner, fresh)];
      const reply = await ask(OPEN, [claimKey(key), COMPLETE_KEY], args);
      if (reply instanceof RedisFailure) return reply.code === 'OOM' ? 'full' : null;
      return reply === 'opened' || typeof reply === 'number' ? reply : storedClaim(reply);
    },
    async find(key) {
      const reply = await ask(FIND, [claimKey(key)], []);
      if (reply instanceof RedisFailure) return null;
      return reply === null ? 'absent' : storedClaim(reply);
    },
    async save(key, owner, claim) {
      const reply = await ask(SAVE, [claimKey(key)], written(owner, claim));
      if (reply instanceof RedisFailure) return null;
      return reply === 1 ? 'saved' : reply === -1 ? 'conflict' : 'unconfirmed';
    },
    async restore(key, owner, claim) {
      await ask(RESTORE, [claimKey(key)], written(owner, claim));
    },
    async drop(key, owner) {
      await ask(DROP, [claimKey(key)], [owner]);
    },
    async name(name, fresh, validBefore) {
      let expected = fresh.claim;
      for (let step = 0; step < MAX_NAME_STEPS; step += 1) {
        const args = [expected, fresh.claim, fresh.request, String(lifetime(validBefore))];
        const reply = await ask(NAME, [nameKey(name), claimKey(expected)], args);
        if (reply instanceof RedisFailure) return { kind: 'down' };
        const [isCertain, claim, request] = reply as [number, string, string];
        if (isCertain === 1) return { claim, request };
        expected = claim;
      }
      return { kind: 'down' };
    },
    async named(name) {
      const reply = await ask(NAMED, [nameKey(name)], []);
      if (reply instanceof RedisFailure) return { kind: 'down' };
      const [claim, request] = reply as [string | null, string | null];
      return claim === null || request === null ? null : { claim: `${claim}`, request: `${request}` };
    },
    async completeSince() {
      const life = redis.serverRun();
      if (life === null) return null;
      const args = [life, String(Math.floor(now() / 1000)), String(AHEAD_SECONDS)];
      const since = await ask(COMPLETE, [COMPLETE_KEY], args);
      return typeof since === 'number' ? since : null;
    },
  };
}

/** The fields of a claim, in the order in which the scripts read and write them. */
function record(claim: Claim): string[] {
  const { state, request, signature, today, transaction, validBefore, claimedAt, operation, readyAt } = claim;
  const expires = String(validBefore + EXPIRES_AFTER_SECONDS);
  // The hash is stored without 0x. With two more bytes, Redis would not store the claim in its compact form and would
  // use twice the memory.
  const paid = [state, request, signature, String(today), transaction?.slice(2) ?? '', expires];
  return [...paid, String(claimedAt ?? ''), operation ?? '', readyAt === undefined ? '' : String(readyAt)];
}

function storedClaim(reply: unknown): StoredClaim {
  const [state, request, signature, today, transaction, expires, ...others] = reply as (string | null)[];
  const [owner, ageMs, claimedAt, operation, readyAt] = others;
  const claim = {
    state: state as Claim['state'],
    request: `${request}`,
    signature: `${signature}`,
    today: Number(today) as Day,
    transaction: transaction ? (`0x${transaction}` as Hex) : null,
    validBefore: Number(expires) - EXPIRES_AFTER_SECONDS,
    ...(claimedAt && { claimedAt: Number(claimedAt) }),
    ...(operation && { operation }),
    ...(readyAt && { readyAt: Number(readyAt) }),
  };
  return { claim, owner: `${owner}`, ageMs: Number(ageMs) };
}

// A claim is a hash: the fields of a Claim, `owner` (a token of the attempt that last wrote it), `at` (when, in
// milliseconds of the server's clock, so that the clocks of instances do not affect a lease) and `since` (the time
// since which claims were complete when it was opened).

const FIELDS = `'state', 'request', 'signature', 'today', 'transaction', 'expires'`;

const CLOCK = `
local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
`;

/** ARGV from `first`: owner, seconds to live, then the fields of the claim. */
const WRITE = `${CLOCK}
local function write(key, first)
  redis.call('HSET', key, 'owner', ARGV[first], 'at', string.format('%.0f', clock()),
    'state', ARGV[first + 2], 'request', ARGV[first + 3], 'signature', ARGV[first + 4],
    'today', ARGV[first + 5], 'transaction', ARGV[first + 6], 'expires', ARGV[first + 7],
    'claimed', ARGV[first + 8], 'operation', ARGV[first + 9], 'ready', ARGV[first + 10])
  redis.call('EXPIRE', key, ARGV[first + 1])
end
`;

const READ = `
local function read(key)
  local held = redis.call('HMGET', key, ${FIELDS}, 'owner', 'at', 'claimed', 'operation', 'ready')
  if not held[1] then return false end
  held[8] = string.format('%.0f', clock() - held[8])
  return held
end
`;

/**
 * Takes a free key. An open claim, for which nothing was sent, is taken over once its lease is over, or at once if
 * this process left it behind. Any other claim stays.
 *
 * KEYS: claim, completeness. ARGV: the lease in milliseconds; the process, or empty if it already holds this key; the
 * server's current life; then as for `write`. Returns the claim that stays, with its owner and age; `opened`; or, for
 * a claim of the same request and signature, the time since which claims were complete when it was first opened.
 * Nobody else can have had the payment since then, whatever else was lost.
 */
const OPEN = script(`${WRITE}${READ}
local lease, process, life = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local request, signature = ARGV[7], ARGV[8]
local held = read(KEYS[1])
local inherited = false
if held then
  local state, owner, age = held[1], held[7], tonumber(held[8])
  local is_left = process ~= '' and string.sub(owner, 1, #process) == process
  if state ~= 'open' or not (age >= lease or is_left) then return held end
  local is_same = held[2] == request and held[3] == signature
  if is_same then inherited = redis.call('HGET', KEYS[1], 'since') end
end
write(KEYS[1], 4)
local complete = redis.call('HMGET', KEYS[2], 'life', 'since')
local since = inherited or (complete[1] == life and complete[2])
if since then redis.call('HSET', KEYS[1], 'since', since) else redis.call('HDEL', KEYS[1], 'since') end
return inherited and tonumber(inherited) or 'opened'
`);

/** KEYS: claim. Returns the claim with its owner and age, or nothing. */
const FIND = script(`${CLOCK}${READ}
return read(KEYS[1])
`);

/**
 * KEYS: claim. ARGV: as for `write`. Returns 1 if the claim is now as given, -1 if it belongs to another request, and
 * 0 otherwise. If the claim is gone, the payment must not be sent: another instance may have taken the claim since,
 * and lost it.
 */
const SAVE = script(`${WRITE}
local held = redis.call('HMGET', KEYS[1], 'state', 'request', 'signature', 'transaction', 'owner')
if not held[1] then
  if ARGV[3] == 'sent' then return 0 end
elseif held[2] ~= ARGV[4] or held[3] ~= ARGV[5] then
  return -1
elseif held[1] == 'settled' then
  return (ARGV[3] == 'settled' and held[4] == ARGV[7]) and 1 or 0
elseif held[1] == 'open' and held[5] ~= ARGV[1] then
  return 0
end
write(KEYS[1], 1)
return 1
`);

/**
 * KEYS: claim. ARGV: as for `write`. Restores a claim that the server lost. An existing claim stays, unless it is open.
 */
const RESTORE = script(`${WRITE}
local state = redis.call('HGET', KEYS[1], 'state')
if state and state ~= 'open' then return 0 end
write(KEYS[1], 1)
return 1
`);

/** Deletes an open or sent claim of this owner. KEYS: claim. ARGV: owner. */
const DROP = script(`
local held = redis.call('HMGET', KEYS[1], 'state', 'owner')
if (held[1] == 'open' or held[1] == 'sent') and held[2] == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`);

/**
 * KEYS: name, the claim that the caller expects. ARGV: that claim, then the new claim, its request and the seconds to
 * live. Returns whether the binding is certain, and the binding itself. 0 means that the other claim must also be
 * checked.
 */
const NAME = script(`
local bound = redis.call('HMGET', KEYS[1], 'claim', 'request')
if bound[1] then
  if bound[1] ~= ARGV[1] then return {0, bound[1], bound[2]} end
  local state = redis.call('HGET', KEYS[2], 'state')
  if state and state ~= 'void' then return {1, bound[1], bound[2]} end
end
redis.call('HSET', KEYS[1], 'claim', ARGV[2], 'request', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[4])
return {1, ARGV[2], ARGV[3]}
`);

/** KEYS: name. Returns the claim that the name is bound to, and the request of that claim. */
const NAMED = script(`
return redis.call('HMGET', KEYS[1], 'claim', 'request')
`);

/**
 * KEYS: completeness. ARGV: the server's current life, our clock and a margin in seconds. Returns the time since which
 * no claim was lost. A server that restarted may have lost its last second (an append-only file written every second),
 * its last minutes (a snapshot) or everything. A flushed server has also lost this key. A replica that was promoted may
 * lack what was not replicated. In all these cases, an authorization that was used before that time may already have
 * paid for an answer, and an authorization used since then has not. The later of two clocks counts, and blocks may be
 * dated ahead by the margin.
 */
const COMPLETE = script(`
local held = redis.call('HMGET', KEYS[1], 'life', 'since')
if held[1] == ARGV[1] and held[2] then return tonumber(held[2]) end
local since = math.max(tonumber(redis.call('TIME')[1]), tonumber(ARGV[2])) + tonumber(ARGV[3])
redis.call('HSET', KEYS[1], 'life', ARGV[1], 'since', string.format('%.0f', since))
return since
`);
