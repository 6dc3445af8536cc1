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
import {
  findUse,
  isDeep,
  isOld,
  isUsedAt,
  type SeenReceipt,
  shortReceipt,
  type Unclear,
  type WitnessParts,
} from './nonce-use.ts';
import { poll } from './poll.ts';
import { RpcFailure } from './rpc.ts';
import { movesMoney } from './usdc.ts';

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
