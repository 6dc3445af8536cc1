import { addDays, type Day, LAST_DAY, workdayFrom } from './calendar.ts';
import { chargesOn, dailyGrowth, debtsOf, feeOnDay, type LateFee } from './late-fee.ts';
import { canCharge } from './late-fee-notes.ts';
import { type FeeOnDay, rateBasisText, rateText } from './late-fee-terms.ts';
import type { InvoiceName } from './letter-names.ts';
import { localDay, localMoney } from './locale.ts';
import { divRound, type Micros, type Minor, microsText, powerOfTen } from './money.ts';
import { MARGIN, type StatutoryInterest, type UsedRate } from './statutory.ts';
import { daysText } from './text.ts';

export type Tone = 'polite' | 'firm' | 'final';

export const TONES: readonly Tone[] = ['polite', 'firm', 'final'];

/** What a letter asks for beside the amount. */
export type Claim = 'agreed' | 'statutory' | 'reserve' | 'none';

export const CLAIMS: readonly Claim[] = ['agreed', 'statutory', 'reserve', 'none'];

/** What the sender does when a letter is not answered. */
export type NextStep = 'suspend_work' | 'collection' | 'court';

export const NEXT_STEPS: readonly NextStep[] = ['suspend_work', 'collection', 'court'];

/** What the sender asks of a letter; texts are clean single lines, null when missing. */
export type LetterWishes = {
  readonly claim: Claim;
  readonly invoiceDate: Day | null;
  readonly purchaseOrder: string | null;
  /** Whom to ask, with a telephone number or an address. */
  readonly contact: string | null;
  readonly signer: string | null;
  readonly earlierReminders: readonly Day[];
  readonly nextStep: NextStep | null;
  /** What is suspended, such as 'your hosting'; null: our services. */
  readonly suspendWhat: string | null;
  /** The day on which everything was paid, too late: the letter asks for what that costs. null: it is unpaid. */
  readonly paidOn: Day | null;
  /** How to pay, in clean lines; none: as the invoice says. */
  readonly paymentDetails: readonly string[];
};

/** What a letter is written from. */
export type LetterFacts = LetterWishes & {
  /** The fee at the day that it is worked out to. */
  readonly fee: LateFee;
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
  /** The fields of names that are left out, being more than a name. */
  readonly leftOut: readonly string[];
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

export type ClaimedByLaw = StatutoryInterest & { readonly interest: Minor };

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
  const { fee } = facts;
  const owed = [
    ...(facts.each.length > 0 ? eachRow(facts) : [rowOf(fee, amountLabel, fee.amount)]),
    ...paidRows(facts),
  ];
  const byLaw = claimedByLaw(facts);
  if (byLaw === null && !asksForFee(facts))
    return [...(owed.length === 1 ? [] : owed), rowOf(fee, 'Amount due', openOf(fee))];
  const added = byLaw === null ? feeRows(facts) : lawRows(facts, byLaw);
  if (facts.paidOn !== null && added.length === 1) return added;
  return [...(facts.paidOn === null ? owed : []), ...added, rowOf(fee, 'Total to pay', sumAsked(facts))];
}

const rowOf = (fee: LateFee, label: string, amount: Minor): string => `${label}: ${money(fee, amount)}`;

/** 'Invoice INV-7 of 1 September 2026, due 1 October 2026: £500.00' */
const eachRow = (facts: LetterFacts): readonly string[] =>
  facts.fee.debts.map(({ amount, dueDate }, index) => {
    const { name, date = null } = facts.each[index] ?? {};
    const of = date === null ? '' : ` of ${dayIn(facts, date)}`;
    const label = name?.isNumbered ? name.capital : 'Invoice';
    return `${label}${of}, due ${dayIn(facts, dueDate)}: ${money(facts.fee, amount)}`;
  });

/** 'Paid on 10 November 2026: -£250.00'; with several invoices, each part with the invoice that it went to. */
function paidRows(facts: LetterFacts): readonly string[] {
  if (!isPartPaid(facts)) return [];
  const { fee } = facts;
  return debtsOf(fee.terms).flatMap(({ payments }, index) => {
    const invoice = facts.each.length === 0 ? '' : ` for ${invoiceAt(facts, index)}`;
    return payments.map(({ amount, day }) => {
      const paid = day === null ? 'Already paid' : `Paid on ${dayIn(facts, day)}`;
      return rowOf(fee, `${paid}${invoice}`, -minorOf(fee, amount) as Minor);
    });
  });
}

/** 'invoice INV-7', or 'the invoice due 1 October 2026' */
export function invoiceAt(facts: LetterFacts, index: number): string {
  const name = facts.each[index]?.name;
  if (name?.isNumbered) return name.text;
  return `the invoice due ${dayIn(facts, facts.fee.debts[index]?.dueDate ?? facts.fee.terms.dueDate)}`;
}

export const lastDayOfGrace = ({ terms }: LateFee): Day => addDays(terms.dueDate, terms.graceDays);

/** People call a percentage interest and a sum a late fee; in the United States both are late fees. */
export const isInterest = (fee: LateFee): boolean =>
  fee.terms.rateType !== 'flat' && fee.terms.currency !== 'USD' && flatFee(fee) === null;

/** '(1.5% per month of 30 days, 12 days after 5 days of grace)', for each invoice that is charged */
function feeRows(facts: LetterFacts): readonly string[] {
  const { fee } = facts;
  if (flatFee(fee) !== null)
    return [rowOf(fee, `Late fee (flat, charged once${eachWord(facts)})`, facts.onSendDay.fee)];
  const { graceDays, accrual, rateType } = fee.terms;
  const grace = graceDays === 0 ? '' : ` after ${daysText(graceDays)} of grace`;
  const months = (count: number) => `${count} ${count === 1 ? 'month' : 'months'}`;
  return chargesOn(fee, facts.paidOn ?? facts.sendDay).flatMap(({ debt, parts, fee: charged }, index) => {
    if (charged === 0n) return [];
    const counted = parts.map(({ open, units }) => ({
      open,
      count: accrual === 'month_begun' ? months(units) : daysText(units),
    }));
    const total = parts.reduce((sum, { units }) => sum + units, 0);
    const basis =
      rateType === 'flat'
        ? `${basisText(fee)}, ${months(total)}`
        : countedText(fee, basisText(fee), debt.amount, counted);
    const label = chargeLabel(facts, isInterest(fee) ? 'Interest' : 'Late fee', index);
    return [rowOf(fee, `${label} (${basis}${grace}${limitsText(fee)})`, charged)];
  });
}

const eachWord = ({ each }: LetterFacts): string => (each.length === 0 ? '' : ' for each late invoice');

/** 'Interest on invoice INV-7 to 21 November 2026' */
function chargeLabel(facts: LetterFacts, word: string, index: number): string {
  const invoice = facts.each.length === 0 ? '' : ` on ${invoiceAt(facts, index)}`;
  return `${word}${invoice} to ${dayIn(facts, facts.paidOn ?? facts.sendDay)}`;
}

type CountedSum = { readonly open: Micros; readonly count: string };

/** '5% per year, 47 days'; after part payments '5% per year on £4,800.00 for 46 days, £2,800.00 for 72 days' */
function countedText(fee: LateFee, rate: string, amount: Micros, sums: readonly CountedSum[]): string {
  const [first, ...others] = sums;
  if (first !== undefined && others.length === 0 && first.open === amount) return `${rate}, ${first.count}`;
  const all = sums.map(({ open, count }) => `${money(fee, minorOf(fee, open))} for ${count}`);
  return `${rate}${rate.includes(',') ? ',' : ''} on ${all.join(', ')}`;
}

/** The interest of each invoice at its rates, and the fixed sums. */
function lawRows(facts: LetterFacts, { debts, compensation }: ClaimedByLaw): readonly string[] {
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

/** Times in a row at one rate; of several rates each has its span: 'to 30 June 2026', 'from 1 July 2026'. */
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

// Section 4 of Canada's Interest Act: a letter that names a rate for a shorter time names the yearly rate too.
const NAMES_YEARLY_RATE = 'CAD';

/** A yearly rate with at most two decimals, such as '24.33%'. */
const yearlyText = (percent: Micros): string => {
  const hundredth = powerOfTen(4);
  return `${microsText((divRound(percent, hundredth) * hundredth) as Micros)}%`;
};

/** '1.5% per month of 30 days', in Canada with the yearly rate; '5% per year'. */
export function basisText(fee: LateFee): string {
  const { terms, annualEquivalentPercent } = fee;
  const isYearly = terms.rateType === 'annual_percent';
  const isFlat = terms.rateType === 'flat' && terms.accrual === 'month_begun';
  const basis = isFlat
    ? `${money(fee, minorOf(fee, terms.rate))} per month begun`
    : isYearly && terms.accrual === 'simple'
      ? rateText(terms.rate, terms.rateType)
      : rateBasisText(terms.rate, terms.rateType, terms.accrual);
  return terms.currency !== NAMES_YEARLY_RATE || isYearly || annualEquivalentPercent === null
    ? basis
    : `${basis}, which is ${yearlyText(annualEquivalentPercent)} per year`;
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
  /** '£0.50', to the nearest coin */
  readonly daily: string;
  /** ', up to £50.00 in all' */
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
    daily: money(fee, daily.value as Minor),
    cap: byLaw !== null || maxFee === null ? '' : `, up to ${money(fee, minorOf(fee, maxFee))} in all`,
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
  return { value: divRound(numerator, 365n * 100n * powerOfTen(6)) };
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
