import type { Order, Refused, Settled, Unknown } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import { poll } from './poll.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import {
  asTopic,
  CANCELED_TOPIC,
  movesMoney,
  type RpcLog,
  stateCall,
  TRANSFER_TOPIC,
  USED_TOPIC,
} from './usdc.ts';

/**
 * What the chain says of an authorization. `unused`: no trace yet. `reverted`: our transaction failed and the
 * authorization is still good. `unclear`: the chain could not be asked.
 */
export type Verdict =
  | Settled
  | Refused
  | { readonly state: 'unused' }
  | { readonly state: 'reverted' }
  | { readonly state: 'unclear' };

/** Reads the chain; believes events of the asset only, never a transaction's mere existence. */
export type Witness = {
  /**
   * The receipt of a transaction as JSON-RPC gives it: settled when it holds the ordered transfer, reverted when it
   * failed; null when it is another one's, in a shape that it should not have, or not as deep as it has to be.
   */
  read(order: Order, receipt: unknown, transaction: Hex): Settled | { state: 'reverted' } | null;
  /**
   * An authorization known to be used: settled when it moved the money since `usedSince`, unknown while that is not as
   * deep as it has to be; null when it is unclear.
   */
  used(order: Order): Promise<Settled | Refused | Unknown | null>;
  look(order: Order, transaction: Hex | null): Promise<Verdict>;
  /** Looks again and again until a sent transaction has an end, or `forMs` are over. */
  follow(
    order: Order,
    transaction: Hex | null,
    forMs: number,
  ): Promise<Settled | Refused | Unknown | { state: 'reverted' }>;
};

export type WitnessParts = {
  readonly rpc: Rpc;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly pollMs?: number;
  /** Blocks on top of a transfer before it counts; none when left out. */
  readonly confirmations?: number | undefined;
  /** Our own account that sends transactions, in lower case. */
  readonly relayer?: Hex;
  /**
   * Whether a transaction of that account is one of this process; left out where processes share what was claimed. A
   * payment of one that is not was sold by a process that shares nothing with this one.
   */
  readonly isOurs?: ((transaction: Hex) => boolean) | undefined;
  /** Whether this process signed a transaction of that account, wherever claims are. */
  readonly isSignedHere?: (transaction: Hex) => boolean;
  /** Told of every receipt that was read. */
  readonly onReceipt?: (receipt: unknown) => void;
};

type RpcReceipt = { status?: string; transactionHash?: Hex; from?: Hex; blockNumber?: Hex; logs?: RpcLog[] };

/** How far back a use by somebody else is looked for; public nodes answer ranges of this size. */
export const LOOKBACK_BLOCKS = 9_000;
// Logs of a block may become visible this much later than its state, where many nodes answer under one address.
const LAG_BLOCKS = 64;
const WHOLE_LOOK_EVERY = 5;
// Some four hundred transfers of one payer in one block, and a receipt with some hundred logs; ours have two.
const TRANSFERS_BYTES = 256 * 1024;
// Anybody can write transfers of nothing from a payer: of a payment that we took, whatever fits into a block is read.
const HANDED_OVER_BYTES = 4 * 1024 * 1024;
const RECEIPT_BYTES = 64 * 1024;
const USED: Refused = { state: 'refused', reason: 'invalid_exact_evm_nonce_already_used' };
const EXPIRED: Refused = { state: 'refused', reason: 'invalid_exact_evm_payload_authorization_valid_before' };

export function chainWitness(parts: WitnessParts): Witness {
  const { rpc, now, pollMs = 200, confirmations = 0, onReceipt } = parts;
  const judge: Witness['read'] = ({ payment, requirements }, receipt, transaction) => {
    const { status, transactionHash, logs } = (receipt ?? {}) as RpcReceipt;
    // What a node says of another transaction is evidence of nothing.
    if (String(transactionHash).toLowerCase() !== transaction.toLowerCase()) return null;
    onReceipt?.(receipt);
    if (status === '0x0') return { state: 'reverted' };
    if (status !== '0x1' || !Array.isArray(logs)) return null;
    try {
      const isPaid = movesMoney(logs, requirements.asset, payment.authorization);
      return isPaid ? { state: 'settled', transaction, payer: payment.authorization.from } : null;
    } catch {
      // Logs in a shape that they should not have.
      return null;
    }
  };

  /** What was just mined has nothing on top of it. */
  const read: Witness['read'] = (order, receipt, transaction) => {
    const seen = judge(order, receipt, transaction);
    return seen?.state === 'settled' && confirmations > 0 ? null : seen;
  };

  /** Nodes may be blocks apart: what is concluded together is asked of one. */
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
    const { payment, requirements } = order;
    let revertedAt: bigint | null = null;
    if (transaction !== null) {
      const found = await shortReceipt(rpc, transaction);
      // Of a facilitator that settles much at once: its logs are looked for below.
      const receipt = found === 'long' ? null : found;
      const seen = judge(order, receipt, transaction);
      if (seen?.state === 'settled') return (await isDeep(on, receipt)) ? seen : { state: 'unclear' };
      if (seen?.state === 'reverted') revertedAt = BigInt(receipt?.blockNumber ?? 0);
    }
    // State and time of one and the same block: two nodes, or one that moved on, could make a used one look expired.
    const head = await rpc.call<{ number: Hex; timestamp: Hex }>('eth_getBlockByNumber', ['latest', false]);
    const call = { to: requirements.asset, data: stateCall(payment.authorization) };
    if (BigInt(await rpc.call<Hex>('eth_call', [call, head.number], { bytes: 32 })) !== 0n) {
      const found = await findUse(on, order, head.number);
      return found.state === 'settled' || found.state === 'refused' ? found : { state: 'unclear' };
    }
    if (BigInt(head.timestamp) >= payment.authorization.validBefore) return EXPIRED;
    if (revertedAt === null) return { state: 'unused' };
    // A state from before the revert says nothing about why it came to it.
    return revertedAt > BigInt(head.number) ? { state: 'unclear' } : { state: 'reverted' };
  }

  const look = (order: Order, transaction: Hex | null): Promise<Verdict> =>
    onOneNode((on) => ask(on, order, transaction));

  const lookForReceipt = (order: Order, transaction: Hex): Promise<Verdict> =>
    onOneNode(async (on) => {
      const receipt = await shortReceipt(on.rpc, transaction);
      // Its logs are looked for in the next whole look.
      if (receipt === 'long') return { state: 'unclear' };
      const seen = judge(order, receipt, transaction);
      return seen?.state === 'settled' && (await isDeep(on, receipt)) ? seen : { state: 'unclear' };
    });

  const follow: Witness['follow'] = async (order, transaction, forMs) => {
    const seen = await poll(
      (round, isLate) =>
        // As a rule the receipt is all that comes; what else may have ended it is looked for now and then.
        transaction === null || round % WHOLE_LOOK_EVERY === 0 || isLate
          ? look(order, transaction)
          : lookForReceipt(order, transaction),
      { isEnd: ({ state }) => state !== 'unused' && state !== 'unclear', forMs, pollMs, now },
    );
    return seen.state === 'unused' || seen.state === 'unclear' ? { state: 'unknown', transaction } : seen;
  };

  return { read, used, look, follow };
}

type Unclear = { readonly state: 'unclear' };
type Doubt = Unclear | { readonly state: 'no_trace' };

/** Whether enough blocks are on top of a transaction; without a need for any nothing is asked. */
async function isDeep(
  { rpc, confirmations = 0 }: WitnessParts,
  receipt: Pick<RpcReceipt, 'blockNumber'> | null,
): Promise<boolean> {
  if (confirmations === 0) return true;
  const head = Number(await rpc.call<Hex>('eth_blockNumber', []));
  return head - Number(receipt?.blockNumber) >= confirmations;
}

/** Who used the nonce up, and for what. Only evidence refuses: a node that lags has not seen anything yet. */
async function findUse(
  parts: WitnessParts,
  order: Order,
  head: Hex,
): Promise<Settled | Refused | Unknown | Doubt> {
  const { rpc, relayer, isOurs, isSignedHere } = parts;
  const { payment, requirements, usedSince } = order;
  const { from, nonce } = payment.authorization;
  const fromBlock = below(head, LOOKBACK_BLOCKS);
  const topics = [[USED_TOPIC, CANCELED_TOPIC], asTopic(from), nonce];
  const [log] = await rpc.call<RpcLog[]>('eth_getLogs', [
    { address: requirements.asset, fromBlock, toBlock: 'latest', topics },
  ]);
  if (log === undefined) return { state: 'no_trace' };
  if (log.topics[0]?.toLowerCase() === CANCELED_TOPIC) return USED;
  const isPaid = movesMoney(await withTransfer(rpc, order, log), requirements.asset, payment.authorization);
  if (isPaid === null) return { state: 'unclear' };
  if (!isPaid) return USED;
  const block = await rpc.call<{ timestamp: Hex } | null>('eth_getBlockByNumber', [log.blockNumber, false]);
  if (block === null) return { state: 'unclear' };
  // What our own account sent for an order that was never handed over, another process has sold.
  const isFromUs = relayer !== undefined && (await senderOf(rpc, log.transactionHash)) === relayer;
  // One that was called off, and that a node had taken all the same, was sold by nobody.
  const isSoldElsewhere = usedSince > 0 && isFromUs && isSignedHere?.(log.transactionHash) !== true;
  if (usedSince === 0 && isFromUs && isOurs?.(log.transactionHash) === false) return { state: 'unclear' };
  if (isSoldElsewhere || !(Number(block.timestamp) >= usedSince)) return USED;
  const { transactionHash: transaction } = log;
  if (!(await isDeep(parts, log))) return { state: 'unknown', transaction };
  return { state: 'settled', transaction, payer: from };
}

/**
 * The use of an authorization, and the transfer of its payer right behind it: all that is read of a transaction that
 * may be anybody's, and as long as they like.
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

/** Who sent a transaction; null when its receipt is longer than any of ours. Throws where it is not known. */
async function senderOf(rpc: Rpc, transaction: Hex): Promise<string | null> {
  const receipt = await shortReceipt(rpc, transaction);
  if (receipt === 'long') return null;
  if (receipt === null) throw new RpcFailure('unclear');
  return receipt.from?.toLowerCase() ?? null;
}

/** A receipt; `long` when it holds more than what one settlement writes. */
const shortReceipt = (rpc: Rpc, transaction: Hex): Promise<RpcReceipt | null | 'long'> =>
  rpc
    .call<RpcReceipt | null>('eth_getTransactionReceipt', [transaction], { mostBytes: RECEIPT_BYTES })
    .catch((error: unknown) => {
      if (error instanceof RpcFailure && error.isTooLong) return 'long';
      throw error;
    });

/** Whether it was used so long ago that no node can have missed the event: then that is out of sight. */
async function isOld({ rpc }: WitnessParts, { payment, requirements }: Order, head: Hex): Promise<boolean> {
  const call = { to: requirements.asset, data: stateCall(payment.authorization) };
  return BigInt(await rpc.call<Hex>('eth_call', [call, below(head, LAG_BLOCKS)], { bytes: 32 })) !== 0n;
}

const below = (head: Hex, blocks: number): Hex => `0x${Math.max(0, Number(head) - blocks).toString(16)}`;

/** A chain that cannot be asked, or answers in a shape it should not have, makes nothing certain. */
async function orUnclear<Found>(find: () => Promise<Found>): Promise<Found | Unclear> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof RpcFailure || error instanceof TypeError || error instanceof SyntaxError)
      return { state: 'unclear' };
    throw error;
  }
}
