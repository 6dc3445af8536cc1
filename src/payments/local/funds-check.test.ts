import { describe, expect, it } from 'vitest';
import { gasFault, type SaleParts } from './funds-check.ts';

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
    fault({ dataFeeWei: 7n, isSpent: (wei) => asked.add(wei).size > 99 });
    expect([...asked]).toEqual([160_500n * 41_000_000n + 7n]);
  });
});
