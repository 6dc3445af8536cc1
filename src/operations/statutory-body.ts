import type { z } from 'zod';
import { dayText } from '../domain/calendar.ts';
import { type Micros, type Minor, microsNumber, minorNumber } from '../domain/money.ts';
import { halfYearName, type StatutoryInterest, type UsedRate } from '../domain/statutory.ts';
import type { statutoryAnswer, usedRate } from './statutory-answer.ts';

const MARGIN_PERCENT = 8;

/** Encodes statutory interest for the wire; its currency has so many minor digits. */
export function statutoryBody(
  { usedRates, ...statutory }: StatutoryInterest,
  digits: number,
): z.input<typeof statutoryAnswer> {
  const money = (value: Minor | null) => (value === null ? null : minorNumber(value, digits));
  const percent = (value: Micros | null) => (value === null ? null : microsNumber(value));
  return {
    jurisdiction: statutory.jurisdiction,
    law: statutory.law,
    rule: statutory.rule,
    margin_percent: MARGIN_PERCENT,
    reference_rates: usedRates.map(usedRateBody),
    annual_percent: percent(statutory.annualPercent),
    interest: money(statutory.interest),
    compensation: minorNumber(statutory.compensation, digits),
    total_due: money(statutory.totalDue),
    formula: statutory.formula,
    unavailable: statutory.unavailable,
    rests_on: [...statutory.restsOn],
  };
}

const usedRateBody = ({ percent, days, held }: UsedRate): z.input<typeof usedRate> => ({
  half_year: held && halfYearName(held),
  percent: microsNumber(percent),
  set_on: held && dayText(held.setOn),
  days,
  source: held?.source ?? 'reference_rate, as given',
});
