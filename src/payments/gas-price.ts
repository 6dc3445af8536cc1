import type { Hex } from './payment.ts';
import { fundsFor, offerOver, TIP_WEI } from './relayer-funds.ts';
import type { Rpc } from './rpc.ts';

/** What a transaction offers for gas (EIP-1559), in wei. */
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/** The price of gas is over the ceiling: nothing is signed until it falls. */
export class GasTooDear extends Error {}

export type GasPrice = {
  /** Fees for a new transaction. Throws GasTooDear or RpcFailure. */
  current(): Promise<Fees>;
  /** The last price was too low: ask for it anew. */
  forget(): void;
  /** Fees for replacing a transaction; null when they would pass the ceiling. */
  bumped(old: Fees): Promise<Fees | null>;
};

export type GasPriceParts = {
  readonly rpc: Rpc;
  readonly account: Hex;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly maxFeePerGasWei: bigint;
  /** Told when the account cannot pay for many more settlements. */
  readonly onLowBalance?: (() => void) | undefined;
};

const FEE_AGE_MS = 30_000;
const BALANCE_AGE_MS = 300_000;

export function createGasPrice({
  rpc,
  account,
  now,
  maxFeePerGasWei,
  onLowBalance,
}: GasPriceParts): GasPrice {
  let known: { maxFeePerGas: bigint; at: number } | null = null;
  let balanceAt = Number.NEGATIVE_INFINITY;

  async function current(): Promise<Fees> {
    if (known === null || now() - known.at > FEE_AGE_MS) {
      const block = await rpc.call<{ baseFeePerGas?: Hex }>('eth_getBlockByNumber', ['latest', false]);
      known = { maxFeePerGas: offerOver(block.baseFeePerGas), at: now() };
      void watchBalance(known.maxFeePerGas);
    }
    if (known.maxFeePerGas > maxFeePerGasWei) throw new GasTooDear();
    return { maxFeePerGas: known.maxFeePerGas, maxPriorityFeePerGas: TIP_WEI };
  }

  async function watchBalance(maxFeePerGas: bigint): Promise<void> {
    if (now() - balanceAt < BALANCE_AGE_MS) return;
    balanceAt = now();
    const balance = await rpc.call<Hex>('eth_getBalance', [account, 'latest']).catch(() => null);
    if (balance !== null && fundsFor(BigInt(balance), maxFeePerGas).isLow) onLowBalance?.();
  }

  async function bumped(old: Fees): Promise<Fees | null> {
    // Nodes replace a transaction only for an eighth more in both prices.
    const raise = (wei: bigint) => wei + wei / 8n + 1n;
    const fresh = await current().catch(() => null);
    const raised = raise(old.maxFeePerGas);
    const maxFeePerGas = fresh !== null && fresh.maxFeePerGas > raised ? fresh.maxFeePerGas : raised;
    if (maxFeePerGas > maxFeePerGasWei) return null;
    return { maxFeePerGas, maxPriorityFeePerGas: raise(old.maxPriorityFeePerGas) };
  }

  const forget = () => {
    known = null;
  };

  return { current, forget, bumped };
}
