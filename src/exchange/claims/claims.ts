import type { Day } from '../../domain/calendar.ts';
import type { Hex } from '../../payments/x402/payment.ts';

/**
 * The record of one authorization: digests, the product and facts that are public on the chain. It has no text from a
 * caller.
 *
 * `open`: in progress, nothing sent. `sent`: sent, result unknown. `settled`: paid for. `void`: the chain shows that it
 * can move no more money.
 */
export type Claim = {
  readonly state: 'open' | 'sent' | 'settled' | 'void';
  /** SHA-256 of the operation and its canonical input. */
  readonly request: string;
  /** SHA-256 of the signature: only a caller who has the payment may collect the answer. */
  readonly signature: string;
  /** The day the answer was calculated for; a retry after midnight gives the same bytes. */
  readonly today: Day;
  readonly transaction: Hex | null;
  /** Unix seconds at which the authorization expires. Its answer can be collected for longer. */
  readonly validBefore: number;
  /** The operation that is paid for; absent in claims of older releases. */
  readonly operation?: string | undefined;
  /** Unix seconds at which its answer became ready. */
  readonly readyAt?: number | undefined;
  /** Unix seconds at which the payment was claimed. Its signed receipt has this date. Older claims have none. */
  readonly claimedAt?: number;
};

export type Found = { readonly kind: 'held'; readonly claim: Claim };
/**
 * The result of saving a claim. `conflict`: the claim now belongs to another request, which the payment therefore
 * pays for. `unconfirmed`: the claim may or may not have been saved.
 */
export type Saved = 'saved' | 'conflict' | 'unconfirmed';
/** The store cannot be reached; a payment taken now could be taken twice. */
export type Down = { readonly kind: 'down' };
export type Opened =
  /** `usedSince` (Unix seconds): taken over from an attempt for the same request, which has held it since then. */
  | { readonly kind: 'opened'; readonly usedSince?: number }
  | Found
  /** The store is full, and every claim in it is still needed. */
  | { readonly kind: 'full' }
  | Down;

/** The target of a client's name for a purchase: the claim it was first used with, and its request. */
export type Named = { readonly claim: string; readonly request: string };

/**
 * The records that ensure that one payment is used for one request. Keys are `network:asset:from:nonce`. No call
 * throws: a failure of the store is a result.
 * @example const opened = await claims.open(key, fresh); if (opened.kind !== 'opened') return resume(opened); if
 *   ((await claims.save(key, { ...fresh, state: 'sent', transaction })) !== 'saved') return notSent();
 */
export type Claims = {
  /** Atomically takes a free key, or returns the claim that holds it. */
  open(key: string, fresh: Claim): Promise<Opened>;
  find(key: string): Promise<Found | Down | { readonly kind: 'absent' }>;
  /**
   * Replaces a claim. Only the attempt that opened a claim may replace it while it is open. A settled claim is never
   * replaced.
   */
  save(key: string, claim: Claim): Promise<Saved>;
  /** Forgets a claim for which nothing was sent, if this process opened it. */
  drop(key: string): Promise<void>;
  /**
   * Releases an open claim that was taken over, as a crash does. The next attempt for the same request takes it over
   * again, with everything known about it.
   */
  leave(key: string): Promise<void>;
  /**
   * Binds a client's name for a purchase (a digest) to a claim for as long as its answer can be collected, unless the
   * name is bound to another valid claim. Returns the current binding of the name.
   */
  name(name: string, fresh: Named, validBefore: number): Promise<Named | Down>;
  /** The binding of a client's name for a purchase, even if that claim is void; null if the name is free. */
  named(name: string): Promise<Named | Down | null>;
  /** Unix seconds since which no claim that is still needed was lost; null when the store cannot be reached. */
  completeSince(): Promise<number | null>;
  /** Claims held by this process, for its metrics. */
  size(): number;
};

/** An answer may be collected for this long after the authorization has expired. */
export const COLLECT_SECONDS = 86_400;

// A block's date may be ahead of the clock by the longest interval between blocks.
const AHEAD_SECONDS = 2;
// If the store cannot hold a day's purchases, an answer can be collected for at least this long.
const SCARCE_COLLECT_SECONDS = 600;
// A full store forgets this share of its claims, the oldest ones.
const SHARE_MADE_FREE = 0.1;

/**
 * Claims in the memory of one process, bounded. `completeSince` takes account of claims lost by a restart or a full
 * store.
 */
export function memoryClaims({ maxClaims, now }: { maxClaims: number; now: () => number }): Claims {
  const claims = new Map<string, Claim>();
  const names = new Map<string, Named>();
  // A payment that was used in the second in which this process started may have been used before it started.
  const asOf = () => Math.ceil(now() / 1000) + AHEAD_SECONDS;
  let completeSince = asOf();
  const makeRoom = () => {
    const room = Math.ceil(maxClaims * SHARE_MADE_FREE);
    if (forgetEnded({ claims, names, room, nowSeconds: now() / 1000 })) completeSince = asOf();
  };
  const held = (key: string): Found | { kind: 'absent' } => {
    const claim = claims.get(key);
    return claim ? { kind: 'held', claim } : { kind: 'absent' };
  };
  return {
    async open(key, fresh) {
      const found = held(key);
      if (found.kind === 'held') return found;
      if (claims.size >= maxClaims) makeRoom();
      if (claims.size >= maxClaims) return { kind: 'full' };
      claims.set(key, fresh);
      return { kind: 'opened' };
    },
    find: async (key) => held(key),
    async save(key, claim) {
      const held = claims.get(key);
      if (held !== undefined && (held.request !== claim.request || held.signature !== claim.signature))
        return 'conflict';
      if (held?.state !== 'settled') claims.set(key, claim);
      return 'saved';
    },
    async drop(key) {
      claims.delete(key);
    },
    // There is no other process to take claims over from.
    async leave(key) {
      claims.delete(key);
    },
    async name(name, fresh) {
      const bound = names.get(name);
      const state = bound && claims.get(bound.claim)?.state;
      if (bound && state !== undefined && state !== 'void') return bound;
      if (names.size >= maxClaims) makeRoom();
      names.set(name, fresh);
      return fresh;
    },
    named: async (name) => names.get(name) ?? null,
    completeSince: async () => completeSince,
    size: () => claims.size,
  };
}

type Ended = {
  readonly claims: Map<string, Claim>;
  readonly names: Map<string, Named>;
  /** How many claims to forget if too few have ended for good. */
  readonly room: number;
  readonly nowSeconds: number;
};

/**
 * Forgets claims that have ended, together with their names. Returns whether one of them may have been paid for. After
 * a day, an unknown result can no longer be found. A void claim may be forgotten at any time, because its authorization
 * moves no more money.
 */
function forgetEnded({ claims, names, room, nowSeconds }: Ended): boolean {
  let isPaidLost = false;
  const before = claims.size;
  const forget = (key: string, state: Claim['state']) => {
    claims.delete(key);
    isPaidLost ||= state !== 'void';
  };
  for (const [key, { state, validBefore }] of claims)
    if (state === 'void' || validBefore + COLLECT_SECONDS < nowSeconds) forget(key, state);
  // Oldest claim first.
  for (const [key, { state, validBefore }] of claims) {
    if (before - claims.size >= room) break;
    if (state !== 'sent' && validBefore + SCARCE_COLLECT_SECONDS < nowSeconds) forget(key, state);
  }
  for (const [name, bound] of names) if (!claims.has(bound.claim)) names.delete(name);
  return isPaidLost;
}
