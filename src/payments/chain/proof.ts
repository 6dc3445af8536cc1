import { createHash } from 'node:crypto';
import { toHex } from 'viem/utils';
import { EXPIRED, type NotSent, notSent, type Order, type Refused, refused, USED } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import { revertReason } from '../x402/reasons.ts';
import { isUsedAt } from './chain-witness.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import { isHalt } from './rpc-node.ts';
import { isSignatureAccepted, revertText, transferCall, walletCall } from './usdc.ts';

/** A call that would succeed on the chain now, with this much gas. */
export type Proven = {
  readonly state: 'proven';
  readonly data: Hex;
  readonly gas: bigint;
  /**
   * The code of the payer's account when it was proven; null for a plain account, or if the code was not requested.
   */
  readonly code: CodeDigest | null;
};

/** Identifies the code of an account: accounts with the same code, or the same delegation (EIP-7702), share it. */
export type CodeDigest = string;

/** `used`: its nonce was spent by a transfer or a cancellation. */
export type Proof = Proven | { state: 'used' } | Refused | NotSent;

/** The account that would send the transaction and the fees it would offer; null if a third party pays for gas. */
export type Sender = {
  readonly address: Hex;
  readonly fees: ((limit: Omit<GasLimit, 'ceilingWei'>) => Promise<Fees>) | null;
};

/** Anybody may submit an authorization to USDC: the contract checks who signed it, not who sends it. */
export const ANY_SENDER: Sender = { address: '0x0000000000000000000000000000000000000000', fees: null };

// USDC needs about 62,000 in addition to the calldata for a plain signature; a contract wallet's check may need more.
const EXECUTION_GAS: readonly bigint[] = [136_000n, 376_000n];
const TRANSACTION_GAS = 21_000n;
// A wallet returns 32 bytes or a short reason. A longer answer counts as a rejection.
const WALLET_BYTES = 16_384;

/** The code of an account after a block; null if it has none. Throws RpcFailure. */
export const codeAt = async (rpc: Rpc, account: Hex, block: Hex | 'latest'): Promise<CodeDigest | null> =>
  digestOf(await rpc.call<Hex>('eth_getCode', [account, block]));

const digestOf = (code: Hex): CodeDigest | null =>
  code === '0x' ? null : createHash('sha256').update(code.toLowerCase()).digest('base64');

/**
 * One `eth_call` proves the signature (EOA, ERC-1271, EIP-7702), balance, nonce, validity window, pause and blacklist
 * at once, at the gas price that the transaction will have. If we pay for the gas, the same request asks for the
 * payer's code, because USDC asks an account with code whether it signed, even if its key did. Throws what `fees`
 * throws.
 */
export async function prove(
  rpc: Rpc,
  { address, fees }: Sender,
  order: Order,
  block: Hex | 'latest' = 'latest',
): Promise<Proof> {
  let refusal = refused('invalid_transaction_state');
  const data = transferCall(order.payment.authorization, order.payment.signature);
  for (const execution of EXECUTION_GAS) {
    const gas = gasFor(data, execution);
    const price = fees === null ? null : await fees({ gas, data });
    try {
      const call = {
        from: address,
        to: order.requirements.asset,
        data,
        gas: toHex(gas),
        ...(price && feesInHex(price)),
      };
      if (price === null) {
        await rpc.call('eth_call', [call, block]);
        return { state: 'proven', data, gas, code: null };
      }
      const [, code] = await rpc.batch([
        { method: 'eth_call', params: [call, block] },
        { method: 'eth_getCode', params: [order.payment.authorization.from, block] },
      ]);
      return { state: 'proven', data, gas, code: digestOf(code as Hex) };
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      if (error.kind !== 'answered') return notSent('unreached');
      if (!isHalt(error)) return notSent(unproven(error));
      const reason = revertReason(revertText(error.data, error.said));
      if (reason === USED.reason) return { state: 'used' };
      // The contract checks the time window first: an expired authorization may have been used before.
      if (reason === EXPIRED.reason) return await expired(rpc, order);
      if (reason === 'asset_paused') return notSent('asset_paused');
      refusal = refused(reason);
      // A wallet's check that ran out of gas looks like a wrong signature. Only then is more gas worth trying.
      if (order.signedBy === 'key') return refusal;
      if (reason !== 'invalid_exact_evm_payload_signature' && reason !== 'invalid_transaction_state')
        return refusal;
    }
  }
  return refusal;
}

/** Whether a contract wallet accepts a signature, asked exactly as USDC asks it; null without an answer. */
export async function walletVerdict(rpc: Rpc, order: Order, digest: Uint8Array): Promise<boolean | null> {
  const { payment, requirements } = order;
  const data = walletCall(digest, payment.signature);
  const gas = toHex(gasFor(data, EXECUTION_GAS.at(-1) as bigint));
  const call = { from: requirements.asset, to: payment.authorization.from, data, gas };
  try {
    // An account without code returns nothing.
    return isSignatureAccepted(
      String(await rpc.call('eth_call', [call, 'latest'], { mostBytes: WALLET_BYTES })),
    );
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    return error.kind === 'answered' && (error.isTooLong || isHalt(error)) ? false : null;
  }
}

async function expired(rpc: Rpc, order: Order): Promise<Proof> {
  try {
    return (await isUsedAt(rpc, order, 'latest')) ? { state: 'used' } : EXPIRED;
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    return notSent('unreached');
  }
}

/** The gas that a transaction with this calldata and this much work needs, at least the floor of EIP-7623. */
function gasFor(data: Hex, execution: bigint): bigint {
  let zeros = 0n;
  for (let at = 2; at < data.length; at += 2) if (data[at] === '0' && data[at + 1] === '0') zeros += 1n;
  const others = BigInt(data.length / 2 - 1) - zeros;
  const worked = TRANSACTION_GAS + 4n * zeros + 16n * others + execution;
  const floor = TRANSACTION_GAS + 10n * zeros + 40n * others;
  return worked > floor ? worked : floor;
}

/** Why a node did not simulate the call: our account cannot pay for it, or the node rejects the caller's data. */
const unproven = ({ said }: RpcFailure): string =>
  /insufficient funds|exceeds (the )?balance of/i.test(said) ? 'no_gas_money' : 'not_provable';

/** What a transaction offers for gas (EIP-1559), in wei. */
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/** Maximum gas of a transaction, its calldata, and its maximum total cost, whatever the price. */
export type GasLimit = { readonly gas: bigint; readonly data: Hex; readonly ceilingWei: bigint };

/** Fees as JSON-RPC takes them. */
const feesInHex = ({ maxFeePerGas, maxPriorityFeePerGas }: Fees) => ({
  maxFeePerGas: toHex(maxFeePerGas),
  maxPriorityFeePerGas: toHex(maxPriorityFeePerGas),
});
