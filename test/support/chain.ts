import { afterAll, beforeAll } from 'vitest';
import { type EmbeddedChain, startChain } from '../../src/devnet/chain.ts';
import { returnTo, snapshot } from './chain-actions.ts';

/**
 * One embedded chain for the test file that calls this at its top level. The returned function returns the chain once
 * it is running, that is, inside tests and hooks.
 */
export const sharedChain = (): (() => EmbeddedChain) => {
  let chain: EmbeddedChain | undefined;
  beforeAll(async () => {
    chain = await startChain();
  });
  afterAll(() => chain?.stop());
  return () => {
    if (!chain) throw new Error('The chain runs only inside tests and hooks');
    return chain;
  };
};

/**
 * Runs `work` and then restores the chain: balances, nonces, blocks and time. `stop` ends whatever could still send
 * transactions to the restored chain.
 */
export const onCopyOf = async (
  chain: EmbeddedChain,
  work: () => Promise<void>,
  stop?: () => Promise<void>,
): Promise<void> => {
  const before = await snapshot(chain);
  try {
    await work();
  } finally {
    await stop?.();
    await returnTo(chain, before);
  }
};
