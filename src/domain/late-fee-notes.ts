import { longDayText } from './calendar.ts';
import { type LateFee, type LateFeeTerms, periodOf } from './late-fee.ts';
import { divRound, type Micros, microsText, SCALE } from './money.ts';
import { firstNotes, type Notes } from './notes.ts';
import { daysText } from './text.ts';

// Most places tolerate 18% a year, which is charged as 1.5% a month or 18.25% in 365 days. All rates are compared with
// this figure, whatever their period.
const USUAL_YEARLY_LIMIT = (1825n * SCALE) / 100n;
// Canada's criminal rate is an effective yearly rate.
const CRIMINAL_YEARLY_LIMIT = 35n * SCALE;
const LONG_OVERDUE_DAYS = 5 * 365;
// Local dates are ahead of UTC by at most this many days.
const ZONE_DAYS = 1;
const YEAR_DAYS = 366;

/** What is unusual about a fee, and what to know before using it. */
export function lateFeeNotes(fee: LateFee): Notes {
  const { agreedTerms, localLimits, countingRule, ...warnings } = feeSentences(fee);
  const caveats = [agreedTerms, localLimits, countingRule];
  return firstNotes(Object.values(warnings), caveats, canCharge(fee) ? localLimits : null);
}

/** Every possible sentence on a fee, the most important first; null where it does not apply. */
export function feeSentences(lateFee: LateFee, isConsumer = false) {
  const { terms, status, daysLate, chargeableDays, fee, limit, amount } = lateFee;
  const { dueDate, paidDate, today } = terms;
  const asOf = longDayText(paidDate);
  const asOfWords =
    terms.asOfSource === 'today_utc'
      ? `today (${asOf}, UTC)`
      : `the day up to which the fee is calculated (${asOf})`;
  return {
    defaultedRate:
      terms.rateDefaulted && status === 'overdue'
        ? `No rate was given, so the default was used: ${rateText(terms)}. Send the rate in your own terms.`
        : null,
    fractionForPercent: fractionForPercent(lateFee),
    asOfToCome:
      paidDate > today + ZONE_DAYS
        ? `The fee is calculated up to ${asOf}, which is in the future: this is the fee on that day if nothing is paid before then.`
        : null,
    dateOrder:
      paidDate < dueDate
        ? `The due date, ${longDayText(dueDate)}, is after ${asOfWords}: nothing is overdue. Check the dates, also the years, if you expected a fee.`
        : null,
    longOverdue:
      daysLate > LONG_OVERDUE_DAYS
        ? `The invoice is ${daysText(daysLate)} late, which is more than five years. Check the year of the due date; very old debts may no longer be recoverable.`
        : null,
    yearlyRate: yearlyRate(lateFee),
    feeAboveAmount:
      fee > amount
        ? 'The fee is larger than the invoice itself. Courts tend to reject a charge that is out of proportion to the debt.'
        : null,
    zeroFee:
      chargeableDays > 0 && fee === 0n && limit === null
        ? 'The invoice is overdue, but the fee is zero at this amount, rate and number of days.'
        : null,
    asOfLongPast:
      paidDate < today - YEAR_DAYS
        ? `The fee is calculated up to ${asOf}, more than a year ago: check the year, or leave the date out to calculate the fee up to today.`
        : null,
    agreedTerms: canCharge(lateFee)
      ? `A late fee must be agreed before the work begins, for example in a contract or in accepted terms. ${statutorySentence(lateFee, isConsumer)}`
      : null,
    localLimits: canCharge(lateFee) ? `${LIMITS} ${ARITHMETIC}` : ARITHMETIC,
    countingRule: canCharge(lateFee) ? countingRule(lateFee) : null,
  };
}

/** '1.5% per month', or 'a flat fee of 1.5' */
export function rateText({ rate, rateType }: Pick<LateFeeTerms, 'rate' | 'rateType'>): string {
  const period = periodOf(rateType);
  return period === null ? `a flat fee of ${microsText(rate)}` : `${microsText(rate)}% per ${period.name}`;
}

/** Whether these terms can ever charge anything. */
export const canCharge = ({ terms }: Pick<LateFee, 'terms'>): boolean =>
  terms.maxFee !== 0n && (terms.rate > 0n || (terms.minFee ?? 0n) > 0n);

/** Below these rates, a percentage is probably a fraction: 0.015 for 1.5%. */
const SMALLEST_PERCENT: Readonly<Record<string, Micros>> = {
  monthly_percent: (SCALE / 10n) as Micros,
  annual_percent: SCALE as Micros,
  daily_percent: (SCALE / 200n) as Micros,
};

function fractionForPercent({ terms }: LateFee): string | null {
  const { rate, rateType } = terms;
  const smallest = SMALLEST_PERCENT[rateType];
  if (smallest === undefined || rate === 0n || rate >= smallest) return null;
  const meant = microsText((rate * 100n) as Micros);
  return `A rate of ${microsText(rate)} is ${rateText(terms)}; if you mean ${meant}%, send ${meant}.`;
}

function yearlyRate({ terms, annualEquivalentPercent }: LateFee): string | null {
  if (annualEquivalentPercent === null || annualEquivalentPercent <= USUAL_YEARLY_LIMIT) return null;
  const rate = rateText(terms);
  const yearly =
    terms.rateType === 'annual_percent'
      ? rate
      : `${rate} comes to ${roundPercent(annualEquivalentPercent)} over a year`;
  if (annualEquivalentPercent > CRIMINAL_YEARLY_LIMIT)
    return `${yearly}. Above 35% a year, a late charge can be unlawful (in Canada, even a crime), and courts often reject it. Check that the rate really is per ${periodOf(terms.rateType)?.name}.`;
  return `${yearly}. Many places accept at most about 18% a year: check the limit that applies to you and your client.`;
}

const CENT = SCALE / 100n;

/** '24.33%': at most two decimal places, for people. */
export const roundPercent = (value: Micros): string =>
  `${microsText((divRound(value, CENT) * CENT) as Micros)}%`;

/** The sentence on statutory interest, which needs no agreement but is only for businesses. */
export const statutorySentence = ({ terms }: Pick<LateFee, 'terms'>, isConsumer: boolean): string => {
  if (isConsumer)
    return 'In many places, a consumer does not owe a fee that is unfair, even if it was agreed.';
  return terms.isLawShown
    ? 'The statutory interest shown here needs no agreement: claim either the fee or the interest, never both.'
    : 'Between businesses in the UK and the EU, the law grants interest even without an agreement: to see it, set jurisdiction to GB or EU. Claim it instead of this fee, never on top of it.';
};

function countingRule(fee: LateFee): string | null {
  const { terms, nominalAnnualPercent, annualEquivalentPercent } = fee;
  if (terms.accrual === 'month_begun')
    return 'Each calendar month that begins after the due date and any grace days counts in full.';
  if (nominalAnnualPercent === null || annualEquivalentPercent === null)
    return 'A flat fee is charged once, on the first day after the due date and any grace days.';
  if (terms.rate === 0n) return null;
  const rate = rateText(terms);
  if (terms.accrual === 'compound')
    return `Interest is added to the amount each ${periodOf(terms.rateType)?.name}, which comes to ${roundPercent(annualEquivalentPercent)} over 365 days. Many places allow compound interest only if it was agreed.`;
  const grace = terms.graceDays > 0 ? '; grace days are not charged' : '';
  const counted = `Simple interest by calendar day${PERIOD_LENGTH[terms.rateType] ?? ''}${grace}.`;
  if (terms.rateType === 'annual_percent') return counted;
  const named = roundPercent(nominalAnnualPercent);
  const real = roundPercent(annualEquivalentPercent);
  const yearly =
    named === real ? `${named} a year` : `${named} a year counted by months and ${real} over 365 days`;
  return `${counted} ${rate} is ${yearly}; some places, such as Canada, require your terms to state the yearly rate too.`;
}

const PERIOD_LENGTH: Readonly<Record<string, string>> = {
  monthly_percent: ': a month has 30 days',
  annual_percent: ': a year has 365 days, even in leap years',
};

const LIMITS =
  'Many places limit late fees and protect consumers more than businesses: check the rules that apply to you and your client.';
const ARITHMETIC = 'This is arithmetic based on your figures, not legal advice.';
