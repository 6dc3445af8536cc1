import { longDayText } from './calendar.ts';
import type { LateFeeFigures } from './late-fee.ts';
import { type Micros, microsText, SCALE } from './money.ts';
import { periodOf, rateText, rateUsedText } from './rate-period.ts';
import { daysText } from './text.ts';

// 18% is what most US states tolerate by contract, named as twelve months of 1.5%; so the nominal figure is compared.
const USUAL_YEARLY_LIMIT = 18n * SCALE;
// Canada's criminal rate counts what a year really costs, so the equivalent figure is compared.
const CRIMINAL_YEARLY_LIMIT = 35n * SCALE;
const LONG_OVERDUE_DAYS = 5 * 365;

/** What is unusual about this fee, in the order in which a reader should check it. */
export function lateFeeWarnings(figures: LateFeeFigures): string[] {
  return [
    defaultedRate(figures),
    dateOrder(figures),
    longOverdue(figures),
    zeroFee(figures),
    yearlyRate(figures),
    feeAboveAmount(figures),
  ].filter((warning) => warning !== null);
}

function defaultedRate({ terms }: LateFeeFigures): string | null {
  if (!terms.rateDefaulted) return null;
  const used = rateUsedText(terms.rate, terms.rateType);
  if (terms.rateType === 'monthly_percent')
    return `No rate was given, so ${used} was used; send the rate of your own terms.`;
  return `No rate was given, so the default of ${microsText(terms.rate)} was used as ${used}. The default is meant per month: give the rate of your own terms.`;
}

function dateOrder({ terms }: LateFeeFigures): string | null {
  if (terms.paidDate >= terms.dueDate) return null;
  const paid = longDayText(terms.paidDate);
  const asOf = terms.asOfSource === 'today_utc' ? `today (${paid}, UTC)` : `the paid date (${paid})`;
  return `The due date, ${longDayText(terms.dueDate)}, is after ${asOf}: nothing is overdue. Check the dates if you expected a fee.`;
}

function longOverdue({ daysLate }: LateFeeFigures): string | null {
  if (daysLate <= LONG_OVERDUE_DAYS) return null;
  return `The invoice is ${daysText(daysLate)} late, more than five years. Check the year of the due date; very old debts may no longer be recoverable.`;
}

function zeroFee({ terms, chargeableDays, fee }: LateFeeFigures): string | null {
  if (chargeableDays === 0 || fee !== 0n) return null;
  return terms.rate === 0n
    ? 'The rate is 0, so no fee is charged although the invoice is overdue.'
    : 'The invoice is overdue, but the fee rounds to zero at this amount, rate and number of days.';
}

function yearlyRate({ terms, nominalAnnualPercent, annualEquivalentPercent }: LateFeeFigures): string | null {
  if (nominalAnnualPercent === null || annualEquivalentPercent === null) return null;
  const yearly = `${rateText(terms.rate, terms.rateType)} comes to ${percent(annualEquivalentPercent)} over a year`;
  if (annualEquivalentPercent > CRIMINAL_YEARLY_LIMIT)
    return `${yearly}. Above 35% a late charge can be unlawful, in Canada even a crime, and courts often refuse it. Check that the rate is meant per ${periodOf(terms.rateType)?.name}.`;
  if (nominalAnnualPercent > USUAL_YEARLY_LIMIT)
    return `${yearly}. Many places accept about 18% a year at most: check the limit that applies to you and your client.`;
  return null;
}

function feeAboveAmount({ fee, amount }: LateFeeFigures): string | null {
  if (fee <= amount) return null;
  return 'The fee is larger than the invoice itself. Courts tend to refuse a charge out of proportion to the debt.';
}

const percent = (value: Micros): string => `${microsText(value)}%`;

/** What holds for every fee of this rate type; always four sentences. */
export function lateFeeCaveats(figures: LateFeeFigures): string[] {
  return [
    'A late fee counts only if your client agreed to it before the work, for example in a contract or accepted terms.',
    'Many places limit late fees, protect consumers more than businesses, or set a rate by law where none was agreed: check the rule for you and your client.',
    countingRule(figures),
    'This is arithmetic on the figures given, not legal advice.',
  ];
}

function countingRule({ terms, nominalAnnualPercent, annualEquivalentPercent }: LateFeeFigures): string {
  if (nominalAnnualPercent === null || annualEquivalentPercent === null)
    return 'A flat fee is charged once, from the first day after the due date and any grace days.';
  const rate = rateText(terms.rate, terms.rateType);
  const stateIt = 'some places, such as Canada, expect your terms to state the yearly rate too';
  if (terms.rateType === 'annual_percent')
    return 'Simple interest by calendar day: a year counts as 365 days, also in leap years, and grace days are not charged.';
  if (terms.rateType === 'daily_percent')
    return `Simple interest by calendar day; grace days are not charged. ${rate} is ${percent(nominalAnnualPercent)} a year; ${stateIt}.`;
  return `Simple interest by calendar day: a month counts as 30 days and grace days are not charged. ${rate} is ${percent(nominalAnnualPercent)} a year by the month and ${percent(annualEquivalentPercent)} over 365 days; ${stateIt}.`;
}
