import type { Day } from '../../domain/calendar.ts';
import type { Hex } from '../../payments/x402/payment.ts';

/**
 * What is remembered of one authorization: digests, the product and public chain facts, nothing a caller wrote.
 * `open`: being worked on, nothing sent. `sent`: handed over, end unknown. `settled`: paid for.
 * `void`: can move no money any more, by evidence of the chain.
 */
export type Claim = {
  readonly state: 'open' | 'sent' | 'settled' | 'void';
  /** SHA-256 of the operation and its canonical input. */
  readonly request: string;
  /** SHA-256 of the signature: only who holds the payment may collect what it bought. */
  readonly signature: string;
  /** The day the answer was worked out for; a retry after midnight gives the same bytes. */
  readonly today: Day;
  readonly transaction: Hex | null;
  /** Unix seconds from which on the authorization can be used no more; what it bought can be collected for longer. */
  readonly validBefore: number;
  /** The operation that is paid for; left out of claims that older releases made. */
  readonly operation?: string | undefined;
  /** Unix seconds: since when its answer is there. */
  readonly readyAt?: number | undefined;
  /** Unix seconds at which the payment was claimed, by which its signed receipt is dated. Older claims have none. */
  readonly claimedAt?: number;
};

export type Found = { readonly kind: 'held'; readonly claim: Claim };
/**
 * Whether a claim stands as it was to be saved. `conflict`: it belongs to another request now, so that whatever was
 * paid is that one's. `unconfirmed`: it may or may not stand.
 */
export type Saved = 'saved' | 'conflict' | 'unconfirmed';
/** The store cannot be reached; a payment taken now could be taken twice. */
export type Down = { readonly kind: 'down' };
export type Opened =
  /** `usedSince` (Unix seconds): taken over from an attempt for this very request, which has held it since before then. */
  | { readonly kind: 'opened'; readonly usedSince?: number }
  | Found
  /** No room for a new claim without forgetting one that matters. */
  | { readonly kind: 'full' }
  | Down;

/** What a client's own name for a purchase stands for: the claim it was first used with, and its request. */
export type Named = { readonly claim: string; readonly request: string };

/**
 * One payment buys one request: the memory that makes it so. Keys are `network:asset:from:nonce`.
 * No call throws: a store that fails says so in its answer.
 * @example
 * const opened = await claims.open(key, fresh);
 * if (opened.kind !== 'opened') return resume(opened);
 * if ((await claims.save(key, { ...fresh, state: 'sent', transaction })) !== 'saved') return notSent();
 */
export type Claims = {
  /** Atomically takes a key that nobody holds, or tells who holds it. */
  open(key: string, fresh: Claim): Promise<Opened>;
  find(key: string): Promise<Found | Down | { readonly kind: 'absent' }>;
  /** Replaces a claim. An open claim is only replaced by whoever opened it, and a settled one by nobody. */
  save(key: string, claim: Claim): Promise<Saved>;
  /** Forgets a claim for which nothing was sent, if this process opened it. */
  drop(key: string): Promise<void>;
  /**
   * Lets go of an open claim that was taken over, as a process does that dies: whoever comes next for the same request
   * takes it over in turn, with what is known of it.
   */
  leave(key: string): Promise<void>;
  /**
   * Binds a client's name for a purchase (a digest) to a claim for as long as what it bought can be collected, unless it
   * is bound to another claim that still stands; answers with what it is bound to now.
   */
  name(name: string, fresh: Named, validBefore: number): Promise<Named | Down>;
  /** What a client's name for a purchase is bound to, whether that claim still stands or not; null for nothing. */
  named(name: string): Promise<Named | Down | null>;
  /** Unix seconds since which no claim that matters was lost; null when the store cannot be reached. */
  completeSince(): Promise<number | null>;
  /** Claims held by this process, for its metrics. */
  size(): number;
};

/** A lost reply may be collected this long after the authorization itself has run out. */
export const COLLECT_SECONDS = 86_400;

// A block's date may be ahead of the clock by the longest time between two blocks.
const AHEAD_SECONDS = 2;
// Where there is no room for a day's purchases, one can be collected for this long at least.
const SCARCE_COLLECT_SECONDS = 600;
// Of a full store: what is forgotten early is the oldest, and no more than makes room for a while.
const SHARE_MADE_FREE = 0.1;

/** Claims of one process, bounded. What a restart or a full store forgets, `completeSince` admits. */
export function memoryClaims({ maxClaims, now }: { maxClaims: number; now: () => number }): Claims {
  const claims = new Map<string, Claim>();
  const names = new Map<string, Named>();
  // What was used in the second of the start may have been used before it.
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
    // One process takes nothing over.
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
  /** How many claims are to go, where fewer have ended for good. */
  readonly room: number;
  readonly nowSeconds: number;
};

/**
 * Forgets what has ended; whether a claim was among it that may be paid for. One whose end was not found out within a
 * day can be found out by nobody. A void one can be forgotten at any time, for its authorization moves nothing any more. A name goes
 * with its claim.
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
  // In the order in which they were claimed.
  for (const [key, { state, validBefore }] of claims) {
    if (before - claims.size >= room) break;
    if (state !== 'sent' && validBefore + SCARCE_COLLECT_SECONDS < nowSeconds) forget(key, state);
  }
  for (const [name, bound] of names) if (!claims.has(bound.claim)) names.delete(name);
  return isPaidLost;
}
