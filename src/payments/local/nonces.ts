/**
 * Hands out the nonces of one account without gaps: a nonce that was given back is reused before a new one. Pure
 * bookkeeping; the chain is asked elsewhere.
 */
export type Nonces = {
  /** Whether the node has to be asked which nonce is next. */
  isStale(): boolean;
  /** The node's count: every nonce below it is used. What is outstanding above it stays ours. */
  learn(count: number): void;
  take(): number;
  /** What `take` would hand out now. */
  upcoming(): number;
  /** A nonce that was taken but not used after all. */
  giveBack(nonce: number): void;
  /** A nonce whose transaction is on the chain, or taken by another. */
  spend(nonce: number): void;
  /** Every nonce below `count` is on the chain. */
  spendBelow(count: number): void;
  /** The node disagrees; ask it before the next nonce. */
  doubt(): void;
  /** Nonces that stop later ones: given back while a later one is out. */
  gaps(): readonly number[];
  /** Whether this nonce is taken without an end, or free. */
  knows(nonce: number): boolean;
  /** A nonce that was wrongly considered spent is ours again, with its transaction or without one. */
  reopen(nonce: number, how: 'taken' | 'free'): void;
  /** Starts again at the chain's count and drops what was taken above it. */
  restart(count: number): void;
};

export function createNonces(): Nonces {
  let next = 0;
  let isStale = true;
  const out = new Set<number>();
  const free = new Set<number>();

  function settle(): void {
    // Free nonces at the very end are no gap: the counter goes back over them.
    while (free.has(next - 1) && !out.has(next - 1)) {
      next -= 1;
      free.delete(next);
    }
  }

  const upcoming = () => (free.size > 0 ? Math.min(...free) : next);

  return {
    upcoming,
    isStale: () => isStale,
    learn(count) {
      for (const nonce of free) if (nonce < count) free.delete(nonce);
      const last = Math.max(-1, ...out);
      next = Math.max(count, last + 1, isStale ? 0 : next);
      for (let nonce = count; nonce < next; nonce += 1) if (!out.has(nonce)) free.add(nonce);
      isStale = false;
      settle();
    },
    take() {
      const nonce = upcoming();
      if (!free.delete(nonce)) next += 1;
      out.add(nonce);
      return nonce;
    },
    giveBack(nonce) {
      if (!out.delete(nonce)) return;
      free.add(nonce);
      settle();
    },
    spend(nonce) {
      out.delete(nonce);
      free.delete(nonce);
    },
    spendBelow(count) {
      for (const nonce of [...out, ...free]) if (nonce < count) this.spend(nonce);
      next = Math.max(next, count);
    },
    doubt() {
      isStale = true;
    },
    gaps: () => [...free].sort((a, b) => a - b),
    knows: (nonce) => out.has(nonce) || free.has(nonce),
    reopen: (nonce, how) => void (how === 'taken' ? out : free).add(nonce),
    restart(count) {
      out.clear();
      free.clear();
      next = count;
      isStale = false;
    },
  };
}
