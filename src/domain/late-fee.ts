import type { Day } from './calendar.ts';
import { currencyDigits, tooPrecise, UNKNOWN_CURRENCY } from './currency.ts';
import { lateFeeNotes } from './late-fee-notes.ts';
import {
  type FeeLimit,
  type FeeOnDay,
  type LateFeeFigures,
  type LateFeeStatus,
  type LateFeeTerms,
  type Period,
  periodOf,
} from './late-fee-terms.ts';
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
  scaleOf,
} from './money.ts';
import { selectNotes, textsOf } from './notes.ts';
import type { Fault, Result } from './result.ts';
import { daysText } from './text.ts';

export type LateFee = LateFeeFigures & {
  /** What is unusual about this case. */
  readonly warnings: string[];
  /** What holds for every late fee of this kind; with the warnings at most five. */
  readonly caveats: string[];
};

/**
 * The late fee at the paid date: simple interest by calendar day, or a flat fee, rounded once at the end, then held
 * within its limits. Faults: invalid_currency; too_precise (money has more decimals than the currency); required (a flat
 * rate left out, where the default has); out_of_range (min_fee above max_fee); total_too_large (the total would not be
 * an exact JSON number).
 */
export function lateFee(terms: LateFeeTerms): Result<LateFee> {
  const judged = judge(terms);
  if (!judged.ok) return judged;
  const fee = figuresOf(judged.value);
  const notes = selectNotes(lateFeeNotes(fee));
  fee.warnings.push(...textsOf(notes, 'warning'));
  fee.caveats.push(...textsOf(notes, 'caveat'));
  return { ok: true, value: fee };
}

/** The same faults without the figures. */
export function lateFeeTermsFaults(terms: LateFeeTerms): readonly Fault[] {
  const judged = judge(terms);
  return judged.ok ? [] : judged.faults;
}

type Judged = Pick<LateFeeFigures, 'terms' | 'digits' | 'amount'> & { readonly onDay: FeeOnDay };

function judge(terms: LateFeeTerms): Result<Judged> {
  const digits = terms.currency === null ? 2 : currencyDigits(terms.currency);
  if (digits === null) return { ok: false, faults: [UNKNOWN_CURRENCY] };
  const amount = exactMinor(terms.amount, digits);
  const faults = [...precisionFaults(terms, digits), ...limitFaults(terms)];
  if (amount === null || faults.length > 0) return { ok: false, faults };

  const onDay = feeAt({ terms, digits, amount }, terms.paidDate);
  if (exceedsLargestMoney(onDay.totalDue, digits)) return { ok: false, faults: [TOO_LARGE] };
  return { ok: true, value: { terms, digits, amount, onDay } };
}

const TOO_LARGE: Fault = {
  pointer: '/amount',
  code: 'total_too_large',
  detail: 'grows at this rate to a total above 999,999,999,999.99',
  hint: 'check due_date, rate and rate_type',
};

function precisionFaults(terms: LateFeeTerms, digits: number): Fault[] {
  const { amount, rate, rateType, rateDefaulted, minFee, maxFee, currency } = terms;
  const faults: Fault[] = [];
  if (decimalsOf(amount) > digits) faults.push(tooPrecise('/amount', amount, currency, digits));
  if (rateType === 'flat' && decimalsOf(rate) > digits)
    faults.push(rateDefaulted ? flatRateRequired(currency) : tooPrecise('/rate', rate, currency, digits));
  if (minFee !== null && decimalsOf(minFee) > digits)
    faults.push(tooPrecise('/min_fee', minFee, currency, digits));
  if (maxFee !== null && decimalsOf(maxFee) > digits)
    faults.push(tooPrecise('/max_fee', maxFee, currency, digits));
  return faults;
}

function limitFaults({ minFee, maxFee }: LateFeeTerms): Fault[] {
  if (minFee === null || maxFee === null || minFee <= maxFee) return [];
  return [
    {
      pointer: '/min_fee',
      code: 'out_of_range',
      detail: `is ${microsText(minFee)}, more than max_fee, which is ${microsText(maxFee)}`,
      hint: 'send a min_fee of at most max_fee, or leave one of the two out',
    },
  ];
}

/** A default that the currency cannot represent is dropped: it is not the caller's fault. */
const flatRateRequired = (currency: string | null): Fault => ({
  pointer: '/rate',
  code: 'required',
  detail: `is required for a flat fee in ${currency ?? 'this calculation'}`,
  hint: 'give the flat fee of your own terms, for example 1000',
});

/** The figures without the notes. */
function figuresOf(judged: Judged): LateFee {
  const { terms, digits, amount, onDay } = judged;
  const period = periodOf(terms.rateType);
  const { rate } = terms;
  // Field by field: V8 makes an object anew for each field that stands behind a spread.
  return {
    daysLate: onDay.daysLate,
    chargeableDays: onDay.chargeableDays,
    status: onDay.status,
    fee: onDay.fee,
    limit: onDay.limit,
    totalDue: onDay.totalDue,
    formula: formulaOf(judged, period),
    terms,
    digits,
    amount,
    unroundedFee: plainFee(terms, 6, onDay.chargeableDays) as Micros,
    dailyAccrual: (dailyGrowth(terms, 6)?.value ?? 0n) as Micros,
    nominalAnnualPercent: period === null ? null : ((rate * period.perYear) as Micros),
    annualEquivalentPercent: period === null ? null : (divRound(rate * 365n, period.days) as Micros),
    warnings: [],
    caveats: [],
  };
}

function statusOf(daysLate: number, chargeableDays: number): LateFeeStatus {
  if (daysLate === 0) return 'not_overdue';
  return chargeableDays === 0 ? 'within_grace' : 'overdue';
}

/** The due day is day 0; no interest is charged for the days of grace, even afterwards. */
function feeAt(
  { terms, digits, amount }: Pick<LateFeeFigures, 'terms' | 'digits' | 'amount'>,
  asOf: Day,
): FeeOnDay {
  const daysLate = Math.max(0, asOf - terms.dueDate);
  const chargeableDays = Math.max(0, daysLate - terms.graceDays);
  const { fee, limit } = limitedFee(terms, digits, chargeableDays);
  const status = statusOf(daysLate, chargeableDays);
  return { daysLate, chargeableDays, status, fee, limit, totalDue: (amount + fee) as Minor };
}

/** The fee without its limits, rounded once to so many decimals. */
function plainFee(
  { amount, rate, rateType }: LateFeeTerms,
  decimals: number,
  chargeableDays: number,
): bigint {
  const period = periodOf(rateType);
  if (chargeableDays === 0) return 0n;
  if (period === null) return divRound(rate, powerOfTen(6 - decimals));
  // Millionths of the amount times millionths of a percent.
  return divRound(amount * rate * BigInt(chargeableDays), scaleOf(14 - decimals) * period.days);
}

/** First at least min_fee, then at most max_fee; neither charges anything before a fee has begun. */
function limitedFee(
  terms: LateFeeTerms,
  digits: number,
  chargeableDays: number,
): { fee: Minor; limit: FeeLimit | null } {
  const plain = plainFee(terms, digits, chargeableDays);
  const step = powerOfTen(6 - digits);
  const least = terms.minFee === null || chargeableDays === 0 ? 0n : terms.minFee / step;
  const raised = plain < least ? least : plain;
  const most = terms.maxFee === null ? raised : terms.maxFee / step;
  if (raised > most) return { fee: most as Minor, limit: 'max_fee' };
  return { fee: raised as Minor, limit: plain < least ? 'min_fee' : null };
}

/** What one chargeable day adds at the rate, and whether so many decimals say all of it; null for a flat fee. */
export function dailyGrowth(
  { amount, rate, rateType }: LateFeeTerms,
  decimals: number,
): { value: bigint; isExact: boolean } | null {
  const period = periodOf(rateType);
  if (period === null) return null;
  const numerator = amount * rate;
  const denominator = scaleOf(14 - decimals) * period.days;
  const value = divRound(numerator, denominator);
  return { value, isExact: value * denominator === numerator };
}

/** The fee on another day under the same terms; null when the total would be too large. */
export function feeOnDay(figures: LateFeeFigures, day: Day): FeeOnDay | null {
  const onDay = feeAt(figures, day);
  return exceedsLargestMoney(onDay.totalDue, figures.digits) ? null : onDay;
}

/** What the same terms cost if payment arrives on another day; null when the total would be too large. */
export function costOn(figures: LateFeeFigures, day: Day): { fee: Minor; totalDue: Minor } | null {
  const onDay = feeOnDay(figures, day);
  return onDay && { fee: onDay.fee, totalDue: onDay.totalDue };
}

const LIMITED: Readonly<Record<FeeLimit, string>> = {
  min_fee: 'raised to the minimum',
  max_fee: 'cut to the maximum',
};

function formulaOf(judged: Judged, period: Period | null): string {
  const { terms, digits } = judged;
  const { daysLate, chargeableDays, status, fee, limit } = judged.onDay;
  const result = minorText(fee, digits);
  if (status === 'not_overdue') return `0 days late, so no fee: ${result}`;
  if (status === 'within_grace')
    return `${daysText(daysLate)} late, within ${daysText(terms.graceDays)} of grace, so no fee: ${result}`;
  const product = productText(judged, period);
  if (limit === null) return `${product} = ${result}`;
  const plain = minorText(plainFee(terms, digits, chargeableDays) as Minor, digits);
  return `${product} = ${plain}, ${LIMITED[limit]} = ${result}`;
}

function productText({ terms, digits, amount, onDay }: Judged, period: Period | null): string {
  const { daysLate, chargeableDays } = onDay;
  if (period === null) return 'flat fee, charged once';
  const days = terms.graceDays === 0 ? `${chargeableDays}` : `(${daysLate} - ${terms.graceDays})`;
  const share = period.days === 1n ? '' : ` / ${period.days}`;
  return `${minorText(amount, digits)} x ${microsText(terms.rate)}% x ${days}${share}`;
}
