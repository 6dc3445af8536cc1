import { describe, expect, it } from 'vitest';
import { orderOf } from '../../../test/support/order.ts';
import type { End, Handover, Settlement } from '../settlement.ts';
import { gasFault, guarded, type SaleParts } from './settlers.ts';

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

describe('a settler that has a reason to refuse new payments', () => {
  it('gets no new payments, and only looks up earlier ones', async () => {
    const { asked, shop } = bench('wrong_chain', { state: 'refused', reason: 'x' });
    expect(await shop.settle(orderOf(), yes)).toEqual({ state: 'not_sent', reason: 'wrong_chain' });
    await shop.reconcile(orderOf(), null, yes);
    expect(asked).toEqual([null]);
  });

  it('blames the payer for a blacklist only if the payee is not on it', async () => {
    const end: End = { state: 'refused', reason: 'payer_or_payee_blacklisted' };
    expect(await bench(null, end).shop.settle(orderOf(), yes)).toEqual(end);
    expect(await bench(null, end, 'payee_blacklisted').shop.settle(orderOf(), yes)).toEqual({
      state: 'not_sent',
      reason: 'payee_blacklisted',
    });
  });
});

const GWEI = 1_000_000_000n;

/** A letter for a cent and a pack for fifty, with a gas budget of ten thousand gwei per cent. */
const fault = (parts: Partial<SaleParts> & { dataFeeWei?: bigint } = {}) =>
  gasFault({
    baseFeeWei: GWEI / 100n,
    prices: { lowest: '10000', highest: '500000' },
    limits: {
      gasWeiPerCent: 10_000n * GWEI,
      maxFeePerGasWei: 5n * GWEI,
      dataFeeWei: () => parts.dataFeeWei ?? 0n,
    },
    isSpent: () => false,
    ...parts,
  });

describe('the gas price of the next sales', () => {
  it('is not a fault while each sale is within its limits', () => {
    expect(fault()).toBeNull();
  });

  it('is too high only for accounts with code if the gas costs more than a third of the limit', () => {
    expect(fault({ baseFeeWei: GWEI / 40n })).toEqual({ reason: 'wallet_gas_too_dear', isPartial: true });
  });

  it.each([
    [GWEI / 10n, true],
    [4n * GWEI, undefined],
  ])('is too high for some or all sales at %d wei', (baseFeeWei, isPartial) => {
    expect(fault({ baseFeeWei })).toEqual({ reason: 'gas_too_dear', ...(isPartial && { isPartial }) });
  });

  it("is too high for some sales if the rollup's data fee leaves too little", () => {
    expect(fault({ dataFeeWei: 9_000n * GWEI })).toEqual({ reason: 'gas_too_dear', isPartial: true });
  });

  it('counts as a spent gas budget for some buyers if only accounts with code are refused', () => {
    expect(fault({ isSpent: (_wei, payer) => payer === 'code' })).toEqual({
      reason: 'wallet_gas_budget_spent',
      isPartial: true,
    });
  });

  it.each([
    ['plain payers have used up theirs', (payer: string) => payer === 'plain'],
    ['all payers have used up theirs', () => true],
  ])('counts as a spent gas budget for nearly all buyers if %s', (_when, isSpentFor) => {
    expect(fault({ isSpent: (_wei, payer) => isSpentFor(payer) })).toEqual({ reason: 'gas_budget_spent' });
  });

  it('is judged by the maximum cost of a sale: four base fees, the tip and its data', () => {
    const asked = new Set<bigint>();
    fault({ dataFeeWei: 7n, isSpent: (wei, payer) => payer === 'plain' && asked.add(wei).size > 99 });
    expect([...asked]).toEqual([160_500n * 41_000_000n + 7n]);
  });
});
