import { type Day, longDayText, yearOf } from './calendar.ts';
import { type LateFeeFigures, periodOf, rateText, rateUsedText } from './late-fee-terms.ts';
import { divRound, type Micros, microsText, SCALE } from './money.ts';
import { type Note, noteOf } from './notes.ts';
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

/**
 * Every possible note on a fee: what is unusual about it, and what is true of every fee of its kind. A letter explains
 * the source of its rate itself.
 */
export function lateFeeNotes(figures: LateFeeFigures): (Note | null)[] {
  return [
    warning(DEFAULTED_RATE_RANK, defaultedRate(figures)),
    warning(10, otherCentury(figures)),
    warning(FRACTION_RANK, fractionForPercent(figures)),
    warning(12, asOfToCome(figures)),
    warning(13, dateOrder(figures)),
    warning(34, asOfLongPast(figures)),
    warning(30, longOverdue(figures)),
    warning(ZERO_RANK, zeroFee(figures)),
    warning(YEARLY_RANK, yearlyRate(figures)),
    warning(ABOVE_AMOUNT_RANK, feeAboveAmount(figures)),
    caveat(AGREED_TERMS_RANK, agreedTerms(figures)),
    localLimits(figures),
    caveat(COUNTING_RANK, countingRule(figures)),
  ];
}

/** The rank of the default rate in a list of notes. */
export const DEFAULTED_RATE_RANK = 5;
const ABOVE_AMOUNT_RANK = 32;
/** The rank that an agreed fee has in a list of notes. */
export const AGREED_TERMS_RANK = 50;
const LOCAL_LIMITS_RANK = 58;

const [FRACTION_RANK, YEARLY_RANK, ZERO_RANK, COUNTING_RANK] = [11, 31, 33, 60];

/** The ranks of notes that concern only the rate of the fee. */
export const RATE_RANKS: readonly number[] = [
  DEFAULTED_RATE_RANK,
  AGREED_TERMS_RANK,
  ABOVE_AMOUNT_RANK,
  FRACTION_RANK,
  YEARLY_RANK,
  ZERO_RANK,
  COUNTING_RANK,
];

/** The ranks of notes on what may prevent a fee from being paid. */
export const LIMIT_RANKS: readonly number[] = [ABOVE_AMOUNT_RANK, LOCAL_LIMITS_RANK];

const warning = (rank: number, text: string | null) => noteOf('warning', rank, text);
const caveat = (rank: number, text: string | null) => noteOf('caveat', rank, text);

/** Whether these terms can ever charge anything. */
export const canCharge = ({ terms }: Pick<LateFeeFigures, 'terms'>): boolean =>
  terms.maxFee !== 0n && (terms.rate > 0n || (terms.minFee ?? 0n) > 0n);

const century = (day: Day): number => Math.floor(yearOf(day) / 100);

function isOtherCentury({ terms }: LateFeeFigures): boolean {
  const { dueDate, today } = terms;
  return Math.abs(dueDate - today) > LONG_OVERDUE_DAYS && century(dueDate) !== century(today);
}

function otherCentury(figures: LateFeeFigures): string | null {
  if (!isOtherCentury(figures)) return null;
  return `The due date, ${longDayText(figures.terms.dueDate)}, is in a different century: check the year.`;
}

/** Below these, a percentage is probably a fraction: 0.015 for 1.5%. */
const SMALLEST_PERCENT: Readonly<Record<string, Micros>> = {
  monthly_percent: (SCALE / 10n) as Micros,
  annual_percent: SCALE as Micros,
  daily_percent: (SCALE / 200n) as Micros,
};

function fractionForPercent({ terms }: LateFeeFigures): string | null {
  const { rate, rateType } = terms;
  const smallest = SMALLEST_PERCENT[rateType];
  if (smallest === undefined || rate === 0n || rate >= smallest) return null;
  const meant = microsText((rate * 100n) as Micros);
  return `A rate of ${microsText(rate)} is ${rateText(rate, rateType)}; if you mean ${meant}%, send ${meant}.`;
}

function asOfToCome({ terms }: LateFeeFigures): string | null {
  if (terms.paidDate <= terms.today + ZONE_DAYS) return null;
  return `The fee is calculated up to ${longDayText(terms.paidDate)}, which is in the future: this is the fee on that day if nothing is paid before then.`;
}

function asOfLongPast({ terms }: LateFeeFigures): string | null {
  if (terms.paidDate >= terms.today - YEAR_DAYS) return null;
  return `The fee is calculated up to ${longDayText(terms.paidDate)}, more than a year ago: check the year, or leave the date out to calculate the fee up to today.`;
}

function dateOrder(figures: LateFeeFigures): string | null {
  const { terms } = figures;
  if (terms.paidDate >= terms.dueDate || isOtherCentury(figures)) return null;
  const day = longDayText(terms.paidDate);
  const asOf =
    terms.asOfSource === 'today_utc'
      ? `today (${day}, UTC)`
      : `the day up to which the fee is calculated (${day})`;
  return `The due date, ${longDayText(terms.dueDate)}, is after ${asOf}: nothing is overdue. Check the dates if you expected a fee.`;
}

function defaultedRate({ terms, status }: LateFeeFigures): string | null {
  if (!terms.rateDefaulted || status !== 'overdue') return null;
  const used = rateUsedText(terms.rate, terms.rateType);
  return terms.rateType === 'monthly_percent'
    ? `No rate was given, so ${used} was used; send the rate in your own terms.`
    : `No rate was given, so the default of ${microsText(terms.rate)} was used as ${used}. The default is meant as a monthly percentage: send the rate in your own terms.`;
}

function longOverdue(figures: LateFeeFigures): string | null {
  if (figures.daysLate <= LONG_OVERDUE_DAYS || isOtherCentury(figures)) return null;
  return `The invoice is ${daysText(figures.daysLate)} late, which is more than five years. Check the year of the due date; very old debts may no longer be recoverable.`;
}

function zeroFee({ terms, chargeableDays, fee, limit }: LateFeeFigures): string | null {
  if (chargeableDays === 0 || fee !== 0n || limit !== null) return null;
  return terms.rate === 0n
    ? 'The rate is 0, so no fee is charged although the invoice is overdue.'
    : 'The invoice is overdue, but the fee rounds to zero at this amount, rate and number of days.';
}

function yearlyRate({ terms, annualEquivalentPercent }: LateFeeFigures): string | null {
  if (annualEquivalentPercent === null || annualEquivalentPercent <= USUAL_YEARLY_LIMIT) return null;
  const rate = rateText(terms.rate, terms.rateType);
  const yearly =
    terms.rateType === 'annual_percent'
      ? rate
      : `${rate} comes to ${percent(annualEquivalentPercent)} over a year`;
  if (annualEquivalentPercent > CRIMINAL_YEARLY_LIMIT)
    return `${yearly}. Above 35% a year, a late charge can be unlawful (in Canada, even a crime), and courts often reject it. Check that the rate really is per ${periodOf(terms.rateType)?.name}.`;
  return `${yearly}. Many places accept at most about 18% a year: check the limit that applies to you and your client.`;
}

function feeAboveAmount({ fee, amount }: LateFeeFigures): string | null {
  if (fee <= amount) return null;
  return 'The fee is larger than the invoice itself. Courts tend to reject a charge that is out of proportion to the debt.';
}

const CENT = SCALE / 100n;

/** At most two decimals, for people. */
const percent = (value: Micros): string => `${microsText((divRound(value, CENT) * CENT) as Micros)}%`;

function agreedTerms(figures: LateFeeFigures): string | null {
  if (!canCharge(figures)) return null;
  return `A late fee must be agreed before the work begins, for example in a contract or in accepted terms. ${statutorySentence(figures)}`;
}

/** The sentence on statutory interest, which needs no agreement. */
export const statutorySentence = ({ terms }: Pick<LateFeeFigures, 'terms'>): string =>
  terms.isLawShown
    ? 'The statutory interest shown here needs no agreement: claim either the fee or the interest, never both.'
    : 'Between businesses in the UK and the EU, the law grants interest even without an agreement: to see it, set jurisdiction to GB or EU. Claim it instead of this fee, never on top of it.';

function countingRule(figures: LateFeeFigures): string | null {
  const { terms, nominalAnnualPercent, annualEquivalentPercent } = figures;
  if (!canCharge(figures)) return null;
  if (terms.accrual === 'month_begun')
    return 'Each calendar month that begins after the due date and any grace days counts in full.';
  if (nominalAnnualPercent === null || annualEquivalentPercent === null)
    return 'A flat fee is charged once, on the first day after the due date and any grace days.';
  if (terms.rate === 0n) return null;
  const rate = rateText(terms.rate, terms.rateType);
  if (terms.accrual === 'compound')
    return `Interest is added to the amount each ${periodOf(terms.rateType)?.name}, which comes to ${percent(annualEquivalentPercent)} over 365 days. Many places allow compound interest only if it was agreed.`;
  const hasGrace = terms.graceDays > 0;
  const stateIt = 'some places, such as Canada, require your terms to state the yearly rate too';
  if (terms.rateType === 'annual_percent')
    return `Simple interest by calendar day: a year has 365 days, even in leap years${hasGrace ? ', and grace days are not charged' : ''}.`;
  if (terms.rateType === 'daily_percent')
    return `Simple interest by calendar day${hasGrace ? '; grace days are not charged' : ''}. ${rate} is ${percent(nominalAnnualPercent)} a year; ${stateIt}.`;
  const named = percent(nominalAnnualPercent);
  const real = percent(annualEquivalentPercent);
  const yearly =
    named === real ? `${named} a year` : `${named} a year counted by months and ${real} over 365 days`;
  return `Simple interest by calendar day: a month has 30 days${hasGrace ? ' and grace days are not charged' : ''}. ${rate} is ${yearly}; ${stateIt}.`;
}

const ARITHMETIC: Note = {
  place: 'caveat',
  rank: LOCAL_LIMITS_RANK,
  text: 'This is arithmetic based on your figures, not legal advice.',
};
const LIMITS: Note = {
  ...ARITHMETIC,
  text: 'Many places limit late fees and protect consumers more than businesses: check the rules that apply to you and your client. This is arithmetic based on your figures, not legal advice.',
  isKept: true,
};

const localLimits = (figures: LateFeeFigures): Note => (canCharge(figures) ? LIMITS : ARITHMETIC);
