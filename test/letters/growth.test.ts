import Big from 'big.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addDays } from '../../src/domain/calendar.ts';
import { currencyDigits } from '../../src/domain/currency.ts';
import { dailyGrowth, feeOnDay, lateFee } from '../../src/domain/late-fee.ts';
import { TONES } from '../../src/domain/letter-facts.ts';
import { type Micros, microsText, minorText, powerOfTen } from '../../src/domain/money.ts';
import { reminder } from '../../src/domain/reminder.ts';
import { reminderRequest } from '../domain/letter-samples.ts';
import { day, dec, lateFeeTerms } from '../domain/samples.ts';
import { hasSameInputs } from '../support/properties.ts';

const RUNS = 300;

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

it("the daily amount that a letter states leads to the calculator's result on each later day, to the smallest unit", () => {
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
      const daily = dailyGrowth(terms, 6, terms.paidDate) ?? 0n;
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
  if (hasSameInputs) expect(ruled).toBeGreaterThan(RUNS / 400);
});
