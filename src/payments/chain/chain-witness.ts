import { toHex } from 'viem/utils';
import {
  EXPIRED,
  isFinal,
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
import type { RpcLog, RpcReceipt } from './rpc-node.ts';
import { asTopic, CANCELED_TOPIC, movesMoney, stateCall, TRANSFER_TOPIC, USED_TOPIC } from './usdc.ts';

/**
 * The state of an authorization on the chain. `unused`: no trace yet. `reverted`: the authorization is still valid, but
 * our transaction failed, or settled other payments but not this one. `unclear`: the chain gave no answer.
 */
export type Verdict =
  | Settled
  | Refused
  | { readonly state: 'unused' }
  | { readonly state: 'reverted' }
  | { readonly state: 'unclear' };

/**
 * Reads the result of an authorization from the chain. A payment counts as settled because of the asset's events, and
 * not because of the status of a transaction.
 */
export type Witness = {
  /**
   * Judges the receipt of a transaction: settled if it has the ordered transfer, reverted if it failed; null if it
   * belongs to another transaction, has the wrong shape, or has too few confirmations.
   */
  read(order: Order, receipt: unknown, transaction: Hex): Settled | { state: 'reverted' } | null;
  /**
   * How a used authorization ended: settled if it moved the money since `usedSince`, unknown while that has too few
   * confirmations; null if it is unclear.
   */
  used(order: Order): Promise<Settled | Refused | Unknown | null>;
  look(order: Order, transaction: Hex | null): Promise<Verdict>;
  /** Polls until the result of a sent transaction is known, or `forMs` have passed. */
  follow(
    order: Order,
    transaction: Hex | null,
    forMs: number,
  ): Promise<Settled | Refused | Unknown | { state: 'reverted' }>;
};

// Multicall3. The previous release could settle many payments in one transaction through it.
const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11';

/**
 * Whether a receipt belongs to a transaction that settled many payments. A failed payment leaves no other trace there.
 */
export const isOfMany = ({ to }: Pick<SeenReceipt, 'to'>): boolean => to?.toLowerCase() === MULTICALL;

// One in this many polls for a transaction is a full check.
const WHOLE_LOOK_EVERY = 5;

export function chainWitness(parts: WitnessParts): Witness {
  const { rpc, now, pollMs = 200, confirmations = 0, onReceipt } = parts;
  const judge: Witness['read'] = (order, receipt, transaction) => {
    const { payment, requirements } = order;
    const { status, transactionHash, logs } = (receipt ?? {}) as SeenReceipt;
    // A receipt of another transaction is not evidence.
    if (String(transactionHash).toLowerCase() !== transaction.toLowerCase()) return null;
    onReceipt?.(receipt);
    if (status === '0x0') return { state: 'reverted' };
    if (status !== '0x1' || !Array.isArray(logs)) return null;
    try {
      const isPaid = movesMoney(logs, requirements.asset, payment.authorization);
      return isPaid ? settled(order, transaction) : null;
    } catch {
      // The logs have the wrong shape.
      return null;
    }
  };

  /** A receipt of the newest block has no confirmations. */
  const read: Witness['read'] = (order, receipt, transaction) => {
    const seen = judge(order, receipt, transaction);
    return seen?.state === 'settled' && confirmations > 0 ? null : seen;
  };

  /** Nodes may be blocks apart, so related reads go to one node. */
  const onOneNode = <Found>(work: (on: WitnessParts) => Promise<Found>) =>
    orUnclear(() => rpc.onOneNode((node) => work({ ...parts, rpc: node })));

  async function used(order: Order): Promise<Settled | Refused | Unknown | null> {
    const found = await onOneNode(async (on) => {
      const head = await on.rpc.call<Hex>('eth_blockNumber', []);
      const use = await findUse(on, order, head);
      return use.state === 'no_trace' && (await isOld(on, order, head)) ? USED : use;
    });
    return found.state === 'unclear' || found.state === 'no_trace' ? null : found;
  }

  async function ask(on: WitnessParts, order: Order, transaction: Hex | null): Promise<Verdict> {
    const { rpc } = on;
    let revertedAt: bigint | null = null;
    if (transaction !== null) {
      const found = await shortReceipt(rpc, transaction);
      // A long receipt comes from a facilitator that settles many payments at once. Its logs are queried below.
      const receipt = found === 'long' ? null : found;
      const seen = judge(order, receipt, transaction);
      if (seen?.state === 'settled') return (await isDeep(on, receipt)) ? seen : { state: 'unclear' };
      // In a batch, this payment has failed if the state after its block shows the nonce unused.
      const isAmongMany = on.relayer !== undefined && receipt !== null && isOfMany(receipt);
      if (seen?.state === 'reverted' || isAmongMany) revertedAt = BigInt(receipt?.blockNumber ?? 0);
    }
    // State and time are from one block. With two nodes, or a node that moved on, a used authorization could look
    // expired.
    const head = await rpc.call<{ number: Hex; timestamp: Hex }>('eth_getBlockByNumber', ['latest', false]);
    if (await isUsedAt(rpc, order, head.number)) {
      const found = await findUse(on, order, head.number);
      return isFinal(found) ? found : { state: 'unclear' };
    }
    if (BigInt(head.timestamp) >= order.payment.authorization.validBefore) return EXPIRED;
    if (revertedAt === null) return { state: 'unused' };
    // A state from before the revert does not show its result.
    return revertedAt > BigInt(head.number) ? { state: 'unclear' } : { state: 'reverted' };
  }

  const look = (order: Order, transaction: Hex | null): Promise<Verdict> =>
    onOneNode((on) => ask(on, order, transaction));

  const lookForReceipt = (order: Order, transaction: Hex): Promise<Verdict> =>
    onOneNode(async (on) => {
      const receipt = await shortReceipt(on.rpc, transaction);
      // The next full check queries its logs.
      if (receipt === 'long') return { state: 'unclear' };
      const seen = judge(order, receipt, transaction);
      return seen?.state === 'settled' && (await isDeep(on, receipt)) ? seen : { state: 'unclear' };
    });

  const follow: Witness['follow'] = async (order, transaction, forMs) => {
    const seen = await poll(
      (round, isLate) =>
        // Usually the receipt arrives first. Every few rounds, a full check looks for any other result.
        transaction === null || round % WHOLE_LOOK_EVERY === 0 || isLate
          ? look(order, transaction)
          : lookForReceipt(order, transaction),
      { isEnd: ({ state }) => state !== 'unused' && state !== 'unclear', forMs, pollMs, now },
    );
    return seen.state === 'unused' || seen.state === 'unclear' ? unknown(transaction) : seen;
  };

  return { read, used, look, follow };
}

/** If the chain cannot be reached, or answers in the wrong shape, the result is unclear. */
async function orUnclear<Found>(find: () => Promise<Found>): Promise<Found | Unclear> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof RpcFailure || error instanceof TypeError || error instanceof SyntaxError)
      return { state: 'unclear' };
    throw error;
  }
}

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
type SeenReceipt = Partial<RpcReceipt> & { readonly from?: Hex };

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

type Unclear = { readonly state: 'unclear' };
type Doubt = Unclear | { readonly state: 'no_trace' };

/** Whether a transaction has enough confirmations; makes no call if none are needed. */
async function isDeep(
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

type Polling<Seen> = {
  /** Whether polling can stop. */
  readonly isEnd: (seen: Seen) => boolean;
  readonly forMs: number;
  readonly pollMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

/** Calls `look` until it finds a result or the time is up (`isLate`), but at least once; returns the last result. */
export async function poll<Seen>(
  look: (round: number, isLate: boolean) => Promise<Seen>,
  { isEnd, forMs, pollMs, now }: Polling<Seen>,
): Promise<Seen> {
  const until = now() + forMs;
  for (let round = 0; ; round += 1) {
    const seen = await look(round, now() >= until);
    const leftMs = until - now();
    if (isEnd(seen) || leftMs <= 0) return seen;
    await new Promise((resolve) => setTimeout(resolve, Math.min(pollMs, leftMs)));
  }
}

/** Waits, without keeping the process alive. */
export const pause = (forMs: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, forMs)).unref());
