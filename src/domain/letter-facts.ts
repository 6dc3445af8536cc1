import { addDays, type Day, LAST_DAY, workdayFrom } from './calendar.ts';
import { dailyGrowth, feeOnDay, type LateFee } from './late-fee.ts';
import { canCharge } from './late-fee-notes.ts';
import { type FeeOnDay, rateBasisText } from './late-fee-terms.ts';
import type { InvoiceName } from './letter-names.ts';
import { localDay, localMoney } from './locale.ts';
import { divRound, type Micros, type Minor, microsText, powerOfTen } from './money.ts';
import { MARGIN, type StatutoryInterest } from './statutory.ts';
import { daysText } from './text.ts';

export type Tone = 'polite' | 'firm' | 'final';

export const TONES: readonly Tone[] = ['polite', 'firm', 'final'];

/** What a letter asks for beside the amount. */
export type Claim = 'agreed' | 'statutory' | 'reserve' | 'none';

export const CLAIMS: readonly Claim[] = ['agreed', 'statutory', 'reserve', 'none'];

/** What the sender does when a letter is not answered. */
export type NextStep = 'suspend_work' | 'collection' | 'court';

export const NEXT_STEPS: readonly NextStep[] = ['suspend_work', 'collection', 'court'];

/** What a letter is written from; names are clean single lines, null when missing. */
export type LetterFacts = {
  /** The fee at the day that it is worked out to. */
  readonly fee: LateFee;
  readonly claim: Claim;
  /** Interest by law on the day of sending; null where no jurisdiction is given. */
  readonly law: StatutoryInterest | null;
  /** The day that the fee is worked out to, or today where that is past. */
  readonly sendDay: Day;
  readonly onSendDay: FeeOnDay;
  readonly payBy: Day;
  /** The day to reply by; it may be later than the end of the grace period. */
  readonly replyBy: Day;
  readonly client: string | null;
  readonly business: string | null;
  readonly invoice: InvoiceName;
  /** Each invoice by itself, where there are several; in the order of the fee's debts. */
  readonly each: readonly { readonly name: InvoiceName; readonly date: Day | null }[];
  readonly invoiceDate: Day | null;
  readonly purchaseOrder: string | null;
  readonly contact: string | null;
  readonly signer: string | null;
  readonly earlierReminders: readonly Day[];
  readonly nextStep: NextStep | null;
  /** The day on which everything was paid, too late: the letter asks for what that costs. null: it is unpaid. */
  readonly paidOn: Day | null;
  /** The fields of names that are left out, being more than a name. */
  readonly leftOut: readonly string[];
  /** Clean lines; none: those on the invoice hold. */
  readonly paymentDetails: readonly string[];
};

/** A day as the country of the currency writes it. */
export const dayIn = ({ fee }: Pick<LetterFacts, 'fee'>, day: Day): string =>
  localDay(day, fee.terms.currency);

/** Money as the country of the currency writes it. */
export const money = ({ terms, digits }: LateFee, amount: Minor): string =>
  localMoney(amount, terms.currency, digits);

/** Whether the fee is worked out to a day that is past when the letter is sent. */
export const isOfThePast = ({ fee, sendDay, paidOn }: LetterFacts): boolean =>
  paidOn === null && fee.terms.paidDate < sendDay;

/** Whether a part of it was paid, and the rest is asked for. */
export const isPartPaid = ({ fee, paidOn }: LetterFacts): boolean => paidOn === null && fee.paid > 0n;

/** Whether the letter asks for a late fee of the sender's own. */
export const asksForFee = ({ claim, onSendDay }: LetterFacts): boolean =>
  claim === 'agreed' && onSendDay.fee !== 0n;

/** The interest by law that the letter asks for; null where it asks for none. */
export function claimedByLaw({ claim, law }: LetterFacts): ClaimedByLaw | null {
  if (claim !== 'statutory' || law === null || law.interest === null) return null;
  return { ...law, interest: law.interest };
}

type ClaimedByLaw = StatutoryInterest & { readonly interest: Minor };

/** What is left of the amount. */
export const openOf = ({ amount, paid }: LateFee): Minor => (amount - paid) as Minor;

/** What the letter asks to be paid. The sum of its day holds until the day to pay by. */
export function sumAsked(facts: LetterFacts): Minor {
  const byLaw = claimedByLaw(facts);
  if (byLaw !== null) return (openOf(facts.fee) + byLaw.interest + byLaw.compensation) as Minor;
  return asksForFee(facts) ? facts.onSendDay.totalDue : openOf(facts.fee);
}

/** Whether the letter says that its fee is one of the payment terms. */
export const namesTerms = (facts: LetterFacts): boolean =>
  facts.claim === 'agreed' &&
  !facts.fee.terms.rateDefaulted &&
  (asksForFee(facts) || firstDayWithFee(facts) !== null);

/** The sums of the letter: what is owed, what is added, and the one sum to pay. */
export function rowsOf(facts: LetterFacts, amountLabel: string): readonly string[] {
  const { fee, onSendDay } = facts;
  const row = (label: string, amount: Minor) => `${label}: ${money(fee, amount)}`;
  const byLaw = claimedByLaw(facts);
  const hasAdded = byLaw !== null || asksForFee(facts);
  const owed = [
    ...(facts.each.length > 0 ? eachRow(facts) : [row(amountLabel, fee.amount)]),
    ...paidRows(facts),
  ];
  if (!hasAdded)
    return owed.length === 1 ? [row('Amount due', fee.amount)] : [...owed, row('Amount due', openOf(fee))];
  const added =
    byLaw === null
      ? [row(feeLabel(facts), onSendDay.fee)]
      : [row(interestLabel(facts, byLaw), byLaw.interest), row('Fixed compensation', byLaw.compensation)];
  if (facts.paidOn !== null)
    return added.length === 1 ? added : [...added, row('Total to pay', sumAsked(facts))];
  return [...owed, ...added, row('Total to pay', sumAsked(facts))];
}

/** 'Invoice INV-7 of 1 September 2026, due 1 October 2026: £500.00' */
const eachRow = (facts: LetterFacts): readonly string[] =>
  facts.fee.debts.map(({ amount, dueDate }, index) => {
    const { name, date = null } = facts.each[index] ?? {};
    const of = date === null ? '' : ` of ${dayIn(facts, date)}`;
    const label = name?.isNumbered ? name.capital : 'Invoice';
    return `${label}${of}, due ${dayIn(facts, dueDate)}: ${money(facts.fee, amount)}`;
  });

/** 'Paid on 10 November 2026: -£250.00' */
function paidRows(facts: LetterFacts): readonly string[] {
  if (!isPartPaid(facts)) return [];
  const { fee } = facts;
  return fee.terms.payments.map(({ amount, day }) => {
    const label = day === null ? 'Already paid' : `Paid on ${dayIn(facts, day)}`;
    return `${label}: ${money(fee, -minorOf(fee, amount) as Minor)}`;
  });
}

export const lastDayOfGrace = ({ terms }: LateFee): Day => addDays(terms.dueDate, terms.graceDays);

/** 'Late fee to 21 November 2026 (1.5% per month of 30 days, 12 days after 5 days of grace)' */
function feeLabel(facts: LetterFacts): string {
  const { fee, sendDay, onSendDay } = facts;
  if (flatFee(fee) !== null) return 'Late fee (flat, charged once)';
  const { graceDays } = fee.terms;
  const grace = graceDays === 0 ? '' : ` after ${daysText(graceDays)} of grace`;
  const counted = `${daysText(onSendDay.chargeableDays)}${grace}${limitsText(fee)}`;
  const to = dayIn(facts, facts.paidOn ?? sendDay);
  // Several invoices, and sums that were open for some of the days, have no one count of days.
  const isOneCount = facts.each.length === 0 && !isPartPaid(facts) && fee.terms.accrual !== 'month_begun';
  return `Late fee to ${to} (${basisText(fee)}${isOneCount ? `, ${counted}` : `${grace}${limitsText(fee)}`})`;
}

/** 'Interest to 21 November 2026 (11.75% per year, 17 days)' */
function interestLabel(facts: LetterFacts, { usedRates }: StatutoryInterest): string {
  const rates = usedRates.map(({ percent }) => `${microsText((percent + MARGIN) as Micros)}%`);
  const isOneCount = facts.each.length === 0 && !isPartPaid(facts);
  const counted = isOneCount ? `, ${daysText(facts.onSendDay.daysLate)}` : '';
  const to = dayIn(facts, facts.paidOn ?? facts.sendDay);
  return `Interest to ${to} (${[...new Set(rates)].join(' then ')} per year${counted})`;
}

// Section 4 of Canada's Interest Act: a letter that names a rate for a shorter time names the yearly rate too.
const NAMES_YEARLY_RATE = 'CAD';

/** '1.5% per month of 30 days', in Canada with the yearly rate. */
export function basisText(fee: LateFee): string {
  const { terms, annualEquivalentPercent } = fee;
  const isFlat = terms.rateType === 'flat' && terms.accrual === 'month_begun';
  const basis = isFlat
    ? `${money(fee, minorOf(fee, terms.rate))} per month begun`
    : rateBasisText(terms.rate, terms.rateType, terms.accrual);
  const isYearly = terms.rateType === 'annual_percent';
  return terms.currency !== NAMES_YEARLY_RATE || isYearly || annualEquivalentPercent === null
    ? basis
    : `${basis}, which is ${microsText(annualEquivalentPercent)}% per year`;
}

/** The amount of a fee that does not depend on days; null where it does. */
export function flatFee(fee: LateFee): Minor | null {
  const { rateType, rate, minFee, maxFee } = fee.terms;
  if (fee.terms.accrual === 'month_begun') return null;
  if (rateType !== 'flat' && rate !== 0n && (minFee === null || minFee !== maxFee)) return null;
  return feeOnDay(fee, addDays(lastDayOfGrace(fee), 1))?.fee ?? null;
}

/** ', at least £25.00' */
export function limitsText(fee: LateFee): string {
  const { minFee, maxFee } = fee.terms;
  const part = (word: string, limit: Micros | null) =>
    limit === null ? '' : `, at ${word} ${money(fee, minorOf(fee, limit))}`;
  return `${part('least', minFee)}${part('most', maxFee)}`;
}

const minorOf = ({ digits }: LateFee, value: Micros): Minor => (value / powerOfTen(6 - digits)) as Minor;

/** What a later day adds. */
export type Growth = {
  /** '£0.50', or 'about £0.63' where a day adds no whole number of coins. */
  readonly daily: string;
  /** ', up to a late fee of £50.00' */
  readonly cap: string;
};

/** What each day adds to the sum asked for; null where that is less than a coin, or where a limit holds the fee for now. */
export function growthOf(facts: LetterFacts): Growth | null {
  const { fee, onSendDay } = facts;
  const byLaw = claimedByLaw(facts);
  if (facts.paidOn !== null) return null;
  if (byLaw === null && (!asksForFee(facts) || onSendDay.limit !== null)) return null;
  const daily = byLaw === null ? dailyGrowth(fee.terms, fee.digits, facts.sendDay) : dailyByLaw(fee, byLaw);
  if (daily === null || daily.value === 0n) return null;
  const { maxFee } = fee.terms;
  return {
    daily: `${daily.isExact ? '' : 'about '}${money(fee, daily.value as Minor)}`,
    cap: byLaw !== null || maxFee === null ? '' : `, up to a late fee of ${money(fee, minorOf(fee, maxFee))}`,
  };
}

/** What a further month adds, where each month begun is charged; null elsewhere, and where a limit holds the fee. */
export function monthlyGrowth(facts: LetterFacts): string | null {
  const { fee, onSendDay, paidOn } = facts;
  const { accrual, rateType, rate, maxFee } = fee.terms;
  if (accrual !== 'month_begun' || paidOn !== null || !asksForFee(facts) || onSendDay.limit !== null)
    return null;
  if (maxFee !== null || (rateType === 'flat' && facts.each.length > 0)) return null;
  const added = rateType === 'flat' ? minorOf(fee, rate) : divRound(openOf(fee) * rate, 100n * powerOfTen(6));
  return added === 0n ? null : money(fee, added as Minor);
}

/** The interest of a day at the latest rate. */
function dailyByLaw(fee: LateFee, { usedRates }: StatutoryInterest) {
  const latest = usedRates.at(-1);
  if (latest === undefined) return null;
  const numerator = openOf(fee) * (MARGIN + latest.percent);
  const denominator = 365n * 100n * powerOfTen(6);
  const value = divRound(numerator, denominator);
  return { value, isExact: value * denominator === numerator };
}

/** The first day on which a future fee is due; null where none is to come. */
function feeToCome({ fee, claim, onSendDay }: LetterFacts): Day | null {
  const last = fee.terms.dueDate + fee.terms.graceDays;
  const isToCome =
    claim === 'agreed' && onSendDay.status === 'within_grace' && canCharge(fee) && last < LAST_DAY;
  return isToCome ? addDays(last as Day, 1) : null;
}

/** That day where the letter names it. A day well after the day to pay by would suggest that waiting is free. */
export function firstDayWithFee(facts: LetterFacts): Day | null {
  const first = feeToCome(facts);
  return first === null || first > workdayFrom(addDays(facts.replyBy, 1)) ? null : first;
}

/** That day where the letter does not name it. */
export const distantFeeDay = (facts: LetterFacts): Day | null =>
  firstDayWithFee(facts) === null ? feeToCome(facts) : null;

/** Days of grace are past the due date, but not overdue. */
export const lateWord = ({ status }: FeeOnDay): string =>
  status === 'within_grace' ? 'past due' : 'overdue';

const LONG_PAST_DAYS = 60;

/** Whether it was due so long ago that nothing about a reminder is quick, and a polite one is mild. */
export const isLongPast = ({ onSendDay }: LetterFacts): boolean => onSendDay.daysLate > LONG_PAST_DAYS;
