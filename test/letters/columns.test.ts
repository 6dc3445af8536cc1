import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, longDayText } from '../../src/domain/calendar.ts';
import { currencyDigits } from '../../src/domain/currency.ts';
import { feeOnDay, lateFee } from '../../src/domain/late-fee.ts';
import { TONES } from '../../src/domain/letter-facts.ts';
import { type Micros, microsText, minorText, powerOfTen } from '../../src/domain/money.ts';
import { reminder } from '../../src/domain/reminder.ts';
import { reminderRequest } from '../domain/letter-samples.ts';
import { day, dec, lateFeeTerms } from '../domain/samples.ts';
import { runs } from '../support/runs.ts';
import { answerTo, CASE, TONES as EACH_TONE, notesOf, written } from './notices.ts';

describe('a letter whose fee is worked out to a day that is past', () => {
  const past = { due_date: '2026-01-04', paid_date: '2026-01-21' };

  it.each(EACH_TONE)('%s: lists one fee, which leads to the totals under it', (tone) => {
    expect(written({ ...past, tone })).toContain(
      [
        'what is due:',
        '',
        'Invoice: £1,250.00',
        'Late fee to 21 November 2026 (1.5% per month of 30 days, 321 days): £200.63',
        'Total if paid on 21 November 2026: £1,450.63',
        'Total if paid on 30 November 2026: £1,456.25',
        '',
      ].join('\n'),
    );
    expect(written({ ...past, tone })).not.toMatch(/10\.63|1,260\.63/);
    // A maximum that was reached since, and days of grace that ended since.
    expect(written({ ...past, tone, max_fee: '50' })).toContain(
      '321 days, at most £50.00): £50.00\nTotal if',
    );
    expect(written({ ...past, tone, grace_days: '20' })).toContain(
      '301 days after 20 days of grace): £188.13',
    );
  });

  it('says what is known of that day, and asks for what is due where it is so', () => {
    expect(written(past)).toContain(
      'It was due on 4 January 2026, and by 21 January 2026 we had not matched a payment to it. If it is still unpaid, this is what is due:',
    );
    expect(written({ ...past, invoice_number: 'Invoices 3 and 4' })).toContain(
      'matched a payment to them. If they are still unpaid, this is what is due:',
    );
    expect(written({ ...past, tone: 'firm' })).toContain(
      'According to our records it was still unpaid on 21 January 2026. If you have not paid since, this is what is due:',
    );
    expect(written({ ...past, tone: 'final' })).toContain(
      'due on 4 January 2026 and, according to our records, still unpaid on 21 January 2026. If you have not paid since, this is what is due:',
    );
  });

  it('tells its owner, and the figures of that day stand beside it', () => {
    expect(notesOf(past)).toContain(
      'The days and the fee are counted to 21 November 2026: send the letter that day, or ask again. It says that nothing was paid by 21 January 2026: if your client has paid, do not send it. Leave paid_date out for a letter of today; what was due on 21 January 2026 is in this answer alone.',
    );
    expect(answerTo({ ...CASE, ...past }).fee).toMatchObject({ late_fee: 10.63, total_due: 1260.63 });
  });
});

describe('the words of each tone', () => {
  it('ask for the date and reference of a payment, and never to ignore the letter', () => {
    expect(written()).toContain(
      'If you have already paid, thank you; a short reply with the date helps us find the payment.',
    );
    expect(written()).not.toContain('ignore');
    expect(written({ tone: 'firm' })).toContain('send us the date and reference of your payment so that');
    expect(written({ tone: 'final' })).toContain(
      '- send us the date and reference of your payment, if you have already paid.',
    );
  });

  it('say of what the disputed part is one', () => {
    expect(written({ tone: 'final' })).toContain('which part of the invoice you dispute, and why;');
    expect(written({ tone: 'final', invoice_number: 'Invoices 3 and 4' })).toContain(
      'which part of the invoices you dispute',
    );
    expect(written({ tone: 'final', invoice_number: 'Statement March 2026' })).toContain(
      'which part of the statement you dispute',
    );
  });

  it.each(EACH_TONE)('%s: nobody signs for a sender who was not named', (tone) => {
    const closing = { polite: 'Kind regards,', firm: 'Regards,', final: 'Yours sincerely,' }[tone];
    expect(written({ tone, business_name: '' }).split('\n').at(-1)).toBe(closing);
    expect(notesOf({ tone, business_name: '' }).join()).toContain('does without business_name');
  });
});

describe('a fee that begins only after the day to pay by', () => {
  it.each(EACH_TONE)('%s: does not tell a client until when waiting is free', (tone) => {
    for (const grace of ['27', '365']) {
      const text = written({ tone, grace_days: grace });
      expect(text).toContain('\n\nAmount due: £1,250.00\n\n');
      expect(text).toContain('No late fee has been added.');
      expect(text).not.toMatch(/2027|applies from|December|payment terms|\byet;/);
    }
    expect(notesOf({ tone, grace_days: '365' })).toContain(
      'A late fee begins on 5 November 2027, after the day to pay by: the letter leaves that out, for it would tell your client that waiting until then costs nothing. Check grace_days if you expected a fee before.',
    );
    expect(notesOf({ tone, grace_days: '365' }).join()).not.toContain('in your payment terms: send');
  });

  it.each(EACH_TONE)('%s: is named where it begins on the next working day', (tone) => {
    // The day to pay by is Monday, 30 November; on the day after it the fee begins.
    expect(written({ tone, grace_days: '26' })).toContain('applies from 1 December 2026');
    // It is Friday, 27 November, and the fee begins on Monday.
    expect(written({ tone, grace_days: '25' }, '2026-11-20')).toContain('applies from 30 November 2026');
    expect(notesOf({ tone, grace_days: '26' }).join()).not.toContain('A late fee begins on');
  });

  it.each(EACH_TONE)('%s: a sum has one name, in the rows and in what is asked', (tone) => {
    for (const grace of ['17', '20', '26', '365']) {
      const text = written({ tone, grace_days: grace });
      expect(/amount due/i.test(text) && /total/i.test(text)).toBe(false);
    }
    expect(written({ tone, grace_days: '20' })).toContain('Total if paid by 24 November 2026: £1,250.00\n');
  });
});

it('a sum that is not worth a reminder has a note', () => {
  const told = (changes: Record<string, unknown>) =>
    notesOf(changes).filter((each) => each.includes('worth sending'));
  expect(told({ amount: '0.01' })).toEqual([
    'The invoice is for £0.01 only: check amount, and whether a reminder is worth sending.',
  ]);
  expect(told({ amount: '4.99' })).toHaveLength(1);
  expect(told({ amount: '5' })).toEqual([]);
  expect(notesOf({ due_date: '2020-11-01' }).join()).toContain('may no longer be recoverable');
});

it('a flat fee that nobody gave has a note that says what the default is meant for', () => {
  expect(notesOf({ rate: '', rate_type: 'flat' })[0]).toBe(
    'No rate was given, so the default of 1.5, which is meant as a percent per month, was used as a flat fee of 1.5: ask again with the flat fee of your own terms as rate, or with 0 for no fee.',
  );
});

/** Invoices as people have them, so that a daily figure is often exact. */
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

describe('what is due on each day', () => {
  it.each(EACH_TONE)('%s: the sum to pay is named, and the rule for the days before', (tone) => {
    const text = written({ tone });
    expect(text).toMatch(
      /pay £1,266\.25(?: by 30 November 2026)?, or the total for the day if you pay earlier, using/,
    );
    expect(text).toContain(': £0.625 for each day after 4 November 2026');
    expect(written({ tone, grace_days: '5' })).toContain(': £0.625 for each day after 9 November 2026');
    expect(written({ tone, max_fee: '50' })).toMatch(/£0\.625 for each day .*, up to £50\.00\./);
    // A daily figure that is cut off does not lead to the right penny.
    expect(written({ tone, rate: '11.75', rate_type: 'annual_percent' })).not.toMatch(
      /: £[\d.]+ for each day/,
    );
    for (const changes of [{ min_fee: '25' }, { max_fee: '5' }, { rate_type: 'flat', rate: '25' }])
      expect(written({ tone, ...changes })).not.toContain('for each day after');
  });

  it('by the rule is what the calculator gives, to the last coin', () => {
    let ruled = 0;
    fc.assert(
      fc.property(growing, fc.constantFrom(...TONES), (terms, tone) => {
        const fee = lateFee(terms);
        if (!fee.ok || fee.value.status === 'not_overdue') return;
        const letter = reminder(fee.value, reminderRequest({ tone }));
        if (!letter.ok) return;
        const { body, payBy } = letter.value;
        const rule = /: (?!about)[^\d\n]*([\d.,]+) for each day after (\d+ \w+ \d+)/.exec(body);
        if (rule === null) return;
        ruled++;
        const after = addDays(terms.dueDate, terms.graceDays);
        expect(rule[2]).toBe(longDayText(after));
        const daily = new Big((rule[1] ?? '').replaceAll(',', ''));
        for (
          let late = Math.max(terms.paidDate - after, terms.today - after, 0);
          late <= Math.max(payBy - after, 14);
          late++
        ) {
          const grown = daily.times(late);
          const most = terms.maxFee === null ? grown : new Big(microsText(terms.maxFee));
          const total = new Big(microsText(terms.amount)).plus(grown.gt(most) ? most : grown);
          const known = feeOnDay(fee.value, addDays(after, late));
          const { digits } = fee.value;
          expect(total.round(digits, Big.roundHalfUp).toFixed(digits)).toBe(
            known && minorText(known.totalDue, digits),
          );
        }
      }),
      { numRuns: runs(3000) },
    );
    expect(ruled).toBeGreaterThan(100);
  });
});
