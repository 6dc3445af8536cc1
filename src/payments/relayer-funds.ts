import type { Hex } from './payment.ts';
import type { Rpc } from './rpc.ts';

/** Above this nothing is signed. Base has been far below it ever since it opened; there a one-cent answer costs more gas than it brings. */
export const MAX_FEE_PER_GAS_WEI = 5_000_000_000n;
export const TIP_WEI = 1_000_000n;
const SETTLEMENT_GAS = 160_000n;
// Warn while there is still money for this many settlements at the price of the moment.
const LOW_SETTLEMENTS = 200n;

/** What an account could pay for at the price of the moment, in wei; `settlements` is how many at least. */
export type Funds = {
  readonly balanceWei: bigint;
  readonly maxFeePerGasWei: bigint;
  readonly settlements: bigint;
  readonly isLow: boolean;
};

/** The highest price offered for gas while the base fee of a block is `baseFeePerGas`: room for it to double twice. */
export const offerOver = (baseFeePerGas: Hex | undefined): bigint =>
  BigInt(baseFeePerGas ?? '0x0') * 4n + TIP_WEI;

export function fundsFor(balanceWei: bigint, maxFeePerGasWei: bigint): Funds {
  const settlements = balanceWei / (maxFeePerGasWei * SETTLEMENT_GAS);
  return { balanceWei, maxFeePerGasWei, settlements, isLow: settlements < LOW_SETTLEMENTS };
}

/** Asks the chain what an account can pay for. Throws RpcFailure. */
export async function readFunds(rpc: Rpc, account: Hex): Promise<Funds> {
  const block = await rpc.call<{ baseFeePerGas?: Hex }>('eth_getBlockByNumber', ['latest', false]);
  const balance = await rpc.call<Hex>('eth_getBalance', [account, 'latest']);
  return fundsFor(BigInt(balance), offerOver(block.baseFeePerGas));
}
