import Big from 'big.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addDays } from '../../src/domain/calendar.ts';
import { feeOnDay, type LateFeeTerms, lateFee } from '../../src/domain/late-fee.ts';
import { lateFeeNotes } from '../../src/domain/late-fee-notes.ts';
import {
  exceedsLargestMoney,
  type Micros,
  type Minor,
  microsText,
  minorNumber,
  minorText,
} from '../../src/domain/money.ts';
import { lateFeeInputs } from './arbitraries.ts';
import { faultCodes } from './samples.ts';

const Exact = Big();
Exact.DP = 60;
Exact.RM = Big.roundHalfUp;
const big = (value: Micros) => new Exact(microsText(value));

/** The published formulas, in an independent calculation. */
function reference(
  { amount, rate, rateType, dueDate, paidDate, graceDays, minFee, maxFee }: LateFeeTerms,
  digits: number,
): Big {
  const days = Math.max(0, Math.max(0, paidDate - dueDate) - graceDays);
  const exact = {
    monthly_percent: () => big(amount).times(big(rate)).times(days).div(3000),
    annual_percent: () => big(amount).times(big(rate)).times(days).div(36500),
    daily_percent: () => big(amount).times(big(rate)).times(days).div(100),
    flat: () => (days >= 1 ? big(rate) : new Exact(0)),
  }[rateType]();
  const rounded = exact.round(digits);
  if (days < 1) return rounded;
  const raised = minFee !== null && rounded.lt(big(minFee)) ? big(minFee) : rounded;
  return maxFee !== null && raised.gt(big(maxFee)) ? big(maxFee) : raised;
}

it('the fee equals the published formula in exact arithmetic, or the total is refused as too large', () => {
  fc.assert(
    fc.property(lateFeeInputs, (terms) => {
      const result = lateFee(terms);
      const digits = result.ok
        ? result.value.digits
        : terms.currency === 'JPY'
          ? 0
          : terms.currency === 'KWD'
            ? 3
            : 2;
      const fee = reference(terms, digits);
      const total = fee.plus(big(terms.amount));
      if (!result.ok) {
        expect(faultCodes(result)).toEqual(['/amount total_too_large']);
        expect(total.gt('999999999999.99')).toBe(true);
        return;
      }
      expect(total.lte('999999999999.99')).toBe(true);
      expect(minorText(result.value.fee, digits)).toBe(fee.toFixed(digits));
      expect(minorText(result.value.totalDue, digits)).toBe(total.toFixed(digits));
    }),
  );
});

it('a fee is never negative, never falls with time, and is charged only on an overdue invoice', () => {
  fc.assert(
    fc.property(lateFeeInputs, fc.integer({ min: 0, max: 400 }), (terms, later) => {
      const result = lateFee(terms);
      fc.pre(result.ok);
      const { value } = result;
      expect(value.totalDue).toBe(value.amount + value.fee);
      expect(value.fee >= 0n).toBe(true);
      if (value.status !== 'overdue') expect(value.fee).toBe(0n);
      expect(value.chargeableDays > 0).toBe(value.status === 'overdue');
      const cost = feeOnDay(value, addDays(terms.paidDate, later));
      if (cost !== null) expect(cost.fee >= value.fee).toBe(true);
    }),
  );
});

it('the cost on the day of payment is the fee itself', () => {
  fc.assert(
    fc.property(lateFeeInputs, (terms) => {
      const result = lateFee(terms);
      fc.pre(result.ok);
      const { fee, totalDue } = result.value;
      expect(feeOnDay(result.value, terms.paidDate)).toMatchObject({ fee, totalDue });
    }),
  );
});

it('every answer about a late fee is deterministic, short, and exact in JSON', () => {
  fc.assert(
    fc.property(lateFeeInputs, (terms) => {
      const result = lateFee(terms);
      expect(lateFee({ ...terms })).toEqual(result);
      fc.pre(result.ok);
      const { fee, totalDue, digits, formula } = result.value;
      const { warnings, caveats } = lateFeeNotes(result.value);
      for (const amount of [fee, totalDue] as Minor[]) {
        expect(exceedsLargestMoney(amount, digits)).toBe(false);
        expect(new Big(minorNumber(amount, digits)).toFixed(digits)).toBe(minorText(amount, digits));
      }
      expect(formula.length).toBeLessThanOrEqual(140);
      const notes = [...warnings, ...caveats];
      expect(notes.length).toBeLessThanOrEqual(5);
      expect(new Set(notes).size).toBe(notes.length);
      for (const text of notes) expect(text.length).toBeLessThanOrEqual(300);
    }),
  );
});
