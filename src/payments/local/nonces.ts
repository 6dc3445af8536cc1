/**
 * Hands out the nonces of one account without gaps: always the lowest one that is neither used nor taken. Pure
 * bookkeeping; it never asks the chain.
 */
export type Nonces = {
  /** Whether the next nonce must be requested from the node. */
  isStale(): boolean;
  /** The node's count: every lower nonce is used, and this one and all higher ones are not. Nonces that we took stay ours. */
  learn(count: number): void;
  take(): number;
  /** A nonce that was taken but not used after all. */
  giveBack(nonce: number): void;
  /** A nonce whose transaction is on the chain, or that a third party used. */
  spend(nonce: number): void;
  /** Every nonce below `count` is on the chain. */
  spendBelow(count: number): void;
  /** The node disagrees; ask it before the next nonce. */
  doubt(): void;
  /** Free nonces that block a later one that is taken. */
  gaps(): readonly number[];
  /** Whether this nonce counts as used. */
  isSpent(nonce: number): boolean;
  /** A nonce that was wrongly considered used is taken again. */
  retake(nonce: number): void;
};

export function createNonces(): Nonces {
  /** Every nonce below it is used, or was taken before this process started. */
  let floor = 0;
  let isStale = true;
  const taken = new Set<number>();
  /** Used ones above the floor. */
  const used = new Set<number>();
  const isFree = (nonce: number) => nonce >= floor && !taken.has(nonce) && !used.has(nonce);

  return {
    isStale: () => isStale,
    learn(count) {
      floor = count;
      used.clear();
      isStale = false;
    },
    take() {
      let nonce = floor;
      while (!isFree(nonce)) nonce += 1;
      taken.add(nonce);
      return nonce;
    },
    giveBack: (nonce) => void taken.delete(nonce),
    spend(nonce) {
      taken.delete(nonce);
      if (nonce >= floor) used.add(nonce);
      while (used.delete(floor)) floor += 1;
    },
    spendBelow(count) {
      floor = Math.max(floor, count);
      for (const nonce of taken) if (nonce < count) taken.delete(nonce);
      for (const nonce of used) if (nonce < count) used.delete(nonce);
      while (used.delete(floor)) floor += 1;
    },
    doubt() {
      isStale = true;
    },
    gaps() {
      const gaps = [];
      const last = Math.max(-1, ...taken);
      for (let nonce = floor; nonce < last; nonce += 1) if (isFree(nonce)) gaps.push(nonce);
      return gaps;
    },
    isSpent: (nonce) => !taken.has(nonce) && !isFree(nonce),
    retake: (nonce) => void taken.add(nonce),
  };
}
