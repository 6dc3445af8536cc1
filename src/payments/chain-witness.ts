import type { Hex } from './payment.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import type { Order, Refused, Settled, Unknown } from './settlement.ts';
import { asTopic, CANCELED_TOPIC, movesMoney, type RpcLog, stateCall, USED_TOPIC } from './usdc.ts';

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
  /** A receipt as JSON-RPC gives it: settled when it holds the ordered transfer, reverted when it failed. */
  read(order: Order, receipt: unknown): Settled | { state: 'reverted' } | null;
  /** An authorization known to be used: settled when it moved the money since `usedSince`; null when that is unclear. */
  used(order: Order): Promise<Settled | Refused | null>;
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
};

type RpcReceipt = { status?: string; transactionHash?: Hex; logs?: RpcLog[] };

/** How far back a use by somebody else is looked for; public nodes answer ranges of this size. */
export const LOOKBACK_BLOCKS = 9_000;
// Logs of a block may become visible this much later than its state, where many nodes answer under one address.
const LAG_BLOCKS = 64;
const USED: Refused = { state: 'refused', reason: 'invalid_exact_evm_nonce_already_used' };
const EXPIRED: Refused = { state: 'refused', reason: 'invalid_exact_evm_payload_authorization_valid_before' };

export function chainWitness({ rpc, now, pollMs = 200 }: WitnessParts): Witness {
  function read({ payment, requirements }: Order, receipt: unknown) {
    const { status, transactionHash, logs } = (receipt ?? {}) as RpcReceipt;
    if (status === '0x0') return { state: 'reverted' } as const;
    if (status !== '0x1' || transactionHash === undefined || !Array.isArray(logs)) return null;
    if (!movesMoney(logs, requirements.asset, payment.authorization)) return null;
    return { state: 'settled', transaction: transactionHash, payer: payment.authorization.from } as const;
  }

  /** Who used the nonce up, and for what. Only evidence refuses: a node that lags has not seen anything yet. */
  async function findUse(order: Order): Promise<Settled | Refused | Doubt> {
    const { payment, requirements, usedSince } = order;
    const { from, nonce } = payment.authorization;
    const head = Number(await rpc.call<Hex>('eth_blockNumber', []));
    const fromBlock = `0x${Math.max(0, head - LOOKBACK_BLOCKS).toString(16)}`;
    const topics = [[USED_TOPIC, CANCELED_TOPIC], asTopic(from), nonce];
    const [log] = await rpc.call<RpcLog[]>('eth_getLogs', [
      { address: requirements.asset, fromBlock, toBlock: 'latest', topics },
    ]);
    if (log === undefined) return { state: 'no_trace' };
    if (log.topics[0]?.toLowerCase() === CANCELED_TOPIC) return USED;
    const receipt = await rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [log.transactionHash]);
    // What a node says of another transaction is evidence of nothing.
    if (receipt?.transactionHash?.toLowerCase() !== log.transactionHash.toLowerCase())
      return { state: 'unclear' };
    const block = await rpc.call<{ timestamp: Hex } | null>('eth_getBlockByNumber', [log.blockNumber, false]);
    if (receipt?.status !== '0x1' || block === null) return { state: 'unclear' };
    const seen = read(order, receipt);
    return seen?.state === 'settled' && Number(block.timestamp) >= usedSince ? seen : USED;
  }

  /** Whether it was used so long ago that no node can have missed the event: then that is out of sight. */
  async function isOld({ payment, requirements }: Order): Promise<boolean> {
    const head = Number(await rpc.call<Hex>('eth_blockNumber', []));
    const then = `0x${Math.max(0, head - LAG_BLOCKS).toString(16)}`;
    const call = { to: requirements.asset, data: stateCall(payment.authorization) };
    return BigInt(await rpc.call<Hex>('eth_call', [call, then], { bytes: 32 })) !== 0n;
  }

  async function used(order: Order): Promise<Settled | Refused | null> {
    const found = await orUnclear(async () => {
      const use = await findUse(order);
      return use.state === 'no_trace' && (await isOld(order)) ? USED : use;
    });
    return found.state === 'unclear' || found.state === 'no_trace' ? null : found;
  }

  async function ask(order: Order, transaction: Hex | null): Promise<Verdict> {
    const { payment, requirements } = order;
    let reverted = false;
    if (transaction !== null) {
      const seen = read(order, await rpc.call('eth_getTransactionReceipt', [transaction]));
      if (seen?.state === 'settled') return seen;
      reverted = seen?.state === 'reverted';
    }
    // State and time of one and the same block: two nodes, or one that moved on, could make a used one look expired.
    const head = await rpc.call<{ number: Hex; timestamp: Hex }>('eth_getBlockByNumber', ['latest', false]);
    const call = { to: requirements.asset, data: stateCall(payment.authorization) };
    if (BigInt(await rpc.call<Hex>('eth_call', [call, head.number], { bytes: 32 })) !== 0n) {
      const found = await findUse(order);
      return found.state === 'no_trace' ? { state: 'unclear' } : found;
    }
    if (BigInt(head.timestamp) >= payment.authorization.validBefore) return EXPIRED;
    return reverted ? { state: 'reverted' } : { state: 'unused' };
  }

  const look = (order: Order, transaction: Hex | null): Promise<Verdict> =>
    orUnclear(() => ask(order, transaction));

  const follow: Witness['follow'] = async (order, transaction, forMs) => {
    const until = now() + forMs;
    for (;;) {
      const verdict = await look(order, transaction);
      if (verdict.state !== 'unused' && verdict.state !== 'unclear')
        return verdict.state === 'reverted' ? { state: 'reverted' } : verdict;
      if (now() >= until) return { state: 'unknown', transaction };
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  };

  return { read, used, look, follow };
}

type Unclear = { readonly state: 'unclear' };
type Doubt = Unclear | { readonly state: 'no_trace' };

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
