import type { Fees } from '../chain/gas.ts';
import type { Rpc } from '../chain/rpc.ts';
import type { RpcBlock } from '../chain/rpc-shapes.ts';
import type { Hex } from '../x402/payment.ts';

/** Above this nothing is signed, whatever is sold. Base has been far below it ever since it opened. */
export const MAX_FEE_PER_GAS_WEI = 5_000_000_000n;
const TIP_WEI = 1_000_000n;
/** What the settlement of a plain signature may use, at most; it needs some 86,000. */
const SETTLEMENT_GAS = 160_500n;
/** The calldata of one. */
const SETTLEMENT_BYTES = 356;
// Warn as soon as there is money for fewer settlements than this at the current price.
const LOW_SETTLEMENTS = 200n;
const ATOMIC_PER_CENT = 10_000n;

/** What an account can pay for at the current price, in wei; `settlements` is how many that is at least. */
export type Funds = {
  readonly baseFeeWei: bigint;
  readonly balanceWei: bigint;
  readonly maxFeePerGasWei: bigint;
  readonly settlements: bigint;
  readonly isLow: boolean;
};

/** The highest price offered for gas while the base fee of a block is `baseFeeWei`: room for it to double twice. */
const offerOver = (baseFeeWei: bigint): bigint => baseFeeWei * 4n + TIP_WEI;

/** The offer when it may not exceed `mostWei`; null when that would not be mined now. */
export function offerWithin(baseFeeWei: bigint, mostWei: bigint): Fees | null {
  if (mostWei < baseFeeWei + TIP_WEI) return null;
  const offer = offerOver(baseFeeWei);
  return { maxFeePerGas: offer < mostWei ? offer : mostWei, maxPriorityFeePerGas: TIP_WEI };
}

/** What may be spent on the gas of one sale, in wei; `amount` is its price in atomic USDC. */
export const gasCeilingWei = (amount: string, gasWeiPerCent: bigint): bigint =>
  (BigInt(amount) * gasWeiPerCent) / ATOMIC_PER_CENT;

function fundsFor(balanceWei: bigint, maxFeePerGasWei: bigint): Omit<Funds, 'baseFeeWei'> {
  const settlements = balanceWei / (maxFeePerGasWei * SETTLEMENT_GAS);
  return { balanceWei, maxFeePerGasWei, settlements, isLow: settlements < LOW_SETTLEMENTS };
}

/** Asks the chain what an account can pay for. Throws RpcFailure. */
export async function readFunds(rpc: Rpc, account: Hex): Promise<Funds> {
  const block = await rpc.call<RpcBlock>('eth_getBlockByNumber', ['latest', false]);
  const balance = await rpc.call<Hex>('eth_getBalance', [account, 'latest']);
  const baseFeeWei = BigInt(block.baseFeePerGas);
  return { baseFeeWei, ...fundsFor(BigInt(balance), offerOver(baseFeeWei)) };
}

export type GasLimits = {
  readonly gasWeiPerCent: bigint;
  readonly maxFeePerGasWei: bigint;
  /** The rollup's data fee for so much calldata, as far as it is known. */
  readonly dataFeeWei?: (dataBytes: number) => bigint;
};

/** Worst-case gas of a sale of `amount` atomic USDC at this base fee, in wei; null when the price cannot cover it. */
export function worstOfSale(
  baseFeeWei: bigint,
  amount: string,
  { gasWeiPerCent, maxFeePerGasWei, dataFeeWei = () => 0n }: GasLimits,
): bigint | null {
  const forDataWei = dataFeeWei(SETTLEMENT_BYTES);
  const mostWei = (gasCeilingWei(amount, gasWeiPerCent) - forDataWei) / SETTLEMENT_GAS;
  const offer = offerWithin(baseFeeWei, mostWei < maxFeePerGasWei ? mostWei : maxFeePerGasWei);
  return offer === null ? null : SETTLEMENT_GAS * offer.maxFeePerGas + forDataWei;
}
