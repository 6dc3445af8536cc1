import { randomBytes } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { concat, encodeEventTopics, numberToHex, pad, size, toHex } from 'viem/utils';
import { rpc, rpcBatch } from '../../src/devnet/chain-rpc.ts';
import { usdcAbi } from '../../src/devnet/usdc.ts';
import type { Chain } from './chain-actions.ts';

export type Call = { readonly to: Address; readonly data: Hex };

/** Makes the given calls one after another, whether or not each succeeds. */
export const batcher: Address = '0x00000000000000000000000000000000000c0de5';
/** A token that moves nothing and checks nothing. Its `transferWithAuthorization` only logs USDC's two events. */
export const otherToken: Address = '0x00000000000000000000000000000000000c0de6';

// Each call consists of 32 bytes of address, 32 of length, and the data. It is copied to memory and called with all
// remaining gas.
const batcherCode =
  '0x5f5b36811015602657806020013580826040015f375f5f825f5f86355af150016040016001565b00' satisfies Hex;

const [usedTopic] = encodeEventTopics({ abi: usdcAbi, eventName: 'AuthorizationUsed' });
const [transferTopic] = encodeEventTopics({ abi: usdcAbi, eventName: 'Transfer' });
// The arguments are 32 bytes apart from byte 4 on: from, to, value, validAfter, validBefore, nonce.
const otherTokenCode = concat([
  '0x60a4356004357f',
  usedTopic,
  '0x5f5fa36044355f526024356004357f',
  transferTopic,
  '0x60205fa300',
]);

/** Puts both contracts on the chain. */
export const placeBatcher = async (chain: Chain): Promise<void> => {
  await rpcBatch(chain.rpcUrl, [
    ['anvil_setCode', batcher, batcherCode],
    ['anvil_setCode', otherToken, otherTokenCode],
  ]);
};

/** All calls in one transaction from an unrelated account; resolves once it is in a block. */
export const sendTogether = async (chain: Chain, calls: readonly Call[]): Promise<void> => {
  const data = concat(
    calls.flatMap((call) => [pad(call.to), numberToHex(size(call.data), { size: 32 }), call.data]),
  );
  // A separate account, so that no other sender uses it at the same time.
  const from = toHex(randomBytes(20));
  await rpcBatch(chain.rpcUrl, [
    ['anvil_setBalance', from, numberToHex(10n ** 18n)],
    ['anvil_impersonateAccount', from],
  ]);
  const transaction = { from, to: batcher, data, gas: numberToHex(5_000_000) };
  await rpc(chain.rpcUrl, 'eth_sendTransactionSync', transaction);
};

/** Gives an account USDC, without a transaction. */
export const deal = async (chain: Chain, account: Address, amount: bigint): Promise<void> => {
  await rpc(chain.rpcUrl, 'anvil_dealERC20', account, chain.usdc, numberToHex(amount));
};

/** Lets the batcher move an account's USDC by `transferFrom`, without a transaction. */
export const allowBatcher = async (chain: Chain, account: Address, amount: bigint): Promise<void> => {
  await rpc(chain.rpcUrl, 'anvil_setERC20Allowance', account, batcher, chain.usdc, numberToHex(amount));
};
