import type { Day } from '../domain/calendar.ts';
import type { Hex } from '../payments/payment.ts';

/**
 * What is remembered of one authorization: digests and public chain facts, nothing a caller wrote.
 * `open`: being worked on, nothing sent. `sent`: handed over, end unknown. `settled`: paid for.
 * `void`: ended without money moving, as far as the chain shows.
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
  /** Unix seconds after which the authorization can neither be used nor collected. */
  readonly expires: number;
};

export type Found = { readonly kind: 'held'; readonly claim: Claim };
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
 */
export type Claims = {
  /** Atomically takes a key that nobody holds, or tells who holds it. */
  open(key: string, fresh: Claim): Promise<Opened>;
  find(key: string): Promise<Found | Down | { readonly kind: 'absent' }>;
  /**
   * Replaces a claim; false when that was not confirmed. An open claim is only replaced by whoever opened it,
   * and a settled one by nobody.
   */
  save(key: string, claim: Claim): Promise<boolean>;
  /** Forgets a claim for which nothing was sent, if this process opened it. */
  drop(key: string): Promise<void>;
  /**
   * Binds a client's name for a purchase (a digest) to a claim until `expires`, unless it is bound to another claim
   * that still stands; answers with what it is bound to now.
   */
  name(name: string, fresh: Named, expires: number): Promise<Named | Down>;
  /** Unix seconds since which no claim that matters was lost; null when the store cannot be reached. */
  completeSince(): Promise<number | null>;
  /** Claims held by this process, for health. */
  size(): number;
};

/** Claims of one process, bounded; a restart forgets them, which `completeSince` admits. */
export function memoryClaims({ maxClaims, now }: { maxClaims: number; now: () => number }): Claims {
  const claims = new Map<string, Claim>();
  const names = new Map<string, Named>();
  const started = Math.floor(now() / 1000);
  const held = (key: string): Found | { kind: 'absent' } => {
    const claim = claims.get(key);
    return claim ? { kind: 'held', claim } : { kind: 'absent' };
  };
  return {
    async open(key, fresh) {
      const found = held(key);
      if (found.kind === 'held') return found;
      if (claims.size >= maxClaims) forgetExpired(claims, names, now() / 1000);
      if (claims.size >= maxClaims) return { kind: 'full' };
      claims.set(key, fresh);
      return { kind: 'opened' };
    },
    find: async (key) => held(key),
    async save(key, claim) {
      if (claims.get(key)?.state !== 'settled') claims.set(key, claim);
      return true;
    },
    async drop(key) {
      claims.delete(key);
    },
    async name(name, fresh) {
      const bound = names.get(name);
      const state = bound && claims.get(bound.claim)?.state;
      if (bound && state !== undefined && state !== 'void') return bound;
      if (names.size >= maxClaims) forgetExpired(claims, names, now() / 1000);
      names.set(name, fresh);
      return fresh;
    },
    completeSince: async () => started,
    size: () => claims.size,
  };
}

/** A waiting claim is never forgotten: its end is still to be found out. A name goes with its claim. */
function forgetExpired(claims: Map<string, Claim>, names: Map<string, Named>, nowSeconds: number): void {
  for (const [key, claim] of claims)
    if (claim.state !== 'sent' && claim.expires < nowSeconds) claims.delete(key);
  for (const [name, bound] of names) if (!claims.has(bound.claim)) names.delete(name);
}
