import { addDays, type Day, LAST_DAY, longDayText } from './calendar.ts';
import { moneyText } from './currency.ts';
import { costOn, type LateFee } from './late-fee.ts';
import { decimalsOf, divRound, groupedText, type Minor, powerOfTen, SCALE } from './money.ts';
import { rateText } from './rate-period.ts';
import type { Tone } from './reminder.ts';
import { daysText } from './text.ts';

/** What a letter is written from; names are clean single lines, null when missing. */
export type LetterFacts = {
  readonly fee: LateFee;
  readonly payBy: Day;
  readonly client: string | null;
  readonly business: string | null;
  readonly invoice: string | null;
};

/** Mail programs show about this much; RFC 5322 asks for it (2.1.1). */
const SUBJECT_LENGTH = 78;

/** The fullest subject that fits. A name is left out rather than cut. */
export function subjectOf(tone: Tone, { fee, invoice, business }: LetterFacts): string {
  const { label, lateness } = SUBJECTS[tone];
  const due = ` due ${longDayText(fee.terms.dueDate)}`;
  const from = business === null ? '' : ` from ${business}`;
  const tail = invoice === null ? due : lateness(due, daysText(fee.daysLate));
  const named = invoice === null ? `${label}: Invoice` : `${label}: ${announced('Invoice', invoice)}`;
  const choices = [
    `${named}${from}${tail}`,
    `${named}${tail}`,
    ...(invoice === null ? [] : [named, `${label}: ${invoice}`]),
  ];
  return choices.find(({ length }) => length <= SUBJECT_LENGTH) ?? `${label}: Invoice${due}`;
}

// 'Inv.', 'Inv 12' and 'Inv #12' are the word cut short; 'INV-12' is a number with a prefix.
const SAYS_INVOICE = /^(?:invoice(?!\p{L})|inv[.\s#])/iu;

/** 'invoice 12'; a number that begins with the word stays as it is. */
const announced = (word: string, invoice: string): string =>
  SAYS_INVOICE.test(invoice) ? invoice : `${word} ${invoice}`;

type Subject = { readonly label: string; readonly lateness: (due: string, days: string) => string };

const SUBJECTS: Readonly<Record<Tone, Subject>> = {
  polite: { label: 'Reminder', lateness: (due) => due },
  firm: { label: 'Overdue', lateness: (_, days) => ` is ${days} past due` },
  final: { label: 'Final notice', lateness: (_, days) => `, ${days} overdue` },
};

/** The whole letter. Text is joined, never put through a pattern, so that a name stays literal. */
export function bodyOf(tone: Tone, facts: LetterFacts): string {
  const { greeting, closing, paragraphs } = LETTERS[tone];
  const [opening, ...rest] = paragraphs(facts, wordingOf(facts));
  const greeted = facts.client === null ? 'Hello,' : `${greeting} ${facts.client},`;
  const signed = `${closing},\n${facts.business ?? 'Accounts receivable'}`;
  return [greeted, opening, rowsOf(facts), ...rest, signed].join('\n\n');
}

type Letter = {
  readonly greeting: string;
  readonly closing: string;
  /** The first one opens the letter; the rows of figures follow it. */
  readonly paragraphs: (facts: LetterFacts, wording: Wording) => readonly string[];
};

const LETTERS: Readonly<Record<Tone, Letter>> = {
  polite: { greeting: 'Hello', closing: 'Kind regards', paragraphs: politeParagraphs },
  firm: { greeting: 'Dear', closing: 'Regards', paragraphs: firmParagraphs },
  final: { greeting: 'Dear', closing: 'Yours sincerely', paragraphs: finalParagraphs },
};

function politeParagraphs({ fee }: LetterFacts, { invoice, due, asOf, payBy, noFee }: Wording): string[] {
  const terms =
    noFee ??
    (fee.terms.rateType === 'flat'
      ? 'The late fee is the flat fee in our payment terms.'
      : `The late fee follows our payment terms and is worked out to ${asOf}.`);
  return [
    `A friendly reminder that ${invoice}, due on ${due}, is now ${daysText(fee.daysLate)} past its due date. It may simply have been overlooked.`,
    `${terms} Could you please pay by ${payBy}, or let us know when we can expect payment?`,
    'If you have already paid, thank you, and please ignore this message. If something on the invoice needs attention, just reply and we will look into it together.',
  ];
}

function firmParagraphs(
  { fee }: LetterFacts,
  { invoice, due, asOf, payBy, noFee, daily, later }: Wording,
): string[] {
  const terms =
    noFee ??
    (fee.terms.rateType === 'flat'
      ? 'The late fee is a flat fee under the payment terms.'
      : `The late fee applies under the payment terms, is worked out to ${asOf} and keeps building${daily} until payment arrives.`);
  return [
    `Our records show that ${invoice}, due on ${due}, has not been paid. It is now ${daysText(fee.daysLate)} overdue.`,
    `${terms} Please pay the full amount by ${payBy}${later}.`,
    `If payment is already on its way, please reply with its date and reference so that we can match it. If you dispute any part of the invoice, please tell us in writing by ${payBy}.`,
  ];
}

function finalParagraphs(
  { fee }: LetterFacts,
  { invoice, due, asOf, payBy, noFee, daily, later }: Wording,
): string[] {
  const terms =
    noFee ??
    (fee.terms.rateType === 'flat'
      ? 'A flat late fee has been added under the payment terms.'
      : `The late fee is charged under the payment terms up to ${asOf} and keeps building${daily} until the balance is cleared.`);
  return [
    `This is a final reminder about ${invoice}, which was due on ${due} and is now ${daysText(fee.daysLate)} overdue.`,
    terms,
    `Please pay in full by ${payBy}${later}. If you cannot, contact us before then to agree a payment plan.`,
    'If you dispute the invoice, give us your reasons in writing by the same date. If you have already paid, send us the date and reference and we will check our records.',
    `If we receive neither payment nor a reply by ${payBy}, we will consider the options open to us for recovering the amount owed.`,
  ];
}

/** The phrases that all letters share. */
type Wording = {
  readonly invoice: string;
  readonly due: string;
  readonly asOf: string;
  readonly payBy: string;
  /** Why there is no fee; null when there is one. */
  readonly noFee: string | null;
  /** ' by about 0.63 a day', or nothing when a day adds less than the smallest unit. */
  readonly daily: string;
  /** '; on that day the total will be 1,265.00', or nothing when it stays the same. */
  readonly later: string;
};

function wordingOf({ fee, payBy, invoice }: LetterFacts): Wording {
  const { terms, totalDue } = fee;
  const reference = invoice === null ? 'our invoice' : announced('invoice', invoice);
  const atPayBy = costOn(fee, payBy);
  const grows = atPayBy !== null && atPayBy.totalDue !== totalDue;
  return {
    invoice: `${reference} for ${money(fee, fee.amount)}`,
    due: longDayText(terms.dueDate),
    asOf: longDayText(terms.paidDate),
    payBy: longDayText(payBy),
    noFee: fee.fee > 0n ? null : noFeeText(fee),
    daily: dailyText(fee),
    later: grows ? `; on that day the total will be ${money(fee, atPayBy.totalDue)}` : '',
  };
}

function noFeeText({ terms, status }: LateFee): string {
  const graceEnd = terms.dueDate + terms.graceDays;
  if (status !== 'within_grace' || terms.rate === 0n || graceEnd >= LAST_DAY)
    return 'No late fee has been added.';
  const first = longDayText(addDays(terms.dueDate, terms.graceDays + 1));
  return `No late fee has been added; under the payment terms one applies from ${first}.`;
}

function dailyText(fee: LateFee): string {
  const daily = divRound(fee.dailyAccrual * powerOfTen(fee.digits), SCALE) as Minor;
  if (daily === 0n) return '';
  const about = decimalsOf(fee.dailyAccrual) > fee.digits ? 'about ' : '';
  return ` by ${about}${money(fee, daily)} a day`;
}

/** Grouped, with a symbol only when the currency is known. */
function money({ terms, digits }: LateFee, amount: Minor): string {
  return terms.currency === null ? groupedText(amount, digits) : moneyText(amount, terms.currency);
}

function rowsOf({ fee }: LetterFacts): string {
  if (fee.fee === 0n) return `Amount due: ${money(fee, fee.amount)}`;
  return [
    `Invoice amount: ${money(fee, fee.amount)}`,
    `Late fee (${basisText(fee)}): ${money(fee, fee.fee)}`,
    `Total now due: ${money(fee, fee.totalDue)}`,
  ].join('\n');
}

/** '1.5% per month, 12 days after 5 days of grace' */
function basisText({ terms, chargeableDays }: LateFee): string {
  if (terms.rateType === 'flat') return 'flat';
  const grace = terms.graceDays === 0 ? '' : ` after ${daysText(terms.graceDays)} of grace`;
  return `${rateText(terms.rate, terms.rateType)}, ${daysText(chargeableDays)}${grace}`;
}
