import type { Hex } from './payment.ts';
import { revertReason } from './reasons.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import type { NotSent, Order, Refused } from './settlement.ts';
import { revertText, stateCall, transferCall } from './usdc.ts';

/** `proven`: the chain would take it now, with `gas`. `used`: its nonce is spent, by a transfer or a cancellation. */
export type Proof = { state: 'proven'; gas: bigint } | { state: 'used' } | Refused | NotSent;

/** Anybody may hand an authorization to USDC: the contract asks who signed it, not who sends it. */
export const ANYBODY: Hex = '0x0000000000000000000000000000000000000000';

// USDC needs some 86,000 for a plain signature; wallets with code may need more to check theirs.
export const MAX_GAS = 400_000n;
const EXPIRED = 'invalid_exact_evm_payload_authorization_valid_before';
const GAS_STEPS: readonly bigint[] = [160_000n, MAX_GAS];

/** The call that settles an order. */
export const dataOf = ({ payment }: Order): Hex => transferCall(payment.authorization, payment.signature);

/**
 * One `eth_call` proves signature (EOA, ERC-1271, EIP-7702), balance, nonce, window, pause and blacklist at once.
 * `sender` is who would send the transaction.
 */
export async function prove(rpc: Rpc, sender: Hex, order: Order): Promise<Proof> {
  let refused: Proof = { state: 'refused', reason: 'invalid_transaction_state' };
  for (const gas of GAS_STEPS) {
    try {
      const call = {
        from: sender,
        to: order.requirements.asset,
        data: dataOf(order),
        gas: `0x${gas.toString(16)}`,
      };
      await rpc.call('eth_call', [call, 'latest']);
      return { state: 'proven', gas };
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      if (error.kind !== 'answered' || !isRevert(error)) return { state: 'not_sent', reason: 'unreached' };
      const reason = revertReason(revertText(error.data, error.said));
      if (reason === 'invalid_exact_evm_nonce_already_used') return { state: 'used' };
      // The contract looks at the window first: what has run out may have been used before.
      if (reason === EXPIRED) return await expired(rpc, order);
      if (reason === 'asset_paused') return { state: 'not_sent', reason: 'asset_paused' };
      refused = { state: 'refused', reason };
      // A wallet's check that ran out of gas looks like a wrong signature; only then is more gas worth a try.
      if (reason !== 'invalid_exact_evm_payload_signature' && reason !== 'invalid_transaction_state')
        return refused;
    }
  }
  return refused;
}

async function expired(rpc: Rpc, { payment, requirements }: Order): Promise<Proof> {
  const call = { to: requirements.asset, data: stateCall(payment.authorization) };
  try {
    const isUsed = BigInt(await rpc.call<Hex>('eth_call', [call, 'latest'], { bytes: 32 })) !== 0n;
    return isUsed ? { state: 'used' } : { state: 'refused', reason: EXPIRED };
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    return { state: 'not_sent', reason: 'unreached' };
  }
}

const isRevert = ({ code, said, data }: RpcFailure): boolean =>
  code === 3 || (data?.startsWith('0x') ?? false) || /revert|out ?of ?gas/i.test(said);
