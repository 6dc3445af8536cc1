import { addDays, type Day, LAST_DAY, workdayFrom } from './calendar.ts';
import { dailyGrowth, type FeeOnDay, feeOnDay, type LateFee, periodOf, unitsOf } from './late-fee.ts';
import { canCharge, rateText, roundPercent } from './late-fee-notes.ts';
import type { InvoiceName } from './letter-names.ts';
import { localDay, localMoney } from './locale.ts';
import { divRound, type Micros, type Minor, microsText, minorOf, powerOfTen } from './money.ts';
import { MARGIN, type StatutoryInterest, type StatutoryRequest, type UsedRate } from './statutory.ts';
import { capitalised, daysText } from './text.ts';

export const TONES = ['polite', 'firm', 'final'] as const;
export type Tone = (typeof TONES)[number];

/** What a letter asks for in addition to the amount. */
export const CLAIMS = ['agreed', 'statutory', 'reserve', 'none'] as const;
type Claim = (typeof CLAIMS)[number];

/** What the sender does if a letter is not answered. */
export const NEXT_STEPS = ['suspend_work', 'collection', 'court'] as const;
export type NextStep = (typeof NEXT_STEPS)[number];

/** What the sender wants in a letter; texts are clean single lines, null if missing. */
export type ReminderRequest = {
  readonly tone: Tone;
  readonly claim: Claim;
  readonly isConsumer?: boolean;
  /** The law under which interest is claimed, reserved or shown with the fee; null if there is no law. */
  readonly law: StatutoryRequest | null;
  readonly clientName: string | null;
  readonly businessName: string | null;
  readonly invoiceNumber: string | null;
  readonly invoiceDate: Day | null;
  /** The other invoices, in the order of the fee's debts after the first. */
  readonly more: readonly { readonly number: string | null; readonly date: Day | null }[];
  readonly purchaseOrder: string | null;
  /** The contact person, with a telephone number or an address. */
  readonly contact: string | null;
  readonly signer: string | null;
  readonly earlierReminders: readonly Day[];
  readonly nextStep: NextStep | null;
  /** What is suspended, such as 'your hosting'; null means "our services". */
  readonly suspendWhat: string | null;
  /** The late day on which everything was paid, so the letter asks for the late charges; null while it is unpaid. */
  readonly paidOn: Day | null;
  /** How to pay, in clean lines; if empty, as the invoice says. */
  readonly paymentDetails: readonly string[];
  /** Days from the day of sending to the payment deadline. */
  readonly payWithinDays: number;
};

/** The facts that a letter is written from. */
export type LetterFacts = Omit<ReminderRequest, 'law'> & {
  /** The fee at the day that it is calculated up to. */
  readonly fee: LateFee;
  /** Statutory interest on the day of sending; null without a jurisdiction. */
  readonly statutory: StatutoryInterest | null;
  /** Statutory interest as the letter claims it; null if the letter does not. */
  readonly byLaw: StatutoryInterest | null;
  /** The day that the fee is calculated up to, or today if that is past. */
  readonly sendDay: Day;
  /** The fee on the day of sending, or on the day of the last payment. */
  readonly onSendDay: FeeOnDay;
  readonly payBy: Day;
  /** The day to reply by. It may be later than the end of the grace period. */
  readonly replyBy: Day;
  readonly client: string | null;
  readonly business: string | null;
  readonly invoice: InvoiceName;
  /** Each invoice if there are several, in the order of the fee's debts. */
  readonly each: readonly { readonly name: InvoiceName; readonly date: Day | null }[];
  /** Name fields that were dropped because they hold more than a name. */
  readonly leftOut: readonly string[];
};

/** A day as the country of the currency writes it. */
export const dayIn = ({ fee }: Pick<LetterFacts, 'fee'>, day: Day): string =>
  localDay(day, fee.terms.currency);

/** Money as the country of the currency writes it. */
export const money = ({ terms, digits }: LateFee, amount: Minor): string =>
  localMoney(amount, terms.currency, digits);

/** Whether the fee is calculated up to a day that is past when the letter is sent. */
export const isOfThePast = ({ fee, sendDay, paidOn }: LetterFacts): boolean =>
  paidOn === null && fee.terms.paidDate < sendDay;

/** Whether part of the amount was paid and the letter requests the rest. */
export const isPartPaid = ({ fee, paidOn }: LetterFacts): boolean => paidOn === null && fee.paid > 0n;

/** Whether the letter claims the sender's own late fee. */
export const asksForFee = ({ claim, onSendDay }: LetterFacts): boolean =>
  claim === 'agreed' && onSendDay.fee !== 0n;

/** The unpaid part of the amount. */
export const openOf = ({ amount, paid }: LateFee): Minor => (amount - paid) as Minor;

/** The sum that the letter requests. The sum as of its day is valid until the payment deadline. */
export const sumAsked = (facts: LetterFacts): Minor =>
  facts.byLaw?.totalDue ?? (asksForFee(facts) ? facts.onSendDay.totalDue : openOf(facts.fee));

/** Whether the letter says that its fee is one of the payment terms. */
export const namesTerms = (facts: LetterFacts): boolean =>
  facts.claim === 'agreed' &&
  !facts.fee.terms.rateDefaulted &&
  (asksForFee(facts) || firstDayWithFee(facts) !== null);

/** The sums of the letter: the amount, the additions, and the one sum to pay. */
export function rowsOf(facts: LetterFacts, amountLabel: string): readonly string[] {
  const { fee, byLaw } = facts;
  const owed = [
    ...(facts.each.length > 0 ? eachRow(facts) : [rowOf(fee, amountLabel, fee.amount)]),
    ...paidRows(facts),
  ];
  if (byLaw === null && !asksForFee(facts))
    return [...(owed.length === 1 ? [] : owed), rowOf(fee, 'Amount due', openOf(fee))];
  const added = byLaw === null ? feeRows(facts) : lawRows(facts, byLaw);
  if (facts.paidOn !== null && added.length === 1) return added;
  return [...(facts.paidOn === null ? owed : []), ...added, rowOf(fee, 'Total to pay', sumAsked(facts))];
}

const rowOf = (fee: LateFee, label: string, amount: Minor): string => `${label}: ${money(fee, amount)}`;

/** 'Invoice INV-7 of 1 September 2026, due 1 October 2026: £500.00' */
const eachRow = (facts: LetterFacts): readonly string[] =>
  facts.fee.terms.debts.map(({ amount, dueDate }, index) => {
    const { name, date = null } = facts.each[index] ?? {};
    const of = date === null ? '' : ` of ${dayIn(facts, date)}`;
    const label = name?.isNumbered ? capitalised(name.text) : 'Invoice';
    return `${label}${of}, due ${dayIn(facts, dueDate)}: ${money(facts.fee, minorOf(amount, facts.fee.digits))}`;
  });

/** 'Paid on 10 November 2026: -£250.00'; with several invoices, each part with the invoice that it went to. */
function paidRows(facts: LetterFacts): readonly string[] {
  if (!isPartPaid(facts)) return [];
  const { fee } = facts;
  return fee.charges.flatMap(({ debt }, index) => {
    const invoice = facts.each.length === 0 ? '' : ` for ${invoiceAt(facts, index)}`;
    return debt.payments.map(({ amount, day }) => {
      const paid = day === null ? 'Already paid' : `Paid on ${dayIn(facts, day)}`;
      return rowOf(fee, `${paid}${invoice}`, -minorOf(amount, fee.digits) as Minor);
    });
  });
}

/** 'invoice INV-7', or 'the invoice due 1 October 2026' */
export function invoiceAt(facts: LetterFacts, index: number): string {
  const name = facts.each[index]?.name;
  if (name?.isNumbered) return name.text;
  return `the invoice due ${dayIn(facts, facts.fee.terms.debts[index]?.dueDate ?? facts.fee.terms.dueDate)}`;
}

export const lastDayOfGrace = ({ terms }: LateFee): Day => addDays(terms.dueDate, terms.graceDays);

/** People call a percentage "interest" and a fixed sum a "late fee"; in the United States, both are late fees. */
export const isInterest = (fee: LateFee): boolean =>
  fee.terms.rateType !== 'flat' && fee.terms.currency !== 'USD' && flatFee(fee) === null;

/** '(1.5% per month of 30 days, 12 days after 5 days of grace)', for each invoice that is charged */
function feeRows(facts: LetterFacts): readonly string[] {
  const { fee } = facts;
  if (flatFee(fee) !== null)
    return [
      rowOf(
        fee,
        `Late fee (flat, charged once${facts.each.length === 0 ? '' : ' for each late invoice'})`,
        facts.onSendDay.fee,
      ),
    ];
  const { graceDays, accrual, rateType } = fee.terms;
  const grace = graceDays === 0 ? '' : ` after ${daysText(graceDays)} of grace`;
  const months = (count: number) => `${count} ${count === 1 ? 'month' : 'months'}`;
  return facts.onSendDay.charges.flatMap(({ debt, parts, fee: charged }, index) => {
    if (charged === 0n) return [];
    const counted = parts.map(({ open, units }) => ({
      open,
      count: accrual === 'month_begun' ? months(units) : daysText(units),
    }));
    const basis =
      rateType === 'flat'
        ? `${basisText(fee)}, ${months(unitsOf(parts))}`
        : countedText(fee, basisText(fee), debt.amount, counted);
    const label = chargeLabel(facts, isInterest(fee) ? 'Interest' : 'Late fee', index);
    return [rowOf(fee, `${label} (${basis}${grace}${limitsText(fee)})`, charged)];
  });
}

/** 'Interest on invoice INV-7 to 12 October 2026' */
function chargeLabel(facts: LetterFacts, word: string, index: number): string {
  const invoice = facts.each.length === 0 ? '' : ` on ${invoiceAt(facts, index)}`;
  return `${word}${invoice} to ${dayIn(facts, facts.paidOn ?? facts.sendDay)}`;
}

type CountedSum = { readonly open: Micros; readonly count: string };

/** '5% per year, 47 days'; after part payments '5% per year on £4,800.00 for 46 days, £2,800.00 for 72 days' */
function countedText(fee: LateFee, rate: string, amount: Micros, sums: readonly CountedSum[]): string {
  const [first, ...others] = sums;
  if (first !== undefined && others.length === 0 && first.open === amount) return `${rate}, ${first.count}`;
  const all = sums.map(({ open, count }) => `${money(fee, minorOf(open, fee.digits))} for ${count}`);
  return `${rate}${rate.includes(',') ? ',' : ''} on ${all.join(', ')}`;
}

/** The statutory interest of each invoice at its rates, and the fixed sums. */
function lawRows(facts: LetterFacts, { debts, compensation }: StatutoryInterest): readonly string[] {
  const { fee } = facts;
  const interest = debts.flatMap((debt, index) => {
    if (debt.interest === 0n) return [];
    const periods = ratePeriods(facts, debt.times).map(({ percent, span, times }) => {
      const sums = times.map(({ open, days }) => ({ open, count: daysText(days) }));
      const rate = `${percentText((percent + MARGIN) as Micros)} per year${span && ` ${span}`}`;
      return countedText(fee, rate, debt.amount, sums);
    });
    return [rowOf(fee, `${chargeLabel(facts, 'Interest', index)} (${periods.join('; ')})`, debt.interest)];
  });
  return [...interest, rowOf(fee, 'Fixed compensation', compensation)];
}

/** '2.40%' */
export const percentText = (percent: Micros): string =>
  `${microsText(percent).replace(/(\.[0-9])$/, '$10')}%`;

/** Consecutive periods at one rate; with several rates, each has its span: 'to 30 June 2026', 'from 1 July 2026'. */
export function ratePeriods<Time extends UsedRate & { readonly open?: Micros }>(
  facts: LetterFacts,
  all: readonly Time[],
) {
  const groups: { percent: Micros; from: Day | undefined; times: Time[] }[] = [];
  for (const time of all) {
    const last = groups.at(-1);
    const before = last?.times.at(-1);
    if (last === undefined || before === undefined || last.percent !== time.percent)
      groups.push({ percent: time.percent, from: time.held?.from, times: [time] });
    else if (before.open === time.open && time.open !== undefined)
      last.times.splice(-1, 1, { ...time, days: before.days + time.days });
    else last.times.push(time);
  }
  return groups.map(({ percent, from, times }, index) => {
    const until = times.at(-1)?.held?.until;
    const span = [
      index > 0 && from !== undefined ? `from ${dayIn(facts, from)}` : '',
      index < groups.length - 1 && until !== undefined ? `to ${dayIn(facts, until)}` : '',
    ];
    return { percent, times, span: span.filter(Boolean).join(' ') };
  });
}

// Section 4 of Canada's Interest Act: a letter that states a rate for a shorter time must also state the yearly rate.
const NAMES_YEARLY_RATE = 'CAD';

/** '1.5% per month of 30 days', in Canada with the yearly rate; '5% per year': enough to calculate the fee again. */
export function basisText(fee: LateFee): string {
  const { terms, annualEquivalentPercent } = fee;
  const basis = plainBasisText(fee);
  return terms.currency !== NAMES_YEARLY_RATE ||
    terms.rateType === 'annual_percent' ||
    annualEquivalentPercent === null
    ? basis
    : `${basis}, which is ${roundPercent(annualEquivalentPercent)} per year`;
}

function plainBasisText(fee: LateFee): string {
  const { rate, rateType, accrual } = fee.terms;
  const period = periodOf(rateType);
  if (accrual === 'month_begun') {
    const charge = period === null ? money(fee, minorOf(rate, fee.digits)) : `${microsText(rate)}%`;
    return `${charge} per month or part of a month`;
  }
  const isYear = rateType === 'annual_percent' && accrual === 'simple';
  const length = period === null || period.days === 1n || isYear ? '' : ` of ${period.days} days`;
  return `${rateText(fee.terms)}${length}${accrual === 'compound' ? ', compounded' : ''}`;
}

/** 'interest of' or 'a late fee of' */
export const chargeOf = (fee: LateFee): string => (isInterest(fee) ? 'interest of' : 'a late fee of');

/** The amount of a fee that does not depend on days; null if it does. */
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
    limit === null ? '' : `, at ${word} ${money(fee, minorOf(limit, fee.digits))}`;
  return `${part('least', minFee)}${part('most', maxFee)}`;
}

/**
 * What each day adds to the requested sum, under a law at the latest rate: 'interest of £0.50 a day'; null if that is less than a coin, or if a limit
 * caps the fee for now.
 */
export function dailyText(facts: LetterFacts): string | null {
  const { fee, byLaw, onSendDay } = facts;
  if (facts.paidOn !== null) return null;
  if (byLaw === null && (!asksForFee(facts) || onSendDay.limit !== null)) return null;
  const reference = byLaw?.usedRates.at(-1)?.percent;
  const daily =
    reference === undefined
      ? dailyGrowth(fee.terms, fee.digits, facts.sendDay)
      : divRound(openOf(fee) * (MARGIN + reference), 365n * powerOfTen(8));
  if (daily === null || daily === 0n) return null;
  return `${byLaw === null ? chargeOf(fee) : 'interest of'} ${money(fee, daily as Minor)} a day`;
}

/** What another month adds if each month or part of a month is charged; null otherwise, or if a limit caps the fee. */
export function monthlyGrowth(facts: LetterFacts): string | null {
  const { fee, onSendDay, paidOn } = facts;
  const { accrual, rateType, rate, maxFee } = fee.terms;
  if (accrual !== 'month_begun' || paidOn !== null || !asksForFee(facts) || onSendDay.limit !== null)
    return null;
  if (maxFee !== null || (rateType === 'flat' && facts.each.length > 0)) return null;
  const added = rateType === 'flat' ? minorOf(rate, fee.digits) : divRound(openOf(fee) * rate, powerOfTen(8));
  return added === 0n ? null : money(fee, added as Minor);
}

/** The first day on which a future fee is due; null if none will be. */
function feeToCome({ fee, claim, onSendDay }: LetterFacts): Day | null {
  const last = fee.terms.dueDate + fee.terms.graceDays;
  const isToCome =
    claim === 'agreed' && onSendDay.status === 'within_grace' && canCharge(fee) && last < LAST_DAY;
  return isToCome ? addDays(last as Day, 1) : null;
}

/**
 * The first day with a fee if the letter names it; otherwise null. If the letter named a day well after the payment
 * deadline, it would suggest that waiting is free.
 */
export function firstDayWithFee(facts: LetterFacts): Day | null {
  const first = feeToCome(facts);
  return first === null || first > workdayFrom(addDays(facts.replyBy, 1)) ? null : first;
}

/** The first day with a fee if the letter does not name it; otherwise null. */
export const distantFeeDay = (facts: LetterFacts): Day | null =>
  firstDayWithFee(facts) === null ? feeToCome(facts) : null;

/** Days of grace are after the due date, but not overdue. */
export const lateWord = ({ status }: FeeOnDay): string =>
  status === 'within_grace' ? 'past due' : 'overdue';

const LONG_PAST_DAYS = 60;

/** Whether the invoice has been due for so long that a reminder is late and a polite one is too mild. */
export const isLongPast = ({ onSendDay }: LetterFacts): boolean => onSendDay.daysLate > LONG_PAST_DAYS;
