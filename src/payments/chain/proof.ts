import type { NotSent, Order, Refused } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import { revertReason } from '../x402/reasons.ts';
import type { Fees, GasLimit } from './gas.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import { isHalt } from './rpc-verdicts.ts';
import { revertText, saysItsOwn, stateCall, transferCall, walletCall } from './usdc.ts';

/** A call that the chain would take now, with so much gas. */
export type Proven = { readonly state: 'proven'; readonly data: Hex; readonly gas: bigint };

/** `used`: its nonce is spent, by a transfer or a cancellation. */
export type Proof = Proven | { state: 'used' } | Refused | NotSent;

/** Who would send the transaction, and what it would offer for it; nothing where gas is not ours to pay. */
export type Sender = {
  readonly address: Hex;
  readonly fees: ((limit: Omit<GasLimit, 'ceilingWei'>) => Promise<Fees>) | null;
  /** Called with what is being checked while a node works on it. */
  readonly whileAsked?: (call: Pick<Proven, 'data' | 'gas'>, fees: Fees) => void;
};

/** Anybody may hand an authorization to USDC: the contract asks who signed it, not who sends it. */
export const ANYBODY: Sender = { address: '0x0000000000000000000000000000000000000000', fees: null };

// USDC needs some 62,000 beside the calldata for a plain signature; wallets with code may need more to check theirs.
const EXECUTION_GAS: readonly bigint[] = [136_000n, 376_000n];
const TRANSACTION_GAS = 21_000n;
const EXPIRED = 'invalid_exact_evm_payload_authorization_valid_before';
// A wallet answers 32 bytes, or a short reason why not. A longer answer is not a yes.
const WALLET_BYTES = 16_384;

/** The call that settles an order. */
const dataOf = ({ payment }: Order): Hex => transferCall(payment.authorization, payment.signature);

/**
 * One `eth_call` proves signature (EOA, ERC-1271, EIP-7702), balance, nonce, window, pause and blacklist at once, at
 * the price of gas that the transaction will have. Throws what `fees` throws.
 */
export async function prove(
  rpc: Rpc,
  { address, fees, whileAsked }: Sender,
  order: Order,
  block: Hex | 'latest' = 'latest',
): Promise<Proof> {
  let refused: Proof = { state: 'refused', reason: 'invalid_transaction_state' };
  const data = dataOf(order);
  for (const execution of EXECUTION_GAS) {
    const gas = gasFor(data, execution);
    const price = fees === null ? null : await fees({ gas, data });
    try {
      const call = { from: address, to: order.requirements.asset, data, gas: hex(gas), ...asHex(price) };
      const asked = rpc.call('eth_call', [call, block]);
      if (price !== null) whileAsked?.({ data, gas }, price);
      await asked;
      return { state: 'proven', data, gas };
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      if (error.kind !== 'answered') return { state: 'not_sent', reason: 'unreached' };
      if (!isHalt(error)) return { state: 'not_sent', reason: unproven(error) };
      const reason = revertReason(revertText(error.data, error.said));
      if (reason === 'invalid_exact_evm_nonce_already_used') return { state: 'used' };
      // The contract looks at the window first: what has run out may have been used before.
      if (reason === EXPIRED) return await expired(rpc, order);
      if (reason === 'asset_paused') return { state: 'not_sent', reason: 'asset_paused' };
      refused = { state: 'refused', reason };
      // A wallet's check that ran out of gas looks like a wrong signature; only then is more gas worth a try.
      if (order.signedBy === 'key') return refused;
      if (reason !== 'invalid_exact_evm_payload_signature' && reason !== 'invalid_transaction_state')
        return refused;
    }
  }
  return refused;
}

/** Whether an account with code calls a signature its own: the very question that USDC asks. null without an answer. */
export async function askWallet(rpc: Rpc, order: Order, digest: Uint8Array): Promise<boolean | null> {
  const { payment, requirements } = order;
  const data = walletCall(digest, payment.signature);
  const gas = hex(gasFor(data, EXECUTION_GAS.at(-1) as bigint));
  const call = { from: requirements.asset, to: payment.authorization.from, data, gas };
  try {
    // An account without code answers nothing.
    return saysItsOwn(String(await rpc.call('eth_call', [call, 'latest'], { mostBytes: WALLET_BYTES })));
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    return error.kind === 'answered' && (error.isTooLong || isHalt(error)) ? false : null;
  }
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

/** The gas that a transaction with this calldata and so much work needs, at least the floor of EIP-7623. */
function gasFor(data: Hex, execution: bigint): bigint {
  let zeros = 0n;
  for (let at = 2; at < data.length; at += 2) if (data[at] === '0' && data[at + 1] === '0') zeros += 1n;
  const others = BigInt(data.length / 2 - 1) - zeros;
  const worked = TRANSACTION_GAS + 4n * zeros + 16n * others + execution;
  const floor = TRANSACTION_GAS + 10n * zeros + 40n * others;
  return worked > floor ? worked : floor;
}

const hex = (value: bigint): Hex => `0x${value.toString(16)}`;
const asHex = (price: Fees | null) =>
  price && {
    maxFeePerGas: hex(price.maxFeePerGas),
    maxPriorityFeePerGas: hex(price.maxPriorityFeePerGas),
  };

/** Why a node did not even try: our account cannot pay for it, or it dislikes what a caller put into the call. */
const unproven = ({ said }: RpcFailure): string =>
  /insufficient funds|exceeds (the )?balance of/i.test(said) ? 'no_gas_money' : 'not_provable';
