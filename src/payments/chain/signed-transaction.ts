import { bytesToHex, keccak256, serializeTransaction } from 'viem/utils';
import { loadCurve } from '../x402/curve.ts';
import type { Hex } from '../x402/payment.ts';

/** A call with all that is signed of it; fees in wei. */
export type UnsignedTransaction = {
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly nonce: number;
  readonly chainId: number;
};

/** The bytes of a transaction (EIP-1559) as `key` signs them, and its hash. The same call gives the same bytes. */
export async function signedTransaction(
  key: Uint8Array,
  call: UnsignedTransaction,
): Promise<{ raw: Hex; hash: Hex }> {
  const unsigned = { ...call, type: 'eip1559' } as const;
  const curve = await loadCurve();
  const { signature, recoveryId } = curve.signRecoverable(
    keccak256(serializeTransaction(unsigned), 'bytes'),
    key,
  );
  const raw = serializeTransaction(unsigned, {
    r: bytesToHex(signature.subarray(0, 32)),
    s: bytesToHex(signature.subarray(32)),
    yParity: recoveryId,
  });
  return { raw, hash: keccak256(raw) };
}
