import type { Day } from '../domain/calendar.ts';
import type { Hex } from '../payments/payment.ts';

/**
 * What is remembered of one authorization: digests and public chain facts, nothing a caller wrote.
 * `open`: being worked on, nothing sent. `sent`: handed over, end unknown. `settled`: paid for.
 * `void`: ended for good without money moving.
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

export type Opened =
  | { readonly kind: 'opened' }
  | { readonly kind: 'held'; readonly claim: Claim }
  /** No room for a new claim without forgetting one that matters. */
  | { readonly kind: 'full' }
  /** The store cannot be reached; a payment taken now could be taken twice. */
  | { readonly kind: 'down' };

/** One payment buys one request: the memory that makes it so. Keys are `network:asset:from:nonce`. */
export type Claims = {
  /** Atomically takes a key that nobody holds, or tells who holds it. */
  open(key: string, fresh: Claim): Promise<Opened>;
  find(key: string): Promise<Opened | { readonly kind: 'absent' }>;
  /** Replaces a claim that this process opened or took up; false when the store did not confirm. */
  save(key: string, claim: Claim): Promise<boolean>;
  /** Forgets a claim for which nothing was sent. */
  drop(key: string): Promise<void>;
  /** Unix seconds since which no claim that matters was lost. */
  completeSince(): Promise<number>;
  size(): number;
};

/** Claims of one process, bounded; a restart forgets them, which `completeSince` admits. */
export function memoryClaims({ maxClaims, now }: { maxClaims: number; now: () => number }): Claims {
  const claims = new Map<string, Claim>();
  const started = Math.floor(now() / 1000);
  const held = (key: string): Opened | { kind: 'absent' } => {
    const claim = claims.get(key);
    return claim ? { kind: 'held', claim } : { kind: 'absent' };
  };
  return {
    open: async (key, fresh) => {
      const found = held(key);
      if (found.kind === 'held') return found;
      if (claims.size >= maxClaims) forgetExpired(claims, now() / 1000);
      if (claims.size >= maxClaims) return { kind: 'full' };
      claims.set(key, fresh);
      return { kind: 'opened' };
    },
    find: async (key) => held(key),
    save: async (key, claim) => {
      claims.set(key, claim);
      return true;
    },
    drop: async (key) => {
      claims.delete(key);
    },
    completeSince: async () => started,
    size: () => claims.size,
  };
}

/** A waiting claim is never forgotten: its end is still to be found out. */
function forgetExpired(claims: Map<string, Claim>, nowSeconds: number): void {
  for (const [key, claim] of claims)
    if (claim.state !== 'sent' && claim.expires < nowSeconds) claims.delete(key);
}
