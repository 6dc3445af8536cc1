import { describe, expect, it } from 'vitest';
import { day, dec, lateFeeTerms, valued } from '../../test/domain/samples.ts';
import { factsIn, inOrder } from '../../test/support/facts.ts';
import { lateFee } from './late-fee.ts';
import type { LateFeeTerms } from './late-fee-terms.ts';

const warnings = (changes: Partial<LateFeeTerms> = {}) => valued(lateFee(lateFeeTerms(changes))).warnings;
const caveats = (changes: Partial<LateFeeTerms> = {}) => valued(lateFee(lateFeeTerms(changes))).caveats;

describe('warnings concern only this case', () => {
  it('a late invoice at 1.5% per month gets none', () => {
    expect(warnings()).toEqual([]);
  });

  it('a default rate is named, and more strongly if its period was not the default', () => {
    expect(warnings({ rateDefaulted: true }).map(factsIn)).toEqual([['1.5%']]);
    expect(warnings({ rateDefaulted: true, rateType: 'annual_percent' }).map(factsIn)).toEqual([
      ['1.5', '1.5%'],
    ]);
    expect(warnings({ rateDefaulted: true, rateType: 'flat' }).map(factsIn)).toEqual([['1.5', '1.5']]);
    expect(factsIn(warnings({ rateDefaulted: true, rateType: 'daily_percent' })[0])).toEqual(['1.5', '1.5%']);
  });

  it('a due date after the day of payment gets a warning that says where that day came from', () => {
    const dueDate = day('2026-12-01');
    expect(warnings({ dueDate }).map(factsIn)).toEqual([['1 December 2026', '21 November 2026']]);
    expect(warnings({ dueDate, asOfSource: 'today_utc' }).map(factsIn)).toEqual([
      ['1 December 2026', '21 November 2026', 'UTC'],
    ]);
    expect(warnings({ dueDate: day('2026-11-21') })).toEqual([]);
  });

  it('a rate above 18.25% or 35% a year gets one warning', () => {
    expect(warnings({ rate: dec('1.500001') })).toHaveLength(1);
    expect(warnings({ rate: dec(2) }).map(factsIn)).toEqual([['2%', '24.33%', '18%']]);
    expect(warnings({ rate: dec(3) }).map(factsIn)).toEqual([['3%', '36.5%', '35%', 'Canada']]);
    expect(warnings({ rate: dec('2.9') })[0]).toMatch(inOrder('2.9%', '35.28%', '35%'));
    expect(warnings({ rate: dec(18), rateType: 'annual_percent' })).toEqual([]);
    expect(warnings({ rate: dec(35), rateType: 'annual_percent' })[0]).toMatch(inOrder('35%', '18%'));
    expect(warnings({ rate: dec('35.01'), rateType: 'annual_percent' })[0]).toMatch(inOrder('35.01%', '35%'));
  });

  it('a fee above the invoice, an old invoice and a zero fee each get a warning', () => {
    expect(warnings({ rate: dec('1250.01'), rateType: 'flat' })).toHaveLength(1);
    const mild = { rate: dec(1), rateType: 'annual_percent' } as const;
    expect(warnings({ ...mild, dueDate: day('2016-11-04') }).map(factsIn)).toEqual([['3,669']]);
    expect(warnings({ ...mild, dueDate: day('2021-11-22') })).toEqual([]); // 1,825 days
    expect(warnings({ ...mild, dueDate: day('2021-11-21') })).toHaveLength(1);
    expect(warnings({ rate: dec(0) }).map(factsIn)).toEqual([['0']]);
    expect(warnings({ amount: dec('0.01') })).toHaveLength(1);
  });
});

describe('three caveats apply to every fee', () => {
  it('they cover agreed terms, local limits, and how days are counted', () => {
    const [agreed, limits, counted] = caveats();
    expect(agreed).toMatch(/\bagreed\b/);
    expect(agreed).toMatch(inOrder('UK', 'EU', 'GB', 'EU'));
    expect(limits).toMatch(/\blegal advice\b/);
    expect(factsIn(counted)).toEqual(['30', '1.5%', '18%', '18.25%', '365', 'Canada']);
    expect(caveats()).toHaveLength(3);
  });

  it('a caveat does not repeat the law that is shown beside the fee', () => {
    expect(caveats({ isLawShown: true })[0]).toMatch(/\bagreed\b/);
    expect(factsIn(caveats({ isLawShown: true })[0])).toEqual([]);
  });

  it.each([
    ['annual_percent', ['365']],
    ['daily_percent', ['1.5%', '547.5%', 'Canada']],
    ['flat', []],
  ] as const)('%s has its own sentence on how days are counted', (rateType, facts) => {
    expect(caveats({ rateType })).toHaveLength(3);
    expect(factsIn(caveats({ rateType })[2])).toEqual(facts);
  });

  it('a minimum fee without a rate has no sentence on counting days', () => {
    const said = caveats({ rate: dec(0), minFee: dec(25) });
    expect(said).toHaveLength(2);
    expect(said.join()).not.toContain('calendar day');
  });

  it('a fee that can never be charged gets a warning', () => {
    expect(caveats({ rate: dec(0) })).toHaveLength(1);
  });
});
