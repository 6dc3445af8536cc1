import { addDays, type Day, LAST_DAY, longDayText, workdayFrom, workdayUpTo } from './calendar.ts';
import { type FeeOnDay, feeOnDay, type LateFee, type LateFeeTerms, lateFeeTermsFaults } from './late-fee.ts';
import {
  dayIn,
  isInterest,
  isOfThePast,
  type LetterFacts,
  lastDayOfGrace,
  lateWord,
  openOf,
  type ReminderRequest,
  sumAsked,
} from './letter-facts.ts';
import { businessName, clientName, invoiceName, invoicesName, SENTENCES } from './letter-names.ts';
import { letterNotes } from './letter-notes.ts';
import { bodyOf } from './letters.ts';
import type { Minor } from './money.ts';
import type { Fault, Result } from './result.ts';
import { type StatutoryInterest, type StatutoryRequest, statutoryInterest } from './statutory.ts';
import { capitalised, daysText } from './text.ts';

/** A letter as plain text; `subject` is one line of at most 78 UTF-16 units, `body` has '\n' line ends. */
export type Reminder = {
  readonly subject: string;
  readonly body: string;
  readonly payBy: Day;
  /** The sum that the letter requests until the payment deadline. */
  readonly amountAsked: Minor;
  /**
   * The sums due 7, 14 and 30 days after sending; until the payment deadline, the requested sum. There are fewer rows
   * near the end of the calendar, or if a total would not be an exact number.
   */
  readonly ifPaidBy: { readonly date: Day; readonly fee: Minor; readonly totalDue: Minor }[];
  /** Warnings about the fee, and general facts about it; at most five together with the letter's caveats. */
  readonly warnings: string[];
  readonly feeCaveats: string[];
  /** What the sender should know about this letter. */
  readonly caveats: string[];
};

/** The default payment deadline. */
export const DAYS_TO_PAY = 7;
const MILESTONE_DAYS = [7, 14, 30] as const;
// In some time zone, the next day has already begun.
const ZONE_DAYS = 1;

/**
 * The reminder for an overdue invoice. It is written as of the day that the fee is calculated up to, names that day
 * if it is past, and asks for payment on a future day. `reminderFaults` must have found no fault. Names are cleaned to
 * one line and never cut; a blank name counts as missing. Faults: total_too_large; required (a reference rate for a
 * claim by law); out_of_range (nothing is owed for an invoice that was paid).
 */
export function reminder(fee: LateFee, request: ReminderRequest): Result<Reminder> {
  const days = daysOf(fee, request);
  if (days === null) return { ok: false, faults: [TOO_LARGE] };
  const { law, ...wishes } = request;
  const found = law && statutoryInterest(fee, law, request.paidOn ?? days.sendDay);
  if (found?.ok === false) return found;
  const statutory = found?.value ?? null;
  const byLaw = request.claim === 'statutory' ? statutory : null;
  if (byLaw !== null && (byLaw.interest === null || byLaw.outdatedFrom !== null))
    return { ok: false, faults: [rateMissing(byLaw)] };
  const invoices = [{ number: request.invoiceNumber, date: request.invoiceDate }, ...request.more];
  const isOne = invoices.length === 1;
  const facts: LetterFacts = {
    ...days,
    ...wishes,
    ...namesOf(request),
    statutory,
    byLaw,
    each: isOne ? [] : invoices.map(({ number, date }) => ({ name: invoiceName(number), date })),
    invoiceDate: isOne ? request.invoiceDate : null,
  };
  if (request.paidOn !== null && sumAsked(facts) === 0n) return { ok: false, faults: [NOTHING_OWED] };
  const notes = letterNotes(facts);
  return {
    ok: true,
    value: {
      subject: subjectOf(facts),
      body: bodyOf(facts),
      payBy: days.payBy,
      amountAsked: sumAsked(facts),
      ifPaidBy: milestones(facts, law),
      warnings: notes.warnings,
      feeCaveats: notes.caveats,
      caveats: notes.letter,
    },
  };
}

const rateMissing = ({ law, outdatedFrom, unavailable }: StatutoryInterest): Fault => ({
  pointer: '/reference_rate',
  code: 'required',
  detail:
    'is required here with claim statutory: we do not have the rate, and the letter cannot claim interest without it',
  hint:
    outdatedFrom === null
      ? `${unavailable}`
      : `send ${law.rateName} that applies to the half-year from ${longDayText(outdatedFrom)}`,
});

const NOTHING_OWED: Fault = {
  pointer: '/paid_on',
  code: 'out_of_range',
  detail: 'is a day on which no late fee was due yet, so there is nothing to ask for',
  hint: 'check due_date, rate, grace_days and claim',
};

const TOO_LARGE: Fault = {
  pointer: '/amount',
  code: 'total_too_large',
  detail: 'grows to a total above 999,999,999,999.99 before the payment deadline',
  hint: 'check due_date, rate and rate_type',
};

// A weekend moves the payment deadline to Monday.
const MOST_MOVED_DAYS = 2;

/**
 * Whether a reminder is certain for valid terms and dates. A fee only grows with the days: if the total of the letter's
 * latest day is exact, all totals are.
 */
export function isSurelyWritten(terms: LateFeeTerms, payWithinDays: number): boolean {
  const sendDay = Math.max(terms.paidDate, terms.today) as Day;
  const paidDate = addDays(sendDay, payWithinDays + MOST_MOVED_DAYS);
  return lateFeeTermsFaults({ ...terms, paidDate }).length === 0;
}

type ReminderDates = { readonly dueDate: Day; readonly paidDate: Day; readonly today: Day };

/** Why a letter with these dates would be wrong: date_in_future, invoice_not_overdue. */
export function reminderFaults({ dueDate, paidDate, today }: ReminderDates): Fault[] {
  const isToCome = paidDate > today + ZONE_DAYS;
  const asOf = isToCome ? today : paidDate;
  return [
    ...(isToCome ? [dateInFuture(paidDate, today, dueDate)] : []),
    ...(asOf > dueDate ? [] : [notOverdue(dueDate, asOf, today)]),
  ];
}

const dateInFuture = (paidDate: Day, today: Day, dueDate: Day): Fault => ({
  pointer: '/paid_date',
  code: 'date_in_future',
  detail: `is ${longDayText(paidDate)} and today is ${longDayText(today)}: a letter cannot say what will be unpaid in the future`,
  hint: `${dueDate < today ? 'leave paid_date out for a letter dated today; ' : ''}the free late-fee calculator calculates a fee up to any day`,
});

function notOverdue(dueDate: Day, asOf: Day, today: Day): Fault {
  const which = asOf === today ? 'today' : 'the day up to which the fee is calculated';
  const isPast = asOf < today && dueDate < today;
  const first = longDayText(addDays(dueDate, 1));
  const hint = isPast
    ? 'leave paid_date out for a letter dated today, and keep due_date as it is'
    : dueDate === LAST_DAY
      ? 'check the year of due_date'
      : `nothing needs to be sent yet: keep due_date as it is and ask again from ${first}; the free late-fee calculator works for any date`;
  return {
    pointer: '/due_date',
    code: 'invoice_not_overdue',
    detail: `is ${longDayText(dueDate)}, not before ${which} (${longDayText(asOf)}): the invoice is not overdue, so no reminder is needed`,
    hint,
  };
}

/** The days that the letter names; null if the total of one would be too large. */
function daysOf(fee: LateFee, { payWithinDays, paidOn }: ReminderRequest) {
  const { paidDate, today } = fee.terms;
  const sendDay = Math.max(paidDate, today) as Day;
  const onSendDay = feeOnDay(fee, paidOn ?? sendDay);
  if (onSendDay === null) return null;
  const replyBy = workdayFrom(addDays(sendDay, payWithinDays));
  const payBy = payByOf(fee, sendDay, onSendDay, replyBy);
  return feeOnDay(fee, payBy) === null ? null : { fee, sendDay, onSendDay, payBy, replyBy };
}

/**
 * The payment deadline. During grace, it is a working day before any fee begins, because the letter requests the
 * amount without a fee. If no such day is left after the day of sending, the usual number of days applies.
 */
function payByOf(fee: LateFee, sendDay: Day, onSendDay: FeeOnDay, usual: Day): Day {
  if (onSendDay.status !== 'within_grace') return usual;
  const onUsual = feeOnDay(fee, usual);
  if (onUsual?.totalDue === onSendDay.totalDue) return usual;
  const withoutFee = workdayUpTo(lastDayOfGrace(fee));
  if (withoutFee > sendDay) return withoutFee;
  return onUsual === null ? sendDay : usual;
}

function milestones(facts: LetterFacts, law: StatutoryRequest | null): Reminder['ifPaidBy'] {
  const { fee, sendDay, claim } = facts;
  // Near the end of the calendar, several milestones fall on its last day, which is then listed once.
  const dates = new Set(MILESTONE_DAYS.map((days) => addDays(sendDay, days)));
  return [...dates].flatMap((date) => {
    const cost =
      claim === 'agreed' ? feeOnDay(fee, date) : costByLaw(fee, date, claim === 'statutory' ? law : null);
    return cost === null ? [] : [{ date, fee: cost.fee, totalDue: cost.totalDue }];
  });
}

/** The amount due on a given day, with interest under a law or without a fee. Null if it is unknown or too large. */
function costByLaw(fee: LateFee, day: Day, law: StatutoryRequest | null) {
  if (law === null) return { fee: 0n as Minor, totalDue: openOf(fee) };
  const found = statutoryInterest(fee, law, day);
  if (!found.ok || found.value.totalDue === null) return null;
  const { totalDue } = found.value;
  return { fee: (totalDue - openOf(fee)) as Minor, totalDue };
}

// The end of an element, or a web address: not a name.
const MARKUP = /<\/\p{L}+>|https?:\/\//iu;

/** The names in the letter. A field that holds more than a name is dropped, with a note. */
function namesOf(request: ReminderRequest) {
  const several = [request.invoiceNumber, ...request.more.map(({ number }) => number)];
  const invoice = several.length > 1 ? invoicesName(several) : invoiceName(request.invoiceNumber);
  const names = {
    client_name: clientName(request.clientName),
    business_name: businessName(request.businessName),
    contact: request.contact,
    signer: request.signer,
    purchase_order: request.purchaseOrder,
    invoice_number: invoice.text,
  };
  const isMore = (field: string, name: string) =>
    MARKUP.test(name) || (['client_name', 'invoice_number'].includes(field) && SENTENCES.test(name));
  const leftOut = Object.entries(names).flatMap(([field, name]) =>
    name !== null && isMore(field, name) ? [field] : [],
  );
  const kept = (field: keyof typeof names) => (leftOut.includes(field) ? null : names[field]);
  return {
    client: kept('client_name'),
    business: kept('business_name'),
    invoice: leftOut.includes('invoice_number') ? invoiceName(null) : invoice,
    contact: kept('contact')?.replace(/[\s,;:.]+$/u, '') ?? null,
    signer: kept('signer'),
    purchaseOrder: kept('purchase_order'),
    leftOut,
  };
}

/** Mail programs show about this many characters, and RFC 5322 recommends the limit (2.1.1). */
const SUBJECT_LENGTH = 78;

/**
 * The longest subject that fits. It always names the sender, if there is one. To fit, it drops the due date first, then
 * how late the invoice is, then the number.
 */
function subjectOf(facts: LetterFacts): string {
  const { fee, invoice, business } = facts;
  const { label, short = label, tail, dated } = subjectParts(facts);
  const said = (name: string) => (label === '' ? capitalised(name) : name);
  // The sender is named only once.
  const name = said(business === null ? invoice.text : invoice.text.replace(/^our\s+/iu, ''));
  const word = said(`${business === null ? 'our ' : ''}${invoice.isPlural ? 'invoices' : 'invoice'}`);
  const from =
    business === null ? '' : BEGINS_WITH_FROM.test(business) ? ` ${business}` : ` from ${business}`;
  const choices = [
    ...(invoice.isNumbered ? [`${label}${name}${from}${tail}`] : []),
    // A number by itself does not say what the letter is about.
    ...(invoice.isNumbered && `${label}${from}` !== ''
      ? [`${label}${name}${from}`, `${short}${name}${from}`]
      : []),
    // Several numbers are more likely to fit without the word "invoices".
    ...(invoice.isNumbered && invoice.isPlural && invoice.reference !== null && business !== null
      ? [`${short}${invoice.reference}${from}`]
      : []),
    `${label}${word}${from}${dated(dayIn(facts, fee.terms.dueDate))}`,
    `${label}${word}${from}`,
    `${short}${word}${from}`,
  ];
  return choices.find(({ length }) => length <= SUBJECT_LENGTH) ?? shortened(choices.at(-1) ?? '');
}

/** A subject with a shortened sender name, cut between two words if possible. */
function shortened(subject: string): string {
  const cut = subject.slice(0, SUBJECT_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '');
  const words = cut.replace(/\s+\S*$/u, '');
  return `${words.length > SUBJECT_LENGTH / 2 ? words : cut}…`;
}

const BEGINS_WITH_FROM = /^from\s/iu;

type Subject = {
  /** The text before the invoice; empty if the subject begins with the invoice. */
  readonly label: string;
  /** The label without the days late, for subjects that are too long. */
  readonly short?: string;
  /** The text after a numbered invoice. */
  readonly tail: string;
  /** The text after an invoice without a number, which its due date identifies. */
  readonly dated: (due: string) => string;
};

function subjectParts(facts: LetterFacts): Subject {
  const { tone, fee, invoice, onSendDay } = facts;
  const nothing = () => '';
  if (facts.paidOn !== null) {
    const added = facts.byLaw === null && !isInterest(fee) ? 'late fee' : 'interest';
    const label = { polite: added, firm: `unpaid: ${added}`, final: `final reminder: ${added}` }[tone];
    return { label: `${capitalised(label)} on `, tail: '', dated: nothing };
  }
  if (fee.terms.debts.some(({ dueDate }) => dueDate !== fee.terms.dueDate)) {
    const label = { polite: '', firm: 'Overdue: ', final: 'Final reminder: ' }[tone];
    const tail = tone === 'polite' ? ' are overdue' : '';
    return { label, tail, dated: () => tail };
  }
  const due = dayIn(facts, fee.terms.dueDate);
  if (tone === 'polite') {
    const dated = (day: string) => ` ${invoice.isPlural ? 'were' : 'was'} due on ${day}`;
    return { label: '', tail: dated(due), dated };
  }
  const dated = (day: string) => `, due ${day}`;
  const late = lateWord(onSendDay);
  const short = tone === 'firm' ? `${capitalised(late)}: ` : 'Final reminder: ';
  // Says how late the invoice is; if that is not known, gives its due date.
  if (isOfThePast(facts) || (tone === 'final' && !invoice.isNumbered))
    return { label: short, tail: dated(due), dated };
  // After a right-to-left name, a number would be displayed before the name.
  const word = tone === 'firm' ? capitalised(late) : `Final reminder, ${late}`;
  return { label: `${word} by ${daysText(fee.daysLate)}: `, short, tail: '', dated };
}
