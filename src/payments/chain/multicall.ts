import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils';
import type { Hex } from '../x402/payment.ts';

/** Multicall3, which makes many calls in one transaction: at this address on Base, Base Sepolia and most chains. */
export const MULTICALL: Hex = '0xca11bde05977b3631167028862be2a173976ca11';
/** keccak256 of its code there. */
export const MULTICALL_CODE_HASH = '0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891';

const abi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Result[] returnData)',
]);

/** Calldata that makes all calls, one after the other, whether or not each succeeds. */
export const callsTogether = (target: Hex, calls: readonly Hex[]): Hex =>
  encodeFunctionData({ abi, args: [calls.map((callData) => ({ target, allowFailure: true, callData }))] });

/** Which of `count` calls succeeded; null when the answer does not have that shape. */
export function successesIn(answer: Hex, count: number): readonly boolean[] | null {
  try {
    const results = decodeFunctionResult({ abi, data: answer });
    return results.length === count ? results.map(({ success }) => success) : null;
  } catch {
    return null;
  }
}

/** Whether a receipt belongs to a Multicall3 transaction, in which a failed call leaves no other trace. */
export const isOfMany = ({ to }: { readonly to?: Hex | null | undefined }): boolean =>
  to?.toLowerCase() === MULTICALL;
