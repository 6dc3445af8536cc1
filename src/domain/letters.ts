import { longDayText } from './calendar.ts';
import {
  defaultedFee,
  flatFee,
  type Growth,
  grows,
  growthOf,
  hasNoFee,
  isLongPast,
  isOfThePast,
  type LetterFacts,
  lateWord,
  money,
  noFeeText,
  rowsOf,
  type Tone,
} from './letter-facts.ts';
import { amountLabel, capitalised, greetingLine, type InvoiceName } from './letter-names.ts';
import { powerOfTen } from './money.ts';
import { daysText } from './text.ts';

/** The whole letter. Text is joined, never put through a pattern, so that a name stays literal. */
export function bodyOf(tone: Tone, facts: LetterFacts): string {
  const { greeting, closing, paragraphs } = LETTERS[tone];
  const { opening, ask, rest } = paragraphs(facts, wordingOf(facts));
  const { client, business, paymentDetails } = facts;
  return [
    greetingLine(greeting, client),
    opening,
    rowsOf(facts, amountLabel(facts.invoice)).join('\n'),
    ask,
    ...(paymentDetails.length === 0 ? [] : [['Payment details:', ...paymentDetails].join('\n')]),
    ...rest,
    // No sender name is invented: the mailbox adds its own signature.
    business === null ? `${closing},` : `${closing},\n${business}`,
  ].join('\n\n');
}

type Paragraphs = { readonly opening: string; readonly ask: string; readonly rest: readonly string[] };

type Letter = {
  readonly greeting: string;
  readonly closing: string;
  /** The rows of figures follow the opening, the payment details what is asked. */
  readonly paragraphs: (facts: LetterFacts, wording: Wording) => Paragraphs;
};

const LETTERS: Readonly<Record<Tone, Letter>> = {
  polite: { greeting: 'Hello', closing: 'Kind regards', paragraphs: politeParagraphs },
  firm: { greeting: 'Dear', closing: 'Regards', paragraphs: firmParagraphs },
  final: { greeting: 'Dear', closing: 'Yours sincerely', paragraphs: finalParagraphs },
};

function politeParagraphs(facts: LetterFacts, { invoice, due, asOf, days, payBy, how }: Wording): Paragraphs {
  const { It, it, was, is, them, noun } = verbsOf(facts.invoice);
  const unpaid = isOfThePast(facts)
    ? `and by ${asOf} we had not matched a payment to ${them}. If ${it} ${is} still unpaid, ${WHAT_IS_DUE}`
    : `${days} ago, and we have not matched a payment to ${them} yet.`;
  // Only a date before the fee begins can be offered.
  const otherwise =
    facts.onSendDay.status === 'within_grace'
      ? 'If you cannot pay by then, reply and tell us when you will.'
      : 'If another date suits you better, reply and tell us which.';
  return {
    opening: `${isLongPast(facts) ? 'A reminder' : 'A quick reminder'} about ${invoice.text}. ${It} ${was} due on ${due}, ${unpaid}`,
    ask: `${politeFee(facts)} Could you please pay ${sumOf(facts, ` by ${payBy}`)}, ${how}? ${otherwise}`,
    rest: [
      `If you have already paid, thank you; a short reply with the date helps us find the payment. If something on the ${noun} is not right, reply and we will sort it out.`,
    ],
  };
}

function politeFee(facts: LetterFacts): string {
  if (hasNoFee(facts)) return noFeeText(facts, 'our');
  if (facts.fee.terms.rateDefaulted)
    return `The ${grows(facts) ? 'totals include' : 'total includes'} ${defaultedFee(facts)}.`;
  if (isFlat(facts)) return 'The late fee is the flat fee in our payment terms.';
  const owned = 'The late fee is the one in our payment terms';
  if (isCapped(facts)) return `${owned} and has reached its maximum.`;
  return `${owned}${growthText(facts, ({ rule, cap }) => `${rule}${cap}`)}.`;
}

function firmParagraphs(
  facts: LetterFacts,
  { invoice, due, asOf, days, payBy, replyBy, how }: Wording,
): Paragraphs {
  const { was, is, it, noun } = verbsOf(facts.invoice);
  const unpaid = isOfThePast(facts)
    ? `${it} ${was} still unpaid on ${asOf}. If you have not paid since, ${WHAT_IS_DUE}`
    : `${it} ${is} still unpaid, ${days} later.`;
  return {
    opening: `${invoice.capital} ${was} due on ${due}. According to our records ${unpaid}`,
    ask: `${firmFee(facts)} Please pay ${sumOf(facts, ` by ${payBy}`)}, ${how}.`,
    rest: [
      `If you have already paid, send us the date and reference of your payment so that we can match it. If you dispute any part of the ${noun}, tell us in writing by ${replyBy} which part and why.`,
    ],
  };
}

function firmFee(facts: LetterFacts): string {
  if (hasNoFee(facts)) return noFeeText(facts, 'the');
  if (facts.fee.terms.rateDefaulted) return `The sum due includes ${defaultedFee(facts)}.`;
  if (isFlat(facts)) return 'The late fee is a flat fee under the payment terms.';
  const set = 'The late fee is set by the payment terms';
  if (isCapped(facts)) return `${set} and is at its maximum.`;
  return `${set}${growthText(facts, ({ rule, cap }) => `${rule} until we receive payment${cap}`)}.`;
}

function finalParagraphs(facts: LetterFacts, wording: Wording): Paragraphs {
  const { invoice, due, asOf, days, payBy, replyBy } = wording;
  // Where payment is due earlier, the last day named is not the day to pay by.
  const neither =
    payBy === replyBy
      ? `If we have neither payment nor a reply by ${replyBy}`
      : `If by ${replyBy} we have neither a reply nor the total then due`;
  const unpaid = isOfThePast(facts)
    ? `, due on ${due} and, according to our records, still unpaid on ${asOf}. If you have not paid since, ${WHAT_IS_DUE}`
    : `, due on ${due} and now ${days} ${lateWord(facts.fee)}.`;
  return {
    opening: `This is our final reminder about ${invoice.text}${unpaid}`,
    ask: finalAsk(facts, wording),
    rest: [
      `${finalFee(facts)} ${neither}, we will decide, without another reminder, how to recover the amount owed.`,
    ],
  };
}

/** Introduces the rows: the letter cannot know of payments made after a past day. */
const WHAT_IS_DUE = 'this is what is due:';

/** '1,266.25 by 30 November 2026, or the total for the day if you pay earlier' */
const sumOf = (facts: LetterFacts, by: string): string =>
  `${money(facts.fee, facts.onPayBy.totalDue)}${by}${grows(facts) ? ', or the total for the day if you pay earlier' : ''}`;

/** One day for paying and replying, except where payment is due earlier because the grace period ends. */
function finalAsk(facts: LetterFacts, { payBy, replyBy, how }: Wording): string {
  const { noun } = verbsOf(facts.invoice);
  const isOneDay = payBy === replyBy;
  return [
    isOneDay ? `By ${payBy}, please do one of the following:` : 'Please do one of the following:',
    `- pay ${sumOf(facts, isOneDay ? '' : ` by ${payBy}`)}, ${how};`,
    ...(isWorthAPlan(facts)
      ? [`- propose a payment plan with dates and amounts${isOneDay ? '' : ` by ${replyBy}`};`]
      : []),
    `- tell us in writing${isOneDay ? '' : ` by ${replyBy}`} which part of the ${noun} you dispute, and why;`,
    '- send us the date and reference of your payment, if you have already paid.',
  ].join('\n');
}

const LEAST_OF_A_PLAN = 50n;

/** Small sums are not paid in instalments. */
const isWorthAPlan = ({ fee, onPayBy }: LetterFacts): boolean =>
  onPayBy.totalDue >= LEAST_OF_A_PLAN * powerOfTen(fee.digits);

function finalFee(facts: LetterFacts): string {
  if (hasNoFee(facts)) return noFeeText(facts, 'the');
  if (facts.fee.terms.rateDefaulted) return `We have added ${defaultedFee(facts)}.`;
  if (isFlat(facts)) return 'A flat late fee has been added under the payment terms.';
  if (isCapped(facts)) return 'The late fee is charged under the payment terms and grows no further.';
  const growth = growthText(facts, ({ rule, cap }) => `keeps growing under the payment terms${rule}${cap}`);
  return `The late fee ${growth === '' ? 'is charged under the payment terms' : growth}.`;
}

/** The sentence on the daily growth of the fee; empty where it does not grow, or its growth cannot be expressed. */
function growthText(facts: LetterFacts, said: (growth: Growth) => string): string {
  const growth = growthOf(facts);
  return growth === null ? '' : said(growth);
}

const isFlat = ({ fee }: LetterFacts): boolean => flatFee(fee) !== null;
const isCapped = ({ onSendDay }: LetterFacts): boolean => onSendDay.limit === 'max_fee';

/** One invoice, or several under one number. */
const verbsOf = ({ isPlural, noun }: InvoiceName) =>
  isPlural
    ? { It: 'They', it: 'they', them: 'them', was: 'were', is: 'are', noun }
    : { It: 'It', it: 'it', them: 'it', was: 'was', is: 'is', noun };

/** The phrases that all letters share. */
type Wording = {
  /** With its amount: 'invoice INV-1042 for £1,250.00'. */
  readonly invoice: { readonly text: string; readonly capital: string };
  readonly due: string;
  readonly asOf: string;
  /** How late the invoice is on that day. */
  readonly days: string;
  readonly payBy: string;
  readonly replyBy: string;
  /** 'using the payment details on the invoice, with INV-1042 as the reference' */
  readonly how: string;
};

function wordingOf(facts: LetterFacts): Wording {
  const { fee, payBy, replyBy, invoice, paymentDetails } = facts;
  const amount = ` for ${money(fee, fee.amount)}${invoice.isPlural ? ' together' : ''}`;
  const place = paymentDetails.length > 0 ? 'below' : `on the ${invoice.noun}`;
  const isGiven = paymentDetails.some((line) => namesReference(line, invoice.reference));
  const reference =
    invoice.reference === null || isGiven ? '' : `, with ${invoice.reference} as the reference`;
  return {
    invoice: { text: `${invoice.text}${amount}`, capital: `${invoice.capital}${amount}` },
    due: longDayText(fee.terms.dueDate),
    asOf: longDayText(fee.terms.paidDate),
    days: daysText(fee.daysLate),
    payBy: longDayText(payBy),
    replyBy: longDayText(replyBy),
    how: `using the payment details ${place}${reference}`,
  };
}

/** Whether a line already names a reference: two in one letter would be ambiguous. */
const namesReference = (line: string, reference: string | null): boolean =>
  /\b(?:ref(?:erence)?|quote)\b/iu.test(line) ||
  (reference !== null && line.toLowerCase().includes(reference.toLowerCase()));

/** Mail programs show about this much; RFC 5322 asks for it (2.1.1). */
const SUBJECT_LENGTH = 78;

/** The fullest subject that fits. A name is left out rather than cut. */
export function subjectOf(tone: Tone, facts: LetterFacts): string {
  const { fee, invoice, business } = facts;
  const subject = SUBJECTS[tone](facts);
  const from =
    business === null ? '' : BEGINS_WITH_FROM.test(business) ? ` ${business}` : ` from ${business}`;
  const due = longDayText(fee.terms.dueDate);
  // Without a number, the due date identifies the invoice.
  const tail = invoice.isNumbered ? subject.tail : subject.dated(due);
  const word = subject.label === '' ? 'Invoice' : 'invoice';
  const numbered = subject.label === '' ? invoice.capital : invoice.text;
  const ours = subject.label === '' ? 'Our invoice' : 'our invoice';
  // The owner is named once.
  const unowned = subject.label === '' ? capitalised(withoutOur(numbered)) : withoutOur(numbered);
  const bare = business === null ? ours : word;
  const name = invoice.isNumbered ? (business === null ? numbered : unowned) : bare;
  const choices = [
    `${subject.label}${name}${from}${tail}`,
    ...(invoice.isNumbered ? [`${subject.label}${numbered}${tail}`] : []),
    // A number alone does not say what the letter is about.
    ...(invoice.isNumbered && subject.label !== '' ? [`${subject.label}${numbered}`] : []),
  ];
  const fallback = `${subject.label}${ours}${subject.dated(due)}`;
  return choices.find(({ length }) => length <= SUBJECT_LENGTH) ?? fallback;
}

const BEGINS_WITH_FROM = /^from\s/iu;

const withoutOur = (name: string): string => name.replace(/^our\s+/iu, '');

type Subject = {
  /** Before the invoice; nothing where the subject begins with it. */
  readonly label: string;
  readonly tail: string;
  readonly dated: (due: string) => string;
};

const SUBJECTS: Readonly<Record<Tone, (facts: LetterFacts) => Subject>> = {
  polite: ({ fee, invoice }) => {
    const dated = (due: string) => ` ${invoice.isPlural ? 'were' : 'was'} due on ${due}`;
    return { label: '', tail: dated(longDayText(fee.terms.dueDate)), dated };
  },
  firm: (facts) => {
    const dated = (due: string) => `, due ${due}`;
    const late = lateWord(facts.onSendDay);
    const word = `${late.charAt(0).toUpperCase()}${late.slice(1)}`;
    const { daysLate, terms } = facts.fee;
    return isOfThePast(facts)
      ? { label: `${word}: `, tail: dated(longDayText(terms.dueDate)), dated }
      : { label: `${word} by ${daysText(daysLate)}: `, tail: '', dated };
  },
  final: (facts) => {
    const { daysLate, terms } = facts.fee;
    const dated = (due: string) => `, due ${due}`;
    if (isOfThePast(facts) || !facts.invoice.isNumbered)
      return { label: 'Final reminder: ', tail: dated(longDayText(terms.dueDate)), dated };
    // After a right-to-left name, a number would be displayed before it.
    const label = `Final reminder, ${lateWord(facts.onSendDay)} by ${daysText(daysLate)}: `;
    return { label, tail: '', dated };
  },
};
