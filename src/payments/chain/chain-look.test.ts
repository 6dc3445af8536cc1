import { describe, expect, it } from 'vitest';
import { orderOf, PAYER } from '../../../test/support/order.ts';
import { chainWitness } from './chain-witness.ts';
import { findUse, isOld } from './nonce-use.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import { asTopic, TRANSFER_TOPIC, USED_TOPIC } from './usdc.ts';

const OURS = `0x${'ab'.repeat(32)}` as const;
const BEFORE = 2_000_000_000;
const USED_STATE = `0x${'1'.padStart(64, '0')}`;
const UNUSED_STATE = `0x${'0'.repeat(64)}`;

/** What a node says to a question, perhaps at a block. */
type Says = (params: readonly [{ readonly topics: readonly unknown[] }, string]) => unknown;

/** A node by what it says to each method. */
const nodeOf = (says: Readonly<Record<string, Says>>): Rpc => {
  const rpc: Rpc = {
    call: async (method, params) => says[method]?.(params as never) as never,
    batch: async () => [],
    onOneNode: (work) => work(rpc),
  };
  return rpc;
};
const hex = (value: number): string => `0x${value.toString(16)}`;

describe('the state and the time that show an authorization as run out', () => {
  const lookAt = (head: { number: string; timestamp: string }, state: (block: string) => unknown) =>
    chainWitness({
      now: Date.now,
      rpc: nodeOf({
        eth_getBlockByNumber: () => head,
        eth_call: ([, block]) => state(block),
        eth_getLogs: () => [],
      }),
    }).look(orderOf(), null);

  it('are of one block, where machines behind one address are blocks apart', async () => {
    // One machine knows the block after the end; the other is behind it, and has not seen the transfer.
    const behind = (block: string) => {
      if (block === 'latest') return UNUSED_STATE;
      throw new RpcFailure('unclear');
    };
    const end = await lookAt({ number: hex(500), timestamp: hex(BEFORE + 4) }, behind);
    expect(end).toEqual({ state: 'unclear' });
  });

  it('say so from the very second on in which USDC takes it no more', async () => {
    const at = (seconds: number) => lookAt({ number: hex(500), timestamp: hex(seconds) }, () => UNUSED_STATE);
    expect(await at(BEFORE - 1)).toEqual({ state: 'unused' });
    expect(await at(BEFORE)).toMatchObject({ state: 'refused' });
  });
});

describe('a use of an authorization', () => {
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
  const node = (head: number) =>
    nodeOf({
      eth_getLogs: ([{ topics }]) => [topics[0] === TRANSFER_TOPIC ? transfer : used],
      eth_getBlockByNumber: () => ({ timestamp: hex(1_900_000_000) }),
      eth_blockNumber: () => hex(head),
    });

  it('that is not deep enough yet is remembered by its transaction', async () => {
    const parts = (head: number) => ({ rpc: node(head), now: Date.now, confirmations: 3 });
    expect(await findUse(parts(502), orderOf(), '0x1f6')).toEqual({ state: 'unknown', transaction: OURS });
    expect(await findUse(parts(503), orderOf(), '0x1f7')).toMatchObject({
      state: 'settled',
      transaction: OURS,
    });
  });

  it('is old only where it was in the state of 64 blocks ago', async () => {
    const rpc = nodeOf({ eth_call: ([, block]) => (Number(block) >= 437 ? USED_STATE : UNUSED_STATE) });
    expect(await isOld({ rpc, now: Date.now }, orderOf(), '0x1f4')).toBe(false);
    expect(await isOld({ rpc, now: Date.now }, orderOf(), '0x1f5')).toBe(true);
  });
});

describe('following a transaction whose end does not come', () => {
  it('keeps its hash', async () => {
    let nowMs = 0;
    const rpc = nodeOf({
      eth_getTransactionReceipt: () => null,
      eth_getBlockByNumber: () => ({ number: hex(500), timestamp: hex(BEFORE - 100) }),
      eth_call: () => UNUSED_STATE,
    });
    const { follow } = chainWitness({ rpc, now: () => (nowMs += 1_000), pollMs: 1 });
    expect(await follow(orderOf(), OURS, 2_000)).toEqual({ state: 'unknown', transaction: OURS });
  });
});
