import { describe, expect, it } from 'vitest';
import { incomingTransfers } from './incoming-transfers.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import type { RpcLog } from './rpc-shapes.ts';
import { asTopic, TRANSFER_TOPIC, USED_TOPIC } from './usdc.ts';

const payee = { asset: `0x${'cc'.repeat(20)}`, payTo: `0x${'aa'.repeat(20)}` } as const;
const hex = (value: number) => `0x${value.toString(16)}` as const;
const payer = (index: number) => `0x${index.toString(16).padStart(40, '0')}` as const;
const nonce = (index: number) => `0x${index.toString(16).padStart(64, '0')}` as const;
const transaction = (index: number) => `0x${index.toString(16).padStart(64, 'F')}` as const;

/** A payment in its own block: the use of an authorization, unless it is plain, and the transfer after it. */
const payment = (block: number, isPlain = false): RpcLog[] => {
  const log = (topics: RpcLog['topics'], logIndex: number, data: RpcLog['data'] = '0x'): RpcLog => ({
    address: payee.asset,
    topics,
    data,
    transactionHash: transaction(block),
    blockNumber: hex(block),
    logIndex: hex(logIndex),
  });
  const transfer = log([TRANSFER_TOPIC, asTopic(payer(block)), asTopic(payee.payTo)], 5, hex(10_000 + block));
  return isPlain ? [transfer] : [log([USED_TOPIC, asTopic(payer(block)), nonce(block)], 4), transfer];
};
const read = (block: number, isPlain = false) => ({
  transaction: transaction(block).toLowerCase(),
  from: payer(block),
  value: 10_000n + BigInt(block),
  block,
  nonce: isPlain ? null : nonce(block),
});

/** A node that holds logs and rejects ranges above its limit. */
function nodeWith(logs: readonly RpcLog[], mostBlocks = Number.POSITIVE_INFINITY) {
  const asked: [number, number, number][] = [];
  const rpc: Rpc = {
    async call(_method, params) {
      const { fromBlock, toBlock, topics, address } = params[0] as Record<string, string> & {
        topics: (string | null | string[])[];
      };
      const [first, last] = [Number(fromBlock), Number(toBlock)];
      const wanted = topics[1];
      asked.push([first, last, Array.isArray(wanted) ? wanted.length : 0]);
      if (last - first >= mostBlocks) throw new RpcFailure('unclear', { code: -32005, said: 'range' });
      const is = (topic: string | undefined, pattern: string | null | string[] | undefined) =>
        pattern == null || [pattern].flat().includes(topic as string);
      return logs.filter(
        (log) =>
          log.address === address &&
          Number(log.blockNumber) >= first &&
          Number(log.blockNumber) <= last &&
          topics.every((pattern, index) => is(log.topics[index], pattern)),
      ) as never;
    },
    batch: async () => [],
    onOneNode: (work) => work(rpc),
  };
  return { rpc, asked };
}

describe('the payments to a payee', () => {
  it('are listed oldest first, with the nonce of each authorization', async () => {
    const { rpc } = nodeWith([...payment(10), ...payment(11, true), ...payment(12)]);
    expect(await incomingTransfers(rpc, payee, { first: 10, last: 11 })).toEqual([read(10), read(11, true)]);
    expect(await incomingTransfers(rpc, payee, { first: 9, last: 12 })).toHaveLength(3);
  });

  it('are the latest ones if the list is long', async () => {
    const { rpc } = nodeWith([10, 11, 12].flatMap((block) => payment(block)));
    expect(await incomingTransfers(rpc, payee, { first: 0, last: 20 }, 2)).toEqual([read(11), read(12)]);
  });

  it('are found for many payers, a hundred in each request', async () => {
    const blocks = Array.from({ length: 201 }, (_, index) => index + 1);
    const { rpc, asked } = nodeWith(blocks.flatMap((block) => payment(block)));
    expect(await incomingTransfers(rpc, payee, { first: 0, last: 300 })).toEqual(
      blocks.map((block) => read(block)),
    );
    expect(asked.map(([, , payers]) => payers)).toEqual([0, 100, 100, 1]);
  });

  it('are requested in halves if a node refuses the range', async () => {
    const { rpc, asked } = nodeWith([...payment(0), ...payment(999), ...payment(1_000)], 501);
    expect(await incomingTransfers(rpc, payee, { first: 0, last: 1_000 })).toEqual([
      read(0),
      read(999),
      read(1_000),
    ]);
    expect(asked.filter(([, , payers]) => payers === 0).map(([first, last]) => [first, last])).toEqual([
      [0, 1_000],
      [0, 500],
      [501, 1_000],
    ]);
  });

  it('are not requested in ever smaller ranges: the refusal of a range of 500 blocks is final', async () => {
    const { rpc, asked } = nodeWith([], 1);
    await expect(incomingTransfers(rpc, payee, { first: 0, last: 499 })).rejects.toThrow(RpcFailure);
    expect(asked).toHaveLength(1);
  });

  it('are not requested again if no node answered', async () => {
    let calls = 0;
    const rpc: Rpc = {
      async call() {
        calls += 1;
        throw new RpcFailure('unreached');
      },
      batch: async () => [],
      onOneNode: (work) => work(rpc),
    };
    await expect(incomingTransfers(rpc, payee, { first: 0, last: 9_000 })).rejects.toThrow(RpcFailure);
    expect(calls).toBe(1);
  });
});
