import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lateFee, RATE_TYPES } from '../../src/domain/late-fee.ts';
import { minorNumber } from '../../src/domain/money.ts';
import { type Quote, quote } from '../../src/domain/quote.ts';
import { day, dec, items, lateFeeTerms, quoteRequest, valued } from './samples.ts';

const vectors = <T>(name: string): T[] =>
  JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8'));

type LateFeeVector = {
  id: string;
  source: string;
  input: {
    amount: string;
    due_date: string;
    paid_date: string;
    rate: string;
    rate_type: string;
    grace_days: string;
  };
  expect: { days_late: number; late_fee: number };
};

type QuoteVector = {
  id: string;
  name: string;
  input: {
    items: { quantity: number; unit_price: number }[];
    discount_percent: number;
    tax_percent: number;
    deposit_percent: number;
    currency: string;
  };
  expect: Partial<Record<keyof typeof FIGURES, number>>;
};

const FIGURES = {
  subtotal: 'subtotal',
  discount_amount: 'discount',
  taxable_amount: 'taxable',
  tax_amount: 'tax',
  total: 'total',
  deposit_amount: 'deposit',
  balance_due: 'balance',
} as const satisfies Record<string, keyof Quote>;

describe('a late fee that a third party published', () => {
  it.each(vectors<LateFeeVector>('late_fee.json'))(
    'has the same result here: $id, $source',
    ({ input, expect: published }) => {
      const rateType = RATE_TYPES.find((each) => each === input.rate_type);
      if (rateType === undefined) throw new Error(input.rate_type);
      const result = valued(
        lateFee(
          lateFeeTerms({
            amount: dec(input.amount),
            dueDate: day(input.due_date),
            paidDate: day(input.paid_date),
            rate: dec(input.rate),
            rateType,
            graceDays: Number(input.grace_days),
          }),
        ),
      );
      expect({ days_late: result.daysLate, late_fee: minorNumber(result.fee, result.digits) }).toEqual(
        published,
      );
    },
  );
});

describe('a quote that a third party published', () => {
  it.each(vectors<QuoteVector>('quote.json'))(
    'has the same result here: $id, $name',
    ({ input, expect: published }) => {
      const result = valued(
        quote(
          quoteRequest({
            items: items(...input.items.map(({ quantity, unit_price }) => [quantity, unit_price] as const)),
            currency: input.currency,
            discountPercent: dec(input.discount_percent),
            taxPercent: dec(input.tax_percent),
            depositPercent: dec(input.deposit_percent),
          }),
        ),
      );
      const names = Object.keys(published) as (keyof typeof FIGURES)[];
      expect(names.length).toBeGreaterThan(0);
      expect(
        Object.fromEntries(names.map((name) => [name, minorNumber(result[FIGURES[name]], result.digits)])),
      ).toEqual(published);
    },
  );
});

describe('a figure that a third party published under another rule', () => {
  it.each([
    ['daily interest rounded to pence first (11.50)', 1000, '8.5', 'annual_percent', 50, 11.64],
    ['daily interest rounded to pence first (169.68)', 5000, '12.25', 'annual_percent', 101, 169.49],
    ['daily interest rounded to pence first (64.80)', 10_000, '7.9', 'annual_percent', 30, 64.93],
    ['cut, not rounded (32.66)', 2000, '13.25', 'annual_percent', 45, 32.67],
    ['a year of 360 days (2.71)', 1500, '6.5', 'annual_percent', 10, 2.67],
    ['months of 30 days in a year of 360 (350.00)', 10_000, '6', 'annual_percent', 211, 346.85],
    ['twelve months spread over 365 days (14.79)', 1000, '1.5', 'monthly_percent', 30, 15],
  ] as const)('differs here on purpose: %s', (_, amount, rate, rateType, days, ours) => {
    const dueDate = day('2026-01-01');
    const paidDate = (dueDate + days) as typeof dueDate;
    const result = valued(
      lateFee(lateFeeTerms({ amount: dec(amount), rate: dec(rate), rateType, dueDate, paidDate })),
    );
    expect(minorNumber(result.fee, result.digits)).toBe(ours);
  });
});
