import { toHex } from 'viem/utils';
import { type Rpc, RpcFailure } from '../payments/chain/rpc.ts';
import type { RpcBlock, RpcReceipt } from '../payments/chain/rpc-node.ts';
import { type IncomingTransfer, incomingTransfers, type Payee } from '../payments/chain/usdc.ts';
import type { Hex } from '../payments/x402/payment.ts';

/** A transfer to the payee with the time of its block, in Unix seconds. */
export type Payment = IncomingTransfer & { readonly at: number };
/** The transfers of a transaction to the payee. */
export type Seen =
  | { readonly kind: 'payments'; readonly payments: readonly Payment[] }
  | { readonly kind: 'unknown' | 'reverted' | 'elsewhere' };

// Block ranges that public nodes answer in one reply, normally and with very many payments.
const RANGE_BLOCKS = 9_000;
const FEWEST_BLOCKS = 10;
const DAY_SECONDS = 86_400;

/** Reads incoming payments from the asset's own events. Every function throws RpcFailure. */
export type Chain = {
  /** Transfers of whole days, given as days since 1970, oldest first. */
  ofDays(from: number, to: number): Promise<readonly Payment[]>;
  ofTransaction(hash: Hex): Promise<Seen>;
};

export function readChain(rpc: Rpc, payee: Payee): Chain {
  const times = new Map<number, number>();
  async function timeOf(number: number): Promise<number> {
    const known = times.get(number);
    if (known !== undefined) return known;
    const block = await rpc.call<RpcBlock | null>('eth_getBlockByNumber', [toHex(number), false]);
    if (block === null) throw new RpcFailure('unclear');
    const at = Number(block.timestamp);
    times.set(number, at);
    return at;
  }

  /** The first block that is not before this time; one past the head if there is none. */
  async function firstSince(seconds: number, head: number): Promise<number> {
    let [low, high] = [0, head + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((await timeOf(middle)) < seconds) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async function inBlocks(first: number, last: number): Promise<readonly IncomingTransfer[]> {
    try {
      return await incomingTransfers(rpc, payee, { first, last }, Number.POSITIVE_INFINITY);
    } catch (error) {
      if (!(error instanceof RpcFailure) || last - first < FEWEST_BLOCKS) throw error;
      const middle = Math.floor((first + last) / 2);
      return [...(await inBlocks(first, middle)), ...(await inBlocks(middle + 1, last))];
    }
  }

  const timed = async (incoming: readonly IncomingTransfer[]): Promise<readonly Payment[]> => {
    const payments: Payment[] = [];
    for (const one of incoming) payments.push({ ...one, at: await timeOf(one.block) });
    return payments;
  };

  return {
    async ofDays(from, to) {
      const head = Number(await rpc.call<Hex>('eth_blockNumber', []));
      const begin = await firstSince(from * DAY_SECONDS, head);
      const end = await firstSince((to + 1) * DAY_SECONDS, head);
      const found: IncomingTransfer[] = [];
      for (let first = begin; first < end; first += RANGE_BLOCKS)
        found.push(...(await inBlocks(first, Math.min(first + RANGE_BLOCKS, end) - 1)));
      return timed(found);
    },
    async ofTransaction(hash) {
      const receipt = await rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [hash]);
      if (receipt === null) return { kind: 'unknown' };
      if (receipt.status === '0x0') return { kind: 'reverted' };
      const block = Number(receipt.blockNumber);
      const mine = (await inBlocks(block, block)).filter(({ transaction }) => transaction === hash);
      return mine.length === 0 ? { kind: 'elsewhere' } : { kind: 'payments', payments: await timed(mine) };
    },
  };
}
