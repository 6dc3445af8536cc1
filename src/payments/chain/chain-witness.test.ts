import { describe, expect, it } from 'vitest';
import { orderOf, PAYER } from '../../../test/support/order.ts';
import { chainWitness } from './chain-witness.ts';
import { rpcOver } from './rpc.ts';
import { asTopic, TRANSFER_TOPIC, USED_TOPIC } from './usdc.ts';

const OURS = `0x${'ab'.repeat(32)}` as const;
const OTHER = `0x${'cd'.repeat(32)}` as const;
const { read } = chainWitness({ rpc: rpcOver([]), now: Date.now });

describe('a receipt', () => {
  it('of our own failed transaction shows the failure', () => {
    expect(read(orderOf(), { transactionHash: OURS, status: '0x0', logs: [] }, OURS)).toEqual({
      state: 'reverted',
    });
  });

  it('is recognized by its transaction hash in upper or lower case', () => {
    const upper = `0x${'AB'.repeat(32)}` as const;
    for (const [inReceipt, sent] of [
      [upper, OURS],
      [OURS, upper],
    ] as const)
      expect(read(orderOf(), { transactionHash: inReceipt, status: '0x0', logs: [] }, sent)).toEqual({
        state: 'reverted',
      });
  });

  it('of another transaction proves nothing', () => {
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

  it('with the transfer settles the payment only if no confirmations are required', () => {
    const { authorization } = orderOf().payment;
    const log = (topics: readonly string[], logIndex: string, data: string) => ({
      address: orderOf().requirements.asset,
      topics,
      data,
      logIndex,
    });
    const logs = [
      log([USED_TOPIC, asTopic(PAYER), authorization.nonce], '0x1', '0x'),
      log([TRANSFER_TOPIC, asTopic(PAYER), asTopic(authorization.to)], '0x2', '0x2710'),
    ];
    const paid = { transactionHash: OURS, status: '0x1', blockNumber: '0x10', logs };
    expect(read(orderOf(), paid, OURS)).toEqual({ state: 'settled', transaction: OURS, payer: PAYER });
    const careful = chainWitness({ rpc: rpcOver([]), now: Date.now, confirmations: 1 });
    expect(careful.read(orderOf(), paid, OURS)).toBeNull();
    expect(careful.read(orderOf(), { ...paid, status: '0x0' }, OURS)).toEqual({ state: 'reverted' });
  });
});
