import { randomBytes } from 'node:crypto';
import type { Redis } from '../../platform/redis.ts';
import { type Claim, type Claims, COLLECT_SECONDS, type Found, type Opened } from './claims.ts';
import { type ClaimStore, redisClaimStore, type StoredClaim } from './redis-claim-store.ts';

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
