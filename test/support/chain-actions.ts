import type { Address, Hex } from 'viem';
import { encodeFunctionData, numberToHex } from 'viem/utils';
import type { EmbeddedChain } from '../../src/devnet/chain.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { usdcAbi } from '../../src/devnet/usdc.ts';

export type Chain = Pick<EmbeddedChain, 'rpcUrl' | 'usdc' | 'usdcOwner'>;

export type Receipt = {
  transactionHash: Hex;
  status: '0x1' | '0x0';
  contractAddress: Address | null;
  gasUsed: Hex;
  logs: readonly { address: Address; topics: readonly Hex[]; data: Hex }[];
};

export type Send = { from: Address; to?: Address; data: Hex };

/** Sends without waiting for a block; the node signs, so `from` is one of the development accounts. */
export const submit = (chain: Chain, transaction: Send): Promise<Hex> =>
  // The gas limit is given, so the node does not run the transaction first, and a reverting one is mined, too.
  rpc(chain.rpcUrl, 'eth_sendTransaction', { ...transaction, gas: numberToHex(1_000_000) });

/** Sends and returns the receipt of a successful transaction; a reverted transaction throws. */
export const execute = async (chain: Chain, transaction: Send): Promise<Receipt> => {
  const send = () =>
    rpc<Receipt>(chain.rpcUrl, 'eth_sendTransactionSync', { ...transaction, gas: numberToHex(1_000_000) });
  // If two transactions of one account arrive at once, the node may give both the same nonce.
  const receipt = await send().catch((error: unknown) => {
    if (String(error).includes('underpriced')) return send();
    throw error;
  });
  if (receipt.status !== '0x1') throw new Error(`Transaction ${receipt.transactionHash} was reverted`);
  return receipt;
};

export const mine = async (chain: Chain, blocks = 1): Promise<void> => {
  await rpc(chain.rpcUrl, 'anvil_mine', numberToHex(blocks));
};

export const setAutomine = async (chain: Chain, isOn: boolean): Promise<void> => {
  await rpc(chain.rpcUrl, 'evm_setAutomine', isOn);
};

/** Moves the chain's clock forward, and mines a block with the new time. */
export const increaseTime = async (chain: Chain, seconds: number): Promise<void> => {
  await rpc(chain.rpcUrl, 'evm_increaseTime', numberToHex(seconds));
  await mine(chain);
};

export const snapshot = (chain: Chain): Promise<Hex> => rpc(chain.rpcUrl, 'evm_snapshot');

/** Returns to a snapshot as a deep reorganization does: later blocks are gone. A snapshot can be used once. */
export const returnTo = async (chain: Chain, snapshotId: Hex): Promise<void> => {
  const isDone = await rpc<boolean>(chain.rpcUrl, 'evm_revert', snapshotId);
  if (!isDone) throw new Error(`The chain has no snapshot ${snapshotId}`);
  // Anvil's clock would continue from the last remaining block, which is behind ours by the age of that block.
  await rpc(chain.rpcUrl, 'evm_setTime', numberToHex(Math.ceil(Date.now() / 1000)));
};

/** Makes the node forget a pending transaction, as if it had restarted or run out of room. */
export const dropTransaction = async (chain: Chain, hash: Hex): Promise<void> => {
  await rpc(chain.rpcUrl, 'anvil_dropTransaction', hash);
};

/** Sets an account's ether, in wei. */
export const setBalance = async (chain: Chain, account: Address, wei: bigint): Promise<void> => {
  await rpc(chain.rpcUrl, 'anvil_setBalance', account, numberToHex(wei));
};

/** Sets the next block's base fee, in wei per unit of gas. */
export const setBaseFee = async (chain: Chain, weiPerGas: bigint): Promise<void> => {
  await rpc(chain.rpcUrl, 'anvil_setNextBlockBaseFeePerGas', numberToHex(weiPerGas));
};

type Switch = 'pause' | 'unpause';
type Listing = 'blacklist' | 'unBlacklist';

const asOwner = (chain: Chain, data: Hex) => execute(chain, { from: chain.usdcOwner, to: chain.usdc, data });

const flip = (functionName: Switch) => async (chain: Chain) => {
  await asOwner(chain, encodeFunctionData({ abi: usdcAbi, functionName }));
};

const list = (functionName: Listing) => async (chain: Chain, account: Address) => {
  await asOwner(chain, encodeFunctionData({ abi: usdcAbi, functionName, args: [account] }));
};

export const pause = flip('pause');
export const unpause = flip('unpause');
export const blacklist = list('blacklist');
export const unBlacklist = list('unBlacklist');

/** Creates USDC for an account, in millionths of a dollar. */
export const mint = async (chain: Chain, account: Address, amount: bigint): Promise<void> => {
  await asOwner(chain, encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [account, amount] }));
};
