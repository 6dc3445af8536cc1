import { toHex } from 'viem/utils';
import {
  type Order,
  type Refused,
  type Settled,
  settled,
  type Unknown,
  USED,
  unknown,
} from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import type { RpcLog, RpcReceipt } from './rpc-shapes.ts';
import { asTopic, CANCELED_TOPIC, movesMoney, stateCall, TRANSFER_TOPIC, USED_TOPIC } from './usdc.ts';

export type WitnessParts = {
  readonly rpc: Rpc;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly pollMs?: number;
  /** Blocks on top of a transfer before it counts; none by default. */
  readonly confirmations?: number | undefined;
  /** Our own account that sends transactions, in lower case. */
  readonly relayer?: Hex;
  /**
   * Whether this process sent a transaction of that account; absent if processes share claims. A payment in any other
   * transaction was sold by a process that shares nothing with this one.
   */
  readonly isOurs?: ((transaction: Hex) => boolean) | undefined;
  /** Whether this process signed a transaction of that account; independent of shared claims. */
  readonly isSignedHere?: (transaction: Hex) => boolean;
  /** Called with every receipt that is read. */
  readonly onReceipt?: (receipt: unknown) => void;
};

/** A receipt as a node sent it. Its shape has not been checked yet, although the type suggests it. */
export type SeenReceipt = Partial<RpcReceipt> & { readonly from?: Hex };

/** Number of blocks searched if a third party may have used the nonce. Public nodes answer ranges of this size. */
export const LOOKBACK_BLOCKS = 9_000;
// A sent payment is valid for up to a day, and its answer can be collected for another; a block takes two seconds.
const HANDED_OVER_RANGES = Math.ceil((2 * 86_400) / 2 / LOOKBACK_BLOCKS);
// If many nodes share one address, a block's logs may become visible this much later than its state.
const LAG_BLOCKS = 64;
// Enough for about four hundred transfers of one payer in a block, or for a receipt with some hundred logs. Our own
// receipts have two.
const TRANSFERS_BYTES = 256 * 1024;
// Anybody can emit transfers of zero in a payer's name. For a sent payment, the logs are therefore read even if a
// block is full of them.
const HANDED_OVER_BYTES = 4 * 1024 * 1024;
const RECEIPT_BYTES = 64 * 1024;

export type Unclear = { readonly state: 'unclear' };
export type Doubt = Unclear | { readonly state: 'no_trace' };

/** Whether a transaction has enough confirmations; makes no call if none are needed. */
export async function isDeep(
  { rpc, confirmations = 0 }: WitnessParts,
  receipt: Pick<SeenReceipt, 'blockNumber'> | null,
): Promise<boolean> {
  if (confirmations === 0) return true;
  const head = Number(await rpc.call<Hex>('eth_blockNumber', []));
  return head - Number(receipt?.blockNumber) >= confirmations;
}

/**
 * How a nonce was used. To refuse a payment, the service needs evidence, because a node that lags may not know yet
 * that the nonce was used.
 */
export async function findUse(
  parts: WitnessParts,
  order: Order,
  head: Hex,
): Promise<Settled | Refused | Unknown | Doubt> {
  const { rpc, relayer, isOurs, isSignedHere } = parts;
  const { payment, requirements, usedSince } = order;
  const { from, nonce } = payment.authorization;
  const isHandedOver = usedSince === 0;
  const topics = [[USED_TOPIC, CANCELED_TOPIC], asTopic(from), nonce];
  const filter = { address: requirements.asset, topics };
  const log = await lastLog(rpc, filter, { head, ranges: isHandedOver ? HANDED_OVER_RANGES : 1 });
  if (log === undefined) return { state: 'no_trace' };
  if (log.topics[0]?.toLowerCase() === CANCELED_TOPIC) return USED;
  const isPaid = movesMoney(await withTransfer(rpc, order, log), requirements.asset, payment.authorization);
  if (isPaid === null) return { state: 'unclear' };
  if (!isPaid) return USED;
  const block = await rpc.call<{ timestamp: Hex } | null>('eth_getBlockByNumber', [log.blockNumber, false]);
  if (block === null) return { state: 'unclear' };
  const isFromUs = relayer !== undefined && (await senderOf(rpc, log.transactionHash)) === relayer;
  if (isFromUs && isHandedOver && isOurs?.(log.transactionHash) === false) return { state: 'unclear' };
  // If this process never sent the order, a transaction of our account that it did not sign is another process's sale.
  if (isFromUs && !isHandedOver && isSignedHere?.(log.transactionHash) !== true) return USED;
  if (!(Number(block.timestamp) >= usedSince)) return USED;
  const { transactionHash: transaction } = log;
  return (await isDeep(parts, log)) ? settled(order, transaction) : unknown(transaction);
}

/** The newest of these logs, looked for range by range. */
async function lastLog(
  rpc: Rpc,
  filter: object,
  { head, ranges }: { readonly head: Hex; readonly ranges: number },
): Promise<RpcLog | undefined> {
  let toBlock: Hex | 'latest' = 'latest';
  for (let range = 1; range <= ranges; range += 1) {
    const fromBlock = below(head, range * LOOKBACK_BLOCKS);
    const [log] = await rpc.call<RpcLog[]>('eth_getLogs', [{ ...filter, fromBlock, toBlock }]);
    if (log !== undefined || Number(fromBlock) === 0) return log;
    toBlock = below(fromBlock, 1);
  }
  return undefined;
}

/**
 * The AuthorizationUsed log and the Transfer directly after it. Anybody may have sent the transaction, and it may
 * have any length.
 */
async function withTransfer(
  rpc: Rpc,
  { payment, requirements, usedSince }: Order,
  used: RpcLog,
): Promise<RpcLog[]> {
  const { blockNumber, transactionHash, logIndex } = used;
  const topics = [TRANSFER_TOPIC, asTopic(payment.authorization.from)];
  const block = { address: requirements.asset, fromBlock: blockNumber, toBlock: blockNumber, topics };
  const mostBytes = usedSince === 0 ? HANDED_OVER_BYTES : TRANSFERS_BYTES;
  const transfers = await rpc.call<RpcLog[]>('eth_getLogs', [block], { mostBytes });
  const isBehind = (log: RpcLog) =>
    log.transactionHash === transactionHash && Number(log.logIndex) === Number(logIndex) + 1;
  return [used, ...transfers.filter(isBehind)];
}

/** The sender of a transaction; null if its receipt is too long to be ours. Throws if it is unknown. */
async function senderOf(rpc: Rpc, transaction: Hex): Promise<string | null> {
  const receipt = await shortReceipt(rpc, transaction);
  if (receipt === 'long') return null;
  if (receipt === null) throw new RpcFailure('unclear');
  return receipt.from?.toLowerCase() ?? null;
}

/** A receipt; null if the node has none, and `long` if it is longer than the receipt of one settlement. */
export const shortReceipt = (rpc: Rpc, transaction: Hex): Promise<SeenReceipt | null | 'long'> =>
  rpc
    .call<SeenReceipt | null>('eth_getTransactionReceipt', [transaction], { mostBytes: RECEIPT_BYTES })
    .catch((error: unknown) => {
      if (error instanceof RpcFailure && error.isTooLong) return 'long';
      throw error;
    });

/** Whether the nonce is used or canceled in the state after a block. */
export async function isUsedAt(rpc: Rpc, order: Order, block: Hex | 'latest'): Promise<boolean> {
  const { payment, requirements } = order;
  const call = { to: requirements.asset, data: stateCall(payment.authorization) };
  return BigInt(await rpc.call<Hex>('eth_call', [call, block], { bytes: 32 })) !== 0n;
}

/** Whether the nonce was used so long ago that no node can have missed the event, which is now out of range. */
export const isOld = ({ rpc }: WitnessParts, order: Order, head: Hex): Promise<boolean> =>
  isUsedAt(rpc, order, below(head, LAG_BLOCKS));

const below = (head: Hex, blocks: number): Hex => toHex(Math.max(0, Number(head) - blocks));
