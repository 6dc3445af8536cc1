import { addDays, type Day } from './calendar.ts';
import { canCharge } from './late-fee-notes.ts';
import {
  asksForFee,
  basisText,
  chargeOf,
  dailyText,
  dayIn,
  firstDayWithFee,
  flatFee,
  invoiceAt,
  isInterest,
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
  percentText,
  ratePeriods,
  rowsOf,
  sumAsked,
} from './letter-facts.ts';
import { amountLabel, greetingLine } from './letter-names.ts';
import { isMonthFirst } from './locale.ts';
import { type Micros, minorOf, powerOfTen } from './money.ts';
import type { StatutoryInterest } from './statutory.ts';
import type { ReferenceRate } from './statutory-rates.ts';
import { capitalised, daysText, listed } from './text.ts';

/** The whole letter. Text is only joined and never goes through a pattern, so names stay literal. */
export function bodyOf(facts: LetterFacts): string {
  const { greeting, closing, american, paragraphs } = LETTERS[facts.tone];
  const { opening, ask, rest } = paragraphs(facts, wordingOf(facts));
  const { client, business, paymentDetails } = facts;
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
      `${isMonthFirst(facts.fee.terms.currency) ? american : closing},`,
      ...[facts.signer, business].filter((name) => name !== null),
    ].join('\n'),
  ].join('\n\n');
}

/** The figures come after the opening, and the payment details after the request to pay. */
type Paragraphs = { readonly opening: string; readonly ask: string; readonly rest: readonly string[] };

const letterOf = (
  greeting: string,
  closing: string,
  american: string,
  paragraphs: (facts: LetterFacts, wording: Wording) => Paragraphs,
) => ({ greeting, closing, american, paragraphs });

const LETTERS = {
  polite: letterOf('Hello', 'Kind regards', 'Kind regards', politeParagraphs),
  firm: letterOf('Dear', 'Regards', 'Regards', firmParagraphs),
  final: letterOf('Dear', 'Yours sincerely', 'Sincerely', finalParagraphs),
};

function politeParagraphs(facts: LetterFacts, wording: Wording): Paragraphs {
  const { It, was, noun, invoice, due, payBy, replyBy, how, step } = wording;
  const isPaid = facts.paidOn !== null;
  const opening =
    facts.paidOn === null
      ? `${isLongPast(facts) ? 'A reminder' : 'A quick reminder'} about ${invoice.text}. ${It} ${was} due ${due}, ${politeState(facts, wording)}`
      : `Thank you for paying ${invoice.text}. ${It} ${was} due ${due}, and your ${facts.fee.terms.payments.length > 1 ? 'last payment' : 'payment'} arrived on ${paidLate(facts)}.`;
  return {
    opening: sentences(opening, onlyAdded(facts), thanks(facts), earlier(facts, 'We also wrote about it on')),
    ask: sentences(
      addedText(facts, POLITE),
      `Could you please pay ${sumText(facts)} by ${payBy}, ${how}?`,
      laterText(facts, POLITE),
      'If you cannot pay by then, please reply and tell us when you can.',
    ),
    rest: [
      ...(step === null ? [] : [`If we hear nothing by ${replyBy}, our next step would be to ${step}.`]),
      `If you have already paid${isPaid ? ' this sum' : ''}, thank you; a short reply with the date helps us find the payment. ${isPaid ? 'If you think this is not right' : `If something on the ${noun} is not right`}, reply and we will sort it out.`,
    ],
  };
}

/** The state of an unpaid invoice, after 'It was due on 4 November 2026, '. */
function politeState(facts: LetterFacts, wording: Wording): string {
  const { it, is, them, asOf, days, open, isOneDay } = wording;
  if (isOfThePast(facts))
    return isPartPaid(facts)
      ? `and by ${asOf} ${open} was still unpaid. If you have paid nothing since, ${WHAT_IS_DUE}`
      : `and by ${asOf} we had not matched a payment to ${them}. If ${it} ${is} still unpaid, ${WHAT_IS_DUE}`;
  const ago = isOneDay ? `${days} ago, ` : '';
  return isPartPaid(facts)
    ? `${ago}and ${open} is still unpaid.`
    : `${ago}and we have not matched a payment to ${them} yet.`;
}

function firmParagraphs(facts: LetterFacts, wording: Wording): Paragraphs {
  const { was, is, it, invoice, due, payBy, replyBy, how, step } = wording;
  const { asOf, days, open, isOneDay, disputed } = wording;
  const [subject, verb] = isPartPaid(facts) ? [open, 'is'] : [it, is];
  const state = isOfThePast(facts)
    ? `${subject} ${isPartPaid(facts) ? 'was' : was} still unpaid on ${asOf}. If you have not paid since, ${WHAT_IS_DUE}`
    : `${subject} ${verb} still unpaid${isOneDay ? `, ${days} later` : ''}.`;
  const opening =
    facts.paidOn === null
      ? `${invoice.capital} ${was} due ${due}. According to our records, ${state}`
      : `${invoice.capital} ${was} due ${due} and ${was} paid on ${paidLate(facts)}.`;
  return {
    opening: sentences(opening, onlyAdded(facts), thanks(facts), earlier(facts, 'We reminded you on')),
    ask: sentences(
      addedText(facts, FIRM),
      `Please pay ${sumText(facts)} by ${payBy}, ${how}.`,
      laterText(facts, FIRM),
    ),
    rest: [
      ...(step === null
        ? []
        : [`If we have received neither payment nor a reply by ${replyBy}, our next step is to ${step}.`]),
      `If you have already paid${facts.paidOn === null ? '' : ' this sum'}, send us the date and reference of your payment so that we can match it. If you dispute any part of the ${disputed}, tell us in writing by ${replyBy} which part and why.`,
    ],
  };
}

function finalParagraphs(facts: LetterFacts, wording: Wording): Paragraphs {
  const { invoice, due, asOf, days, payBy, replyBy, isOneDay, step } = wording;
  // If payment is due earlier, the last day named is not the payment deadline.
  const neither =
    payBy === replyBy
      ? `If we have received neither payment nor a reply by ${replyBy}`
      : `If we have received neither a reply nor your payment by ${replyBy}`;
  const inFull = isPartPaid(facts) ? 'not paid in full' : 'still unpaid';
  const state = isOfThePast(facts)
    ? `which our records show as ${inFull} on ${asOf}. If you have not paid since, ${WHAT_IS_DUE}`
    : isOneDay
      ? `now ${days} ${lateWord(facts.fee)}${isPartPaid(facts) ? ` and ${inFull}` : ''}.`
      : `and ${inFull}.`;
  const opening =
    facts.paidOn === null
      ? `This is our final reminder about ${invoice.text}, due ${due}, ${state}`
      : `This is our final reminder about ${invoice.text}, due ${due} and paid on ${paidLate(facts)}.`;
  return {
    opening: sentences(
      opening,
      onlyAdded(facts),
      earlier(facts, `We sent you ${facts.earlierReminders.length === 1 ? 'a reminder' : 'reminders'} on`),
    ),
    ask: finalAsk(facts, wording),
    rest: [
      sentences(
        addedText(facts, FINAL),
        laterText(facts, FINAL),
        step === null
          ? `${neither}, we will decide, without further notice, how to recover the amount owed.`
          : `${neither}, we will, without further notice, ${step}.`,
      ),
    ],
  };
}

/** '15 October 2026, 14 days late' */
function paidLate(facts: LetterFacts): string {
  const day = facts.paidOn ?? facts.sendDay;
  const late = [...new Set(facts.fee.terms.debts.map(({ dueDate }) => Math.max(0, day - dueDate)))];
  const counts = late.length === 1 ? daysText(late[0] ?? 0) : `${listed(late.map(String))} days`;
  return `${dayIn(facts, day)}, ${counts} late`;
}

const onlyAdded = (facts: LetterFacts): string | null => {
  if (facts.paidOn === null) return null;
  if (facts.byLaw !== null) return 'Only the interest and compensation remain unpaid.';
  return `Only the ${isInterest(facts.fee) ? 'interest' : 'late fee'} remains unpaid.`;
};

/** Thanks for a part payment, and names its day if that is known; null without a part payment. */
function thanks(facts: LetterFacts): string | null {
  if (!isPartPaid(facts)) return null;
  const { payments } = facts.fee.terms;
  const [first] = payments;
  const day = payments.length === 1 && first?.day != null ? ` on ${dayIn(facts, first.day)}` : ' so far';
  return `Thank you for the ${money(facts.fee, facts.fee.paid)} that you paid${day}.`;
}

function earlier(facts: LetterFacts, words: string): string | null {
  const days = facts.earlierReminders.map((day) => dayIn(facts, day));
  const isOneYear = new Set(days.map((day) => day.slice(-4))).size === 1;
  const shown = isOneYear ? days.map((day, at) => (at < days.length - 1 ? day.slice(0, -4) : day)) : days;
  const text = listed(shown.map((day) => day.replace(/,? $/, '')));
  const isAmerican = isMonthFirst(facts.fee.terms.currency) && days.length > 2;
  return days.length === 0 ? null : `${words} ${isAmerican ? text.replace(' and ', ', and ') : text}.`;
}

const STEPS: Readonly<Record<NextStep, (facts: LetterFacts) => string>> = {
  suspend_work: ({ suspendWhat }) =>
    `suspend ${suspendWhat ?? 'our services to you'} until this account is paid`,
  collection: () => 'place the account with a collection agency',
  court: () => 'start court proceedings',
};

/** Introduces the figures of a past day, because the letter cannot know of later payments. */
const WHAT_IS_DUE = 'this is what is due:';

const sentences = (...all: readonly (string | null)[]): string => all.filter(Boolean).join(' ');

const sumText = (facts: LetterFacts): string => money(facts.fee, sumAsked(facts));

/** One day for paying and replying, unless payment is due earlier because the grace period ends. */
function finalAsk(facts: LetterFacts, { payBy, replyBy, how, disputed }: Wording): string {
  const isOneDay = payBy === replyBy;
  // Small sums are not worth an installment plan.
  const isWorthAPlan = sumAsked(facts) >= LEAST_OF_A_PLAN * powerOfTen(facts.fee.digits);
  return [
    isOneDay ? `By ${payBy}, please do one of the following:` : 'Please do one of the following:',
    `- pay ${sumText(facts)}${isOneDay ? '' : ` by ${payBy}`}, ${how};`,
    ...(isWorthAPlan
      ? [`- propose a payment plan with dates and amounts${isOneDay ? '' : ` by ${replyBy}`};`]
      : []),
    `- tell us in writing${isOneDay ? '' : ` by ${replyBy}`} which part of the ${disputed} you dispute, and why;`,
    '- send us the date and reference of your payment, if you have already paid.',
  ].join('\n');
}

const LEAST_OF_A_PLAN = 50n;

/** If the basis of a rate contains a clause, a comma ends the clause before the sentence continues. */
const closed = (basis: string): string => (basis.includes(',') ? `${basis},` : basis);

/** The words of a tone for the additions to the amount. */
type Manner = typeof POLITE;

const POLITE = {
  // A fee with the default rate, which may not be in any payment terms.
  defaulted: (fee: string) => `The total includes ${fee}.`,
  flat: 'The late fee is the flat fee that our payment terms provide for.',
  capped: 'The late fee is what our payment terms provide for and has reached its maximum.',
  agreed: 'The late fee is what our payment terms provide for.',
  byLaw: (title: string) =>
    `Under ${title} we may claim interest and compensation for late payment between businesses`,
  reserve: 'For now, we ask only for the amount of the invoice, but we reserve our right to',
  // The payment terms, as named with a future fee.
  terms: 'our payment terms',
  interest: (basis: string) => `Our agreed terms provide for interest of ${basis}`,
  // The text after interest that has reached its maximum.
  isCapped: ', and it has reached its maximum',
  // What each day adds after the payment deadline, counted from the day after sending.
  growth: (payBy: string, daily: string, from: string) =>
    `This total holds until ${payBy}. If you pay later, ${daily} will be added, counted from ${from}`,
};

const FIRM: Manner = {
  defaulted: (fee) => `The sum due includes ${fee}.`,
  flat: 'The late fee is a flat fee under the payment terms.',
  capped: 'The late fee is set by the payment terms and is at its maximum.',
  agreed: 'The late fee is set by the payment terms.',
  byLaw: (title) => `We claim interest and compensation for late payment under ${title}`,
  reserve: 'We reserve our right to',
  terms: 'the payment terms',
  interest: (basis) => `Interest is charged at ${closed(basis)} under our agreed terms`,
  isCapped: ' and is at its maximum',
  growth: (payBy, daily, from) =>
    `If we receive payment after ${payBy}, ${daily} will be added, counted from ${from}`,
};

const FINAL: Manner = {
  ...FIRM,
  defaulted: (fee) => `We have added ${fee}.`,
  flat: 'A flat late fee has been added under the payment terms.',
  capped: 'The late fee is charged under the payment terms and will not increase further.',
  agreed: 'The late fee is charged under the payment terms.',
  byLaw: (title) => `Interest and compensation are claimed under ${title}`,
  reserve: 'We expressly reserve our right to',
  interest: (basis) => `Interest has been added at ${closed(basis)} under our agreed terms`,
  isCapped: ' and will not increase further',
};

/** The additions to the amount and their legal basis; null if the letter mentions none. */
function addedText(facts: LetterFacts, manner: Manner): string | null {
  const { fee, claim, byLaw, onSendDay } = facts;
  if (byLaw !== null) {
    // '… the Late Payment of Commercial Debts (Interest) Act 1998: 8% per year above …, and a fixed sum of £70.00.'
    const margin = `8% per year above ${byLaw.law.ratePhrase} of ${referenceText(facts, byLaw)}`;
    return `${manner.byLaw(byLaw.law.title)}: ${margin}, and ${compensationText(facts, byLaw)}.`;
  }
  if (claim === 'reserve') return `${manner.reserve} ${reservedText(facts)}.`;
  if (!asksForFee(facts)) return null;
  const flat = flatFee(fee);
  if (fee.terms.rateDefaulted)
    return manner.defaulted(
      flat === null
        ? `${chargeOf(fee)} ${basisText(fee)}${limitsText(fee)}`
        : `a flat late fee of ${money(fee, flat)}`,
    );
  if (flat !== null) return manner.flat;
  if (isInterest(fee)) {
    const isCapped = onSendDay.limit === 'max_fee';
    return `${manner.interest(basisText(fee))}${isCapped ? manner.isCapped : ''}.`;
  }
  return onSendDay.limit === 'max_fee' ? manner.capped : manner.agreed;
}

/** '4.75% on 31 December 2024', '2.15% to 30 June 2026 and 2.40% from 1 July 2026', or the rate of each invoice */
function referenceText(facts: LetterFacts, { law, usedRates, debts }: StatutoryInterest): string {
  const dated = (percent: Micros, held: readonly (ReferenceRate | null)[]) => {
    const days = held.flatMap((rate) => (rate === null ? [] : [dayIn(facts, rate.setOn)]));
    return `${percentText(percent)}${days.length === 0 ? '' : ` on ${listed([...new Set(days)])}`}`;
  };
  const [percent, ...others] = new Set(usedRates.map((rate) => rate.percent));
  if (percent !== undefined && others.length === 0)
    return dated(
      percent,
      usedRates.map(({ held }) => held),
    );
  if (law.jurisdiction === 'EU')
    return listed(
      ratePeriods(facts, usedRates).map((period) => `${percentText(period.percent)} ${period.span}`),
    );
  // In the UK, each debt keeps the rate at which its interest began.
  const rates = new Map<string, string[]>();
  for (const [index, { times }] of debts.entries()) {
    const rate = times[0] === undefined ? '' : dated(times[0].percent, [times[0].held]);
    rates.set(rate, [...(rates.get(rate) ?? []), invoiceAt(facts, index)]);
  }
  return [...rates].map(([rate, invoices]) => `${rate} for ${listed(invoices)}`).join(', and ');
}

/** 'a fixed sum of £70.00', or 'fixed sums of £70.00, £40.00 and £70.00, one for each invoice' */
function compensationText({ fee, each }: LetterFacts, { debts, compensation }: StatutoryInterest): string {
  const sums = debts.flatMap((debt) => (debt.compensation === 0n ? [] : [money(fee, debt.compensation)]));
  if (each.length === 0 || sums.length < 2) return `a fixed sum of ${money(fee, compensation)}`;
  const which = sums.length === debts.length ? 'each invoice' : 'each invoice that was not paid on time';
  return new Set(sums).size === 1
    ? `a fixed sum of ${sums[0]} for ${which}`
    : `fixed sums of ${listed(sums)}, one for ${which}`;
}

/** The rights that a letter reserves if it adds nothing. */
function reservedText({ fee, statutory }: LetterFacts): string {
  if (statutory !== null)
    return `claim interest and compensation for late payment under ${statutory.law.title}`;
  if (fee.terms.rateDefaulted || !canCharge(fee))
    return 'charge interest or a late fee to the extent that the contract or the law allows';
  return isInterest(fee)
    ? 'charge the interest in our agreed terms'
    : 'charge the late fee in our payment terms';
}

/** What is added if payment comes after the deadline; null if nothing is. */
function laterText(facts: LetterFacts, manner: Manner): string | null {
  const payBy = dayIn(facts, facts.payBy);
  const first = firstDayWithFee(facts);
  if (first !== null) return `If you pay after ${payBy}, ${feeToComeText(facts, first, manner)}.`;
  const month = monthlyGrowth(facts);
  if (month !== null) return `After ${payBy}, each further month or part of a month adds ${month}.`;
  const daily = dailyText(facts);
  if (daily === null) return null;
  const { fee, byLaw, sendDay } = facts;
  const { maxFee } = fee.terms;
  const cap =
    byLaw !== null || maxFee === null ? '' : `, up to a total of ${money(fee, minorOf(maxFee, fee.digits))}`;
  return `${manner.growth(payBy, daily, dayIn(facts, addDays(sendDay, 1)))}${cap}.`;
}

/** 'a late fee of 1.5% per month of 30 days, counted from 25 November 2026, is added under our payment terms' */
function feeToComeText(facts: LetterFacts, first: Day, { terms }: Manner): string {
  const { fee } = facts;
  const flat = flatFee(fee);
  // A default rate is not part of any known payment terms.
  const under = fee.terms.rateDefaulted ? '' : ` under ${terms}`;
  return flat === null
    ? `${chargeOf(fee)} ${basisText(fee)}${limitsText(fee)}, counted from ${dayIn(facts, first)}, will be added${under}`
    : `a late fee of ${money(fee, flat)} will be added${under}`;
}

type Wording = ReturnType<typeof wordingOf>;

/** The phrases that all letters share. */
function wordingOf(facts: LetterFacts) {
  const { fee, payBy, replyBy, invoice, paymentDetails } = facts;
  const { noun, isPlural } = invoice;
  const date = facts.invoiceDate === null ? '' : ` of ${dayIn(facts, facts.invoiceDate)}`;
  const order = facts.purchaseOrder === null ? '' : ` (purchase order ${facts.purchaseOrder})`;
  const amount = `${date}${order} for ${money(fee, fee.amount)}${isPlural ? ' together' : ''}`;
  const dueDays = fee.terms.debts.map(({ dueDate }) => dueDate);
  const last = Math.max(...dueDays) as Day;
  // Whether the whole amount was due on one day.
  const isOneDay = last === fee.terms.dueDate;
  const isGiven = paymentDetails.some((line) => namesReference(line, invoice.reference));
  const reference =
    invoice.reference === null || isGiven ? '' : `, with ${invoice.reference} as the reference`;
  const verbs = isPlural
    ? { It: 'They', it: 'they', them: 'them', was: 'were', is: 'are' }
    : { It: 'It', it: 'it', them: 'it', was: 'was', is: 'is' };
  return {
    ...verbs,
    noun,
    step: facts.nextStep && STEPS[facts.nextStep](facts),
    // 'invoice INV-1042 for £1,250.00'
    invoice: { text: `${invoice.text}${amount}`, capital: `${capitalised(invoice.text)}${amount}` },
    // 'on 4 November 2026', 'on 1 October 2026 and 4 November 2026', or 'between' the first and the last day
    due: isOneDay
      ? `on ${dayIn(facts, last)}`
      : `${new Set(dueDays).size === 2 ? 'on' : 'between'} ${dayIn(facts, fee.terms.dueDate)} and ${dayIn(facts, last)}`,
    isOneDay,
    // '£1,000.00 of it'
    open: `${money(fee, openOf(fee))}${isPlural ? '' : ' of it'}`,
    // What the client may dispute.
    disputed: facts.paidOn === null ? noun : 'claim',
    asOf: dayIn(facts, fee.terms.paidDate),
    days: daysText(fee.daysLate),
    payBy: dayIn(facts, payBy),
    replyBy: dayIn(facts, replyBy),
    // 'using the payment details on the invoice, with INV-1042 as the reference'
    how: `using the payment details ${paymentDetails.length > 0 ? 'below' : `on the ${noun}`}${reference}`,
  };
}

/** Whether a line already names a reference, because two in one letter would be ambiguous. */
const namesReference = (line: string, reference: string | null): boolean =>
  /\b(?:ref(?:erence)?|quote)\b/iu.test(line) ||
  (reference !== null && line.toLowerCase().includes(reference.toLowerCase()));
