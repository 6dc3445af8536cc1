import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/domain/calendar.ts';
import { currencyDigits } from '../../src/domain/currency.ts';
import { dailyGrowth, feeOnDay, lateFee } from '../../src/domain/late-fee.ts';
import { TONES } from '../../src/domain/letter-facts.ts';
import { type Micros, microsText, minorText, powerOfTen } from '../../src/domain/money.ts';
import { reminder } from '../../src/domain/reminder.ts';
import { reminderRequest } from '../domain/letter-samples.ts';
import { day, dec, lateFeeTerms } from '../domain/samples.ts';
import { factsIn, inOrder } from '../support/facts.ts';
import { runs } from '../support/runs.ts';
import { answerTo, CASE, TONES as EACH_TONE, notesOf, written } from './notices.ts';

const RUNS = runs(3_000);

describe('a letter whose fee is calculated up to a past day', () => {
  const past = { due_date: '2026-01-04', paid_date: '2026-01-21' };

  it.each(EACH_TONE)('%s: lists one fee, which leads to the totals below it', (tone) => {
    expect(written({ ...past, tone })).toMatch(
      inOrder('£1,250.00', '\n', '21 November 2026', '1.5%', '30', '321', '£200.63', '\n', '£1,450.63'),
    );
    expect(written({ ...past, tone })).not.toMatch(/10\.63|1,260\.63/);
    // A maximum and days of grace that have both been reached since.
    expect(written({ ...past, tone, max_fee: '50' })).toMatch(inOrder('321', '£50.00', '£50.00'));
    expect(written({ ...past, tone, grace_days: '20' })).toMatch(inOrder('301', '20', '£188.13'));
  });

  it('says what is known of that day, and asks for the sum due on that day', () => {
    expect(written(past)).toMatch(inOrder('4 January 2026', '21 January 2026'));
    expect(written({ ...past, invoice_number: 'Invoices 3 and 4' })).toMatch(
      inOrder('21 January 2026', ' them', ' they '),
    );
    expect(written({ ...past, tone: 'firm' })).toMatch(inOrder('21 January 2026'));
    expect(written({ ...past, tone: 'final' })).toMatch(inOrder('4 January 2026', '21 January 2026'));
  });

  it('tells its owner, and shows the figures of that day', () => {
    expect(notesOf(past).join('\n')).toMatch(
      inOrder('21 November 2026', '21 January 2026', 'paid_date', '21 January 2026'),
    );
    expect(answerTo({ ...CASE, ...past }).fee).toMatchObject({ late_fee: 10.63, total_due: 1260.63 });
  });
});

describe('the wording of each tone', () => {
  it('asks for the date and reference of a payment, and never to ignore the letter', () => {
    for (const tone of EACH_TONE) {
      expect(written({ tone })).toMatch(/\bpaid\b.*\bdate\b|\bdate\b.*\bpaid\b/);
      expect(written({ tone })).not.toMatch(/\b(?:ignore|disregard)\b/);
    }
  });

  it('names the disputed part in the same words', () => {
    const disputed = (number?: string) =>
      written({ tone: 'final', ...(number !== undefined && { invoice_number: number }) })
        .split('\n')
        .find((line) => line.includes('dispute'));
    expect(disputed()).toMatch(/\binvoice\b/);
    expect(disputed('Invoices 3 and 4')).toMatch(/\binvoices\b/);
    expect(disputed('Statement March 2026')).toMatch(/\bstatement\b/);
  });

  it.each(EACH_TONE)('%s: leaves out the signature if no sender is given', (tone) => {
    const closing = written({ tone }).split('\n').at(-2);
    expect(closing).toMatch(/,$/);
    expect(written({ tone, business_name: '' }).split('\n').at(-1)).toBe(closing);
    expect(notesOf({ tone, business_name: '' }).join()).toContain('business_name');
  });
});

describe('a fee that begins after the payment deadline', () => {
  it.each(EACH_TONE)('%s: does not tell a client until when waiting is free', (tone) => {
    for (const grace of ['27', '365']) {
      const text = written({ tone, grace_days: grace });
      expect(text).toMatch(/\n\n[^\n]+: £1,250\.00\n\n/);
      expect(text).not.toMatch(/2027|December|\bfee\b/);
    }
    const notes = notesOf({ tone, grace_days: '365' }).join('\n');
    expect(notes).toMatch(inOrder('5 November 2027', 'grace_days'));
    expect(notes).not.toContain('payment terms');
  });

  it.each(EACH_TONE)('%s: is named if it begins on the next working day', (tone) => {
    // The payment deadline is Monday, 30 November, and the fee begins on the next day.
    expect(written({ tone, grace_days: '26' })).toContain('counted from 1 December 2026');
    // It is Friday, 27 November, and the fee begins on Monday.
    expect(written({ tone, grace_days: '25' }, '2026-11-20')).toContain('counted from 30 November 2026');
    expect(notesOf({ tone, grace_days: '26' }).join()).not.toContain('grace_days');
  });

  it.each(EACH_TONE)('%s: a sum has the same name in the rows and in the request', (tone) => {
    for (const grace of ['17', '20', '26', '365']) {
      const text = written({ tone, grace_days: grace });
      expect(text).toMatch(/\n\nAmount due: £1,250\.00\n\n/);
      expect(text).not.toMatch(/\btotal\b/i);
    }
    expect(written({ tone, grace_days: '20' })).toMatch(inOrder('pay £1,250.00', '24 November 2026'));
  });
});

it('a sum that is not worth a reminder has a note', () => {
  const told = (changes: Record<string, unknown>) =>
    notesOf(changes).filter((each) => each.includes(`£${changes.amount}`));
  expect(told({ amount: '0.01' }).map(factsIn)).toEqual([['£0.01']]);
  expect(told({ amount: '4.99' })).toHaveLength(1);
  expect(told({ amount: '5' })).toEqual([]);
  expect(notesOf({ due_date: '2020-11-01' }).join()).toContain('2,211 days');
});

it('a flat fee by default has a note that says what the default is meant for', () => {
  expect(factsIn(notesOf({ rate: '', rate_type: 'flat' })[0])).toEqual(['1.5', '1.5', '0', 'GB']);
});

/** Realistic invoices, for which a daily figure is often exact. */
const growing = fc
  .record({
    currency: fc.constantFrom(null, 'USD', 'JPY', 'KWD'),
    coins: fc.oneof(
      fc.bigInt({ min: 1n, max: 10_000_000n }),
      fc.bigInt({ min: 1n, max: 400n }).map((each) => each * 2500n),
    ),
    rate: fc.integer({ min: 1, max: 500 }),
    rateType: fc.constantFrom(
      'monthly_percent' as const,
      'annual_percent' as const,
      'daily_percent' as const,
    ),
    late: fc.integer({ min: 1, max: 400 }),
    graceDays: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 })),
    ago: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })),
    least: fc.option(fc.bigInt({ min: 0n, max: 200n }), { nil: null }),
    above: fc.option(fc.bigInt({ min: 0n, max: 20_000n }), { nil: null }),
  })
  .map(({ currency, coins, rate, rateType, late, graceDays, ago, least, above }) => {
    const coin = powerOfTen(6 - (currency === null ? 2 : (currencyDigits(currency) ?? 0)));
    const money = (count: bigint) => (count * coin) as Micros;
    const paidDate = addDays(day('2020-01-01'), late);
    return lateFeeTerms({
      ...{ currency, rateType, graceDays, paidDate, dueDate: day('2020-01-01') },
      today: addDays(paidDate, ago),
      amount: money(coins),
      rate: dec(rate / 100),
      minFee: least === null ? null : money(least),
      maxFee: above === null ? null : money((least ?? 0n) + above),
    });
  });

describe('the single sum to pay', () => {
  it.each(EACH_TONE)('%s: is the sum on the day of the letter, and later days add whole pence', (tone) => {
    const text = written({ tone });
    expect(text).toMatch(/\nTotal to pay: £1,260\.63\n/);
    expect(text).toMatch(/\bpay £1,260\.63(?: by 30 November 2026)?, /);
    expect(text).toMatch(inOrder('30 November 2026', 'interest of £0.63 a day', '22 November 2026'));
    expect(text).not.toMatch(/1,266\.25|pay earlier|0\.625/);
    expect(written({ tone, amount: '1000' })).toMatch(inOrder(' £0.50 ', '22 November 2026'));
    expect(written({ tone, amount: '1000' })).not.toContain('about £');
    expect(written({ tone, max_fee: '50' })).toMatch(
      inOrder('£0.63', '22 November 2026', 'up to £50.00 in all'),
    );
    for (const changes of [{ min_fee: '25' }, { max_fee: '5' }, { rate_type: 'flat', rate: '25' }])
      expect(written({ tone, ...changes })).not.toMatch(/0\.6|\ba day\b/);
  });

  it("grows by the rule to the calculator's result, to the last coin", () => {
    let ruled = 0;
    fc.assert(
      fc.property(growing, fc.constantFrom(...TONES), (terms, tone) => {
        const fee = lateFee(terms);
        if (!fee.ok || fee.value.status === 'not_overdue') return;
        const letter = reminder(fee.value, reminderRequest({ tone }));
        if (!letter.ok) return;
        const { body, payBy } = letter.value;
        const rule = /(?:interest|a late fee) of [^\d\s]*\s?([\d.,]*\d) a day /.exec(body);
        if (rule === null) return;
        // A day that adds a fraction of a coin is rounded, so the rule does not hold for many days.
        const daily = dailyGrowth(terms, 6, terms.paidDate)?.value ?? 0n;
        if (daily % powerOfTen(6 - fee.value.digits) !== 0n) return;
        ruled++;
        const number = (text = '') => new Big(text.replaceAll(',', ''));
        const asked = number(/Total to pay: [^\d\n]*([\d.,]*\d)/.exec(body)?.[1]);
        const sent = Math.max(terms.paidDate, terms.today);
        for (let after = Math.max(payBy - sent, 0); after <= 30; after++) {
          const grown = asked.plus(number(rule[1]).times(after));
          const most =
            terms.maxFee === null ? grown : new Big(microsText(terms.amount)).plus(microsText(terms.maxFee));
          const known = feeOnDay(fee.value, addDays(terms.dueDate, sent + after - terms.dueDate));
          const { digits } = fee.value;
          expect((grown.gt(most) ? most : grown).toFixed(digits)).toBe(
            known && minorText(known.totalDue, digits),
          );
        }
      }),
      { numRuns: RUNS },
    );
    expect(ruled).toBeGreaterThan(RUNS / 400);
  });
});
