import { describe, expect, it } from 'vitest';
import { orderOf, PAYER } from '../../../test/support/order.ts';
import { chainWitness, type WitnessParts } from './chain-witness.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import { asTopic, TRANSFER_TOPIC, USED_TOPIC } from './usdc.ts';

const OURS = `0x${'ab'.repeat(32)}` as const;
const BEFORE = 2_000_000_000;
const USED_STATE = `0x${'1'.padStart(64, '0')}`;
const UNUSED_STATE = `0x${'0'.repeat(64)}`;

/** A node's answer to a question, perhaps at a block. */
type Says = (params: readonly [{ readonly topics: readonly unknown[] }, string]) => unknown;

/** A node defined by its answer to each method. */
const nodeOf = (says: Readonly<Record<string, Says>>): Rpc => {
  const rpc: Rpc = {
    call: async (method, params) => says[method]?.(params as never) as never,
    batch: async () => [],
    onOneNode: (work) => work(rpc),
  };
  return rpc;
};
const hex = (value: number): string => `0x${value.toString(16)}`;

const { authorization } = orderOf().payment;
const log = (topics: readonly string[], logIndex: number, data = '0x') => ({
  address: orderOf().requirements.asset,
  topics,
  data,
  blockNumber: hex(500),
  transactionHash: OURS,
  logIndex: hex(logIndex),
});
const used = log([USED_TOPIC, asTopic(PAYER), authorization.nonce], 1);
const transfer = log([TRANSFER_TOPIC, asTopic(PAYER), asTopic(authorization.to)], 2, hex(10_000));
const SETTLED = { state: 'settled', transaction: OURS, payer: PAYER };

/** Our transaction as it was mined in block 500, with the transfer or reverted. */
const paid = { transactionHash: OURS, status: '0x1', blockNumber: hex(500), logs: [used, transfer] };
const reverted = { ...paid, status: '0x0', logs: [] };

type Chain = {
  readonly head: number;
  readonly receipt: object | null;
  /** The nonce is used in the state of this block and of every later one. */
  readonly usedFrom: number;
  readonly logs: readonly object[];
};

/**
 * A node on a chain in its state at the time of the question; the authorization of `orderOf()` is valid in its newest
 * block.
 */
const nodeOn = (chain: () => Partial<Chain>): Rpc =>
  nodeOf({
    eth_blockNumber: () => hex(chain().head ?? 500),
    eth_getBlockByNumber: () => ({ number: hex(chain().head ?? 500), timestamp: hex(BEFORE - 100) }),
    eth_call: ([, block]) =>
      Number(block) >= (chain().usedFrom ?? Number.POSITIVE_INFINITY) ? USED_STATE : UNUSED_STATE,
    eth_getTransactionReceipt: () => {
      const { receipt = null } = chain();
      if (receipt instanceof RpcFailure) throw receipt;
      return receipt;
    },
    eth_getLogs: ([{ topics }]) =>
      (chain().logs ?? []).filter((log) => (log === transfer) === (topics[0] === TRANSFER_TOPIC)),
  });

describe('the state and the time that show an authorization as expired', () => {
  const lookAt = (head: { number: string; timestamp: string }, state: (block: string) => unknown) =>
    chainWitness({
      now: Date.now,
      rpc: nodeOf({
        eth_getBlockByNumber: () => head,
        eth_call: ([, block]) => state(block),
        eth_getLogs: () => [],
      }),
    }).look(orderOf(), null);

  it('are from one block, even if machines behind one address are blocks apart', async () => {
    // One machine behind the address knows the block after the settlement. The other lags and has not seen the
    // transfer.
    const behind = (block: string) => {
      if (block === 'latest') return UNUSED_STATE;
      throw new RpcFailure('unclear');
    };
    const end = await lookAt({ number: hex(500), timestamp: hex(BEFORE + 4) }, behind);
    expect(end).toEqual({ state: 'unclear' });
  });

  it('show it as expired from the second at which USDC rejects it', async () => {
    const at = (seconds: number) => lookAt({ number: hex(500), timestamp: hex(seconds) }, () => UNUSED_STATE);
    expect(await at(BEFORE - 1)).toEqual({ state: 'unused' });
    expect(await at(BEFORE)).toMatchObject({ state: 'refused' });
  });
});

describe('a check of the chain for a transaction', () => {
  const look = (chain: Partial<Chain>, parts: Partial<WitnessParts> = {}) =>
    chainWitness({ rpc: nodeOn(() => chain), now: Date.now, ...parts }).look(orderOf(), OURS);

  it('distinguishes a reverted transaction from one that left no trace', async () => {
    expect(await look({ receipt: reverted })).toEqual({ state: 'reverted' });
    expect(await look({ receipt: null })).toEqual({ state: 'unused' });
  });

  it('does not use a state from before the revert as proof of its result', async () => {
    expect(await look({ receipt: reverted, head: 499 })).toEqual({ state: 'unclear' });
    expect(await look({ receipt: reverted, head: 500 })).toEqual({ state: 'reverted' });
  });

  it('counts a payment that failed in our batch as reverted, and concludes nothing from other batches', async () => {
    const batch = { ...paid, to: '0xca11bde05977b3631167028862be2a173976ca11' as const, logs: [] };
    expect(await look({ receipt: batch }, { relayer: PAYER })).toEqual({ state: 'reverted' });
    expect(await look({ receipt: batch })).toEqual({ state: 'unused' });
    expect(await look({ receipt: { ...batch, to: PAYER } }, { relayer: PAYER })).toEqual({ state: 'unused' });
  });

  it('settles a payment once its receipt has all required confirmations', async () => {
    const at = (head: number) => look({ receipt: paid, head, usedFrom: 500 }, { confirmations: 3 });
    expect(await at(502)).toEqual({ state: 'unclear' });
    expect(await at(503)).toEqual(SETTLED);
  });

  it('finds in the logs how a nonce was used if the receipt does not show it', async () => {
    expect(await look({ usedFrom: 500, logs: [used, transfer] })).toEqual(SETTLED);
  });

  it('is unclear while a nonce is used and its log cannot be found', async () => {
    expect(await look({ usedFrom: 500 })).toEqual({ state: 'unclear' });
  });

  it('is unclear while the use of the nonce has too few confirmations', async () => {
    const at = (head: number) => look({ usedFrom: 500, logs: [used, transfer], head }, { confirmations: 3 });
    expect(await at(502)).toEqual({ state: 'unclear' });
    expect(await at(503)).toEqual(SETTLED);
  });
});

describe('the result of an authorization that is known to be used', () => {
  const end = (chain: Partial<Chain>) =>
    chainWitness({ rpc: nodeOn(() => chain), now: Date.now }).used(orderOf());

  it('is unknown while its log is missing and a node may not have seen it yet', async () => {
    expect(await end({ usedFrom: 437 })).toBeNull();
  });

  it('is refused as used by somebody else if its log is out of range and it was already used 64 blocks ago', async () => {
    expect(await end({ usedFrom: 436 })).toMatchObject({ state: 'refused' });
  });

  it('is settled when the logs show the transfer', async () => {
    expect(await end({ usedFrom: 437, logs: [used, transfer] })).toEqual(SETTLED);
  });
});

describe('polling for a transaction without a known result', () => {
  it('keeps the hash of the transaction', async () => {
    let nowMs = 0;
    const rpc = nodeOf({
      eth_getTransactionReceipt: () => null,
      eth_getBlockByNumber: () => ({ number: hex(500), timestamp: hex(BEFORE - 100) }),
      eth_call: () => UNUSED_STATE,
    });
    const { follow } = chainWitness({ rpc, now: () => (nowMs += 1_000), pollMs: 1 });
    expect(await follow(orderOf(), OURS, 2_000)).toEqual({ state: 'unknown', transaction: OURS });
  });
  /** Follows our transaction until it completes; `chain` receives the number of receipts requested so far. */
  const followed = async (chain: (receipts: number) => Partial<Chain> | 'down', confirmations = 0) => {
    let [receipts, whole] = [0, 0];
    const now = () => {
      const state = chain(receipts);
      if (state === 'down') throw new RpcFailure('unclear');
      return state;
    };
    const node = nodeOn(now);
    const rpc: Rpc = {
      call: async (method, params) => {
        if (method === 'eth_getTransactionReceipt') receipts += 1;
        if (method === 'eth_call') whole += 1;
        return node.call(method, params);
      },
      batch: async () => [],
      onOneNode: (work) => work(rpc),
    };
    const witness = chainWitness({ rpc, now: () => 0, pollMs: 1, confirmations });
    const end = await witness.follow(orderOf(), OURS, 60_000);
    return { end, receipts, whole };
  };

  it('continues after an answer that leaves the result unclear', async () => {
    const { end, receipts } = await followed((asked) => (asked < 3 ? 'down' : { receipt: paid }));
    expect(end).toEqual(SETTLED);
    expect(receipts).toBe(3);
  });

  it('continues after a receipt that is too long to read, and finds the result in the logs', async () => {
    const receipt = new RpcFailure('answered', { isTooLong: true });
    const { end, receipts } = await followed((asked) =>
      asked < 2 ? { receipt } : { receipt, usedFrom: 500, logs: [used, transfer] },
    );
    expect([end, receipts]).toEqual([SETTLED, 6]);
  });

  it('requests only the receipt, and in every fifth round everything', async () => {
    // From the second question on, the logs of another transaction show the result; no receipt ever does.
    const { end, receipts, whole } = await followed((asked) =>
      asked < 2 ? {} : { usedFrom: 500, logs: [used, transfer] },
    );
    expect(end).toEqual(SETTLED);
    expect([receipts, whole]).toEqual([6, 2]);
  });

  it('continues until the receipt has all required confirmations', async () => {
    const { end, receipts } = await followed(
      (asked) => ({ receipt: paid, head: 499 + asked, usedFrom: 500 }),
      3,
    );
    expect(end).toEqual(SETTLED);
    expect(receipts).toBe(4);
  });
});
