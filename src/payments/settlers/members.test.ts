import { describe, expect, it } from 'vitest';
import { orderOf } from '../../../test/support/order.ts';
import type { End, Handover, Settlement } from '../settlement.ts';
import { gasFault, guarded, type SaleParts } from './members.ts';

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

const GWEI = 1_000_000_000n;

/** A letter for a cent and a pack for fifty, with ten thousand gwei for the gas of each cent. */
const fault = (parts: Partial<SaleParts> & { dataFeeWei?: bigint } = {}) =>
  gasFault({
    baseFeeWei: GWEI / 100n,
    prices: { cheapest: '10000', dearest: '500000' },
    limits: {
      gasWeiPerCent: 10_000n * GWEI,
      maxFeePerGasWei: 5n * GWEI,
      dataFeeWei: () => parts.dataFeeWei ?? 0n,
    },
    isSpent: () => false,
    ...parts,
  });

describe('what the gas of the next sales meets', () => {
  it('is nothing while each of them is within its bounds', () => {
    expect(fault()).toBeNull();
  });

  it('is a price that is too high for accounts with code alone, whose gas may cost a third', () => {
    expect(fault({ baseFeeWei: GWEI / 40n })).toEqual({ reason: 'wallet_gas_too_dear', isPartial: true });
  });

  it.each([
    [GWEI / 10n, true],
    [4n * GWEI, undefined],
  ])('is a price of %d wei that some or all of them cannot bear', (baseFeeWei, isPartial) => {
    expect(fault({ baseFeeWei })).toEqual({ reason: 'gas_too_dear', ...(isPartial && { isPartial }) });
  });

  it('is the rollup’s fee for their data, if that leaves too little', () => {
    expect(fault({ dataFeeWei: 9_000n * GWEI })).toEqual({ reason: 'gas_too_dear', isPartial: true });
  });

  it('is a spent gas budget for only a part of the buyers when it is that of accounts with code', () => {
    expect(fault({ isSpent: (_wei, payer) => payer === 'code' })).toEqual({
      reason: 'wallet_gas_budget_spent',
      isPartial: true,
    });
  });

  it.each([
    ['plain payers have used up theirs', (payer: string) => payer === 'plain'],
    ['all payers have used up theirs', () => true],
  ])('is a spent gas budget for nearly all buyers when %s', (_when, isSpentFor) => {
    expect(fault({ isSpent: (_wei, payer) => isSpentFor(payer) })).toEqual({ reason: 'gas_budget_spent' });
  });

  it('is asked for with what the sale may cost at most: at four base fees and the tip, and its data', () => {
    const asked = new Set<bigint>();
    fault({ dataFeeWei: 7n, isSpent: (wei, payer) => payer === 'plain' && asked.add(wei).size > 99 });
    expect([...asked]).toEqual([160_500n * 41_000_000n + 7n]);
  });
});
