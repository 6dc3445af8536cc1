import { encodeErrorResult, parseAbi } from 'viem/utils';
import { describe, expect, it } from 'vitest';
import { terms } from '../../../test/support/app.ts';
import type { Authorization, Hex } from '../x402/payment.ts';
import { domainSeparator } from '../x402/signature.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import type { RpcLog } from './rpc-node.ts';
import {
  asTopic,
  incomingTransfers,
  isBlacklisted,
  isOurs,
  movesMoney,
  revertText,
  TRANSFER_TOPIC,
  USED_TOPIC,
} from './usdc.ts';

const PAYER: Hex = `0x${'bb'.repeat(20)}`;
const PAYEE: Hex = `0x${'aa'.repeat(20)}`;
const NONCE: Hex = `0x${'07'.repeat(32)}`;
const authorization: Authorization = {
  from: PAYER,
  to: PAYEE,
  value: 10_000n,
  validAfter: 0n,
  validBefore: 1_800_000_000n,
  nonce: NONCE,
};

const log = (index: number, topics: Hex[], data: Hex = '0x'): RpcLog => ({
  address: terms.asset,
  topics,
  data,
  transactionHash: `0x${'cd'.repeat(32)}`,
  blockNumber: '0x10',
  logIndex: `0x${index.toString(16)}`,
});
const used = (index: number, nonce = NONCE) => log(index, [USED_TOPIC, asTopic(PAYER), nonce]);
const transfer = (index: number, { to = PAYEE, value = 10_000n } = {}) =>
  log(index, [TRANSFER_TOPIC, asTopic(PAYER), asTopic(to)], `0x${value.toString(16).padStart(64, '0')}`);
const moves = (...logs: RpcLog[]) => movesMoney(logs, terms.asset, authorization);

describe('the use of an authorization', () => {
  it('moved the money if the Transfer directly after it has the right amount and payee', () => {
    expect(moves(used(4), transfer(5))).toBe(true);
    expect(moves(used(4), transfer(5, { value: 9_999n }))).toBe(false);
    expect(moves(used(4), transfer(5, { to: PAYER }))).toBe(false);
    expect(moves({ ...used(4), address: PAYEE }, transfer(5))).toBeNull();
  });

  it('is recognized in any letter case of its hex digits', () => {
    const inCapitals = (log: RpcLog): RpcLog => ({
      ...log,
      address: log.address.toUpperCase().replace('0X', '0x') as Hex,
      topics: log.topics.map((topic) => topic.toUpperCase().replace('0X', '0x') as Hex),
    });
    expect(moves(inCapitals(used(4)), inCapitals(transfer(5)))).toBe(true);
  });

  it('does not count the Transfer of another authorization, however similar', () => {
    expect(moves(used(4), transfer(5, { to: PAYER }), used(6, PAYEE), transfer(7))).toBe(false);
  });

  it.each([
    ['none', [used(4)]],
    ['one before it', [transfer(3), used(4)]],
    ['one of another asset', [used(4), { ...transfer(5), address: PAYEE }]],
    ['one that is not the next log', [used(4), transfer(6)]],
  ])('is unclear if the node shows %s as the Transfer', (_which, logs) => {
    expect(moves(...logs)).toBeNull();
  });

  it('is not found if only another nonce was used', () => {
    expect(moves(used(4, `0x${'08'.repeat(32)}`), transfer(5))).toBeNull();
  });
});

describe('the text of a revert', () => {
  const SAID = 'execution reverted';
  const text = 'Blacklistable: account is blacklisted';

  it('is the text of the revert data, regardless of what the node says', () => {
    const data = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [text] });
    expect(revertText(data, SAID)).toBe(text);
  });

  it.each([null, '0x', '0x08c379a0', `0x4e487b71${'0'.repeat(64)}`])(
    "is the node's text if the revert data is %s",
    (data) => {
      expect(revertText(data, SAID)).toBe(SAID);
    },
  );
});

const SEPARATOR = `0x${domainSeparator(terms)}`;
const NO = new RpcFailure('answered', { code: 3, said: 'execution reverted' });

/** A node that returns its chain id, and one answer to every call. */
const node = (answer: string | RpcFailure, chainId = '0x2105') => {
  const asked: unknown[] = [];
  const rpc: Rpc = {
    async call(method, params) {
      if (method === 'eth_chainId') return chainId as never;
      asked.push([method, ...params]);
      if (typeof answer === 'string') return answer as never;
      throw answer;
    },
    batch: async () => [],
    onOneNode: (work) => work(rpc),
  };
  return { rpc, asked };
};

describe('a node', () => {
  it('is accepted if it is on the chain and its asset has the domain that buyers sign for', async () => {
    const { rpc, asked } = node(SEPARATOR.toUpperCase().replace('0X', '0x'));
    expect(await isOurs(rpc, terms)).toBe(true);
    expect(asked).toEqual([['eth_call', { to: terms.asset, data: '0x3644e515' }, 'latest']]);
  });

  it.each([
    ['is of another chain', node(SEPARATOR, '0x1')],
    ['has an asset with another domain', node(`0x${'ab'.repeat(32)}`)],
    ['has no code where the asset should be', node('0x')],
    ['has a contract there without a domain', node(NO)],
  ])('is not accepted if it %s', async (_what, { rpc }) => {
    expect(await isOurs(rpc, terms)).toBe(false);
  });

  it('is not judged while it cannot be reached', async () => {
    const failure = new RpcFailure('unreached');
    await expect(isOurs(node(failure).rpc, terms)).rejects.toBe(failure);
  });
});

describe('an account', () => {
  const account = `0x${'aB'.repeat(20)}` as const;

  it('is blacklisted if the asset says so', async () => {
    const { rpc, asked } = node(`0x${'1'.padStart(64, '0')}`);
    expect(await isBlacklisted(rpc, terms.asset, account)).toBe(true);
    const data = `0xfe575a87${'0'.repeat(24)}${'ab'.repeat(20)}`;
    expect(asked).toEqual([['eth_call', { to: terms.asset, data }, 'latest']]);
  });

  it.each([
    ['says no', `0x${'0'.repeat(64)}`],
    ['has no such list', NO],
  ])('is not blacklisted by an asset that %s', async (_what, answer) => {
    expect(await isBlacklisted(node(answer).rpc, terms.asset, account)).toBe(false);
  });
});

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
  const limits = { most: 500, fewestBlocks: 500 };

  it('are listed oldest first, with the nonce of each authorization', async () => {
    const { rpc } = nodeWith([...payment(10), ...payment(11, true), ...payment(12)]);
    expect(await incomingTransfers(rpc, payee, { first: 10, last: 11 }, limits)).toEqual([
      read(10),
      read(11, true),
    ]);
    expect(await incomingTransfers(rpc, payee, { first: 9, last: 12 }, limits)).toHaveLength(3);
  });

  it('are the latest ones if the list is long', async () => {
    const { rpc } = nodeWith([10, 11, 12].flatMap((block) => payment(block)));
    expect(await incomingTransfers(rpc, payee, { first: 0, last: 20 }, { ...limits, most: 2 })).toEqual([
      read(11),
      read(12),
    ]);
  });

  it('are found for many payers, a hundred in each request', async () => {
    const blocks = Array.from({ length: 201 }, (_, index) => index + 1);
    const { rpc, asked } = nodeWith(blocks.flatMap((block) => payment(block)));
    expect(await incomingTransfers(rpc, payee, { first: 0, last: 300 }, limits)).toEqual(
      blocks.map((block) => read(block)),
    );
    expect(asked.map(([, , payers]) => payers)).toEqual([0, 100, 100, 1]);
  });

  it('are requested in halves if a node refuses the range', async () => {
    const { rpc, asked } = nodeWith([...payment(0), ...payment(999), ...payment(1_000)], 501);
    expect(await incomingTransfers(rpc, payee, { first: 0, last: 1_000 }, limits)).toEqual([
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
    await expect(incomingTransfers(rpc, payee, { first: 0, last: 499 }, limits)).rejects.toThrow(RpcFailure);
    expect(asked).toHaveLength(1);
  });

  it('are requested in halves if the reply is not usable, as if it is too long', async () => {
    const { rpc, asked } = nodeWith([...payment(0), ...payment(1_000)]);
    const call: Rpc['call'] = async (method, params) => {
      const result = await rpc.call<never>(method, params);
      if (asked.length === 1) throw new RpcFailure('unclear');
      return result;
    };
    const found = await incomingTransfers({ ...rpc, call }, payee, { first: 0, last: 1_000 }, limits);
    expect(found).toEqual([read(0), read(1_000)]);
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
    await expect(incomingTransfers(rpc, payee, { first: 0, last: 9_000 }, limits)).rejects.toThrow(
      RpcFailure,
    );
    expect(calls).toBe(1);
  });
});
