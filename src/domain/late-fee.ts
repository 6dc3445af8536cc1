import { type Day, monthsBegun } from './calendar.ts';
import { digitsOf, tooPrecise } from './currency.ts';
import {
  decimalsOf,
  divRound,
  exactMinor,
  exceedsLargestMoney,
  type Micros,
  type Minor,
  microsText,
  minorOf,
  minorText,
  powerOfTen,
  SCALE,
} from './money.ts';
import type { Fault, Result } from './result.ts';
import { daysText } from './text.ts';

export const RATE_TYPES = ['monthly_percent', 'annual_percent', 'daily_percent', 'flat'] as const;
export type RateType = (typeof RATE_TYPES)[number];

/** How a fee accumulates: by the day, for each month or part of a month, or with compound interest. */
export const ACCRUALS = ['simple', 'month_begun', 'compound'] as const;
type Accrual = (typeof ACCRUALS)[number];

/** A part payment. The day is null if it is unknown, and the payment then counts as made on time. */
export type Payment = {
  readonly amount: Micros;
  readonly day: Day | null;
  /** The index of the invoice that was paid; by default, the one that was due first. */
  readonly debt?: number | undefined;
};

/** The input of a late fee. `currency` null means no symbol and two decimal places. */
export type LateFeeTerms = {
  /** The amount of all invoices together. */
  readonly amount: Micros;
  readonly currency: string | null;
  /** The earliest due date. */
  readonly dueDate: Day;
  /** Each invoice; the amounts add up to `amount`. */
  readonly debts: readonly { readonly amount: Micros; readonly dueDate: Day }[];
  /** Part payments. Any excess goes to the invoice that was due first. */
  readonly payments: readonly Payment[];
  readonly accrual: Accrual;
  /** The day that the fee is calculated up to. */
  readonly paidDate: Day;
  readonly asOfSource: 'paid_date' | 'today_utc';
  /** The day of the request. */
  readonly today: Day;
  readonly rate: Micros;
  readonly rateDefaulted: boolean;
  readonly rateType: RateType;
  readonly graceDays: number;
  /** The minimum fee once a fee has begun; null if there is none. */
  readonly minFee: Micros | null;
  /** The maximum fee; null if there is none. */
  readonly maxFee: Micros | null;
  /** Whether the answer also shows statutory interest. If so, the notes need not suggest it. */
  readonly isLawShown: boolean;
};

/** An invoice with its payments by day. Payments without a day come first. */
export type Debt = LateFeeTerms['debts'][number] & { readonly payments: readonly Payment[] };

/** The fee of one invoice. */
export type Charge = {
  readonly debt: Debt;
  /** Each unpaid sum, and the days or started months for which it is charged. */
  readonly parts: readonly { readonly open: Micros; readonly units: number }[];
  readonly days: number;
  readonly fee: Minor;
  /** Which of the caller's limits decided the fee. */
  readonly limit: 'min_fee' | 'max_fee' | null;
};

/** The fee of all invoices as of a given day. */
export type FeeOnDay = {
  readonly daysLate: number;
  readonly chargeableDays: number;
  readonly status: 'overdue' | 'within_grace' | 'not_overdue';
  readonly fee: Minor;
  /** The limit that decided the fee of every invoice. */
  readonly limit: Charge['limit'];
  readonly totalDue: Minor;
  /** The charges in the order of the invoices. */
  readonly charges: readonly Charge[];
};

/** Minor units of `digits` decimal places, days, and millionths of a percent. */
export type LateFee = FeeOnDay & {
  readonly terms: LateFeeTerms;
  readonly digits: number;
  readonly amount: Minor;
  /** The part that was paid. */
  readonly paid: Minor;
  /** The fee before its rounding and its limits, to six decimal places. */
  readonly unroundedFee: Micros;
  /** The amount that one chargeable day adds, to six decimal places, even if nothing is charged yet; 0 for a flat fee. */
  readonly dailyAccrual: Micros;
  /** The yearly rate as people state it: a monthly rate x 12, a daily rate x 365; null for flat. */
  readonly nominalAnnualPercent: Micros | null;
  /** The effective rate of 365 days: a monthly rate x 365 / 30; null for flat. */
  readonly annualEquivalentPercent: Micros | null;
  /** '1250.00 x 1.5% x 17 / 30 = 10.63' */
  readonly formula: string;
};

/** The period of a percentage: the number of days it is charged over, and how often it is counted in a year. */
type Period = { readonly name: 'month' | 'year' | 'day'; readonly days: bigint; readonly perYear: bigint };

const PERIODS: Readonly<Record<RateType, Period | null>> = {
  monthly_percent: { name: 'month', days: 30n, perYear: 12n },
  annual_percent: { name: 'year', days: 365n, perYear: 1n },
  daily_percent: { name: 'day', days: 1n, perYear: 365n },
  flat: null,
};

/** null for a flat fee, which has no period. */
export const periodOf = (rateType: RateType): Period | null => PERIODS[rateType];

/**
 * The late fee at the paid date: interest or a flat fee by the accrual, rounded once for each invoice, then kept
 * within its limits. Faults: too_precise (an amount has more decimal places than the currency);
 * required (a flat rate is missing and the default has too many decimal places); not_together (an accrual with a rate
 * type or payments that it does not allow); out_of_range (min_fee above max_fee); total_too_large (the total would not
 * be an exact JSON number).
 */
export function lateFee(terms: LateFeeTerms): Result<LateFee> {
  const judged = judge(terms);
  if (!judged.ok) return judged;
  const { digits, amount, onDay } = judged.value;
  const { rate } = terms;
  const period = periodOf(terms.rateType);
  // Written field by field, because V8 creates a new object for each field after a spread.
  const fee = {
    daysLate: onDay.daysLate,
    chargeableDays: onDay.chargeableDays,
    status: onDay.status,
    fee: onDay.fee,
    limit: onDay.limit,
    totalDue: onDay.totalDue,
    charges: onDay.charges,
    formula: formulaOf(terms, digits, onDay),
    terms,
    digits,
    amount,
    paid: minorOf(sumOf(terms.payments), digits),
    unroundedFee: onDay.charges.reduce((sum, charge) => sum + plainFee(terms, charge, 6), 0n) as Micros,
    dailyAccrual: (dailyGrowth(terms, 6, terms.paidDate) ?? 0n) as Micros,
    nominalAnnualPercent: period === null ? null : ((rate * period.perYear) as Micros),
    annualEquivalentPercent: period === null ? null : annualEquivalent(terms, period),
  };
  return { ok: true, value: fee };
}

/** The faults of `lateFee`, without the figures. */
export function lateFeeTermsFaults(terms: LateFeeTerms): readonly Fault[] {
  const judged = judge(terms);
  return judged.ok ? [] : judged.faults;
}

type Judged = { readonly digits: number; readonly amount: Minor; readonly onDay: FeeOnDay };

function judge(terms: LateFeeTerms): Result<Judged> {
  const digits = digitsOf(terms.currency);
  const amount = exactMinor(terms.amount, digits);
  const faults = [...precisionFaults(terms, digits), ...limitFaults(terms), ...accrualFaults(terms)];
  if (amount === null || faults.length > 0) return { ok: false, faults };
  const onDay = feeAt(terms, digits, terms.paidDate);
  if (exceedsLargestMoney((amount + onDay.fee) as Minor, digits)) return { ok: false, faults: [TOO_LARGE] };
  return { ok: true, value: { digits, amount, onDay } };
}

/** The sum of payments or invoices. */
export const sumOf = (parts: readonly { readonly amount: Micros }[]): Micros =>
  parts.reduce((sum, { amount }) => sum + amount, 0n) as Micros;

/** The options that an accrual cannot be combined with. */
function accrualFaults({ accrual, rateType, payments }: LateFeeTerms): Fault[] {
  const fault = (detail: string, hint: string): Fault[] => [
    { pointer: '/accrual', code: 'not_together', detail, hint },
  ];
  if (accrual === 'month_begun' && rateType !== 'monthly_percent' && rateType !== 'flat')
    return fault(
      `cannot be month_begun with rate_type ${rateType}`,
      'send rate_type monthly_percent, or flat for a sum each month',
    );
  if (accrual !== 'compound') return [];
  if (rateType === 'flat')
    return fault('cannot be compound with rate_type flat', 'send a percentage, or leave accrual out');
  if (payments.every(({ day }) => day === null)) return [];
  return fault(
    'cannot be compound if payments are sent with their days',
    'send amount_paid instead of payments, or leave accrual out',
  );
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
  const check = (pointer: string, value: Micros | null) => {
    if (value !== null && decimalsOf(value) > digits)
      faults.push(tooPrecise(pointer, value, currency, digits));
  };
  for (const [index, { amount }] of debts.entries())
    check(index === 0 ? '/amount' : `/more_invoices/${index - 1}/amount`, amount);
  for (const [index, { amount, day }] of payments.entries())
    check(day === null ? '/amount_paid' : `/payments/${index}/amount`, amount);
  // The caller did not choose the default rate, so a missing rate is the fault.
  if (rateType === 'flat' && rateDefaulted && decimalsOf(rate) > digits)
    faults.push({
      pointer: '/rate',
      code: 'required',
      detail: `is required for a flat fee in ${currency ?? 'this calculation'}`,
      hint: 'send the flat fee in your own terms, for example 1000',
    });
  else if (rateType === 'flat') check('/rate', rate);
  check('/min_fee', minFee);
  check('/max_fee', maxFee);
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

/** The cost of 365 days at the rate, in percent. */
function annualEquivalent({ rate, accrual }: LateFeeTerms, period: Period): Micros {
  if (accrual === 'month_begun') return (rate * 12n) as Micros;
  return (
    accrual === 'compound'
      ? divRound((growthFactor(rate, period, 365) - ONE) * 100n * SCALE, ONE)
      : divRound(rate * 365n, period.days)
  ) as Micros;
}

/**
 * The invoices with their payments. A payment goes to the invoice that it names, and any rest to the one that was due
 * first.
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

/** The chargeable sums of one invoice, without the fee. */
function chargedFor(terms: LateFeeTerms, debt: Debt, asOf: Day): Pick<Charge, 'debt' | 'parts' | 'days'> {
  const start = (debt.dueDate + terms.graceDays) as Day;
  const unitsTo = (day: Day) => (terms.accrual === 'month_begun' ? monthsBegun(start, day) : day - start);
  let days = 0;
  const parts: { readonly open: Micros; readonly units: number }[] = [];
  for (const { open, from, to } of openTimes(debt, start, asOf)) {
    const units = unitsTo(to) - unitsTo(from);
    if (units > 0) parts.push({ open, units });
    days += to - from;
  }
  return { debt, parts, days };
}

/** The due day is day 0. Days of grace are never charged. */
function feeAt(terms: LateFeeTerms, digits: number, asOf: Day): FeeOnDay {
  const charges = debtsOf(terms).map((debt): Charge => {
    const charged = chargedFor(terms, debt, asOf);
    const { fee, limit } = limitedFee(terms, digits, plainFee(terms, charged, digits), charged.days);
    return { debt, parts: charged.parts, days: charged.days, fee, limit };
  });
  const daysLate = Math.max(0, asOf - terms.dueDate);
  const chargeableDays = Math.max(...charges.map(({ days }) => days));
  const fee = charges.reduce((sum, charge) => sum + charge.fee, 0n) as Minor;
  const [limit = null, ...others] = new Set(charges.map((charge) => charge.limit));
  const open = minorOf((terms.amount - sumOf(terms.payments)) as Micros, digits);
  return {
    daysLate,
    chargeableDays,
    status: daysLate === 0 ? 'not_overdue' : chargeableDays === 0 ? 'within_grace' : 'overdue',
    fee,
    limit: others.length === 0 ? limit : null,
    totalDue: (open + fee) as Minor,
    charges,
  };
}

/** The fee of one invoice before the minimum and maximum fee apply, rounded once to `decimals`. */
function plainFee(
  { rate, rateType, accrual }: LateFeeTerms,
  { debt, parts, days }: Pick<Charge, 'debt' | 'parts' | 'days'>,
  decimals: number,
): bigint {
  const period = periodOf(rateType);
  if (days === 0) return 0n;
  if (period === null)
    return divRound(
      accrual === 'month_begun' ? rate * BigInt(unitsOf(parts)) : rate,
      powerOfTen(6 - decimals),
    );
  if (accrual === 'compound') {
    const open = debt.amount - sumOf(debt.payments);
    return divRound(open * (growthFactor(rate, period, days) - ONE), ONE * powerOfTen(6 - decimals));
  }
  const weighted = parts.reduce((sum, { open, units }) => sum + open * BigInt(units), 0n);
  // Millionths of the amount times millionths of a percent.
  const share = accrual === 'month_begun' ? 1n : period.days;
  return divRound(weighted * rate, powerOfTen(14 - decimals) * share);
}

/** All days or started months of a charge. */
export const unitsOf = (parts: Charge['parts']): number => parts.reduce((sum, { units }) => sum + units, 0);

// Forty decimal places, far more than the final rounding needs.
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
  { minFee, maxFee }: LateFeeTerms,
  digits: number,
  plain: bigint,
  chargeableDays: number,
): Pick<Charge, 'fee' | 'limit'> {
  const least = minFee === null || chargeableDays === 0 ? 0n : minorOf(minFee, digits);
  const raised = plain < least ? least : plain;
  const most = maxFee === null ? raised : minorOf(maxFee, digits);
  if (raised > most) return { fee: most as Minor, limit: 'max_fee' };
  return { fee: raised as Minor, limit: plain < least ? 'min_fee' : null };
}

/** The amount that the next day adds at the rate, rounded to `decimals`; null if no single day adds anything. */
export function dailyGrowth(terms: LateFeeTerms, decimals: number, asOf: Day): bigint | null {
  const { rate, rateType, accrual, graceDays } = terms;
  const period = periodOf(rateType);
  if (period === null || accrual === 'month_begun') return null;
  if (accrual !== 'compound') {
    const numerator = (terms.amount - sumOf(terms.payments)) * rate;
    return divRound(numerator, powerOfTen(14 - decimals) * period.days);
  }
  const growth = debtsOf(terms).map((debt) => {
    const day = Math.max(asOf, debt.dueDate + graceDays);
    const [earlier, later] = [day, day + 1].map((each) =>
      plainFee(terms, chargedFor(terms, debt, each as Day), 6),
    ) as [bigint, bigint];
    return later - earlier;
  });
  return divRound(
    growth.reduce((sum, each) => sum + each, 0n),
    powerOfTen(6 - decimals),
  );
}

/** The fee on another day under the same terms; null if the total would be too large. */
export function feeOnDay({ terms, digits, paid }: LateFee, day: Day): FeeOnDay | null {
  const onDay = feeAt(terms, digits, day);
  return exceedsLargestMoney((onDay.totalDue + paid) as Minor, digits) ? null : onDay;
}

function formulaOf(terms: LateFeeTerms, digits: number, onDay: FeeOnDay): string {
  const { daysLate, status, fee, limit, charges } = onDay;
  const result = minorText(fee, digits);
  if (status === 'not_overdue') return `0 days late, so no fee: ${result}`;
  if (status === 'within_grace')
    return `${daysText(daysLate)} late, within ${daysText(terms.graceDays)} of grace, so no fee: ${result}`;
  const [only, ...others] = charges;
  if (only === undefined || others.length > 0)
    return `${charges.map((charge) => minorText(charge.fee, digits)).join(' + ')} = ${result}`;
  const product = productText(terms, only, digits);
  if (limit === null) return `${product} = ${result}`;
  const plain = minorText(plainFee(terms, only, digits) as Minor, digits);
  const limited = limit === 'min_fee' ? 'raised to the minimum' : 'cut to the maximum';
  return `${product} = ${plain}, ${limited} = ${result}`;
}

/** '1250.00 x 1.5% x 17 / 30' */
function productText(terms: LateFeeTerms, { debt, parts, days }: Charge, digits: number): string {
  const { accrual, graceDays } = terms;
  const period = periodOf(terms.rateType);
  const sum = (value: Micros) => minorText(minorOf(value, digits), digits);
  const units = unitsOf(parts);
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
