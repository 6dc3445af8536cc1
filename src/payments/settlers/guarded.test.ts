import { describe, expect, it } from 'vitest';
import { orderOf } from '../../../test/support/order.ts';
import type { End, Handover, Settlement } from '../settlement.ts';
import { guarded } from './guarded.ts';

const yes: Handover = { proven: async () => true, sending: async () => true };

function bench(reason: 'wrong_chain' | null, end: End, check: 'payee_blacklisted' | null = null) {
  const asked: unknown[] = [];
  const settlement: Settlement = {
    async settle() {
      asked.push('settle');
      return end;
    },
    async reconcile(_, transaction, handover) {
      asked.push(handover);
      return { state: 'unknown', transaction };
    },
    isWalletSigned: async () => true,
  };
  return { asked, shop: guarded(settlement, { check: async () => check } as never, async () => reason) };
}

describe('a settler with a reason against new payments', () => {
  it('is handed nothing, and only reads what became of earlier ones', async () => {
    const { asked, shop } = bench('wrong_chain', { state: 'refused', reason: 'x' });
    expect(await shop.settle(orderOf(), yes)).toEqual({ state: 'not_sent', reason: 'wrong_chain' });
    await shop.reconcile(orderOf(), null, yes);
    expect(asked).toEqual([null]);
  });

  it('blames the payer of a blacklist only where the payee is not on it', async () => {
    const end: End = { state: 'refused', reason: 'payer_or_payee_blacklisted' };
    expect(await bench(null, end).shop.settle(orderOf(), yes)).toEqual(end);
    expect(await bench(null, end, 'payee_blacklisted').shop.settle(orderOf(), yes)).toEqual({
      state: 'not_sent',
      reason: 'payee_blacklisted',
    });
  });
});
