import type { Hex } from './payment.ts';
import type { Settlement } from './settlement.ts';

/** What a settler on our own account needs. URLs and key are secrets: they stay inside this folder. */
export type LocalSettings = {
  readonly rpcUrls: readonly string[];
  readonly key: Hex;
  readonly chainId: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

// Base has been far below this ever since it opened; above it a one-cent answer costs more gas than it brings.
const MAX_FEE_PER_GAS_WEI = 5_000_000_000n;

async function localSettlement({ rpcUrls, key, chainId, now }: LocalSettings): Promise<Settlement> {
  const [{ rpcOver }, { createRelayer }, { createLocalSettler }] = await Promise.all([
    import('./rpc.ts'),
    import('./relayer.ts'),
    import('./local-settler.ts'),
  ]);
  const rpc = rpcOver(rpcUrls);
  const relayer = createRelayer({ key, chainId, rpc, now, maxFeePerGasWei: MAX_FEE_PER_GAS_WEI });
  return createLocalSettler({ rpc, relayer, now });
}

/**
 * A settler on our own account. Its chain library loads while the service already answers: free routes and
 * challenges need none of it, and the first payment waits for the rest.
 */
export function localSettlementSoon(settings: LocalSettings): Settlement {
  const loading = localSettlement(settings);
  // Reported where it is used; until then it must not end the process.
  loading.catch(() => undefined);
  return {
    settle: async (order, beforeSending) => (await loading).settle(order, beforeSending),
    reconcile: async (order, hash, beforeSending) => (await loading).reconcile(order, hash, beforeSending),
  };
}
