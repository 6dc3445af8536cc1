import type { Day } from './calendar.ts';
import { type Micros, type Minor, microsText } from './money.ts';

export type RateType = 'monthly_percent' | 'annual_percent' | 'daily_percent' | 'flat';

export const RATE_TYPES: readonly RateType[] = ['monthly_percent', 'annual_percent', 'daily_percent', 'flat'];

/** How a fee accumulates: by the day, for each month or part of a month, or with compound interest. */
export type Accrual = 'simple' | 'month_begun' | 'compound';

export const ACCRUALS: readonly Accrual[] = ['simple', 'month_begun', 'compound'];

/** A part payment. The day is null if it is unknown, and the payment then counts as made on time. */
export type Payment = {
  readonly amount: Micros;
  readonly day: Day | null;
  /** The index of the invoice that was paid; by default, the one that was due first. */
  readonly debt?: number | undefined;
};

/** The input of a late fee. `currency` null means no symbol and two decimals. */
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
  /** Whether the answer also shows statutory interest, so that the notes need not suggest it. */
  readonly isLawShown: boolean;
};

export type LateFeeStatus = 'overdue' | 'within_grace' | 'not_overdue';

/** Which of the caller's limits decided the fee. */
export type FeeLimit = 'min_fee' | 'max_fee';

/** The late fee of an invoice as of a given day. */
export type FeeOnDay = {
  readonly daysLate: number;
  readonly chargeableDays: number;
  readonly status: LateFeeStatus;
  readonly fee: Minor;
  readonly limit: FeeLimit | null;
  readonly totalDue: Minor;
};

/** One invoice of a late fee. */
export type DebtFigures = {
  readonly amount: Minor;
  readonly paid: Minor;
  readonly dueDate: Day;
  readonly daysLate: number;
  readonly fee: Minor;
  readonly totalDue: Minor;
};

/** Only the figures: minor units of `digits` decimals, days, and millionths of a percent. */
export type LateFeeFigures = FeeOnDay & {
  readonly terms: LateFeeTerms;
  readonly digits: number;
  readonly amount: Minor;
  /** The part that was paid. */
  readonly paid: Minor;
  /** The figures of each invoice, in the order given. */
  readonly debts: readonly DebtFigures[];
  /** The fee before its rounding and its limits, to six decimals. */
  readonly unroundedFee: Micros;
  /**
   * What one chargeable day adds at this rate, unrounded to six decimals, even while nothing is charged yet; 0 for
   * flat.
   */
  readonly dailyAccrual: Micros;
  /** The yearly rate as people state it: a monthly rate x 12, a daily rate x 365; null for flat. */
  readonly nominalAnnualPercent: Micros | null;
  /** The effective rate of 365 days: a monthly rate x 365 / 30; null for flat. */
  readonly annualEquivalentPercent: Micros | null;
  /** '1250.00 x 1.5% x 17 / 30 = 10.63' */
  readonly formula: string;
};

/** The period of a percentage: the number of days it is charged over, and how often it is counted in a year. */
export type Period = {
  readonly name: 'month' | 'year' | 'day';
  readonly days: bigint;
  readonly perYear: bigint;
};

const PERIODS: Readonly<Record<RateType, Period | null>> = {
  monthly_percent: { name: 'month', days: 30n, perYear: 12n },
  annual_percent: { name: 'year', days: 365n, perYear: 1n },
  daily_percent: { name: 'day', days: 1n, perYear: 365n },
  flat: null,
};

/** null for a flat fee, which has no period. */
export const periodOf = (rateType: RateType): Period | null => PERIODS[rateType];

/** '1.5% per month', or 'a flat fee of 1.5' */
export const rateUsedText = (rate: Micros, rateType: RateType): string =>
  PERIODS[rateType] === null ? `a flat fee of ${microsText(rate)}` : rateText(rate, rateType);

/** '1.5% per month', or 'flat' */
export function rateText(rate: Micros, rateType: RateType): string {
  const period = PERIODS[rateType];
  return period === null ? 'flat' : `${microsText(rate)}% per ${period.name}`;
}

/** '1.5% per month of 30 days', all that a reader needs to calculate the fee again; 'flat' */
export function rateBasisText(rate: Micros, rateType: RateType, accrual: Accrual = 'simple'): string {
  const period = PERIODS[rateType];
  if (accrual === 'month_begun')
    return `${period === null ? 'flat' : `${microsText(rate)}%`} per month or part of a month`;
  const length = period === null || period.days === 1n ? '' : ` of ${period.days} days`;
  return `${rateText(rate, rateType)}${length}${accrual === 'compound' ? ', compounded' : ''}`;
}
