import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Rpc } from '../payments/chain/rpc.ts';
import { asTopic, TRANSFER_TOPIC, USED_TOPIC } from '../payments/chain/usdc.ts';
import { watchPayee } from './payee-watch.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const PAYEE = { network: 'eip155:8453', asset: '0xa5', payTo: '0xee' } as const;

/** A watch over a chain whose latest block a test sets, and everything that the watch does. */
function watching() {
  const chain = { block: 100, foreign: [] as number[], isAway: false };
  const asked: string[] = [];
  const told: unknown[] = [];
  const log = (block: number, index: number, topic: string) => ({
    transactionHash: `0x${block}`,
    blockNumber: `0x${block.toString(16)}`,
    logIndex: `0x${index}`,
    topics: [topic, asTopic('0xbb'), '0x01'],
    data: '0x2710',
  });
  const rpc = {
    async call(method: string, params: [{ fromBlock: string; toBlock: string; topics: string[] }]) {
      if (method === 'eth_blockNumber') return `0x${chain.block.toString(16)}`;
      const [{ fromBlock, toBlock, topics }] = params;
      const [first, last] = [Number(fromBlock), Number(toBlock)];
      const isUse = topics[0] === USED_TOPIC;
      if (!isUse) asked.push(`${first} to ${last}`);
      return chain.foreign
        .filter((block) => block >= first && block <= last)
        .map((block) => log(block, isUse ? 0 : 1, isUse ? USED_TOPIC : TRANSFER_TOPIC));
    },
  } as unknown as Rpc;
  const watch = watchPayee({
    rpc: async () => (chain.isAway ? null : rpc),
    payee: PAYEE,
    claims: { find: async () => ({ kind: 'absent' }), completeSince: async () => NOON / SECOND },
    now: Date.now,
    onShared: (...what) => told.push(what),
  });
  return { chain, asked, told, watch };
}

const after = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers({ now: NOON - 10 * SECOND }));
afterEach(() => void vi.useRealTimers());

it('a watch over the payee begins after ten seconds, and every five minutes checks the blocks of the previous check', async () => {
  const { chain, asked, watch } = watching();
  await after(10 * SECOND - 1);
  chain.block = 200;
  await after(1);
  chain.block = 300;
  await after(300 * SECOND - 1);
  chain.block = 400;
  await after(1);
  expect(asked).toEqual([]);
  await after(300 * SECOND);
  // No block has been added since the previous check.
  await after(300 * SECOND);
  expect(asked).toEqual(['201 to 400']);
  watch.stop();
});

it('a watch over the payee checks at most 9,000 blocks at once', async () => {
  const { chain, asked, watch } = watching();
  await after(10 * SECOND);
  chain.block = 9_101;
  await after(600 * SECOND);
  expect(asked).toEqual(['102 to 9101']);
  watch.stop();
});

it('a watch over the payee checks the skipped blocks later if no node answers, and a block that it has seen is not checked again after a node was behind', async () => {
  const { chain, asked, watch } = watching();
  await after(10 * SECOND);
  chain.block = 200;
  await after(300 * SECOND);
  chain.isAway = true;
  await after(300 * SECOND);
  expect(asked).toEqual([]);
  Object.assign(chain, { isAway: false, block: 150 });
  await after(300 * SECOND);
  chain.block = 300;
  await after(600 * SECOND);
  expect(asked).toEqual(['101 to 150', '151 to 300']);
  watch.stop();
});

it('a watch over the payee reports the latest foreign payment and their number once an hour, and forgets them after one hour', async () => {
  const { chain, told, watch } = watching();
  await after(10 * SECOND);
  Object.assign(chain, { block: 200, foreign: [150, 160] });
  await after(600 * SECOND);
  Object.assign(chain, { block: 300, foreign: [250] });
  await after(HOUR - 600 * SECOND);
  expect(told).toEqual([['0x160', 2]]);
  Object.assign(chain, { block: 400, foreign: [350] });
  await after(600 * SECOND - 1);
  expect(told).toHaveLength(1);
  await after(1);
  expect(told.slice(1)).toEqual([['0x350', 1]]);
  await after(HOUR - 1);
  expect(watch.isShared()).toBe(true);
  await after(1);
  expect(watch.isShared()).toBe(false);
  watch.stop();
});

it('a watch over the payee that was stopped does nothing more, even if it was stopped during a check', async () => {
  const { asked, chain, watch } = watching();
  await after(10 * SECOND - 1);
  watch.stop();
  chain.block = 200;
  await after(HOUR);
  expect([asked, vi.getTimerCount()]).toEqual([[], 0]);
  let pass = (_rpc: null): void => undefined;
  const slow = watchPayee({
    rpc: () =>
      new Promise((resolve) => {
        pass = resolve;
      }),
    payee: PAYEE,
    claims: { find: async () => ({ kind: 'absent' }), completeSince: async () => 0 },
    now: Date.now,
    onShared: () => undefined,
  });
  await after(10 * SECOND);
  slow.stop();
  pass(null);
  await after(0);
  expect(vi.getTimerCount()).toBe(0);
});
