import { type Day, monthsBegun } from './calendar.ts';
import { currencyDigits, tooPrecise, UNKNOWN_CURRENCY } from './currency.ts';
import { lateFeeNotes } from './late-fee-notes.ts';
import {
  type DebtFigures,
  type FeeLimit,
  type FeeOnDay,
  type LateFeeFigures,
  type LateFeeStatus,
  type LateFeeTerms,
  type Payment,
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
  SCALE,
  scaleOf,
} from './money.ts';
import { selectNotes, textsOf } from './notes.ts';
import type { Fault, Result } from './result.ts';
import { daysText } from './text.ts';

export type LateFee = LateFeeFigures & {
  /** What is unusual about this case. */
  readonly warnings: string[];
  /** What is true of every late fee of this kind; at most five together with the warnings. */
  readonly caveats: string[];
};

/**
 * The late fee at the paid date: interest or a flat fee by the accrual, rounded once for each invoice, then kept
 * within its limits. Faults: invalid_currency; too_precise (money has more decimals than the currency); required (a
 * flat rate is missing and the default has too many decimals); not_together (an accrual with a rate type or payments
 * that it does not allow); out_of_range (min_fee above max_fee); total_too_large (the total would not be an exact
 * JSON number).
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

/** The faults of `lateFee`, without the figures. */
export function lateFeeTermsFaults(terms: LateFeeTerms): readonly Fault[] {
  const judged = judge(terms);
  return judged.ok ? [] : judged.faults;
}

type Judged = Pick<LateFeeFigures, 'terms' | 'digits' | 'amount' | 'paid'> & { readonly onDay: FeeOnDay };

function judge(terms: LateFeeTerms): Result<Judged> {
  const digits = terms.currency === null ? 2 : currencyDigits(terms.currency);
  if (digits === null) return { ok: false, faults: [UNKNOWN_CURRENCY] };
  const amount = exactMinor(terms.amount, digits);
  const faults = [...precisionFaults(terms, digits), ...limitFaults(terms), ...accrualFaults(terms)];
  if (amount === null || faults.length > 0) return { ok: false, faults };

  const paid = (paidOf(terms) / powerOfTen(6 - digits)) as Minor;
  const onDay = feeAt(terms, digits, terms.paidDate);
  if (exceedsLargestMoney((amount + onDay.fee) as Minor, digits)) return { ok: false, faults: [TOO_LARGE] };
  return { ok: true, value: { terms, digits, amount, paid, onDay } };
}

const paidOf = ({ payments }: LateFeeTerms): bigint => payments.reduce((sum, { amount }) => sum + amount, 0n);

/** The options that an accrual cannot be combined with. */
function accrualFaults({ accrual, rateType, payments }: LateFeeTerms): Fault[] {
  const fault = (detail: string, hint: string): Fault => ({
    pointer: '/accrual',
    code: 'not_together',
    detail,
    hint,
  });
  if (accrual === 'month_begun' && rateType !== 'monthly_percent' && rateType !== 'flat')
    return [
      fault(
        `cannot be month_begun with rate_type ${rateType}`,
        'send rate_type monthly_percent, or flat for a sum each month',
      ),
    ];
  if (accrual !== 'compound') return [];
  if (rateType === 'flat')
    return [fault('cannot be compound with rate_type flat', 'send a percentage, or leave accrual out')];
  return payments.some(({ day }) => day !== null)
    ? [
        fault(
          'cannot be compound if payments are sent with their days',
          'send amount_paid instead of payments, or leave accrual out',
        ),
      ]
    : [];
}

const TOO_LARGE: Fault = {
  pointer: '/amount',
  code: 'total_too_large',
  detail: 'would grow to a total above 999,999,999,999.99 at this rate',
  hint: 'check due_date, rate and rate_type',
};

function precisionFaults(terms: LateFeeTerms, digits: number): Fault[] {
  const { rate, rateType, rateDefaulted, minFee, maxFee, currency, debts, payments } = terms;
  const faults: Fault[] = [];
  const check = (pointer: string, value: Micros) => {
    if (decimalsOf(value) > digits) faults.push(tooPrecise(pointer, value, currency, digits));
  };
  for (const [index, { amount }] of debts.entries())
    check(index === 0 ? '/amount' : `/more_invoices/${index - 1}/amount`, amount);
  const isUndated = payments.some(({ day }) => day === null);
  for (const [index, { amount }] of payments.entries())
    check(isUndated ? '/amount_paid' : `/payments/${index}/amount`, amount);
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
      hint: 'send a min_fee of at most max_fee, or leave out one of them',
    },
  ];
}

/**
 * The fault of a missing flat rate if the currency cannot represent the default. It asks for a rate, because the
 * caller did not choose the default.
 */
const flatRateRequired = (currency: string | null): Fault => ({
  pointer: '/rate',
  code: 'required',
  detail: `is required for a flat fee in ${currency ?? 'this calculation'}`,
  hint: 'send the flat fee in your own terms, for example 1000',
});

/** The figures without the notes. */
function figuresOf(judged: Judged): LateFee {
  const { terms, digits, amount, paid, onDay } = judged;
  const period = periodOf(terms.rateType);
  const { rate } = terms;
  // Written field by field, because V8 creates a new object for each field after a spread.
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
    paid,
    debts: debtFigures(terms, digits),
    unroundedFee: debtsOf(terms).reduce(
      (sum, debt) => sum + plainFee(terms, debt, 6, terms.paidDate),
      0n,
    ) as Micros,
    dailyAccrual: (dailyGrowth(terms, 6, terms.paidDate)?.value ?? 0n) as Micros,
    nominalAnnualPercent: period === null ? null : ((rate * period.perYear) as Micros),
    annualEquivalentPercent: period === null ? null : annualEquivalent(terms, period),
    warnings: [],
    caveats: [],
  };
}

/** The cost of 365 days at the rate, in percent. */
function annualEquivalent({ rate, accrual }: LateFeeTerms, period: Period): Micros {
  if (accrual === 'month_begun') return (rate * 12n) as Micros;
  return (
    accrual === 'compound'
      ? divRound((growthFactor(rate, period, 365) - ONE) * 100n * SCALE, ONE)
      : divRound(rate * 365n, period.days)
  ) as Micros;
}

function statusOf(daysLate: number, chargeableDays: number): LateFeeStatus {
  if (daysLate === 0) return 'not_overdue';
  return chargeableDays === 0 ? 'within_grace' : 'overdue';
}

/** An invoice with its payments by day. Payments without a day come first. */
export type Debt = LateFeeTerms['debts'][number] & { readonly payments: readonly Payment[] };

/**
 * The invoices with their payments: a payment goes to the invoice that it names, then to the one that was due first.
 */
export function debtsOf({ debts, payments }: LateFeeTerms): readonly Debt[] {
  if (payments.length === 0) return debts.map((debt) => ({ ...debt, payments }));
  const open = debts.map((debt) => ({ ...debt, left: debt.amount as bigint, payments: [] as Payment[] }));
  const inOrder = [...open].sort((one, other) => one.dueDate - other.dueDate);
  for (const { amount, day, debt: named } of byDay(payments)) {
    let rest: bigint = amount;
    const own = named === undefined ? undefined : open[named];
    for (const debt of own === undefined ? inOrder : [own, ...inOrder]) {
      const part = rest < debt.left ? rest : debt.left;
      if (part === 0n) continue;
      debt.payments.push({ amount: part as Micros, day });
      debt.left -= part;
      rest -= part;
    }
  }
  return open;
}

/** Sorted by day, with unknown days first. On one day, payments that name their invoice come first. */
const byDay = (payments: readonly Payment[]): readonly Payment[] =>
  [...payments].sort(
    (one, other) =>
      (one.day ?? -1) - (other.day ?? -1) ||
      Number(one.debt === undefined) - Number(other.debt === undefined),
  );

/** A period in which the open sum did not change: from the day after `from` to `to`. */
type OpenTime = { readonly open: Micros; readonly from: Day; readonly to: Day };

/** The periods from `start` to a day in which part of the sum was unpaid. */
export function openTimes({ amount, payments }: Debt, start: Day, asOf: Day): readonly OpenTime[] {
  const times: OpenTime[] = [];
  let [open, from] = [amount as bigint, start];
  const add = (to: Day) => {
    if (to > from && open > 0n) times.push({ open: open as Micros, from, to });
    if (to > from) from = to;
  };
  for (const payment of payments) {
    if (payment.day !== null) add(Math.min(payment.day, asOf) as Day);
    open -= payment.amount;
  }
  add(asOf);
  return times;
}

/** The chargeable sums of one invoice times their days or months, and the number of days or months. */
function chargedFor(terms: LateFeeTerms, debt: Debt, asOf: Day) {
  const start = (debt.dueDate + terms.graceDays) as Day;
  const unitsTo = (day: Day) => (terms.accrual === 'month_begun' ? monthsBegun(start, day) : day - start);
  let [weighted, units, days] = [0n, 0, 0];
  const parts: { readonly open: Micros; readonly units: number }[] = [];
  for (const { open, from, to } of openTimes(debt, start, asOf)) {
    const part = unitsTo(to) - unitsTo(from);
    if (part > 0) parts.push({ open, units: part });
    weighted += open * BigInt(part);
    units += part;
    days += to - from;
  }
  return { weighted, units, days, parts };
}

/** The due day is day 0. Days of grace are never charged. */
function feeAt(terms: LateFeeTerms, digits: number, asOf: Day): FeeOnDay {
  const fees = debtsOf(terms).map((debt) => debtFeeAt(terms, debt, digits, asOf));
  const daysLate = Math.max(0, asOf - terms.dueDate);
  const chargeableDays = Math.max(...fees.map(({ days }) => days));
  const fee = fees.reduce((sum, one) => sum + one.fee, 0n) as Minor;
  const [limit = null, ...others] = new Set(fees.map((one) => one.limit));
  const open = (terms.amount - paidOf(terms)) / powerOfTen(6 - digits);
  return {
    daysLate,
    chargeableDays,
    status: statusOf(daysLate, chargeableDays),
    fee,
    limit: others.length === 0 ? limit : null,
    totalDue: (open + fee) as Minor,
  };
}

function debtFeeAt(terms: LateFeeTerms, debt: Debt, digits: number, asOf: Day) {
  const { days, parts } = chargedFor(terms, debt, asOf);
  return { days, parts, ...limitedFee(terms, digits, plainFee(terms, debt, digits, asOf), days) };
}

function debtFigures(terms: LateFeeTerms, digits: number): readonly DebtFigures[] {
  return debtsOf(terms).map((debt) => {
    const minor = (value: bigint) => (value / powerOfTen(6 - digits)) as Minor;
    const { fee } = debtFeeAt(terms, debt, digits, terms.paidDate);
    const paid = minor(debt.payments.reduce((sum, { amount }) => sum + amount, 0n));
    const amount = minor(debt.amount);
    const daysLate = Math.max(0, terms.paidDate - debt.dueDate);
    return { amount, paid, dueDate: debt.dueDate, daysLate, fee, totalDue: (amount - paid + fee) as Minor };
  });
}

/** The fee of one invoice without its limits, rounded once to `decimals`. */
function plainFee(terms: LateFeeTerms, debt: Debt, decimals: number, asOf: Day): bigint {
  const { rate, rateType, accrual } = terms;
  const { weighted, units, days } = chargedFor(terms, debt, asOf);
  const period = periodOf(rateType);
  if (days === 0) return 0n;
  if (period === null)
    return divRound(accrual === 'month_begun' ? rate * BigInt(units) : rate, powerOfTen(6 - decimals));
  if (accrual === 'compound') {
    const open = debt.amount - debt.payments.reduce((sum, { amount }) => sum + amount, 0n);
    return divRound(open * (growthFactor(rate, period, days) - ONE), ONE * powerOfTen(6 - decimals));
  }
  // Millionths of the amount times millionths of a percent.
  const share = accrual === 'month_begun' ? 1n : period.days;
  return divRound(weighted * rate, scaleOf(14 - decimals) * share);
}

// Forty decimals, far more than the final rounding needs.
const ONE = 10n ** 40n;
const LARGEST_GROWTH = ONE * 10n ** 16n;

/** The value of one unit of money after `days` with compound interest, times 10^40; at most 10^16 units. */
function growthFactor(rate: Micros, period: Period, days: number): bigint {
  const length = Number(period.days);
  const perPeriod = (rate * ONE) / (100n * SCALE);
  let [factor, base] = [ONE, ONE + perPeriod];
  for (let left = Math.floor(days / length); left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) factor = (factor * base) / ONE;
    base = (base * base) / ONE;
    if (factor > LARGEST_GROWTH || (base > LARGEST_GROWTH && left > 1)) return LARGEST_GROWTH;
  }
  const rest = BigInt(days % length);
  return (factor * (ONE + (perPeriod * rest) / period.days)) / ONE;
}

/** At least min_fee, then at most max_fee. Neither charges anything before a fee has begun. */
function limitedFee(
  terms: LateFeeTerms,
  digits: number,
  plain: bigint,
  chargeableDays: number,
): { fee: Minor; limit: FeeLimit | null } {
  const step = powerOfTen(6 - digits);
  const least = terms.minFee === null || chargeableDays === 0 ? 0n : terms.minFee / step;
  const raised = plain < least ? least : plain;
  const most = terms.maxFee === null ? raised : terms.maxFee / step;
  if (raised > most) return { fee: most as Minor, limit: 'max_fee' };
  return { fee: raised as Minor, limit: plain < least ? 'min_fee' : null };
}

/** The amount that the next day adds at the rate, rounded to `decimals`; null if no single day adds anything. */
export function dailyGrowth(terms: LateFeeTerms, decimals: number, asOf: Day): { value: bigint } | null {
  const { rate, rateType, accrual, graceDays } = terms;
  const period = periodOf(rateType);
  if (period === null || accrual === 'month_begun') return null;
  if (accrual === 'compound') {
    const [earlier, later] = [0, 1].map((days) =>
      debtsOf(terms).reduce((sum, debt) => {
        const day = Math.max(asOf, debt.dueDate + graceDays) + days;
        return sum + plainFee(terms, debt, 6, day as Day);
      }, 0n),
    ) as [bigint, bigint];
    return { value: divRound(later - earlier, powerOfTen(6 - decimals)) };
  }
  const numerator = (terms.amount - paidOf(terms)) * rate;
  return { value: divRound(numerator, scaleOf(14 - decimals) * period.days) };
}

/** The charges on each invoice up to a day: each unpaid sum, and the days or started months for which it is charged. */
export const chargesOn = ({ terms, digits }: LateFeeFigures, day: Day) =>
  debtsOf(terms).map((debt) => ({ debt, ...debtFeeAt(terms, debt, digits, day) }));

/** The fee on another day under the same terms; null if the total would be too large. */
export function feeOnDay(figures: LateFeeFigures, day: Day): FeeOnDay | null {
  const { terms, digits, paid } = figures;
  const onDay = feeAt(terms, digits, day);
  return exceedsLargestMoney((onDay.totalDue + paid) as Minor, digits) ? null : onDay;
}

/** The cost of the same terms if payment arrives on another day; null if the total would be too large. */
export function costOn(figures: LateFeeFigures, day: Day): { fee: Minor; totalDue: Minor } | null {
  const onDay = feeOnDay(figures, day);
  return onDay && { fee: onDay.fee, totalDue: onDay.totalDue };
}

const LIMITED: Readonly<Record<FeeLimit, string>> = {
  min_fee: 'raised to the minimum',
  max_fee: 'cut to the maximum',
};

function formulaOf({ terms, digits, onDay }: Judged, period: Period | null): string {
  const { daysLate, status, fee, limit } = onDay;
  const result = minorText(fee, digits);
  if (status === 'not_overdue') return `0 days late, so no fee: ${result}`;
  if (status === 'within_grace')
    return `${daysText(daysLate)} late, within ${daysText(terms.graceDays)} of grace, so no fee: ${result}`;
  const debts = debtsOf(terms);
  const [only, ...others] = debts;
  if (only === undefined || others.length > 0)
    return `${debtFigures(terms, digits)
      .map((debt) => minorText(debt.fee, digits))
      .join(' + ')} = ${result}`;
  const product = productText(terms, only, digits, period);
  if (limit === null) return `${product} = ${result}`;
  const plain = minorText(plainFee(terms, only, digits, terms.paidDate) as Minor, digits);
  return `${product} = ${plain}, ${LIMITED[limit]} = ${result}`;
}

/** '1250.00 x 1.5% x 17 / 30' */
function productText(terms: LateFeeTerms, debt: Debt, digits: number, period: Period | null): string {
  const { accrual, graceDays, paidDate } = terms;
  const { units, days, parts } = chargedFor(terms, debt, paidDate);
  const sum = (value: Micros) => minorText((value / powerOfTen(6 - digits)) as Minor, digits);
  const months = `${units} ${units === 1 ? 'month' : 'months'} begun`;
  if (period === null)
    return accrual === 'month_begun' ? `${sum(terms.rate)} x ${months}` : 'flat fee, charged once';
  const rate = `${microsText(terms.rate)}%`;
  const share = period.days === 1n || accrual === 'month_begun' ? '' : ` / ${period.days}`;
  const open = sum(parts[0]?.open ?? debt.amount);
  if (accrual === 'compound') {
    const length = Number(period.days);
    const rest = days % length === 0 ? '' : ` x (1 + ${rate} x ${days % length}${share})`;
    return `${open} x ((1 + ${rate})^${Math.floor(days / length)}${rest} - 1)`;
  }
  if (parts.length > 1)
    return `(${parts.map((part) => `${sum(part.open)} x ${part.units}`).join(' + ')}) x ${rate}${accrual === 'month_begun' ? ' by months begun' : share}`;
  if (accrual === 'month_begun') return `${open} x ${rate} x ${months}`;
  const isWhole = graceDays === 0 || debt.payments.length > 0;
  return `${open} x ${rate} x ${isWhole ? days : `(${days + graceDays} - ${graceDays})`}${share}`;
}
