import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  collect,
  isHalt,
  isReadVerdict,
  isRequestFault,
  isShaped,
  isTurnedAway,
  jsonOf,
  lacksMethod,
  mostBytesOf,
  type RpcError,
  type RpcMethod,
  receiptOf,
  rejectionOf,
} from './rpc-node.ts';

/** A reply that arrives in chunks. */
function reply() {
  const stream = new PassThrough();
  return { stream, incoming: stream as unknown as IncomingMessage };
}

describe("a node's reply", () => {
  it('is read as text even if a letter is split between two chunks', async () => {
    const { stream, incoming } = reply();
    const bytes = Buffer.from('{"é":1}');
    stream.write(bytes.subarray(0, 3));
    stream.end(bytes.subarray(3));
    expect(await collect(incoming, 100)).toBe('{"é":1}');
  });

  it('may have exactly the maximum number of bytes', async () => {
    const [full, long] = [reply(), reply()];
    full.stream.end('x'.repeat(100));
    long.stream.end('x'.repeat(101));
    expect(await collect(full.incoming, 100)).toBe('x'.repeat(100));
    expect(await collect(long.incoming, 100)).toBeNull();
  });

  it('is read and discarded up to 4 MiB if it is too long, and cut off beyond that', async () => {
    const { stream, incoming } = reply();
    const collected = collect(incoming, 100);
    const [closed, MIB] = [new Promise((resolve) => stream.on('close', resolve)), 1024 * 1024];
    stream.write(Buffer.alloc(4 * MIB));
    expect(await collected).toBeNull();
    expect(stream.destroyed).toBe(false);
    stream.write(Buffer.alloc(1));
    await closed;
    expect(stream.destroyed).toBe(true);
  });

  it('counts as no reply if the connection breaks', async () => {
    const [cut, broken] = [reply(), reply()];
    const ends = [collect(cut.incoming, 100), collect(broken.incoming, 100)];
    cut.stream.destroy();
    broken.stream.destroy(new Error('reset'));
    await expect(ends[0]).rejects.toThrow('reply cut off');
    await expect(ends[1]).rejects.toThrow('reset');
  });
});

it('jsonOf returns undefined for a text that is not JSON', () => {
  expect([jsonOf('{"a":1}'), jsonOf('null'), jsonOf('<html>')]).toEqual([{ a: 1 }, null, undefined]);
});

const HASH = `0x${'ab'.repeat(32)}`;
const ADDRESS = `0x${'Cd'.repeat(20)}`;
const log = {
  address: ADDRESS,
  topics: [HASH, HASH, HASH, HASH],
  data: '0x',
  transactionHash: HASH,
  blockNumber: '0x10',
  logIndex: '0x0',
};
const receipt = {
  transactionHash: HASH,
  to: ADDRESS,
  status: '0x1',
  blockNumber: '0x10',
  gasUsed: '0x5208',
  effectiveGasPrice: '0x1',
  l1Fee: '0x1',
  logs: [log],
};
const block = { number: '0x10', timestamp: '0x20', baseFeePerGas: '0x0' };
const without = (object: object, name: string) => ({ ...object, [name]: undefined });

describe("a node's result", () => {
  it.each<[RpcMethod, unknown, readonly unknown[]]>([
    ['eth_blockNumber', '0x0', []],
    ['eth_blockNumber', '0x1fffffffffffff', []],
    ['eth_call', '0x', []],
    ['eth_call', '0x00Ff', []],
    ['eth_getBalance', `0x${'f'.repeat(64)}`, []],
    ['eth_getBlockByNumber', block, ['latest', false]],
    ['eth_getBlockByNumber', null, ['0x10', false]],
    ['eth_getLogs', [], []],
    ['eth_getLogs', [log, { ...log, topics: [] }], []],
    ['eth_getTransactionReceipt', null, [HASH]],
    ['eth_getTransactionReceipt', receipt, [HASH.toUpperCase().replace('0X', '0x')]],
    ['eth_getTransactionReceipt', { ...receipt, to: null, l1Fee: null }, [HASH]],
    ['eth_getTransactionReceipt', without(without(receipt, 'to'), 'l1Fee'), [HASH]],
    ['eth_sendRawTransaction', HASH, []],
    ['eth_sendRawTransactionSync', { ...receipt, status: '0x0' }, []],
  ])('of %s may be %j', (method, result, params) => {
    expect(isShaped(method, params, result)).toBe(true);
  });

  it.each<[RpcMethod, unknown, readonly unknown[]]>([
    ['eth_blockNumber', '0x', []],
    ['eth_blockNumber', 16, []],
    ['eth_blockNumber', '16', []],
    ['eth_blockNumber', '0x20000000000000', []],
    ['eth_call', '0x0', []],
    ['eth_call', null, []],
    ['eth_getBalance', `0x${'f'.repeat(65)}`, []],
    ['eth_getBlockByNumber', null, ['latest', false]],
    ['eth_getBlockByNumber', without(block, 'timestamp'), ['latest', false]],
    ['eth_getBlockByNumber', 'block', ['latest', false]],
    ['eth_getLogs', log, []],
    ['eth_getLogs', [null], []],
    ['eth_getLogs', [{ ...log, topics: [HASH, HASH, HASH, HASH, HASH] }], []],
    ['eth_getLogs', [{ ...log, address: HASH }], []],
    ['eth_getLogs', [without(log, 'logIndex')], []],
    ['eth_getTransactionReceipt', receipt, [`0x${'cd'.repeat(32)}`]],
    ['eth_getTransactionReceipt', receipt, [7]],
    ['eth_getTransactionReceipt', { ...receipt, status: '0x2' }, [HASH]],
    ['eth_getTransactionReceipt', { ...receipt, to: '0x' }, [HASH]],
    ['eth_getTransactionReceipt', { ...receipt, l1Fee: 1 }, [HASH]],
    ['eth_getTransactionReceipt', without(receipt, 'logs'), [HASH]],
    ['eth_sendRawTransaction', `${HASH}00`, []],
    ['eth_sendRawTransactionSync', null, []],
  ])('of %s must not be %j', (method, result, params) => {
    expect(isShaped(method, params, result)).toBe(false);
  });

  it('of eth_call has exactly the required length', () => {
    expect(isShaped('eth_call', [], HASH, 32)).toBe(true);
    expect(isShaped('eth_call', [], HASH, 31)).toBe(false);
    expect(isShaped('eth_call', [], '0x', 32)).toBe(false);
  });

  it('is read up to 64 KiB, and further for methods that list many things', () => {
    const KIB = 1024;
    const methods = ['eth_call', 'eth_getBlockByNumber', 'eth_getCode', 'eth_getLogs'] as const;
    expect(methods.map(mostBytesOf)).toEqual([64 * KIB, 1024 * KIB, 512 * KIB, 4096 * KIB]);
  });
});

it('a receipt is accepted only by its shape, whichever transaction it belongs to', () => {
  expect(receiptOf(receipt)).toBe(receipt);
  expect([receiptOf(null), receiptOf(without(receipt, 'gasUsed'))]).toEqual([null, null]);
});

const error = (changes: Partial<RpcError> = {}): RpcError => ({
  status: 200,
  code: -32000,
  said: '',
  data: null,
  ...changes,
});

describe("a node's refusal of a transaction", () => {
  it.each([
    ['taken', 'already known'],
    ['taken', 'transaction already imported'],
    ['taken', 'Transaction is already in pool'],
    ['stale_nonce', 'nonce too low'],
    ['stale_nonce', 'replacement transaction underpriced'],
    ['too_cheap', 'max fee per gas less than block base fee'],
    ['too_cheap', 'transaction underpriced'],
    ['too_cheap', 'fee cap too low'],
    ['not_sent', 'insufficient funds for gas * price + value'],
    ['not_sent', 'intrinsic gas too low'],
    ['not_sent', 'gas floor exceeds the gas limit'],
    // The messages of geth, erigon, reth, nethermind, besu, and gateways in front of them.
    ['no_room', 'txpool is full'],
    ['no_room', 'pending sub-pool is full'],
    ['no_room', 'transaction discarded outright due to pool size constraints'],
    ['no_room', 'too many pending transactions of this account'],
    ['no_room', 'future transactions limit reached'],
    ['no_room', 'in-flight transaction limit reached for delegated accounts'],
    ['no_room', 'account limit exceeded'],
    ['no_room', 'transaction nonce is too distant from current sender nonce'],
    [null, 'internal error'],
  ])('means %s when it says "%s"', (meant, said) => {
    expect(rejectionOf(error({ said }))).toBe(meant);
  });

  it('counts as acceptance if only the block was late', () => {
    expect(rejectionOf(error({ code: 4 }))).toBe('taken');
    expect(rejectionOf(error({ code: 3 }))).toBeNull();
  });
});

describe('a call that ended in the EVM', () => {
  it.each([
    ['by the code of a revert', { code: 3 }],
    ['by the code of an execution error', { code: -32015 }],
    ['by its revert data', { data: '0x' }],
    ['in the words of a revert', { said: 'execution reverted' }],
    ['in the words of a call without gas', { said: 'out of gas' }],
    ['in the words of an invalid opcode', { said: 'invalid opcode: INVALID' }],
    ['in the words of anvil', { said: 'EVM error InvalidFEOpcode' }],
  ])('is recognized %s', (_how, changes) => {
    expect(isHalt(error(changes))).toBe(true);
    expect(isReadVerdict(error(changes))).toBe(true);
  });

  it.each([
    ['a busy node', { said: 'busy' }],
    ['text in the place of revert data', { data: 'Reverted' }],
    ['a fault of the EVM itself', { said: 'EVM error: fatal database error' }],
    ['no code', { code: null }],
  ])('is not recognized by %s', (_what, changes) => {
    expect(isHalt(error(changes))).toBe(false);
    expect(isReadVerdict(error(changes))).toBe(false);
  });

  it('has the same result at every node, even for a transaction that cannot run', () => {
    expect(isReadVerdict(error({ said: 'insufficient funds for transfer' }))).toBe(true);
    expect(isHalt(error({ said: 'insufficient funds for transfer' }))).toBe(false);
  });

  it.each([401, 403, 429, 500, 503])('is not what a gateway with status %i reports', (status) => {
    expect(isReadVerdict(error({ status, code: 3 }))).toBe(false);
  });

  it('is recognized with a status of 400 or 499', () => {
    for (const status of [400, 499]) expect(isReadVerdict(error({ status, code: 3 }))).toBe(true);
  });
});

describe('a call that no node can have received', () => {
  it.each([
    { status: 401 },
    { status: 403 },
    { status: 429 },
    { status: 503 },
    { code: -32005 },
    { said: 'no backend is currently healthy' },
    { said: 'Too Many Requests' },
    { said: 'rate limit reached' },
    { said: 'Unauthorized' },
    { code: -32601 },
  ])('was rejected with %j', (changes) => {
    expect(isTurnedAway(error(changes))).toBe(true);
  });

  it.each([{}, { status: 500 }, { code: -32006 }, { said: 'nonce too low' }])(
    'is not recognized by %j',
    (changes) => {
      expect(isTurnedAway(error(changes))).toBe(false);
    },
  );
});

describe('the fault in a reply', () => {
  it.each([
    [true, true, { code: -32601 }],
    [true, true, { said: 'the method eth_x does not exist/is not available' }],
    [true, true, { said: 'Method eth_x unsupported' }],
    [true, false, { code: -32600 }],
    [true, false, { code: -32602 }],
    [false, false, { code: -32603 }],
    [false, false, { code: null }],
  ])('is in the request (%j) or in its method (%j) if the reply has %j', (isFault, isMethod, changes) => {
    expect(isRequestFault(error(changes))).toBe(isFault);
    expect(lacksMethod(error(changes))).toBe(isMethod);
  });
});
