import { describe, expect, it } from 'vitest';
import { orderOf } from '../../../test/support/order.ts';
import { chainWitness } from './chain-witness.ts';
import { rpcOver } from './rpc.ts';

const OURS = `0x${'ab'.repeat(32)}` as const;
const OTHER = `0x${'cd'.repeat(32)}` as const;
const { read } = chainWitness({ rpc: rpcOver([]), now: Date.now });

describe('a receipt', () => {
  it('of our transaction that failed says so', () => {
    expect(read(orderOf(), { transactionHash: OURS, status: '0x0', logs: [] }, OURS)).toEqual({
      state: 'reverted',
    });
  });

  it('of another transaction is evidence of nothing', () => {
    expect(read(orderOf(), { transactionHash: OTHER, status: '0x0', logs: [] }, OURS)).toBeNull();
    expect(read(orderOf(), { status: '0x0', logs: [] }, OURS)).toBeNull();
  });

  it.each([
    null,
    7,
    'abc',
    {},
    { status: '0x1' },
    { status: '0x1', logs: [{}] },
    { status: '0x1', logs: [] },
  ])('that is %j proves nothing', (receipt) => {
    const named =
      typeof receipt === 'object' && receipt !== null ? { transactionHash: OURS, ...receipt } : receipt;
    expect(read(orderOf(), named, OURS)).toBeNull();
  });
});
