import { randomInt } from 'node:crypto';
import { offerWithin } from './relayer-funds.ts';
import type { Rpc } from './rpc.ts';
import type { RpcBlock } from './rpc-shapes.ts';

/** What a transaction offers for gas (EIP-1559), in wei. */
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/** How much gas a transaction may use, and what all of it may cost at most, whatever the price. */
export type GasLimit = { readonly gas: bigint; readonly ceilingWei: bigint };

/** Gas costs more than the transaction is worth, or than the ceiling: nothing is signed until the price falls. */
export class GasTooDear extends Error {}

export type GasPrice = {
  /** Fees for a new transaction. Throws GasTooDear or RpcFailure. */
  fees(limit: GasLimit): Promise<Fees>;
  /** The last price was too low: ask for it anew. */
  forget(): void;
  /** Fees for replacing a transaction; null when they would pass its limit or the ceiling. */
  bumped(old: Fees, limit: GasLimit): Promise<Fees | null>;
  /** Whether a transaction with these fees can be mined at the price of the moment. Throws RpcFailure. */
  isEnough(fees: Fees): Promise<boolean>;
  /** The base fee that was seen last; null before the first. */
  seen(): bigint | null;
};

export type GasPriceParts = {
  readonly rpc: Rpc;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Above this nothing is signed. */
  readonly maxFeePerGasWei: bigint;
};

const FEE_AGE_MS = 30_000;
// A hundredth of the tip at most, less of it, so that it never passes the highest price.
const MAX_SALT_WEI = 10_000;
// For what waits because of its price.
const FRESH_MS = 2_000;

export function createGasPrice({ rpc, now, maxFeePerGasWei }: GasPriceParts): GasPrice {
  // Two processes with one account would sign the very same bytes, and each take the other's transaction for its own.
  const saltWei = BigInt(randomInt(MAX_SALT_WEI));
  let known: { baseFeeWei: bigint; at: number } | null = null;
  let seen: bigint | null = null;

  async function baseFeeWei(maxAgeMs: number): Promise<bigint> {
    if (known === null || now() - known.at > maxAgeMs) {
      const block = await rpc.call<RpcBlock>('eth_getBlockByNumber', ['latest', false]);
      known = { baseFeeWei: BigInt(block.baseFeePerGas), at: now() };
    }
    seen = known.baseFeeWei;
    return known.baseFeeWei;
  }

  const mostFor = ({ gas, ceilingWei }: GasLimit): bigint => {
    const worthWei = ceilingWei / gas;
    return worthWei < maxFeePerGasWei ? worthWei : maxFeePerGasWei;
  };

  async function fees(limit: GasLimit, maxAgeMs = FEE_AGE_MS): Promise<Fees> {
    const offer = offerWithin(await baseFeeWei(maxAgeMs), mostFor(limit));
    if (offer === null) throw new GasTooDear();
    return { ...offer, maxPriorityFeePerGas: offer.maxPriorityFeePerGas - saltWei };
  }

  async function bumped(old: Fees, limit: GasLimit): Promise<Fees | null> {
    // Nodes replace a transaction only for an eighth more in both prices.
    const raise = (wei: bigint) => wei + wei / 8n + 1n;
    const fresh = await fees(limit, FRESH_MS).catch(() => null);
    const raised = raise(old.maxFeePerGas);
    const maxFeePerGas = fresh !== null && fresh.maxFeePerGas > raised ? fresh.maxFeePerGas : raised;
    if (maxFeePerGas > mostFor(limit)) return null;
    return { maxFeePerGas, maxPriorityFeePerGas: raise(old.maxPriorityFeePerGas) };
  }

  return {
    fees: (limit) => fees(limit),
    bumped,
    forget() {
      known = null;
    },
    isEnough: async ({ maxFeePerGas }) => (await baseFeeWei(FRESH_MS)) < maxFeePerGas,
    seen: () => seen,
  };
}
