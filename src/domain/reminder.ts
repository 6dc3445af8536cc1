import { addDays, type Day, LAST_DAY, longDayText, workdayFrom, workdayUpTo } from './calendar.ts';
import { costOn, type LateFee, standingOn } from './late-fee.ts';
import {
  AGREED_TERMS_RANK,
  chargesAnything,
  DEFAULTED_RATE_RANK,
  LIMIT_RANKS,
  lateFeeNotes,
  lawBeside,
} from './late-fee-notes.ts';
import type { Standing } from './late-fee-terms.ts';
import {
  distantFeeDay,
  flatFee,
  hasNoFee,
  isOfThePast,
  type LetterDays,
  lastDayOfGrace,
  money,
  namesTerms,
} from './letter-figures.ts';
import { businessName, clientName, invoiceName, type Slip } from './letter-names.ts';
import type { Tone } from './letters.ts';
import { bodyOf, isLongPast, type LetterFacts, subjectOf } from './letters.ts';
import { type Minor, microsText, powerOfTen } from './money.ts';
import { joined, type Note, textsOf, worthReading } from './notes.ts';
import { rateUsedText } from './rate-period.ts';
import type { Fault, Result } from './result.ts';

export type ReminderRequest = {
  readonly tone: Tone;
  readonly clientName: string | null;
  readonly businessName: string | null;
  readonly invoiceNumber: string | null;
  /** How to pay, in clean lines; none: as the invoice says. */
  readonly paymentDetails: readonly string[];
  /** Days from the one it is sent on to the one it asks to be paid by. */
  readonly payWithinDays: number;
};

/** A letter as plain text; `subject` is one line of at most 78 UTF-16 units, `body` has '\n' line ends. */
export type Reminder = {
  readonly tone: Tone;
  readonly subject: string;
  readonly body: string;
  readonly payBy: Day;
  /** What is due 7, 14 and 30 days after it is sent; fewer rows where the calendar or exact money ends. */
  readonly ifPaidBy: { readonly date: Day; readonly fee: Minor; readonly totalDue: Minor }[];
  /** What is unusual about the fee, and what holds for it; with the caveats of the letter at most five. */
  readonly warnings: string[];
  readonly feeCaveats: string[];
  /** What the sender should know about this letter. */
  readonly caveats: string[];
};

/** The day to pay by when nothing else is asked for. */
export const DAYS_TO_PAY = 7;
const MILESTONE_DAYS = [7, 14, 30] as const;
// Somewhere the day has begun that UTC has not reached yet.
const ZONE_DAYS = 1;

/**
 * The reminder for an overdue invoice. It speaks as of the day that the fee is worked out to, names that day where it is
 * past, and asks to be paid on a day to come. Names are cleaned to one line and never cut; a blank name counts as
 * missing. Faults: those of `reminderFaults`; total_too_large.
 */
export function reminder(fee: LateFee, request: ReminderRequest): Result<Reminder> {
  const faults = reminderFaults(fee.terms);
  if (faults.length > 0) return { ok: false, faults };
  const days = daysOf(fee, request.payWithinDays);
  if (days === null) return { ok: false, faults: [TOO_LARGE] };
  const { tone } = request;
  const facts: LetterFacts = {
    ...days,
    ...namesOf(request),
    paymentDetails: request.paymentDetails,
  };
  const notes = worthReading([...letterNotes(tone, facts), ...notesOfFee(facts)]);
  return {
    ok: true,
    value: {
      tone,
      subject: subjectOf(tone, facts),
      body: bodyOf(tone, facts),
      payBy: days.payBy,
      ifPaidBy: milestones(fee, days.sendDay),
      warnings: textsOf(notes, 'warning'),
      feeCaveats: textsOf(notes, 'caveat'),
      caveats: textsOf(notes, 'letter'),
    },
  };
}

const TOO_LARGE: Fault = {
  pointer: '/amount',
  code: 'total_too_large',
  detail: 'grows to a total above 999,999,999,999.99 before the day to pay by',
  hint: 'check due_date, rate and rate_type',
};

type ReminderDates = { readonly dueDate: Day; readonly paidDate: Day; readonly today: Day };

/** Why there is nothing true to write on these dates: date_in_future, invoice_not_overdue. */
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
  detail: `is ${longDayText(paidDate)} and today is ${longDayText(today)}: a letter cannot say what will be unpaid on a day to come`,
  hint: `${dueDate < today ? 'leave paid_date out for a letter of today; ' : ''}the free late-fee calculator works a fee out to any day`,
});

function notOverdue(dueDate: Day, asOf: Day, today: Day): Fault {
  const which = asOf === today ? 'today' : 'the day the fee is worked out to';
  const isPast = asOf < today && dueDate < today;
  const first = longDayText(addDays(dueDate, 1));
  const hint = isPast
    ? 'leave paid_date out for a letter of today, and keep due_date as it is'
    : dueDate === LAST_DAY
      ? 'check the year of due_date'
      : `nothing needs to be sent yet: keep due_date as it is and ask again from ${first}; the free late-fee calculator answers for any date`;
  return {
    pointer: '/due_date',
    code: 'invoice_not_overdue',
    detail: `is ${longDayText(dueDate)}, not before ${which} (${longDayText(asOf)}): the invoice is not overdue, so there is nothing to remind of`,
    hint,
  };
}

/** The days that the letter names; null when the total of one would be too large. */
function daysOf(fee: LateFee, payWithinDays: number): LetterDays | null {
  const { paidDate, today } = fee.terms;
  const sendDay = Math.max(paidDate, today) as Day;
  const onSendDay = standingOn(fee, sendDay);
  if (onSendDay === null) return null;
  const replyBy = workdayFrom(addDays(sendDay, payWithinDays));
  const payBy = payByOf(fee, sendDay, onSendDay, replyBy);
  const onPayBy = standingOn(fee, payBy);
  const onReplyBy = standingOn(fee, replyBy);
  return onPayBy === null ? null : { fee, sendDay, onSendDay, payBy, onPayBy, replyBy, onReplyBy };
}

/**
 * A working day; within grace one on which no fee has begun yet, since the letter asks for the amount without one. Nobody
 * can be asked to pay on the day that the letter comes: then both sums are named, and there is as long as always.
 */
function payByOf(fee: LateFee, sendDay: Day, onSendDay: Standing, usual: Day): Day {
  if (onSendDay.status !== 'within_grace') return usual;
  const onUsual = standingOn(fee, usual);
  if (onUsual?.totalDue === onSendDay.totalDue) return usual;
  const withoutFee = workdayUpTo(lastDayOfGrace(fee));
  if (withoutFee > sendDay) return withoutFee;
  return onUsual === null ? sendDay : usual;
}

function milestones(fee: LateFee, sendDay: Day): Reminder['ifPaidBy'] {
  // Near the end of the calendar several milestones fall on its last day, which is then listed once.
  const dates = new Set(MILESTONE_DAYS.map((days) => addDays(sendDay, days)));
  return [...dates].flatMap((date) => {
    const cost = costOn(fee, date);
    return cost === null ? [] : [{ date, ...cost }];
  });
}

/** A letter names its rate also where it charges nothing yet, and has its own notes on where that rate comes from. */
function notesOfFee(facts: LetterFacts): (Note | null)[] {
  const own = namesTerms(facts) ? [DEFAULTED_RATE_RANK, AGREED_TERMS_RANK] : [DEFAULTED_RATE_RANK];
  const notes = lateFeeNotes(facts.fee).filter((each) => each !== null && !own.includes(each.rank));
  const isLimit = (each: Note | null) => each !== null && LIMIT_RANKS.includes(each.rank);
  return [...notes.filter((each) => !isLimit(each)), joined(notes.filter(isLimit))];
}

const FIRST_DAYS = 8;

function letterNotes(tone: Tone, facts: LetterFacts): (Note | null)[] {
  return [
    tone === 'final' ? oldRecords(facts) : null,
    termsNamed(facts),
    forItsDay(tone, facts),
    joined([moreThanAName(facts), slipNote(facts), missing(facts), smallSum(facts)]),
    distantFee(facts),
    defaultedRate(facts),
    toneOutOfPlace(tone, facts),
  ];
}

const note = (rank: number, text: string): Note => ({ place: 'letter', rank, text });

function oldRecords(facts: LetterFacts): Note | null {
  if (!isOfThePast(facts)) return null;
  const day = longDayText(facts.fee.terms.paidDate);
  return note(
    4,
    `A final reminder should not rest on records of ${day}: check for a payment since then, and ask again without paid_date.`,
  );
}

/** What a letter says is so on one day alone. */
function forItsDay(tone: Tone, facts: LetterFacts): Note {
  const asOf = longDayText(facts.fee.terms.paidDate);
  const isPast = isOfThePast(facts);
  const unpaid = `It says that nothing was paid by ${isPast ? asOf : 'then'}: if your client has paid, do not send it.`;
  const isFinal = tone === 'final';
  // What was due then; a final letter is told before to leave the day out.
  const then = `${isFinal ? 'What' : 'Leave paid_date out for a letter of today; what'} was due on ${asOf} is in this answer alone.`;
  const rest = [
    ...(isPast ? [then] : []),
    ...(isFinal ? ['This is a reminder, not a formal demand that a court may require before a claim.'] : []),
  ];
  const text = [`${countedTo(facts)}, or ask again.`, unpaid, ...rest].join(' ');
  return { ...note(14, text), isKept: true };
}

function countedTo(facts: LetterFacts): string {
  const day = longDayText(facts.sendDay);
  // Where no day counts, no fee is counted to one.
  const hasCountedFee = !hasNoFee(facts) && flatFee(facts.fee) === null;
  if (hasCountedFee) return `The days and the fee are counted to ${day}: send the letter that day`;
  return isOfThePast(facts)
    ? `The letter is for ${day}: send it that day`
    : `The days are counted to ${day}: send the letter that day`;
}

/** Below this a reminder costs more than it brings. */
const SMALL_SUM = 5n;

function smallSum({ fee }: LetterFacts): Note | null {
  if (fee.amount >= SMALL_SUM * powerOfTen(fee.digits)) return null;
  return note(
    17,
    `The invoice is for ${money(fee, fee.amount)} only: check amount, and whether a reminder is worth sending.`,
  );
}

function distantFee(facts: LetterFacts): Note | null {
  const first = distantFeeDay(facts);
  return first === null
    ? null
    : note(
        18,
        `A late fee begins on ${longDayText(first)}, after the day to pay by: the letter leaves that out, for it would tell your client that waiting until then costs nothing. Check grace_days if you expected a fee before.`,
      );
}

function missing({ fee, business, invoice, leftOut }: LetterFacts): Note | null {
  const gaps = [
    ...(business === null ? [['business_name', 'who asks'] as const] : []),
    ...(invoice.isNumbered || invoice.slip !== null
      ? []
      : [['invoice_number', 'which invoice it is'] as const]),
    ...(fee.terms.currency === null ? [['currency', 'in which currency to pay'] as const] : []),
  ].filter(([field]) => !leftOut.includes(field));
  if (gaps.length === 0) return null;
  const fields = listed(gaps.map(([field]) => field));
  const doubts = listed(gaps.map(([, doubt]) => doubt));
  return note(
    15,
    `The letter does without ${fields}: ask again with ${gaps.length === 1 ? 'it' : 'them'}, or your client may not be sure ${doubts}.`,
  );
}

// The end of an element, or an address of the web: nobody is called that.
const MARKUP = /<\/\p{L}+>|https?:\/\//iu;
// A sentence after a sentence, as also a business may be called: 'Fresh. Fast and good'.
const SENTENCES = /\p{L}{5,}[.!?]\s+\p{Lu}\p{Ll}+\s+\p{Ll}/u;

/** The names that the letter bears: what is more than a name is left out, and told. */
function namesOf(request: ReminderRequest): Pick<LetterFacts, 'client' | 'business' | 'invoice' | 'leftOut'> {
  const client = clientName(request.clientName);
  const business = businessName(request.businessName);
  const invoice = invoiceName(request.invoiceNumber);
  const leftOut = [
    ...(client !== null && (MARKUP.test(client) || SENTENCES.test(client)) ? ['client_name'] : []),
    ...(business !== null && MARKUP.test(business) ? ['business_name'] : []),
    ...(MARKUP.test(invoice.text) || SENTENCES.test(invoice.text) ? ['invoice_number'] : []),
  ];
  const kept = <Name, Other>(field: string, name: Name, other: Other) =>
    leftOut.includes(field) ? other : name;
  return {
    client: kept('client_name', client, null),
    business: kept('business_name', business, null),
    invoice: kept('invoice_number', invoice, invoiceName(null)),
    leftOut,
  };
}

function moreThanAName({ business, leftOut }: LetterFacts): Note | null {
  if (leftOut.length > 0) {
    const each = leftOut.length === 1 ? 'is' : 'are each';
    return note(
      16,
      `The letter leaves out ${listed(leftOut)}, which ${each} more than a name: ask again with the name alone.`,
    );
  }
  if (business === null || !SENTENCES.test(business)) return null;
  return note(
    16,
    'The letter prints business_name as given, which is more than a name: read it before you send it.',
  );
}

/** 'a', 'a and b', 'a, b and c' */
const listed = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');

const SLIPS: Readonly<Record<Slip, string>> = {
  credit_note:
    'invoice_number names a credit note, which a client does not pay, so the letter leaves it out: ask again with the number of the invoice.',
  not_a_number:
    'invoice_number is not a number, so the letter leaves it out: ask again with the number of the invoice.',
  not_a_bill:
    'invoice_number names a quote, a proforma or a receipt, none of which is a bill that falls overdue: ask again with the number of the invoice.',
};

const slipNote = ({ invoice }: LetterFacts): Note | null =>
  invoice.slip === null ? null : note(16, SLIPS[invoice.slip]);

/** Before all else: what a letter says of the terms has to be so. */
const TERMS_NAMED_RANK = 6;

const termsNamed = (facts: LetterFacts): Note | null =>
  namesTerms(facts)
    ? note(
        TERMS_NAMED_RANK,
        `The letter says that this fee is in your payment terms: send it only if your client agreed to it. ${lawBeside(facts.fee)}`,
      )
    : null;

function defaultedRate({ fee }: LetterFacts): Note | null {
  const { rateDefaulted, rate, rateType } = fee.terms;
  if (!rateDefaulted || !chargesAnything(fee)) return null;
  return note(
    DEFAULTED_RATE_RANK,
    rateType === 'flat'
      ? `No rate was given, so the default of ${microsText(rate)}, which is meant as a percent per month, was used as a flat fee of ${microsText(rate)}: ask again with the flat fee of your own terms as rate, or with 0 for no fee.`
      : `No rate was given, so ${rateUsedText(rate, rateType)} was used: unless your terms say the same, ask again with the rate of your own terms, or with 0 for no fee.`,
  );
}

function toneOutOfPlace(tone: Tone, facts: LetterFacts): Note | null {
  const { onSendDay } = facts;
  if (onSendDay.status === 'within_grace')
    return tone === 'polite'
      ? null
      : note(40, 'The invoice is still within its days of grace: a polite letter may serve you better.');
  if (tone === 'final' && onSendDay.daysLate < FIRST_DAYS)
    return note(40, 'A final reminder in the first week is unusual: a polite letter may serve you better.');
  if (tone === 'polite' && isLongPast(facts))
    return note(40, 'The invoice is more than 60 days late: a firm or a final letter may serve you better.');
  return null;
}
