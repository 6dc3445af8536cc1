import { randomInt } from 'node:crypto';
import type { Fees, GasLimit } from '../chain/proof.ts';
import type { Rpc } from '../chain/rpc.ts';
import type { RpcBlock } from '../chain/rpc-node.ts';
import type { Hex } from '../x402/payment.ts';

// The price of gas, and how much a sale and an hour may spend on it. All amounts are in wei.

/**
 * The kind of payer: an account with code checks its own signatures, so it can use a lot of gas and give different
 * answers.
 */
export type Payer = 'code' | 'plain';

/** Above this price, nothing is signed, whatever the product. Gas on Base is usually far cheaper. */
export const MAX_FEE_PER_GAS_WEI = 5_000_000_000n;
const TIP_WEI = 1_000_000n;
/** Maximum gas for the settlement of a plain signature. It needs about 86,000. */
export const SETTLEMENT_GAS = 160_500n;
/** Bytes of calldata of such a settlement. */
const SETTLEMENT_BYTES = 356;
// A warning is logged once there is money for fewer settlements than this at the current price.
const LOW_SETTLEMENTS = 200n;
const ATOMIC_PER_CENT = 10_000n;
// The default ceiling is about three times the revenue of a sale. An account with code can make its own check as
// expensive as the ceiling allows, so its gas may cost at most the revenue of the sale.
const CODE_CEILING_DIVISOR = 3n;

/** Maximum gas cost of one sale to this kind of payer; `amount` is its price in atomic USDC. */
export function gasCeilingWei(amount: string, gasWeiPerCent: bigint, payer: Payer): bigint {
  const ceiling = (BigInt(amount) * gasWeiPerCent) / ATOMIC_PER_CENT;
  return payer === 'code' ? ceiling / CODE_CEILING_DIVISOR : ceiling;
}

/**
 * The highest price offered for gas while the base fee of a block is `baseFeeWei`: enough for the base fee to double
 * twice.
 */
const offerOver = (baseFeeWei: bigint): bigint => baseFeeWei * 4n + TIP_WEI;

/** The offer, at most `mostWei`; null if a transaction at that price would not be mined now. */
function offerWithin(baseFeeWei: bigint, mostWei: bigint): Fees | null {
  if (mostWei < baseFeeWei + TIP_WEI) return null;
  const offer = offerOver(baseFeeWei);
  return { maxFeePerGas: offer < mostWei ? offer : mostWei, maxPriorityFeePerGas: TIP_WEI };
}

export type GasLimits = {
  readonly gasWeiPerCent: bigint;
  readonly maxFeePerGasWei: bigint;
  /** The rollup's data fee for this much calldata, as far as it is known. */
  readonly dataFeeWei?: (dataBytes: number) => bigint;
};

/**
 * Worst-case gas of a sale of `amount` atomic USDC at this base fee; null when the price cannot cover it. For an
 * account with code, it assumes a check as cheap as a plain signature.
 */
export function worstOfSale(
  baseFeeWei: bigint,
  amount: string,
  { gasWeiPerCent, maxFeePerGasWei, dataFeeWei = () => 0n }: GasLimits,
  payer: Payer = 'plain',
): bigint | null {
  const forDataWei = dataFeeWei(SETTLEMENT_BYTES);
  const mostWei = (gasCeilingWei(amount, gasWeiPerCent, payer) - forDataWei) / SETTLEMENT_GAS;
  const offer = offerWithin(baseFeeWei, mostWei < maxFeePerGasWei ? mostWei : maxFeePerGasWei);
  return offer === null ? null : SETTLEMENT_GAS * offer.maxFeePerGas + forDataWei;
}

/** What an account can pay for at the current price. `settlements` is a lower bound. */
export type Funds = {
  readonly balanceWei: bigint;
  readonly settlements: bigint;
  readonly isLow: boolean;
};

/** Asks the chain what an account can pay for. Throws RpcFailure. */
export async function readFunds(rpc: Rpc, account: Hex): Promise<Funds> {
  const block = await rpc.call<RpcBlock>('eth_getBlockByNumber', ['latest', false]);
  const balanceWei = BigInt(await rpc.call<Hex>('eth_getBalance', [account, 'latest']));
  const settlements = balanceWei / (offerOver(BigInt(block.baseFeePerGas)) * SETTLEMENT_GAS);
  return { balanceWei, settlements, isLow: settlements < LOW_SETTLEMENTS };
}

/** Gas costs more than the sale may spend on it: nothing is signed until the price falls. */
export class GasTooDear extends Error {
  /** Whether a plain account could pay: only this payer's own check costs too much. */
  readonly isOfCode: boolean;
  constructor(isOfCode = false) {
    super('Gas is too expensive');
    this.isOfCode = isOfCode;
  }
}

export type GasPrice = {
  /** Fees for a new transaction. Throws GasTooDear or RpcFailure. */
  fees(limit: GasLimit): Promise<Fees>;
  /** The last price was too low, so it must be requested again. */
  forget(): void;
  /** Fees for replacing a transaction; null when they would exceed its limit or the ceiling. */
  bumped(old: Fees, limit: GasLimit): Promise<Fees | null>;
  /** Whether a transaction with these fees can be mined at the current price. Throws RpcFailure. */
  isEnough(fees: Fees): Promise<boolean>;
  /** Records a base fee that another part has just seen. */
  saw(baseFeeWei: bigint): void;
  /** The base fee that an offer is based on now; null if it would have to be requested. */
  known(): bigint | null;
  /** The rollup's data fee for a transaction with this much calldata, estimated from the last one; 0n before. */
  dataFeeWei(dataBytes: number): bigint;
  /** Records a data fee that was charged. */
  paidForData(data: Hex, feeWei: bigint): void;
};

export type GasPriceParts = {
  readonly rpc: Rpc;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Above this price, nothing is signed. */
  readonly maxFeePerGasWei: bigint;
};

const FEE_AGE_MS = 30_000;
// How long a known data fee counts. Only our own receipts show it, so after a single expensive one, sales would
// otherwise stop for good.
const DATA_FEE_AGE_MS = 600_000;
// At most a hundredth of the tip. The salt is subtracted, so the offer does not exceed the maximum price.
const MAX_SALT_WEI = 10_000;
// Maximum age of the base fee for transactions that wait because of their price.
const FRESH_MS = 2_000;
// Size of a signed transaction without its calldata, in bytes.
const ENVELOPE_BYTES = 120;

/** Length of hexadecimal data in bytes. */
export const bytesIn = (data: Hex): number => (data.length - 2) / 2;

export function createGasPrice({ rpc, now, maxFeePerGasWei }: GasPriceParts): GasPrice {
  // Two processes with one account would sign identical bytes, and each would take the other's transaction for its own.
  const saltWei = BigInt(randomInt(MAX_SALT_WEI));
  let known: { readonly baseFeeWei: bigint; readonly at: number } | null = null;
  let dataFee = { wei: 0n, bytes: 1, at: 0 };

  async function baseFeeWei(maxAgeMs: number): Promise<bigint> {
    if (known === null || now() - known.at > maxAgeMs) {
      const block = await rpc.call<RpcBlock>('eth_getBlockByNumber', ['latest', false]);
      known = { baseFeeWei: BigInt(block.baseFeePerGas), at: now() };
    }
    return known.baseFeeWei;
  }

  // Proportional to the length: a long signature must not make short ones look expensive.
  const dataFeeWei = (dataBytes: number): bigint =>
    now() - dataFee.at > DATA_FEE_AGE_MS
      ? 0n
      : (dataFee.wei * BigInt(ENVELOPE_BYTES + dataBytes)) / BigInt(dataFee.bytes);

  const mostFor = ({ gas, data, ceilingWei }: GasLimit): bigint => {
    const worthWei = (ceilingWei - dataFeeWei(bytesIn(data))) / gas;
    return worthWei < maxFeePerGasWei ? worthWei : maxFeePerGasWei;
  };

  async function fees(limit: GasLimit, maxAgeMs = FEE_AGE_MS): Promise<Fees> {
    const offer = offerWithin(await baseFeeWei(maxAgeMs), mostFor(limit));
    if (offer === null) throw new GasTooDear();
    return { ...offer, maxPriorityFeePerGas: offer.maxPriorityFeePerGas - saltWei };
  }

  return {
    fees: (limit) => fees(limit),
    async bumped(old, limit) {
      // Nodes replace a transaction only if both prices rise by an eighth.
      const raise = (wei: bigint) => wei + wei / 8n + 1n;
      const fresh = await fees(limit, FRESH_MS).catch(() => null);
      const raised = raise(old.maxFeePerGas);
      const maxFeePerGas = fresh !== null && fresh.maxFeePerGas > raised ? fresh.maxFeePerGas : raised;
      if (maxFeePerGas > mostFor(limit)) return null;
      return { maxFeePerGas, maxPriorityFeePerGas: raise(old.maxPriorityFeePerGas) };
    },
    forget() {
      known = null;
    },
    isEnough: async ({ maxFeePerGas }) => (await baseFeeWei(FRESH_MS)) < maxFeePerGas,
    saw(baseFeeWei) {
      known = { baseFeeWei, at: now() };
    },
    known: () => (known !== null && now() - known.at <= FEE_AGE_MS ? known.baseFeeWei : null),
    dataFeeWei,
    paidForData(data, wei) {
      dataFee = { wei, bytes: ENVELOPE_BYTES + bytesIn(data), at: now() };
    },
  };
}

/** The hourly gas budget is spent: nothing is signed until part of it is an hour old. */
export class GasBudgetSpent extends Error {
  /** Whether only payers with code are refused. */
  readonly isOfCode: boolean;
  constructor(isOfCode: boolean) {
    super('The gas budget is spent');
    this.isOfCode = isOfCode;
  }
}

/** The cost of a mined transaction. */
export type Cost = { readonly transaction: Hex; readonly costWei: bigint; readonly isReverted: boolean };

/**
 * The cost of gas in the last hour, and what pending transactions may still cost. A transaction counts with its worst
 * case until its receipt shows the cost. Reverted payments of payers with code may lose a quarter of the budget, and
 * reverted payments of plain payers another quarter. Payers with code may use half of the budget in total, whether or
 * not their payments succeed, so the other half is left for plain payers. Beyond its share, only that kind of payer is
 * refused.
 */
export type GasLedger = {
  /** Whether a transaction with this worst case exceeds the budget. */
  isSpent(worstWei: bigint, payer: Payer): boolean;
  /** Throws GasBudgetSpent if a transaction with this worst case exceeds the budget. */
  check(worstWei: bigint, payer: Payer): void;
  /** Counts a transaction, or its new price, before it is signed. A transaction without a payer is not rejected. */
  reserve(transaction: unknown, worstWei: bigint, payer: Payer | undefined): void;
  /** The transaction will certainly cost nothing. */
  release(transaction: unknown): void;
  /** The transaction is on the chain. If no cost is given, its worst case counts. */
  record(transaction: unknown, cost?: Cost): void;
  /** A loss was caused by an account that turned out to have code, so it counts against their share. */
  blameCode(transaction: Hex): void;
};

type Sums = { spent: bigint; usedByCode: bigint; lost: Record<Payer, bigint> };
/** `plainLosses`: the losses of plain payers, by transaction. */
type Minute = Sums & { readonly plainLosses: Map<Hex, bigint> };

const MINUTE_MS = 60_000;
const MINUTES = 60;

export function createGasLedger(budgetWeiPerHour: bigint, now: () => number): GasLedger {
  const reserved = new Map<unknown, { readonly worstWei: bigint; readonly payer: Payer | undefined }>();
  const minutes = new Map<number, Minute>();
  const minute = () => Math.floor(now() / MINUTE_MS);
  const nothing = (): Sums => ({ spent: 0n, usedByCode: 0n, lost: { code: 0n, plain: 0n } });

  function isSpent(worstWei: bigint, payer: Payer): boolean {
    const sums = nothing();
    for (const [at, { spent, usedByCode, lost }] of minutes) {
      if (at <= minute() - MINUTES) minutes.delete(at);
      else {
        sums.spent += spent;
        sums.usedByCode += usedByCode;
        sums.lost.code += lost.code;
        sums.lost.plain += lost.plain;
      }
    }
    for (const { worstWei: wei, payer: whose } of reserved.values()) {
      sums.spent += wei;
      if (whose === 'code') sums.usedByCode += wei;
      if (whose !== undefined) sums.lost[whose] += wei;
    }
    if (payer === 'code' && sums.usedByCode + worstWei > budgetWeiPerHour / 2n) return true;
    return sums.spent + worstWei > budgetWeiPerHour || sums.lost[payer] + worstWei > budgetWeiPerHour / 4n;
  }

  function check(worstWei: bigint, payer: Payer): void {
    if (isSpent(worstWei, payer)) throw new GasBudgetSpent(payer === 'code' && !isSpent(worstWei, 'plain'));
  }

  return {
    isSpent,
    check,
    reserve(transaction, worstWei, payer) {
      if (payer !== undefined && !reserved.has(transaction)) check(worstWei, payer);
      reserved.set(transaction, { worstWei, payer });
    },
    release: (transaction) => void reserved.delete(transaction),
    record(transaction, cost) {
      const held = reserved.get(transaction);
      if (held === undefined) return;
      reserved.delete(transaction);
      const sums = minutes.get(minute()) ?? { ...nothing(), plainLosses: new Map() };
      const costWei = cost?.costWei ?? held.worstWei;
      sums.spent += costWei;
      if (held.payer === 'code') sums.usedByCode += costWei;
      if (held.payer !== undefined && cost?.isReverted) {
        sums.lost[held.payer] += costWei;
        if (held.payer === 'plain') sums.plainLosses.set(cost.transaction, costWei);
      }
      minutes.set(minute(), sums);
    },
    blameCode(transaction) {
      for (const sums of minutes.values()) {
        const lostWei = sums.plainLosses.get(transaction) ?? 0n;
        sums.plainLosses.delete(transaction);
        sums.lost.plain -= lostWei;
        sums.lost.code += lostWei;
        sums.usedByCode += lostWei;
      }
    },
  };
}
