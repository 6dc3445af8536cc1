import { randomInt } from 'node:crypto';
import { size } from 'viem/utils';
import type { Fees, GasLimit } from '../chain/gas.ts';
import type { Rpc } from '../chain/rpc.ts';
import type { RpcBlock } from '../chain/rpc-shapes.ts';
import type { Hex } from '../x402/payment.ts';
import { offerWithin } from './relayer-funds.ts';

/** Gas costs more than the transaction earns, or than the ceiling: nothing is signed until the price falls. */
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
  /** Takes note of a base fee that another part has just seen. */
  saw(baseFeeWei: bigint): void;
  /** The base fee that an offer is based on now; null when it would have to be requested. */
  known(): bigint | null;
  /** The rollup's data fee for a transaction with so much calldata, estimated from the last one; 0n before. */
  dataFeeWei(dataBytes: number): bigint;
  /** Takes note of a data fee that was charged. */
  paidForData(data: Hex, feeWei: bigint): void;
};

export type GasPriceParts = {
  readonly rpc: Rpc;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Above this nothing is signed. */
  readonly maxFeePerGasWei: bigint;
};

const FEE_AGE_MS = 30_000;
// Only our own receipts show the data fee: one expensive moment must not stop sales for good.
const DATA_FEE_AGE_MS = 600_000;
// At most a hundredth of the tip, subtracted, so that the offer never exceeds the highest price.
const MAX_SALT_WEI = 10_000;
// Maximum age of the base fee that transactions are held to which wait because of their price.
const FRESH_MS = 2_000;
// What a signed transaction holds beside its calldata.
const ENVELOPE_BYTES = 120;

export function createGasPrice({ rpc, now, maxFeePerGasWei }: GasPriceParts): GasPrice {
  // Two processes with one account would sign identical bytes and each take the other's transaction for its own.
  const saltWei = BigInt(randomInt(MAX_SALT_WEI));
  let known: { readonly baseFeeWei: bigint; readonly at: number } | null = null;
  let dataFee = { wei: 0n, bytes: 1, at: 0 };

  async function baseFeeWei(maxAgeMs: number): Promise<bigint> {
    if (known === null || now() - known.at > maxAgeMs) {
      const block = await rpc.call<RpcBlock>('eth_getBlockByNumber', ['latest', false]);
      known = { baseFeeWei: BigInt(block.baseFeePerGas), at: now() };
    }
    return known.baseFeeWei;
  }

  // In proportion to its length: a long signature must not make short ones look expensive.
  const dataFeeWei = (dataBytes: number): bigint =>
    now() - dataFee.at > DATA_FEE_AGE_MS
      ? 0n
      : (dataFee.wei * BigInt(ENVELOPE_BYTES + dataBytes)) / BigInt(dataFee.bytes);

  const mostFor = ({ gas, data, ceilingWei }: GasLimit): bigint => {
    const worthWei = (ceilingWei - dataFeeWei(size(data))) / gas;
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
    saw(baseFeeWei) {
      known = { baseFeeWei, at: now() };
    },
    known: () => (known !== null && now() - known.at <= FEE_AGE_MS ? known.baseFeeWei : null),
    dataFeeWei,
    paidForData(data, wei) {
      dataFee = { wei, bytes: ENVELOPE_BYTES + size(data), at: now() };
    },
  };
}
