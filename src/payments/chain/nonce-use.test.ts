import { describe, expect, it } from 'vitest';
import { orderOf, PAYER } from '../../../test/support/order.ts';
import { findUse, isOld, isUsedAt, shortReceipt, type WitnessParts } from './chain-witness.ts';
import { type Rpc, RpcFailure, type RpcOptions } from './rpc.ts';
import { asTopic, CANCELED_TOPIC, stateCall, TRANSFER_TOPIC, USED_TOPIC } from './usdc.ts';

const TRANSACTION = `0x${'ab'.repeat(32)}` as const;
const RELAYER = `0x${'ee'.repeat(20)}` as const;
const DATE = 1_900_000_000;
const WORD = (value: number) => `0x${String(value).padStart(64, '0')}`;
const hex = (value: number) => `0x${value.toString(16)}` as const;
const { authorization } = orderOf().payment;
const { asset } = orderOf().requirements;

const log = (topics: readonly string[], logIndex: number, data = '0x') => ({
  address: asset,
  topics,
  data,
  blockNumber: hex(500),
  transactionHash: TRANSACTION as string,
  logIndex: hex(logIndex),
});
type Log = ReturnType<typeof log>;
const used = log([USED_TOPIC, asTopic(PAYER), authorization.nonce], 4);
const transfer = log([TRANSFER_TOPIC, asTopic(PAYER), asTopic(authorization.to)], 5, hex(10_000));

type Chain = {
  /** The logs of the authorization itself, and the transfers of its payer. */
  uses?: Log[];
  transfers?: Log[];
  head?: number;
  date?: number | null;
  receipt?: object | null | RpcFailure;
};
type Asked = readonly [method: string, params: readonly unknown[], options: RpcOptions | undefined];

/** Creates a node on such a chain, and records the questions that it receives. */
function nodeOn(chain: Chain = {}) {
  const { uses = [used], transfers = [transfer], head = 500, date = DATE, receipt = null } = chain;
  const asked: Asked[] = [];
  const rpc: Rpc = {
    async call(method, params, options) {
      asked.push([method, params, options]);
      const filter = params[0] as { topics: unknown[]; fromBlock: string; toBlock: string };
      if (method === 'eth_blockNumber') return hex(head) as never;
      if (method === 'eth_getBlockByNumber')
        return (date === null ? null : { timestamp: hex(date) }) as never;
      if (method === 'eth_getLogs' && filter.topics[0] === TRANSFER_TOPIC) return transfers as never;
      if (method === 'eth_getLogs') {
        const last = filter.toBlock === 'latest' ? head : Number(filter.toBlock);
        const isIn = ({ blockNumber }: Log) =>
          Number(blockNumber) >= Number(filter.fromBlock) && Number(blockNumber) <= last;
        return uses.filter(isIn) as never;
      }
      if (receipt instanceof RpcFailure) throw receipt;
      return receipt as never;
    },
    batch: async () => [],
    onOneNode: (work) => work(rpc),
  };
  const of = (method: string) => asked.filter(([name]) => name === method);
  return { rpc, of };
}
const find = (chain: Chain = {}, parts: Partial<WitnessParts> = {}, usedSince = 0) =>
  findUse({ rpc: nodeOn(chain).rpc, now: Date.now, ...parts }, { ...orderOf(), usedSince }, hex(500));

const SETTLED = { state: 'settled', transaction: TRANSACTION, payer: PAYER };
const USED = { state: 'refused', reason: 'invalid_exact_evm_nonce_already_used' };

describe('a nonce that is used', () => {
  it("has settled the payment if the payment's own transfer directly follows the use", async () => {
    expect(await find()).toEqual(SETTLED);
  });

  it('was used for something else if the money went elsewhere or the nonce was canceled', async () => {
    const elsewhere = { ...transfer, topics: [TRANSFER_TOPIC, asTopic(PAYER), asTopic(PAYER)] };
    expect(await find({ transfers: [elsewhere] })).toEqual(USED);
    const canceled = { ...used, topics: [CANCELED_TOPIC.toUpperCase().replace('0X', '0x'), '0x', '0x'] };
    expect(await find({ uses: [canceled], transfers: [] })).toEqual(USED);
  });

  it.each([
    ['no transfer is shown', []],
    ['the transfer is of another transaction', [{ ...transfer, transactionHash: WORD(7) }]],
    ['the transfer does not directly follow the use', [{ ...transfer, logIndex: hex(6) }]],
  ])('leaves the result unclear if %s', async (_what, transfers) => {
    expect(await find({ transfers })).toEqual({ state: 'unclear' });
  });

  it('leaves the result unclear while the block of its use is missing', async () => {
    expect(await find({ date: null })).toEqual({ state: 'unclear' });
  });

  it('has no known use if no log is found', async () => {
    expect(await find({ uses: [] })).toEqual({ state: 'no_trace' });
  });

  it('was used for something else if the use is too early to be for this service', async () => {
    expect(await find({}, {}, DATE)).toEqual(SETTLED);
    expect(await find({}, {}, DATE + 1)).toEqual(USED);
  });

  it('is remembered with its transaction if the transaction has too few confirmations', async () => {
    expect(await find({ head: 502 }, { confirmations: 3 })).toEqual({
      state: 'unknown',
      transaction: TRANSACTION,
    });
    expect(await find({ head: 503 }, { confirmations: 3 })).toEqual(SETTLED);
  });
});

describe('the use of a nonce in a transaction of our own account', () => {
  const ours = { receipt: { from: RELAYER.toUpperCase().replace('0X', '0x') } };

  it('belongs to another process if it was never sent here, unless this process signed it', async () => {
    expect(await find(ours, { relayer: RELAYER }, DATE)).toEqual(USED);
    expect(await find(ours, { relayer: RELAYER, isSignedHere: () => false }, DATE)).toEqual(USED);
    expect(await find(ours, { relayer: RELAYER, isSignedHere: () => true }, DATE)).toEqual(SETTLED);
  });

  it('is unclear if it was sent here but a process that shares no state may also have sent it', async () => {
    expect(await find(ours, { relayer: RELAYER, isOurs: () => false })).toEqual({ state: 'unclear' });
    expect(await find(ours, { relayer: RELAYER, isOurs: () => true })).toEqual(SETTLED);
    expect(await find(ours, { relayer: RELAYER })).toEqual(SETTLED);
  });

  it('is ruled out if somebody else sent the transaction, or if its receipt is too long to be ours', async () => {
    const isOurs = () => false;
    const [others, long] = [
      { receipt: { from: PAYER } },
      { receipt: new RpcFailure('answered', { isTooLong: true }) },
    ];
    expect(await find(others, { relayer: RELAYER, isOurs })).toEqual(SETTLED);
    expect(await find(long, { relayer: RELAYER, isOurs })).toEqual(SETTLED);
    expect(await find(others, { relayer: RELAYER }, DATE)).toEqual(SETTLED);
  });

  it('is unknown while its receipt is missing', async () => {
    await expect(find({ receipt: null }, { relayer: RELAYER })).rejects.toThrow(RpcFailure);
  });
});

describe("the search for a nonce's use", () => {
  const searched = async (blockNumber: number, head: number, usedSince = 0) => {
    const node = nodeOn({ uses: [{ ...used, blockNumber: hex(blockNumber) }], head });
    const order = { ...orderOf(), usedSince };
    const found = await findUse({ rpc: node.rpc, now: Date.now }, order, hex(head));
    const ranges = node
      .of('eth_getLogs')
      .map(([, params]) => params[0] as { topics: unknown[]; fromBlock: string; toBlock: string })
      .filter(({ topics }) => topics[0] !== TRANSFER_TOPIC)
      .map(({ fromBlock, toBlock }) => [Number(fromBlock), toBlock === 'latest' ? toBlock : Number(toBlock)]);
    return { state: found.state, ranges };
  };

  it('goes back one range for a payment that was never sent', async () => {
    expect(await searched(91_000, 100_000, 1)).toEqual({ state: 'settled', ranges: [[91_000, 'latest']] });
    expect(await searched(90_999, 100_000, 1)).toEqual({ state: 'no_trace', ranges: [[91_000, 'latest']] });
  });

  it('goes back two days in adjacent ranges for a payment that was sent', async () => {
    expect(await searched(90_999, 100_000)).toEqual({
      state: 'settled',
      ranges: [
        [91_000, 'latest'],
        [82_000, 90_999],
      ],
    });
    expect((await searched(9_999, 100_000)).ranges).toHaveLength(10);
    expect(await searched(9_999, 100_000)).toMatchObject({ state: 'no_trace' });
  });

  it('ends at the first block of the chain', async () => {
    expect(await searched(20_000, 10_000)).toEqual({
      state: 'no_trace',
      ranges: [
        [1_000, 'latest'],
        [0, 999],
      ],
    });
  });

  it('reads only the transfers in the block of that use, and more of them for a payment that was sent', async () => {
    for (const [usedSince, mostBytes] of [
      [0, 4 * 1024 * 1024],
      [1, 256 * 1024],
    ] as const) {
      const node = nodeOn();
      await findUse({ rpc: node.rpc, now: Date.now }, { ...orderOf(), usedSince }, hex(500));
      expect(node.of('eth_getLogs').at(-1)).toEqual([
        'eth_getLogs',
        [
          {
            address: asset,
            fromBlock: hex(500),
            toBlock: hex(500),
            topics: [TRANSFER_TOPIC, asTopic(PAYER)],
          },
        ],
        { mostBytes },
      ]);
    }
  });
});

describe('the state of a nonce', () => {
  const stateNode = (answer: (block: string) => string) => {
    const asked: unknown[] = [];
    const rpc: Rpc = {
      async call(_method, params, options) {
        asked.push([params, options]);
        return answer(params[1] as string) as never;
      },
      batch: async () => [],
      onOneNode: (work) => work(rpc),
    };
    return { rpc, asked };
  };

  it('is read from the asset as of a given block', async () => {
    const { rpc, asked } = stateNode(() => WORD(1));
    expect(await isUsedAt(rpc, orderOf(), '0x1f4')).toBe(true);
    expect(asked).toEqual([[[{ to: asset, data: stateCall(authorization) }, '0x1f4'], { bytes: 32 }]]);
    expect(await isUsedAt(stateNode(() => WORD(0)).rpc, orderOf(), 'latest')).toBe(false);
  });

  it('is called old only if the nonce was already used 64 blocks ago', async () => {
    const { rpc } = stateNode((block) => WORD(Number(block) >= 437 ? 1 : 0));
    expect(await isOld({ rpc, now: Date.now }, orderOf(), '0x1f4')).toBe(false);
    expect(await isOld({ rpc, now: Date.now }, orderOf(), '0x1f5')).toBe(true);
    const { rpc: young, asked } = stateNode(() => WORD(0));
    await isOld({ rpc: young, now: Date.now }, orderOf(), '0x3f');
    expect(asked).toMatchObject([[[{}, '0x0'], {}]]);
  });
});

describe('a receipt', () => {
  it('is read up to 64 KiB, and reported as too long beyond that', async () => {
    const { rpc, of } = nodeOn({ receipt: new RpcFailure('answered', { isTooLong: true }) });
    expect(await shortReceipt(rpc, TRANSACTION)).toBe('long');
    expect(of('eth_getTransactionReceipt')).toEqual([
      ['eth_getTransactionReceipt', [TRANSACTION], { mostBytes: 64 * 1024 }],
    ]);
  });

  it('is not reported as too long if it cannot be read', async () => {
    const failure = new RpcFailure('unclear');
    await expect(shortReceipt(nodeOn({ receipt: failure }).rpc, TRANSACTION)).rejects.toBe(failure);
  });
});
