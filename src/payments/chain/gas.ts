import { toHex } from 'viem/utils';
import type { Hex } from '../x402/payment.ts';

/** What a transaction offers for gas (EIP-1559), in wei. */
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/** Maximum gas of a transaction, its calldata, and its maximum total cost, whatever the price. */
export type GasLimit = { readonly gas: bigint; readonly data: Hex; readonly ceilingWei: bigint };

/** Fees as JSON-RPC takes them. */
export const feesInHex = ({ maxFeePerGas, maxPriorityFeePerGas }: Fees) => ({
  maxFeePerGas: toHex(maxFeePerGas),
  maxPriorityFeePerGas: toHex(maxPriorityFeePerGas),
});
