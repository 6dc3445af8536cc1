import { describe, expect, it } from 'vitest';
import { day, dec, lateFeeTerms, valued } from '../../test/domain/samples.ts';
import { lateFee } from './late-fee.ts';
import type { LateFeeTerms } from './late-fee-terms.ts';

const warnings = (changes: Partial<LateFeeTerms> = {}) => valued(lateFee(lateFeeTerms(changes))).warnings;
const caveats = (changes: Partial<LateFeeTerms> = {}) => valued(lateFee(lateFeeTerms(changes))).caveats;

describe('a warning speaks of this case only', () => {
  it('1.5% per month on a late invoice needs none', () => {
    expect(warnings()).toEqual([]);
  });

  it('a default rate is named, and more strongly where its period is another', () => {
    expect(warnings({ rateDefaulted: true })).toEqual([
      'No rate was given, so 1.5% per month was used; send the rate of your own terms.',
    ]);
    expect(warnings({ rateDefaulted: true, rateType: 'annual_percent' })).toEqual([
      'No rate was given, so the default of 1.5 was used as 1.5% per year. The default is meant per month: give the rate of your own terms.',
    ]);
    expect(warnings({ rateDefaulted: true, rateType: 'flat' })).toEqual([
      'No rate was given, so the default of 1.5 was used as a flat fee of 1.5. The default is meant per month: give the rate of your own terms.',
    ]);
    expect(warnings({ rateDefaulted: true, rateType: 'daily_percent' })[0]).toContain('used as 1.5% per day');
  });

  it('a due date after the day of payment is pointed out, with where that day came from', () => {
    const dueDate = day('2026-12-01');
    expect(warnings({ dueDate })).toEqual([
      'The due date, 1 December 2026, is after the day the fee is worked out to (21 November 2026): nothing is overdue. Check the dates if you expected a fee.',
    ]);
    expect(warnings({ dueDate, asOfSource: 'today_utc' })).toEqual([
      'The due date, 1 December 2026, is after today (21 November 2026, UTC): nothing is overdue. Check the dates if you expected a fee.',
    ]);
    expect(warnings({ dueDate: day('2026-11-21') })).toEqual([]);
  });

  it('a rate that costs more than 18.25% over a year, or 35%, is pointed out once', () => {
    expect(warnings({ rate: dec('1.500001') })).toHaveLength(1);
    expect(warnings({ rate: dec(2) })).toEqual([
      '2% per month comes to 24.33% over a year. Many places accept about 18% a year at most: check the limit that applies to you and your client.',
    ]);
    expect(warnings({ rate: dec(3) })).toEqual([
      '3% per month comes to 36.5% over a year. Above 35% a year a late charge can be unlawful, in Canada even a crime, and courts often refuse it. Check that the rate is meant per month.',
    ]);
    expect(warnings({ rate: dec('2.9') })[0]).toContain(
      '2.9% per month comes to 35.28% over a year. Above 35%',
    );
    expect(warnings({ rate: dec(18), rateType: 'annual_percent' })).toEqual([]);
    expect(warnings({ rate: dec(35), rateType: 'annual_percent' })[0]).toContain('about 18%');
    expect(warnings({ rate: dec('35.01'), rateType: 'annual_percent' })[0]).toContain('Above 35%');
  });

  it('a fee above the invoice, an old invoice and a fee of nothing are pointed out', () => {
    expect(warnings({ rate: dec('1250.01'), rateType: 'flat' })).toEqual([
      'The fee is larger than the invoice itself. Courts tend to refuse a charge out of proportion to the debt.',
    ]);
    const mild = { rate: dec(1), rateType: 'annual_percent' } as const;
    expect(warnings({ ...mild, dueDate: day('2016-11-04') })).toEqual([
      'The invoice is 3,669 days late, more than five years. Check the year of the due date; very old debts may no longer be recoverable.',
    ]);
    expect(warnings({ ...mild, dueDate: day('2021-11-22') })).toEqual([]); // 1,825 days
    expect(warnings({ ...mild, dueDate: day('2021-11-21') })).toHaveLength(1);
    expect(warnings({ rate: dec(0) })).toEqual([
      'The rate is 0, so no fee is charged although the invoice is overdue.',
    ]);
    expect(warnings({ amount: dec('0.01') })).toEqual([
      'The invoice is overdue, but the fee rounds to zero at this amount, rate and number of days.',
    ]);
  });
});

describe('three caveats hold for every fee', () => {
  it('agreed terms, local limits, and how days are counted', () => {
    expect(caveats()).toMatchInlineSnapshot(`
      [
        "A late fee of your own needs to be agreed before the work, for example in a contract or accepted terms. Between businesses in the UK and the EU the law gives interest without agreement: jurisdiction GB or EU shows it, to claim instead of this fee and never on top of it.",
        "Many places limit late fees and protect consumers more than businesses: check the rule for you and your client; this is arithmetic on the figures given, not legal advice.",
        "Simple interest by calendar day: a month counts as 30 days. 1.5% per month is 18% a year by the month and 18.25% over 365 days; some places, such as Canada, expect your terms to state the yearly rate too.",
      ]
    `);
  });

  it('the law beside the fee is not pointed at a second time', () => {
    expect(caveats({ isLawShown: true })[0]).toBe(
      'A late fee of your own needs to be agreed before the work, for example in a contract or accepted terms. The interest by law beside it needs no agreement: claim one of the two, never both.',
    );
  });

  it.each([
    ['annual_percent', 'a year counts as 365 days, also in leap years'],
    ['daily_percent', '1.5% per day is 547.5% a year'],
    ['flat', 'charged once'],
  ] as const)('%s has its own rule of counting', (rateType, words) => {
    expect(caveats({ rateType })).toHaveLength(3);
    expect(caveats({ rateType })[2]).toContain(words);
  });

  it('a minimum fee without a rate has no rule of counting days', () => {
    const said = caveats({ rate: dec(0), minFee: dec(25) });
    expect(said).toHaveLength(2);
    expect(said.join()).not.toContain('calendar day');
  });

  it('a fee that can never come has one', () => {
    expect(caveats({ rate: dec(0) })).toEqual(['This is arithmetic on the figures given, not legal advice.']);
  });
});
