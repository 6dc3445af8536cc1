import { describe, expect, it } from 'vitest';
import { day, dec, faultCodes, faultsOf, lateFeeTerms, valued } from '../../test/domain/samples.ts';
import { inOrder } from '../../test/support/facts.ts';
import { feeOnDay, type LateFeeTerms, lateFee } from './late-fee.ts';
import { minorText } from './money.ts';

const fee = (changes: Partial<LateFeeTerms> = {}) => valued(lateFee(lateFeeTerms(changes)));

describe('each rate type', () => {
  it.each([
    [{}, 1063n, '1250.00 x 1.5% x 17 / 30 = 10.63'],
    [{ rateType: 'annual_percent', rate: dec(18) }, 1048n, '1250.00 x 18% x 17 / 365 = 10.48'],
    [{ rateType: 'daily_percent', rate: dec('0.1') }, 2125n, '1250.00 x 0.1% x 17 = 21.25'],
    [{ rateType: 'flat', rate: dec(25) }, 2500n, /= 25\.00$/],
    [{ graceDays: 5 }, 750n, '1250.00 x 1.5% x (17 - 5) / 30 = 7.50'],
    [{ graceDays: 17 }, 0n, inOrder('17', '17', ': 0.00')],
    [{ dueDate: day('2026-11-20'), graceDays: 1 }, 0n, inOrder('1 day ', '1 day ', ': 0.00')],
    [{ dueDate: day('2026-11-21') }, 0n, inOrder('0 days ', ': 0.00')],
    [{ currency: 'JPY' }, 11n, '1250 x 1.5% x 17 / 30 = 11'],
    [{ currency: 'KWD', amount: dec('1250.125') }, 10_626n, '1250.125 x 1.5% x 17 / 30 = 10.626'],
  ] as const)('has its own formula, which the answer shows: %o', (changes, expected, formula) => {
    const result = fee(changes as Partial<LateFeeTerms>);
    expect(result.fee).toBe(expected);
    expect(result.formula).toEqual(typeof formula === 'string' ? formula : expect.stringMatching(formula));
    expect(result.totalDue).toBe(result.amount + expected);
  });
});

describe('the status on 2026-11-21', () => {
  it.each([
    ['2026-11-21', 0, 'not_overdue', 0, 0],
    ['2026-11-22', 0, 'not_overdue', 0, 0],
    ['2026-11-20', 0, 'overdue', 1, 1],
    ['2026-11-20', 1, 'within_grace', 1, 0],
    ['2026-11-16', 5, 'within_grace', 5, 0],
    ['2026-11-15', 5, 'overdue', 6, 1],
    ['2026-11-15', 365, 'within_grace', 6, 0],
  ] as const)(
    'says whether an invoice due %s with %s days of grace is overdue',
    (dueDate, graceDays, status, daysLate, chargeable) => {
      expect(fee({ dueDate: day(dueDate), graceDays })).toMatchObject({
        status,
        daysLate,
        chargeableDays: chargeable,
      });
    },
  );
});

describe('the yearly rates', () => {
  it.each([
    ['monthly_percent', '1.5', 18_000_000n, 18_250_000n],
    ['annual_percent', '8', 8_000_000n, 8_000_000n],
    ['daily_percent', '0.05', 18_250_000n, 18_250_000n],
    ['monthly_percent', '1', 12_000_000n, 12_166_667n],
    ['flat', '25', null, null],
  ] as const)('show what a monthly rate costs in a year: %s of %s', (rateType, rate, nominal, equivalent) => {
    const result = fee({ rateType, rate: dec(rate) });
    expect(result.nominalAnnualPercent).toBe(nominal);
    expect(result.annualEquivalentPercent).toBe(equivalent);
  });
});

describe('the daily accrual', () => {
  it('is the rate for one day to six decimal places, not rounded to cents', () => {
    expect(fee().dailyAccrual).toBe(625_000n);
    expect(fee({ amount: dec(1000), rate: dec('8.5'), rateType: 'annual_percent' }).dailyAccrual).toBe(
      232_877n,
    );
  });

  it('is the amount that one day would add, even before anything accrues', () => {
    expect(fee({ graceDays: 30 }).dailyAccrual).toBe(625_000n);
    expect(fee({ dueDate: day('2026-12-01') }).dailyAccrual).toBe(625_000n);
  });

  it('grows with compound interest from the first day after the grace period', () => {
    const compound = { accrual: 'compound' } as const;
    expect(fee({ ...compound, graceDays: 30 }).dailyAccrual).toBe(625_000n);
    expect(fee({ ...compound, dueDate: day('2026-10-05') }).dailyAccrual).toBe(634_375n);
  });

  it('is zero for a flat fee', () => {
    expect(fee({ rateType: 'flat' }).dailyAccrual).toBe(0n);
  });
});

describe('a late fee', () => {
  it('is refused if the amount and the flat fee have too many decimal places for their currency', () => {
    expect(
      faultsOf(lateFee(lateFeeTerms({ amount: dec('10.555'), rate: dec('2.001'), rateType: 'flat' }))),
    ).toEqual([
      {
        pointer: '/amount',
        code: 'too_precise',
        detail: expect.stringMatching(inOrder('10.555', ' 2 ')),
        hint: expect.stringMatching(inOrder(' 2 ', 'KWD', 'currency')),
      },
      {
        pointer: '/rate',
        code: 'too_precise',
        detail: expect.stringMatching(inOrder('2.001', ' 2 ')),
        hint: expect.stringMatching(inOrder(' 2 ', 'KWD', 'currency')),
      },
    ]);
    expect(faultsOf(lateFee(lateFeeTerms({ amount: dec('10.5'), currency: 'JPY' })))).toEqual([
      {
        pointer: '/amount',
        code: 'too_precise',
        detail: expect.stringMatching(inOrder('10.5', 'JPY')),
        hint: expect.stringContaining('decimal places'),
      },
    ]);
  });

  it('needs a flat fee if the default does not fit the currency', () => {
    const flat = { rateType: 'flat', rateDefaulted: true } as const;
    expect(faultsOf(lateFee(lateFeeTerms({ ...flat, currency: 'JPY' })))).toEqual([
      {
        pointer: '/rate',
        code: 'required',
        detail: expect.stringContaining('JPY'),
        hint: expect.stringContaining('1000'),
      },
    ]);
    expect(fee({ ...flat, currency: 'KWD' }).fee).toBe(1_500n);
  });

  it('accepts a percentage with six decimal places', () => {
    expect(fee({ rate: dec('1.234567') }).formula).toBe('1250.00 x 1.234567% x 17 / 30 = 8.74');
  });

  it('is exact for very large compound interest', () => {
    const steep = { accrual: 'compound', amount: dec(1), rate: dec(1000) } as const;
    // Eight months: 11^8 - 1.
    expect(fee({ ...steep, dueDate: day('2026-03-26') }).fee).toBe(21_435_888_000n);
  });

  it.each<[Partial<LateFeeTerms>, string]>([
    [{ accrual: 'month_begun', rateType: 'annual_percent' }, 'monthly_percent'],
    [{ accrual: 'compound', rateType: 'flat' }, 'percentage'],
    [{ accrual: 'compound', payments: [{ amount: dec(5), day: day('2026-11-05') }] }, 'amount_paid'],
  ])('is refused for %o, with a hint that names what fits', (changes, hint) => {
    expect(faultsOf(lateFee(lateFeeTerms(changes)))).toEqual([
      {
        pointer: '/accrual',
        code: 'not_together',
        detail: expect.stringContaining(changes.accrual as string),
        hint: expect.stringContaining(hint),
      },
    ]);
  });

  it('is refused if it is too large for exact numbers', () => {
    const ages = { dueDate: day('1970-01-01'), paidDate: day('9999-12-31') };
    expect(faultCodes(lateFee(lateFeeTerms({ ...ages, amount: dec(1e9), rate: dec(1000) })))).toEqual([
      '/amount total_too_large',
    ]);
  });
});

it('the cost on a later day follows the same terms', () => {
  const today = fee({ graceDays: 20 });
  const costs = ['2026-11-24', '2026-11-25', '2026-12-21'].map((date) => feeOnDay(today, day(date)));
  expect(costs.map((cost) => cost && [minorText(cost.fee, 2), minorText(cost.totalDue, 2)])).toEqual([
    ['0.00', '1250.00'],
    ['0.63', '1250.63'],
    ['16.88', '1266.88'],
  ]);
});

it('a later cost that is too large for exact numbers is left out', () => {
  const large = fee({ amount: dec(1e9), rate: dec(10), rateType: 'daily_percent' });
  expect(feeOnDay(large, day('2036-11-21'))).toMatchObject({
    fee: 36_700_000_000_000n,
    totalDue: 36_800_000_000_000n,
  });
  expect(feeOnDay(large, day('9999-12-31'))).toBeNull();
});
