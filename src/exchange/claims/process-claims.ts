import { randomBytes } from 'node:crypto';
import { type Claim, COLLECT_SECONDS } from './claims.ts';

/** What one process knows of its own claims in a shared store. */
export type OwnClaims = {
  /** What the tokens of this process begin with, and of no other. */
  readonly process: string;
  /** A token that was never used before. */
  token(): string;
  /** The token under which this process took a claim that has not ended. */
  held(key: string): string | undefined;
  hold(key: string, token: string): void;
  release(key: string): void;
  /** A claim that this process knows to have been handed over, or paid for. */
  known(key: string): Claim | undefined;
  remember(key: string, claim: Claim): void;
  forget(key: string): void;
  all(): Iterable<readonly [string, Claim]>;
  size(): number;
};

const MAX_KNOWN = 20_000;
// Far longer than any attempt; after that a token can protect nothing any more.
const HELD_MS = 900_000;

export function ownClaims(now: () => number): OwnClaims {
  const process = `${randomBytes(12).toString('hex')}.`;
  const holds = new Map<string, { token: string; since: number }>();
  const known = new Map<string, Claim>();
  let count = 0;
  const isCollectable = ({ validBefore }: Claim) => validBefore + COLLECT_SECONDS >= now() / 1000;
  return {
    process,
    token() {
      count += 1;
      return `${process}${count}`;
    },
    held: (key) => holds.get(key)?.token,
    hold(key, token) {
      // In the order in which they were taken.
      for (const [other, { since }] of holds) {
        if (now() - since < HELD_MS) break;
        holds.delete(other);
      }
      holds.set(key, { token, since: now() });
    },
    release: (key) => void holds.delete(key),
    known(key) {
      const claim = known.get(key);
      return claim !== undefined && isCollectable(claim) ? claim : undefined;
    },
    remember(key, claim) {
      known.delete(key);
      known.set(key, claim);
      if (known.size > MAX_KNOWN) for (const oldest of known.keys()) return void known.delete(oldest);
    },
    forget: (key) => void known.delete(key),
    all: () => [...known].filter(([, claim]) => isCollectable(claim)),
    size: () => holds.size,
  };
}
