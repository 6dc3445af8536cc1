import type { Order, Refused, Settled, Unknown } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import { isOfMany } from './multicall.ts';
import {
  findUse,
  isDeep,
  isOld,
  type RpcReceipt,
  shortReceipt,
  type Unclear,
  USED,
  type WitnessParts,
} from './nonce-use.ts';
import { poll } from './poll.ts';
import { RpcFailure } from './rpc.ts';
import { movesMoney, stateCall } from './usdc.ts';

/**
 * What the chain says of an authorization. `unused`: no trace yet. `reverted`: our transaction failed, or did all but
 * this, and the authorization is still good. `unclear`: the chain could not be asked.
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

// Every so many looks of a transaction that is followed.
const WHOLE_LOOK_EVERY = 5;
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
      // Beside others it has failed where the state behind that block shows no use of it.
      const isAmongMany = on.relayer !== undefined && receipt !== null && isOfMany(receipt);
      if (seen?.state === 'reverted' || isAmongMany) revertedAt = BigInt(receipt?.blockNumber ?? 0);
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
