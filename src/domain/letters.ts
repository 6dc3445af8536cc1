import type { Day } from './calendar.ts';
import { canCharge } from './late-fee-notes.ts';
import {
  asksForFee,
  basisText,
  claimedByLaw,
  dayIn,
  firstDayWithFee,
  flatFee,
  growthOf,
  isLongPast,
  isOfThePast,
  isPartPaid,
  type LetterFacts,
  lateWord,
  limitsText,
  money,
  monthlyGrowth,
  type NextStep,
  openOf,
  rowsOf,
  sumAsked,
  type Tone,
} from './letter-facts.ts';
import { amountLabel, capitalised, greetingLine, type InvoiceName } from './letter-names.ts';
import { isMonthFirst } from './locale.ts';
import { microsText, powerOfTen } from './money.ts';
import type { StatutoryInterest } from './statutory.ts';
import { daysText, listed } from './text.ts';

/** The whole letter. Text is joined, never put through a pattern, so that a name stays literal. */
export function bodyOf(tone: Tone, facts: LetterFacts): string {
  const { greeting, closing, paragraphs } = LETTERS[tone];
  const { opening, ask, rest } = paragraphs(facts, wordingOf(facts));
  const { client, business, paymentDetails } = facts;
  const isAmerican = isMonthFirst(facts.fee.terms.currency);
  return [
    greetingLine(greeting, client),
    opening,
    rowsOf(facts, amountLabel(facts.invoice)).join('\n'),
    ask,
    ...(paymentDetails.length === 0 ? [] : [['Payment details:', ...paymentDetails].join('\n')]),
    ...rest,
    ...(facts.contact === null ? [] : [`For questions, contact ${facts.contact}.`]),
    // No sender name is invented: the mailbox adds its own signature.
    [
      `${isAmerican ? closing.american : closing.usual},`,
      ...[facts.signer, business].filter((name) => name !== null),
    ].join('\n'),
  ].join('\n\n');
}

type Paragraphs = { readonly opening: string; readonly ask: string; readonly rest: readonly string[] };

type Letter = {
  readonly greeting: string;
  readonly closing: { readonly usual: string; readonly american: string };
  /** The rows of figures follow the opening, the payment details what is asked. */
  readonly paragraphs: (facts: LetterFacts, wording: Wording) => Paragraphs;
};

const LETTERS: Readonly<Record<Tone, Letter>> = {
  polite: { greeting: 'Hello', closing: closingOf('Kind regards'), paragraphs: politeParagraphs },
  firm: { greeting: 'Dear', closing: closingOf('Regards'), paragraphs: firmParagraphs },
  final: {
    greeting: 'Dear',
    closing: closingOf('Yours sincerely', 'Sincerely'),
    paragraphs: finalParagraphs,
  },
};

function closingOf(usual: string, american = usual) {
  return { usual, american };
}

function politeParagraphs(facts: LetterFacts, { invoice, due, payBy, replyBy, how }: Wording): Paragraphs {
  const { It, it, was, noun } = verbsOf(facts.invoice);
  // Only a date before the fee begins can be offered.
  const otherwise =
    facts.onSendDay.status === 'within_grace'
      ? 'If you cannot pay by then, reply and tell us when you will.'
      : 'If another date suits you better, reply and tell us which.';
  const opening =
    facts.paidOn === null
      ? `${isLongPast(facts) ? 'A reminder' : 'A quick reminder'} about ${invoice.text}. ${It} ${was} due ${due}, ${politeState(facts)}`
      : `Thank you for paying ${invoice.text}. ${It} ${was} due ${due}, and your payment came on ${paidLate(facts)}.`;
  return {
    opening: sentences(opening, earlier(facts, 'We also wrote about it on')),
    ask: sentences(
      addedText(facts, POLITE),
      `Could you please pay ${sumText(facts)} by ${payBy}, ${how}?`,
      laterText(facts, POLITE),
      otherwise,
    ),
    rest: [
      ...stepText(facts, (step) => `If we hear nothing by ${replyBy}, our next step would be to ${step}.`),
      `If you have already paid${facts.paidOn === null ? '' : ` ${it}`}, thank you; a short reply with the date helps us find the payment. If something on the ${noun} is not right, reply and we will sort it out.`,
    ],
  };
}

/** How an unpaid invoice stands, after 'It was due on 4 November 2026, '. */
function politeState(facts: LetterFacts): string {
  const { it, is, them } = verbsOf(facts.invoice);
  const { asOf, days, open, isOneDay } = wordingOf(facts);
  if (isOfThePast(facts))
    return isPartPaid(facts)
      ? `and by ${asOf} ${open} was still open. If nothing has come since, ${WHAT_IS_DUE}`
      : `and by ${asOf} we had not matched a payment to ${them}. If ${it} ${is} still unpaid, ${WHAT_IS_DUE}`;
  const ago = isOneDay ? `${days} ago, ` : '';
  return isPartPaid(facts)
    ? `${ago}and ${open} is still open.`
    : `${ago}and we have not matched a payment to ${them} yet.`;
}

function firmParagraphs(
  facts: LetterFacts,
  { invoice, due, payBy, replyBy, how, ...wording }: Wording,
): Paragraphs {
  const { was, is, it } = verbsOf(facts.invoice);
  const { asOf, days, open, isOneDay, disputed } = wording;
  const [subject, verb] = isPartPaid(facts) ? [open, 'is'] : [it, is];
  const state = isOfThePast(facts)
    ? `${subject} ${isPartPaid(facts) ? 'was' : was} still unpaid on ${asOf}. If you have not paid since, ${WHAT_IS_DUE}`
    : `${subject} ${verb} still unpaid${isOneDay ? `, ${days} later` : ''}.`;
  const opening =
    facts.paidOn === null
      ? `${invoice.capital} ${was} due ${due}. According to our records ${state}`
      : `${invoice.capital} ${was} due ${due} and ${was} paid on ${paidLate(facts)}. ${capitalised(addedName(facts))} still open.`;
  return {
    opening: sentences(opening, earlier(facts, 'We reminded you on')),
    ask: sentences(
      addedText(facts, FIRM),
      `Please pay ${sumText(facts)} by ${payBy}, ${how}.`,
      laterText(facts, FIRM),
    ),
    rest: [
      ...stepText(
        facts,
        (step) => `If we have neither payment nor a reply by ${replyBy}, our next step is to ${step}.`,
      ),
      `If you have already paid${facts.paidOn === null ? '' : ' this sum'}, send us the date and reference of your payment so that we can match it. If you dispute any part of the ${disputed}, tell us in writing by ${replyBy} which part and why.`,
    ],
  };
}

function finalParagraphs(facts: LetterFacts, wording: Wording): Paragraphs {
  const { invoice, due, asOf, days, payBy, replyBy, isOneDay } = wording;
  // Where payment is due earlier, the last day named is not the day to pay by.
  const neither =
    payBy === replyBy
      ? `If we have neither payment nor a reply by ${replyBy}`
      : `If by ${replyBy} we have neither a reply nor your payment`;
  const inFull = isPartPaid(facts) ? 'not paid in full' : 'still unpaid';
  const state = isOfThePast(facts)
    ? `according to our records ${inFull} on ${asOf}. If you have not paid since, ${WHAT_IS_DUE}`
    : isOneDay
      ? `now ${days} ${lateWord(facts.fee)}${isPartPaid(facts) ? ` and ${inFull}` : ''}.`
      : `and ${inFull}.`;
  const opening =
    facts.paidOn === null
      ? `This is our final reminder about ${invoice.text}, due ${due}, ${state}`
      : `This is our final reminder about what is still open for ${invoice.text}, due ${due} and paid on ${paidLate(facts)}.`;
  const [step] = stepText(facts, (words) => `${neither}, we will, without another reminder, ${words}.`);
  return {
    opening: sentences(opening, earlier(facts, 'Our earlier reminders are of')),
    ask: finalAsk(facts, wording),
    rest: [
      sentences(
        addedText(facts, FINAL),
        laterText(facts, FINAL),
        step ?? `${neither}, we will decide, without another reminder, how to recover the amount owed.`,
      ),
    ],
  };
}

/** '15 October 2026, 14 days late' */
const paidLate = (facts: LetterFacts): string =>
  `${dayIn(facts, facts.paidOn ?? facts.sendDay)}, ${daysText(facts.fee.daysLate)} late`;

const addedName = (facts: LetterFacts): string =>
  claimedByLaw(facts) === null ? 'the late fee is' : 'interest and compensation are';

function earlier(facts: LetterFacts, words: string): string | null {
  const days = facts.earlierReminders.map((day) => dayIn(facts, day));
  return days.length === 0 ? null : `${words} ${listed(days)}.`;
}

const STEPS: Readonly<Record<NextStep, string>> = {
  suspend_work: 'suspend our work for you until this is settled',
  collection: 'pass the claim to a collection agency',
  court: 'bring the claim before a court',
};

/** The sentence on what comes next; none where the sender names nothing. */
const stepText = ({ nextStep }: LetterFacts, said: (step: string) => string): readonly string[] =>
  nextStep === null ? [] : [said(STEPS[nextStep])];

/** Introduces the rows: the letter cannot know of payments made after a past day. */
const WHAT_IS_DUE = 'this is what is due:';

const sentences = (...all: readonly (string | null)[]): string => all.filter(Boolean).join(' ');

const sumText = (facts: LetterFacts): string => money(facts.fee, sumAsked(facts));

/** One day for paying and replying, except where payment is due earlier because the grace period ends. */
function finalAsk(facts: LetterFacts, { payBy, replyBy, how, disputed }: Wording): string {
  const isOneDay = payBy === replyBy;
  return [
    isOneDay ? `By ${payBy}, please do one of the following:` : 'Please do one of the following:',
    `- pay ${sumText(facts)}${isOneDay ? '' : ` by ${payBy}`}, ${how};`,
    ...(isWorthAPlan(facts)
      ? [`- propose a payment plan with dates and amounts${isOneDay ? '' : ` by ${replyBy}`};`]
      : []),
    `- tell us in writing${isOneDay ? '' : ` by ${replyBy}`} which part of the ${disputed} you dispute, and why;`,
    '- send us the date and reference of your payment, if you have already paid.',
  ].join('\n');
}

const LEAST_OF_A_PLAN = 50n;

/** Small sums are not paid in instalments. */
const isWorthAPlan = (facts: LetterFacts): boolean =>
  sumAsked(facts) >= LEAST_OF_A_PLAN * powerOfTen(facts.fee.digits);

/** How a tone speaks of what is added to the amount. */
type Manner = {
  /** A fee whose rate nobody gave is in no payment terms that we know of. */
  readonly defaulted: (fee: string) => string;
  readonly flat: string;
  readonly capped: string;
  readonly agreed: string;
  readonly byLaw: (title: string) => string;
  readonly reserve: string;
  /** The payment terms, as a fee to come names them. */
  readonly terms: string;
  readonly growth: (dates: GrowthDates) => string;
};

type GrowthDates = { readonly payBy: string; readonly sendDay: string; readonly daily: string };

const POLITE: Manner = {
  defaulted: (fee) => `The total includes ${fee}.`,
  flat: 'The late fee is the flat fee in our payment terms.',
  capped: 'The late fee is the one in our payment terms and has reached its maximum.',
  agreed: 'The late fee is the one in our payment terms.',
  byLaw: (title) =>
    `${capitalised(title)} gives us interest and compensation for late payment between businesses`,
  reserve: 'We have left it at the amount of the invoice for now, and keep our right to',
  terms: 'our payment terms',
  growth: ({ payBy, sendDay, daily }) =>
    `This total holds until ${payBy}; a later payment adds ${daily} for each day after ${sendDay}`,
};

const FIRM: Manner = {
  defaulted: (fee) => `The sum due includes ${fee}.`,
  flat: 'The late fee is a flat fee under the payment terms.',
  capped: 'The late fee is set by the payment terms and is at its maximum.',
  agreed: 'The late fee is set by the payment terms.',
  byLaw: (title) => `We claim interest and compensation for late payment under ${title}`,
  reserve: 'We reserve our right to',
  terms: 'the payment terms',
  growth: ({ payBy, sendDay, daily }) =>
    `If we receive payment after ${payBy}, ${daily} is due in addition for each day after ${sendDay}`,
};

const FINAL: Manner = {
  defaulted: (fee) => `We have added ${fee}.`,
  flat: 'A flat late fee has been added under the payment terms.',
  capped: 'The late fee is charged under the payment terms and grows no further.',
  agreed: 'The late fee is charged under the payment terms.',
  byLaw: (title) => `Interest and compensation are claimed under ${title}`,
  reserve: 'We expressly reserve our right to',
  terms: 'the payment terms',
  growth: ({ payBy, sendDay, daily }) =>
    `After ${payBy} the sum grows by ${daily} for each day since ${sendDay}`,
};

/** What is added to the amount, and by what right; null where the letter says nothing of it. */
function addedText(facts: LetterFacts, manner: Manner): string | null {
  const { fee, claim, onSendDay } = facts;
  const byLaw = claimedByLaw(facts);
  if (byLaw !== null) return lawText(facts, byLaw, manner);
  if (claim === 'reserve') return `${manner.reserve} ${reservedText(facts)}.`;
  if (!asksForFee(facts)) return null;
  const flat = flatFee(fee);
  if (fee.terms.rateDefaulted)
    return manner.defaulted(
      flat === null
        ? `a late fee of ${basisText(fee)}${limitsText(fee)}`
        : `a flat late fee of ${money(fee, flat)}`,
    );
  if (flat !== null) return manner.flat;
  return onSendDay.limit === 'max_fee' ? manner.capped : manner.agreed;
}

/** '… the Late Payment of Commercial Debts (Interest) Act 1998: 8% per year above Bank Rate of 3.75%, and a fixed £70.00.' */
function lawText({ fee }: LetterFacts, law: StatutoryInterest, manner: Manner): string {
  const rates = [...new Set(law.usedRates.map(({ percent }) => `${microsText(percent)}%`))];
  const margin = `8% per year above ${law.rateName} of ${listed(rates)}${rates.length > 1 ? ' in turn' : ''}`;
  return `${manner.byLaw(law.title)}: ${margin}, and a fixed sum of ${money(fee, law.compensation)}.`;
}

/** What a letter that adds nothing keeps the right to. */
function reservedText({ fee, law }: LetterFacts): string {
  if (law !== null) return `claim interest and compensation for late payment under ${law.title}`;
  return fee.terms.rateDefaulted || !canCharge(fee)
    ? 'charge interest or a late fee as far as the contract or the law allows it'
    : 'charge the late fee in our payment terms';
}

/** What is added when payment comes after the day to pay by. */
function laterText(facts: LetterFacts, manner: Manner): string | null {
  const payBy = dayIn(facts, facts.payBy);
  const first = firstDayWithFee(facts);
  if (first !== null) return `If you pay after ${payBy}, ${feeToComeText(facts, first, manner)}.`;
  const growth = growthOf(facts);
  const month = monthlyGrowth(facts);
  if (month !== null) return `After ${payBy} each further month begun adds ${month}.`;
  if (growth === null) return null;
  const sendDay = dayIn(facts, facts.sendDay);
  return `${manner.growth({ payBy, sendDay, daily: growth.daily })}${growth.cap}.`;
}

/** 'a late fee of 1.5% per month of 30 days, counted from 25 November 2026, is added under our payment terms' */
function feeToComeText(facts: LetterFacts, first: Day, { terms }: Manner): string {
  const { fee } = facts;
  const flat = flatFee(fee);
  // A default rate is not part of any known payment terms.
  const under = fee.terms.rateDefaulted ? '' : ` under ${terms}`;
  return flat === null
    ? `a late fee of ${basisText(fee)}${limitsText(fee)}, counted from ${dayIn(facts, first)}, is added${under}`
    : `a late fee of ${money(fee, flat)} is added${under}`;
}

/** One invoice, or several under one number. */
const verbsOf = ({ isPlural, noun }: InvoiceName) =>
  isPlural
    ? { It: 'They', it: 'they', them: 'them', was: 'were', is: 'are', noun }
    : { It: 'It', it: 'it', them: 'it', was: 'was', is: 'is', noun };

/** The phrases that all letters share. */
type Wording = {
  /** With its amount: 'invoice INV-1042 for £1,250.00'. */
  readonly invoice: { readonly text: string; readonly capital: string };
  /** 'on 4 November 2026', or 'between 1 October 2026 and 4 November 2026' */
  readonly due: string;
  readonly asOf: string;
  /** How late the invoice is on that day. */
  readonly days: string;
  /** Whether all of it was due on one day. */
  readonly isOneDay: boolean;
  /** '£1,000.00 of it' */
  readonly open: string;
  /** What a client may dispute. */
  readonly disputed: string;
  readonly payBy: string;
  readonly replyBy: string;
  /** 'using the payment details on the invoice, with INV-1042 as the reference' */
  readonly how: string;
};

function wordingOf(facts: LetterFacts): Wording {
  const { fee, payBy, replyBy, invoice, paymentDetails } = facts;
  const { them, noun } = verbsOf(invoice);
  const date = facts.invoiceDate === null ? '' : ` of ${dayIn(facts, facts.invoiceDate)}`;
  const order = facts.purchaseOrder === null ? '' : ` (purchase order ${facts.purchaseOrder})`;
  const together = invoice.isPlural ? ' together' : '';
  const amount = `${date}${order} for ${money(fee, fee.amount)}${together}`;
  const dueDays = fee.debts.map(({ dueDate }) => dueDate);
  const last = Math.max(...dueDays) as Day;
  const isOneDay = last === fee.terms.dueDate;
  const place = paymentDetails.length > 0 ? 'below' : `on the ${invoice.noun}`;
  const isGiven = paymentDetails.some((line) => namesReference(line, invoice.reference));
  const reference =
    invoice.reference === null || isGiven ? '' : `, with ${invoice.reference} as the reference`;
  return {
    invoice: { text: `${invoice.text}${amount}`, capital: `${invoice.capital}${amount}` },
    due: isOneDay
      ? `on ${dayIn(facts, last)}`
      : `between ${dayIn(facts, fee.terms.dueDate)} and ${dayIn(facts, last)}`,
    isOneDay,
    open: `${money(fee, openOf(fee))} of ${them}`,
    disputed: facts.paidOn === null ? noun : 'claim',
    asOf: dayIn(facts, fee.terms.paidDate),
    days: daysText(fee.daysLate),
    payBy: dayIn(facts, payBy),
    replyBy: dayIn(facts, replyBy),
    how: `using the payment details ${place}${reference}`,
  };
}

/** Whether a line already names a reference: two in one letter would be ambiguous. */
const namesReference = (line: string, reference: string | null): boolean =>
  /\b(?:ref(?:erence)?|quote)\b/iu.test(line) ||
  (reference !== null && line.toLowerCase().includes(reference.toLowerCase()));

/** Mail programs show about this much; RFC 5322 asks for it (2.1.1). */
const SUBJECT_LENGTH = 78;

/** The fullest subject that fits. It always names the sender; what is left out first is the due date, then the number. */
export function subjectOf(tone: Tone, facts: LetterFacts): string {
  const { fee, invoice, business } = facts;
  const { label, tail, dated } = subjectParts(tone, facts);
  const isFirst = label === '';
  const due = dated(dayIn(facts, fee.terms.dueDate));
  const said = (name: string) => (isFirst ? capitalised(name) : name);
  if (business === null) {
    const named = `${label}${said(invoice.text)}`;
    const choices = invoice.isNumbered ? [`${named}${tail}`, named] : [];
    // A number alone does not say what the letter is about.
    const fitting = choices.find((one) => one.length <= SUBJECT_LENGTH && !(isFirst && one === named));
    return fitting ?? `${label}${said('our invoice')}${due}`;
  }
  // The owner is named once.
  const numbered = said(invoice.text.replace(/^our\s+/iu, ''));
  const from = BEGINS_WITH_FROM.test(business) ? business : `from ${business}`;
  const word = said(invoice.isPlural ? 'invoices' : 'invoice');
  const choices = [
    ...(invoice.isNumbered ? [`${label}${numbered} ${from}${tail}`, `${label}${numbered} ${from}`] : []),
    `${label}${word} ${from}${due}`,
    `${label}${word} ${from}`,
  ];
  return choices.find(({ length }) => length <= SUBJECT_LENGTH) ?? shortened(choices.at(-1) ?? '');
}

/** A subject whose sender has too long a name, cut between two words where it has several. */
function shortened(subject: string): string {
  const cut = subject.slice(0, SUBJECT_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '');
  const words = cut.replace(/\s+\S*$/u, '');
  return `${words.length > SUBJECT_LENGTH / 2 ? words : cut}…`;
}

const BEGINS_WITH_FROM = /^from\s/iu;

type Subject = {
  /** Before the invoice; nothing where the subject begins with it. */
  readonly label: string;
  /** After a numbered invoice. */
  readonly tail: string;
  /** After an invoice without a number, which its due date identifies. */
  readonly dated: (due: string) => string;
};

function subjectParts(tone: Tone, facts: LetterFacts): Subject {
  const { fee, invoice, onSendDay } = facts;
  const nothing = () => '';
  if (facts.paidOn !== null) {
    const added = claimedByLaw(facts) === null ? 'late fee' : 'interest';
    const label = { polite: added, firm: `still open: ${added}`, final: `final reminder: ${added}` }[tone];
    return { label: `${capitalised(label)} on `, tail: '', dated: nothing };
  }
  if (fee.debts.some(({ dueDate }) => dueDate !== fee.terms.dueDate)) {
    const label = { polite: '', firm: 'Overdue: ', final: 'Final reminder: ' }[tone];
    const tail = tone === 'polite' ? ' are overdue' : '';
    return { label, tail, dated: () => tail };
  }
  const isCounted = tone === 'firm' || invoice.isNumbered;
  switch (tone) {
    case 'polite': {
      const dated = (due: string) => ` ${invoice.isPlural ? 'were' : 'was'} due on ${due}`;
      return { label: '', tail: dated(dayIn(facts, fee.terms.dueDate)), dated };
    }
    case 'firm':
      return lateSubject(facts, capitalised(lateWord(onSendDay)), isCounted);
    case 'final': {
      const isNow = isCounted && !isOfThePast(facts);
      return lateSubject(facts, `Final reminder${isNow ? `, ${lateWord(onSendDay)}` : ''}`, isCounted);
    }
  }
}

/** Names how late the invoice is, and its due date where that is not told. */
function lateSubject(facts: LetterFacts, word: string, isCounted: boolean): Subject {
  const dated = (due: string) => `, due ${due}`;
  // After a right-to-left name, a number would be displayed before it.
  return isCounted && !isOfThePast(facts)
    ? { label: `${word} by ${daysText(facts.fee.daysLate)}: `, tail: '', dated }
    : { label: `${word}: `, tail: dated(dayIn(facts, facts.fee.terms.dueDate)), dated };
}
