import Big from 'big.js';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { afterEach, describe, expect, it } from 'vitest';
import { dayText, parseDay } from '../../src/domain/calendar.ts';
import {
  areRatesEnding,
  holdRates,
  operatorRateTexts,
  ratesHeldUntil,
  readOperatorRate,
  readOperatorRates,
} from '../../src/domain/statutory-rates.ts';
import { factsIn, inOrder } from '../support/facts.ts';
import { fee } from './notices.ts';

const GB = { amount: '1250', rate: '1.5', currency: 'GBP', jurisdiction: 'GB', due_date: '2026-11-04' };
const EU = { ...GB, currency: 'EUR', jurisdiction: 'EU' };
const law = (query: object) => fee({ ...query }).body.statutory;
const faults = (query: object) => fee({ ...query }).faults.map(({ pointer, code }) => `${pointer} ${code}`);

describe('statutory interest in the UK', () => {
  it('is 8 points above Bank Rate with a fixed sum, separate from the fee', () => {
    const { statutory, late_fee, total_due } = fee(GB).body;
    expect([late_fee, total_due]).toEqual([10.63, 1260.63]);
    expect(statutory).toMatchObject({
      jurisdiction: 'GB',
      law: expect.stringContaining('Act 1998'),
      margin_percent: 8,
      annual_percent: 11.75,
      interest: 6.84,
      compensation: 70,
      total_due: 1326.84,
      formula: '1250.00 x (8% + 3.75%) x 17 / 365 = 6.84',
      unavailable: null,
    });
    expect(statutory.reference_rates).toEqual([
      {
        half_year: '2026-H2',
        percent: 3.75,
        set_on: '2026-06-30',
        days: 17,
        source: expect.stringMatching(inOrder('England', '3.75%', 'June 2026')),
      },
    ]);
    expect(statutory.rests_on[1]).toMatch(/\bnever both\b/);
  });

  it('names each rate with the most days of one invoice, part payments included', () => {
    const days = (query: object) =>
      law({ ...GB, paid_date: '2026-11-21', ...query }).reference_rates.map(
        (rate: { days: number }) => rate.days,
      );
    const more = [{ amount: 500, due_date: '2026-11-11' }];
    expect(days({ more_invoices: more })).toEqual([17]);
    expect(days({ payments: [{ amount: 100, date: '2026-11-14' }] })).toEqual([17]);
    expect(days({ due_date: '2026-06-20', more_invoices: more })).toEqual([154, 10]);
  });

  it('equals a figure that the government published', () => {
    const published = { ...GB, amount: '10000', due_date: '2026-01-01', paid_date: '2026-03-02' };
    expect(law(published)).toMatchObject({ interest: 193.15, compensation: 100, total_due: 10293.15 });
  });

  it.each([
    ['999.99', 40],
    ['1000', 70],
    ['9999.99', 70],
    ['10000', 100],
  ])('on %s pounds includes a fixed sum of %d pounds', (amount, sum) => {
    expect(law({ ...GB, amount }).compensation).toBe(sum);
  });

  it('has one rate for the whole debt: the rate of the day on which interest starts', () => {
    const rate = (dueDate: string) => {
      const { reference_rates: rates } = law({ ...GB, due_date: dueDate });
      return rates.map(({ half_year, percent }: Record<string, unknown>) => [half_year, percent]);
    };
    // Due on 30 June, interest starts on 1 July.
    expect(rate('2025-06-29')).toEqual([['2025-H1', 4.75]]);
    expect(rate('2025-06-30')).toEqual([['2025-H2', 4.25]]);
    expect(rate('2025-12-30')).toEqual([['2025-H2', 4.25]]);
    expect(rate('2025-12-31')).toEqual([['2026-H1', 3.75]]);
  });

  it('ignores days of grace, and is zero until the due date has passed', () => {
    expect(law({ ...GB, grace_days: '20' }).interest).toBe(6.84);
    expect(law({ ...GB, due_date: '2026-11-21' })).toMatchObject({
      interest: 0,
      compensation: 0,
      total_due: 1250,
    });
  });
});

describe('statutory interest in the EU', () => {
  it('is the minimum of the directive, with its own rate in each half-year', () => {
    const due = { ...EU, due_date: '2026-06-20' };
    expect(law(due)).toMatchObject({
      law: expect.stringContaining('Directive 2011/7/EU'),
      annual_percent: null,
      compensation: 40,
      // This is 10 days from 21 June at 10.15%, and 144 days from 1 July at 10.4%.
      formula: '1250.00 x ((8% + 2.15%) x 10 + (8% + 2.4%) x 144) / 365 = 54.76',
      interest: 54.76,
      total_due: 1344.76,
    });
    expect(law(EU)).toMatchObject({ annual_percent: 10.4, interest: 6.05 });
    expect(law(EU).rests_on.join()).toMatch(/\bminimum\b/);
  });
});

describe('a half-year that is not in the table of rates', () => {
  it('has the last known rate, and a warning that it may be out of date', () => {
    const later = fee({ ...GB, due_date: '2026-12-31', paid_date: '2027-01-31' }, '2027-01-31').body;
    expect(later.statutory).toMatchObject({
      interest: 12.47,
      annual_percent: 11.75,
      outdated_from: '2027-01-01',
    });
    expect(later.warnings[0]).toMatch(
      inOrder('may be out of date', 'Bank Rate', '1 January 2027', 'reference_rate'),
    );
    const across = law({ ...EU, paid_date: '2027-01-05' });
    expect(across).toMatchObject({
      outdated_from: '2027-01-01',
      formula: expect.stringContaining('(8% + 2.4%) x 57'),
    });
    expect(law(GB).outdated_from).toBeUndefined();
    expect(fee(GB).body.warnings).toEqual([]);
  });

  it('is reported if it is before the first known rate, and no rate is guessed', () => {
    const { statutory } = fee({ ...GB, due_date: '2022-01-01', paid_date: '2022-01-31' }).body;
    expect(statutory).toMatchObject({ interest: null, total_due: null, formula: null, annual_percent: null });
    expect(factsIn(statutory.unavailable)).toEqual(['1 January 2022', 'reference_rate', 'Bank', 'Rate']);
    expect(law({ ...EU, due_date: '2023-01-01' }).unavailable).toContain('from 1 January 2023');
  });

  it('is filled in by reference_rate', () => {
    const { statutory } = fee({
      ...GB,
      due_date: '2026-12-31',
      paid_date: '2027-01-31',
      reference_rate: '3.5',
    }).body;
    expect(statutory).toMatchObject({ annual_percent: 11.5, interest: 12.21 });
    expect(statutory.reference_rates).toEqual([
      { half_year: null, percent: 3.5, set_on: null, days: 31, source: 'reference_rate, as sent' },
    ]);
    expect(law({ ...GB, reference_rate: '0' }).annual_percent).toBe(8);
  });

  it('is reported to the operator two weeks before it begins', () => {
    const on = (text: string) => areRatesEnding(parseDay(text) as never);
    expect(dayText(ratesHeldUntil())).toBe('2026-12-31');
    expect([on('2026-12-17'), on('2026-12-18'), on('2027-06-01')]).toEqual([false, true, true]);
  });
});

describe('a request for statutory interest', () => {
  it('must use the currency of the chosen law', () => {
    expect(faults({ ...GB, currency: '' })).toEqual(['/currency required']);
    expect(faults({ ...GB, currency: 'USD' })).toEqual(['/currency invalid_currency']);
    expect(faults({ ...EU, currency: 'GBP' })).toEqual(['/currency invalid_currency']);
    expect(fee({ ...GB, currency: 'USD' }).faults[0]).toMatchObject({
      detail: expect.stringMatching(inOrder('GBP', 'jurisdiction', 'GB')),
      hint: expect.stringMatching(inOrder('currency=GBP', 'jurisdiction')),
    });
  });

  it('must name a known jurisdiction, in any letter case', () => {
    expect(law({ ...GB, jurisdiction: 'gb' }).jurisdiction).toBe('GB');
    expect(fee({ ...GB, jurisdiction: 'UK' }).faults).toEqual([
      {
        pointer: '/jurisdiction',
        code: 'invalid_choice',
        detail: 'must be one of GB, EU',
        hint: 'did you mean GB?',
      },
    ]);
    expect(faults({ ...GB, jurisdiction: 'DE' })).toEqual(['/jurisdiction invalid_choice']);
    expect(faults({ ...GB, jurisdiction: '', reference_rate: '3' })).toEqual(['/jurisdiction required']);
    expect(law({ ...GB, jurisdiction: '' })).toBeUndefined();
  });
});

describe('an independent calculation with its own calendar', () => {
  const RATES = {
    GB: {
      '2023-01': '3.5',
      '2023-07': '5',
      '2024-01': '5.25',
      '2024-07': '5.25',
      '2025-01': '4.75',
      '2025-07': '4.25',
      '2026-01': '3.75',
      '2026-07': '3.75',
    },
    EU: {
      '2024-01': '4.5',
      '2024-07': '4.25',
      '2025-01': '3.15',
      '2025-07': '2.15',
      '2026-01': '2.15',
      '2026-07': '2.4',
    },
  } as const;

  const Exact = Big();
  Exact.DP = 60;
  Exact.RM = Big.roundHalfUp;
  const rateOf = (jurisdiction: 'GB' | 'EU', day: Temporal.PlainDate): string | undefined =>
    // After the last known half-year, the rate of that half-year is used.
    (RATES[jurisdiction] as Record<string, string>)[
      day.year > 2026 ? '2026-07' : `${day.year}-${day.month < 7 ? '01' : '07'}`
    ];

  /** Calculates day by day; null if a rate is unknown. */
  function reference(
    jurisdiction: 'GB' | 'EU',
    amount: string,
    due: Temporal.PlainDate,
    asOf: Temporal.PlainDate,
  ) {
    const days = Math.max(0, due.until(asOf).days);
    const first = rateOf(jurisdiction, due.add({ days: 1 }));
    if (first === undefined) return null;
    let percentDays = new Exact(0);
    for (let day = 1; day <= days; day += 1) {
      const rate = jurisdiction === 'GB' ? first : rateOf(jurisdiction, due.add({ days: day }));
      if (rate === undefined) return null;
      percentDays = percentDays.plus(new Exact(8).plus(rate));
    }
    const sum =
      days === 0
        ? 0
        : jurisdiction === 'EU'
          ? 40
          : Number(amount) < 1000
            ? 40
            : Number(amount) < 10_000
              ? 70
              : 100;
    const interest = new Exact(amount).times(percentDays).div(36_500).round(2);
    return { interest, compensation: sum, total: new Exact(amount).plus(interest).plus(sum) };
  }

  it('gives the same interest, fixed sum and total for thousands of debts', () => {
    const start = Temporal.PlainDate.from('2022-12-01');
    fc.assert(
      fc.property(
        fc.constantFrom('GB' as const, 'EU' as const),
        fc.integer({ min: 1, max: 3_000_000 }),
        fc.integer({ min: 0, max: 1500 }),
        fc.integer({ min: -10, max: 400 }),
        (jurisdiction, cents, offset, late) => {
          const amount = new Big(cents).div(100).toFixed(2);
          const due = start.add({ days: offset });
          const asOf = due.add({ days: late });
          const statutory = law({
            amount,
            jurisdiction,
            currency: jurisdiction === 'GB' ? 'GBP' : 'EUR',
            due_date: String(due),
            paid_date: String(asOf),
          });
          const expected = reference(jurisdiction, amount, due, asOf);
          expect([statutory.interest, statutory.total_due]).toEqual(
            expected === null ? [null, null] : [expected.interest.toNumber(), expected.total.toNumber()],
          );
          if (expected !== null) expect(statutory.compensation).toBe(expected.compensation);
        },
      ),
    );
  }, 300_000);
});

describe("an operator's reference rate", () => {
  afterEach(() => holdRates([]));

  it.each([
    ['GB 2027-01-02 3.75', 'must begin on 1 January or 1 July'],
    ['US 2027-01-01 3.75', 'must be GB or EU'],
    ['GB 2027-01-01', 'must be GB or EU'],
    ['GB 2027-01-01 101', 'must have a rate from 0 to 100'],
    ['GB 2027-01-01 3.75 4', 'must be GB or EU'],
  ])('is refused if it is %j', (text, why) => {
    expect(readOperatorRate(text)).toEqual(expect.stringContaining(why));
  });

  it('is used from its half-year on, and ends the warning', () => {
    const inNewYear = { ...GB, due_date: '2026-12-31', paid_date: '2027-01-31' };
    const carried = fee(inNewYear).body.statutory.reference_rates.at(-1);
    expect(carried).toMatchObject({ percent: 3.75, half_year: '2026-H2' });
    holdRates(readOperatorRates(['GB 2027-01-01 3.5', 'EU 2027-01-01 2.4']));
    const { reference_rates: rates, interest } = law(inNewYear);
    expect(rates.at(-1)).toMatchObject({ percent: 3.5, set_on: '2026-12-31', half_year: '2027-H1' });
    expect(interest).toBe(12.21);
    expect(dayText(ratesHeldUntil())).toBe('2027-06-30');
    expect(operatorRateTexts()).toEqual(['GB 2027-01-01 3.5', 'EU 2027-01-01 2.4']);
    holdRates([]);
    expect(law(inNewYear).reference_rates.at(-1)).toMatchObject({ percent: 3.75, half_year: '2026-H2' });
  });
});
