/** Whose payment a transaction settles: an account with code checks its own signatures, and may change its mind. */
export type Payer = 'code' | 'plain';

/** The gas that may be spent in an hour is spent: nothing is signed until some of it is an hour old. */
export class GasBudgetSpent extends Error {}

/**
 * What gas has cost in the last hour, and what transactions without an end may still cost, in wei. A transaction is
 * counted at its worst until its receipt tells what it cost. Of the budget, a quarter may be lost on reverted
 * payments of payers with code, and another on those of plain ones: when it is, that kind is refused alone.
 */
export type GasLedger = {
  /** Whether a transaction of this worst case does not fit any more. */
  isSpent(worstWei: bigint, payer: Payer): boolean;
  /** Throws GasBudgetSpent then. */
  check(worstWei: bigint, payer: Payer): void;
  /** Counts a transaction, or its new price, before it is signed. Without a payer it serves our account: never refused. */
  reserve(nonce: number, worstWei: bigint, payer: Payer | undefined): void;
  /** What was counted at an old nonce is counted at another one. */
  move(all: readonly { readonly old: number; readonly nonce: number }[]): void;
  /** It is sure that the transaction with this nonce costs nothing. */
  release(nonce: number): void;
  /** The transaction with this nonce is on the chain. Without a cost its worst case stands. */
  book(nonce: number, end?: Cost): void;
};

/** What a transaction has cost; `lostWei`: of it, what was lost on those who failed in it, where it is not all or nothing. */
export type Cost = {
  readonly costWei: bigint;
  readonly isReverted: boolean;
  readonly lostWei?: bigint | undefined;
};

type Sums = { spent: bigint; code: bigint; plain: bigint };
type Reserved = { readonly worstWei: bigint; readonly payer: Payer | undefined };

const MINUTE_MS = 60_000;
const MINUTES = 60;
const SHARE_OF_LOSSES = 4n;

export function createGasLedger(budgetWeiPerHour: bigint, now: () => number): GasLedger {
  const reserved = new Map<number, Reserved>();
  const minutes = new Map<number, Sums>();
  const mayLoseWei = budgetWeiPerHour / SHARE_OF_LOSSES;
  const minute = () => Math.floor(now() / MINUTE_MS);

  function lastHour(): Sums {
    const sums: Sums = { spent: 0n, code: 0n, plain: 0n };
    for (const [at, { spent, code, plain }] of minutes) {
      if (at <= minute() - MINUTES) minutes.delete(at);
      else {
        sums.spent += spent;
        sums.code += code;
        sums.plain += plain;
      }
    }
    return sums;
  }

  function isSpent(worstWei: bigint, payer: Payer): boolean {
    const sums = lastHour();
    for (const { worstWei: wei, payer: whose } of reserved.values()) {
      sums.spent += wei;
      if (whose !== undefined) sums[whose] += wei;
    }
    return sums.spent + worstWei > budgetWeiPerHour || sums[payer] + worstWei > mayLoseWei;
  }

  function check(worstWei: bigint, payer: Payer): void {
    if (isSpent(worstWei, payer)) throw new GasBudgetSpent();
  }

  return {
    isSpent,
    check,
    reserve(nonce, worstWei, payer) {
      if (payer !== undefined && !reserved.has(nonce)) check(worstWei, payer);
      reserved.set(nonce, { worstWei, payer });
    },
    move(all) {
      const held = all.map(({ old }) => reserved.get(old));
      for (const { old } of all) reserved.delete(old);
      for (const [index, { nonce }] of all.entries()) {
        const mine = held[index];
        if (mine !== undefined) reserved.set(nonce, mine);
      }
    },
    release: (nonce) => void reserved.delete(nonce),
    book(nonce, end) {
      const held = reserved.get(nonce);
      if (held === undefined) return;
      reserved.delete(nonce);
      const sums = minutes.get(minute()) ?? { spent: 0n, code: 0n, plain: 0n };
      const costWei = end?.costWei ?? held.worstWei;
      sums.spent += costWei;
      const lostWei = end?.lostWei ?? (end?.isReverted ? costWei : 0n);
      if (held.payer !== undefined) sums[held.payer] += lostWei;
      minutes.set(minute(), sums);
    },
  };
}
