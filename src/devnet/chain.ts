import type { Address, Hex } from 'viem';
import { type DevAccount, devAccounts } from './chain-accounts.ts';
import { type ChainEnd, runAnvil } from './chain-process.ts';
import { rpc, rpcBatch } from './chain-rpc.ts';
import { usdcAddress } from './usdc.ts';
import { deployUsdc } from './usdc-deploy.ts';

const thousandDollars = 1_000_000_000n;

/** EIP-2935's store of past block hashes. */
const blockHashStore = '0x0000F90827F1C53a10cb7A02335B175320002935';

/** Turns off logging, and removes the store, which makes a block take 1 ms longer for every 1,000 earlier blocks. */
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
   * Makes a block if the last one is more than two seconds old. A contract uses the time of the last block, so an
   * honest payment that is valid from a minute ago might otherwise not be valid yet.
   */
  refresh(nowMs: number): Promise<void>;
  /** Resolves, never rejects, once the chain is gone; `crashed` if we did not stop it. */
  closed: Promise<ChainEnd>;
  stop(): Promise<void>;
};

/**
 * Starts an embedded chain at a free port of 127.0.0.1. It lives at most as long as this process. Throws under
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
