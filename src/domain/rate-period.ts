import type { RateType } from './late-fee-terms.ts';
import { type Micros, microsText } from './money.ts';

/** A percent rate's period: how many days it is charged over, and how often it is named in a year. */
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

/** '1.5% per month of 30 days', which is all that a reader needs to work the fee out again; 'flat' */
export function rateBasisText(rate: Micros, rateType: RateType): string {
  const period = PERIODS[rateType];
  const length = period === null || period.days === 1n ? '' : ` of ${period.days} days`;
  return `${rateText(rate, rateType)}${length}`;
}
