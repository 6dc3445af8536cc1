import { randomBytes } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { concat, keccak256, numberToHex, pad, toHex } from 'viem/utils';
import type { EmbeddedChain } from '../../src/devnet/chain.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import type { Receipt } from '../support/chain-actions.ts';

export const randomAddress = (): Address => toHex(randomBytes(20));

/** Puts code at a new address, or at the given one. */
export async function place(
  chain: EmbeddedChain,
  code: Hex,
  at: Address = randomAddress(),
): Promise<Address> {
  await rpc(chain.rpcUrl, 'anvil_setCode', at, code);
  return at;
}

const VALID = '631626ba7e60e01b5f5260205ff3';
const INVALID = '5f5f5260205ff3';

/**
 * Code of an ERC-1271 wallet that accepts while `condition` (code that leaves a word) holds, and otherwise does
 * `otherwise`.
 */
export const walletCode = (condition: string, otherwise = INVALID): Hex => {
  const target = condition.length / 2 + 4 + otherwise.length / 2;
  return `0x${condition}61${target.toString(16).padStart(4, '0')}57${otherwise}5b${VALID}`;
};

/** Conditions that distinguish a simulation from a transaction, or one block from the next. */
export const conditions = {
  'no gas price': '3a15',
  'no base fee': '4815',
  'an even block': '4360011615',
  'an odd block': '43600116',
  'much gas left': '6203d0905a11',
  'little gas left': '6203d0905a10',
  'no coinbase': '4115',
  'an odd second': '42600116',
  'even randomness': '4460011615',
} as const;

export const ALWAYS = '6001';
export const NEVER = '5f';

/** Code that an ERC-1271 wallet may run instead of returning an answer. */
export const oddAnswers = {
  nothing: '00',
  'reverts without a word': '5f5ffd',
  'reverts with 10 KB': '6127105ffd',
  'returns 31 bytes': `631626ba7e60e01b5f52601f5ff3`,
  'returns the word at the wrong end': '631626ba7e5f5260205ff3',
  'returns 100 KB': '620186a05ff3',
  'returns all ones': '195f5260205ff3',
  'runs out of gas': '5b5f56',
  'invalid opcode': 'fe',
  'calls itself for ever': '5f5f5f5f305af1005f5f5260205ff3',
} as const;

/** Sends from `from`, or from an unused account, because nodes confuse the nonces of simultaneous senders. */
export async function sendTo(
  chain: EmbeddedChain,
  to: Address,
  data: Hex = '0x',
  from: Address = randomAddress(),
): Promise<Receipt> {
  await rpc(chain.rpcUrl, 'anvil_setBalance', from, numberToHex(10n ** 18n));
  await rpc(chain.rpcUrl, 'anvil_impersonateAccount', from);
  const receipt = await rpc<Receipt>(chain.rpcUrl, 'eth_sendTransactionSync', {
    from,
    to,
    data,
    gas: numberToHex(8_000_000),
  });
  if (receipt.status !== '0x1') throw new Error(`an attacker's own transaction was reverted`);
  return receipt;
}

/** The slot where FiatTokenV2_2 keeps its balances. */
const BALANCES_SLOT = 9n;

/** Gives an account `usdc` millionths of a dollar. */
export async function fund(chain: EmbeddedChain, account: Address, usdc: bigint): Promise<void> {
  const slot = keccak256(concat([pad(account), pad(numberToHex(BALANCES_SLOT))]));
  await rpc(chain.rpcUrl, 'anvil_setStorageAt', chain.usdc, slot, pad(numberToHex(usdc)));
}
