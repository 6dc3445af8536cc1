import type { Day } from './calendar.ts';
import { currencyDigits } from './currency.ts';
import { lateFeeCaveats, lateFeeWarnings } from './late-fee-notes.ts';
import {
  decimalsOf,
  divRound,
  exactMinor,
  exceedsLargestMoney,
  type Micros,
  type Minor,
  microsText,
  minorText,
  powerOfTen,
  SCALE,
} from './money.ts';
import { type Period, periodOf } from './rate-period.ts';
import type { Fault, Result } from './result.ts';
import { daysText } from './text.ts';

export type RateType = 'monthly_percent' | 'annual_percent' | 'daily_percent' | 'flat';

export const RATE_TYPES: readonly RateType[] = ['monthly_percent', 'annual_percent', 'daily_percent', 'flat'];

/** What a late fee is worked out from. `currency` null means no symbol and two decimals. */
export type LateFeeTerms = {
  readonly amount: Micros;
  readonly currency: string | null;
  readonly dueDate: Day;
  readonly paidDate: Day;
  readonly asOfSource: 'paid_date' | 'today_utc';
  readonly rate: Micros;
  readonly rateDefaulted: boolean;
  readonly rateType: RateType;
  readonly graceDays: number;
};

type LateFeeStatus = 'overdue' | 'within_grace' | 'not_overdue';

/** The figures alone, in minor units of `digits` decimals, days and millionths of a percent. */
export type LateFeeFigures = {
  readonly terms: LateFeeTerms;
  readonly digits: number;
  readonly amount: Minor;
  readonly daysLate: number;
  readonly chargeableDays: number;
  readonly status: LateFeeStatus;
  readonly fee: Minor;
  readonly totalDue: Minor;
  /** What one chargeable day adds at this rate, unrounded to six decimals, also while nothing is charged yet; 0 for flat. */
  readonly dailyAccrual: Micros;
  /** The yearly rate as people name it: a monthly rate x 12, a daily rate x 365; null for flat. */
  readonly nominalAnnualPercent: Micros | null;
  /** The yearly rate that 365 days really cost: a monthly rate x 365 / 30; null for flat. */
  readonly annualEquivalentPercent: Micros | null;
  /** '1250.00 x 1.5% x 17 / 30 = 10.63' */
  readonly formula: string;
};

export type LateFee = LateFeeFigures & {
  /** What is unusual about this case. */
  readonly warnings: string[];
  /** What holds for every late fee of this kind; at most four. */
  readonly caveats: string[];
};

/**
 * The late fee at the paid date: simple interest by calendar day, or a flat fee, rounded once at the end.
 * Faults: invalid_currency; too_precise (the amount, or a flat rate, has more decimals than the currency);
 * required (a flat rate left out, where the default has); total_too_large (the total would not be an exact JSON number).
 */
export function lateFee(terms: LateFeeTerms): Result<LateFee> {
  const digits = terms.currency === null ? 2 : currencyDigits(terms.currency);
  if (digits === null)
    return {
      ok: false,
      faults: [{ pointer: '/currency', code: 'invalid_currency', detail: 'is not accepted' }],
    };
  const amount = exactMinor(terms.amount, digits);
  const faults = precisionFaults(terms, digits);
  if (amount === null || faults.length > 0) return { ok: false, faults };

  const figures = figuresOf(terms, digits, amount);
  if (exceedsLargestMoney(figures.totalDue, digits)) return { ok: false, faults: [TOO_LARGE] };
  return {
    ok: true,
    value: { ...figures, warnings: lateFeeWarnings(figures), caveats: lateFeeCaveats(figures) },
  };
}

const TOO_LARGE: Fault = {
  pointer: '/amount',
  code: 'total_too_large',
  detail: 'grows at this rate to a total above 999,999,999,999.99',
  hint: 'check due_date, rate and rate_type',
};

function precisionFaults(terms: LateFeeTerms, digits: number): Fault[] {
  const { amount, rate, rateType, rateDefaulted, currency } = terms;
  const faults: Fault[] = [];
  if (decimalsOf(amount) > digits) faults.push(tooPrecise('/amount', amount, currency, digits));
  if (rateType === 'flat' && decimalsOf(rate) > digits)
    faults.push(rateDefaulted ? flatRateRequired(currency) : tooPrecise('/rate', rate, currency, digits));
  return faults;
}

function tooPrecise(pointer: string, value: Micros, currency: string | null, digits: number): Fault {
  const most = digits === 0 ? 'no decimals' : `at most ${digits} decimals`;
  return {
    pointer,
    code: 'too_precise',
    detail: `is ${microsText(value)}; money in ${currency ?? 'this calculation'} has ${most}`,
    hint: currency === null ? 'give a currency if it has more minor digits' : `round it to ${most}`,
  };
}

/** A default that the currency cannot hold is no fault of a caller's figure: there is none. */
const flatRateRequired = (currency: string | null): Fault => ({
  pointer: '/rate',
  code: 'required',
  detail: `is required for a flat fee in ${currency ?? 'this calculation'}`,
  hint: 'give the flat fee of your own terms, for example 1000',
});

function figuresOf(terms: LateFeeTerms, digits: number, amount: Minor): LateFeeFigures {
  const { daysLate, chargeableDays } = lateDays(terms, terms.paidDate);
  const period = periodOf(terms.rateType);
  const { rate } = terms;
  const fee = feeFor(terms, digits, chargeableDays);
  const figures = {
    terms,
    digits,
    amount,
    daysLate,
    chargeableDays,
    status: statusOf(daysLate, chargeableDays),
    fee,
    totalDue: (amount + fee) as Minor,
    dailyAccrual: (period === null
      ? 0n
      : divRound(terms.amount * rate, SCALE * 100n * period.days)) as Micros,
    nominalAnnualPercent: period === null ? null : ((rate * period.perYear) as Micros),
    annualEquivalentPercent: period === null ? null : (divRound(rate * 365n, period.days) as Micros),
  };
  return { ...figures, formula: formulaOf(figures, period) };
}

/** The due day is day 0; grace days are subtracted, not merely waited for. */
function lateDays({ dueDate, graceDays }: LateFeeTerms, asOf: Day) {
  const daysLate = Math.max(0, asOf - dueDate);
  return { daysLate, chargeableDays: Math.max(0, daysLate - graceDays) };
}

function statusOf(daysLate: number, chargeableDays: number): LateFeeStatus {
  if (daysLate === 0) return 'not_overdue';
  return chargeableDays === 0 ? 'within_grace' : 'overdue';
}

function feeFor({ amount, rate, rateType }: LateFeeTerms, digits: number, chargeableDays: number): Minor {
  const period = periodOf(rateType);
  if (chargeableDays === 0) return 0n as Minor;
  if (period === null) return divRound(rate * powerOfTen(digits), SCALE) as Minor;
  const interest = amount * rate * BigInt(chargeableDays) * powerOfTen(digits);
  return divRound(interest, SCALE * SCALE * 100n * period.days) as Minor;
}

/** What the same terms cost if payment arrives on another day; null when the total would be too large. */
export function costOn(
  { terms, digits, amount }: LateFeeFigures,
  day: Day,
): { fee: Minor; totalDue: Minor } | null {
  const fee = feeFor(terms, digits, lateDays(terms, day).chargeableDays);
  const totalDue = (amount + fee) as Minor;
  return exceedsLargestMoney(totalDue, digits) ? null : { fee, totalDue };
}

function formulaOf(figures: Omit<LateFeeFigures, 'formula'>, period: Period | null): string {
  const { terms, digits, amount, daysLate, chargeableDays, status, fee } = figures;
  const zero = minorText(0n as Minor, digits);
  const result = minorText(fee, digits);
  if (status === 'not_overdue') return `0 days late, so no fee: ${zero}`;
  if (status === 'within_grace')
    return `${daysText(daysLate)} late - ${daysText(terms.graceDays)} of grace = 0 chargeable days, so no fee: ${zero}`;
  if (period === null) return `flat fee, charged once = ${result}`;
  const days = terms.graceDays === 0 ? `${chargeableDays}` : `(${daysLate} - ${terms.graceDays})`;
  const share = period.days === 1n ? '' : ` / ${period.days}`;
  return `${minorText(amount, digits)} x ${microsText(terms.rate)}% x ${days}${share} = ${result}`;
}
