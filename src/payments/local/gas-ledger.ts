import type { Hex } from '../x402/payment.ts';

/** The kind of payer: an account with code checks its own signatures, and can change its mind. */
export type Payer = 'code' | 'plain';

/** The hourly gas budget is spent: nothing is signed until part of it is an hour old. */
export class GasBudgetSpent extends Error {
  /** Whether only payers with code are refused. */
  readonly isOfCode: boolean;
  constructor(isOfCode: boolean) {
    super('The gas budget is spent');
    this.isOfCode = isOfCode;
  }
}

/**
 * The cost of gas in the last hour, and what pending transactions may still cost, in wei. A transaction counts with
 * its worst case until its receipt shows the cost. A quarter of the budget may be lost on reverted payments of payers
 * with code, another quarter on those of plain ones; beyond it that kind alone is refused.
 */
export type GasLedger = {
  /** Whether a transaction with this worst case exceeds the budget. */
  isSpent(worstWei: bigint, payer: Payer): boolean;
  /** Throws GasBudgetSpent then. */
  check(worstWei: bigint, payer: Payer): void;
  /** Counts a transaction, or its new price, before it is signed. Without a payer it is never refused. */
  reserve(nonce: number, worstWei: bigint, payer: Payer | undefined): void;
  /** Moves reservations to other nonces. */
  move(all: readonly { readonly old: number; readonly nonce: number }[]): void;
  /** The transaction with this nonce will certainly cost nothing. */
  release(nonce: number): void;
  /** The transaction with this nonce is on the chain. Without a cost its worst case stands. */
  record(nonce: number, end?: Cost): void;
  /** A loss was caused by an account that turned out to have code: it counts against the share of those. */
  blameCode(transaction: Hex): void;
};

/** The cost of a mined transaction. `lostWei` is the part that was lost on failed payments, where it settled several. */
export type Cost = {
  readonly transaction: Hex;
  readonly costWei: bigint;
  readonly isReverted: boolean;
  readonly lostWei?: bigint | undefined;
};

type Sums = { spent: bigint; code: bigint; plain: bigint };
/** `plainLosses`: those of plain payers by their transactions. */
type Minute = Sums & { readonly plainLosses: Map<Hex, bigint> };
type Reserved = { readonly worstWei: bigint; readonly payer: Payer | undefined };

const MINUTE_MS = 60_000;
const MINUTES = 60;
const SHARE_OF_LOSSES = 4n;

export function createGasLedger(budgetWeiPerHour: bigint, now: () => number): GasLedger {
  const reserved = new Map<number, Reserved>();
  const minutes = new Map<number, Minute>();
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
    if (isSpent(worstWei, payer)) throw new GasBudgetSpent(payer === 'code' && !isSpent(worstWei, 'plain'));
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
    record(nonce, end) {
      const held = reserved.get(nonce);
      if (held === undefined) return;
      reserved.delete(nonce);
      const sums = minutes.get(minute()) ?? { spent: 0n, code: 0n, plain: 0n, plainLosses: new Map() };
      const costWei = end?.costWei ?? held.worstWei;
      sums.spent += costWei;
      const lostWei = end?.lostWei ?? (end?.isReverted ? costWei : 0n);
      if (held.payer !== undefined) sums[held.payer] += lostWei;
      if (held.payer === 'plain' && lostWei > 0n && end !== undefined)
        sums.plainLosses.set(end.transaction, lostWei);
      minutes.set(minute(), sums);
    },
    blameCode(transaction) {
      for (const sums of minutes.values()) {
        const lostWei = sums.plainLosses.get(transaction) ?? 0n;
        sums.plain -= lostWei;
        sums.code += lostWei;
        sums.plainLosses.delete(transaction);
      }
    },
  };
}
