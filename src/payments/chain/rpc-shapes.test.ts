import { describe, expect, it } from 'vitest';
import { isShaped, mostBytesOf, type RpcMethod, receiptOf } from './rpc-shapes.ts';

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
  ])('of %s may not be %j', (method, result, params) => {
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
