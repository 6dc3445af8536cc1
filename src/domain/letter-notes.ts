import { longDayText } from './calendar.ts';
import { canCharge, feeSentences, rateText, statutorySentence } from './late-fee-notes.ts';
import {
  asksForFee,
  distantFeeDay,
  flatFee,
  isInterest,
  isLongPast,
  isOfThePast,
  type LetterFacts,
  money,
  namesTerms,
  type Tone,
} from './letter-facts.ts';
import { type NumberMistake, SENTENCES } from './letter-names.ts';
import { powerOfTen } from './money.ts';
import { joined, type Notes, noteOf, selectNotes } from './notes.ts';
import { listed } from './text.ts';

const FIRST_DAYS = 8;

/** What the sender should know about this letter and its fee, the most important first. */
export function letterNotes(facts: LetterFacts): Notes & { readonly letter: string[] } {
  const { tone, fee } = facts;
  const said = feeSentences(fee, facts.isConsumer);
  const asOf = longDayText(fee.terms.paidDate);
  const firstFee = distantFeeDay(facts);
  // A letter that does not claim the fee has no notes on its rate. A letter that names the terms says so itself.
  const agreed = (text: string | null) => (facts.claim === 'agreed' ? text : null);
  const above = agreed(said.feeAboveAmount);
  const limits = noteOf(
    above === null ? 'caveat' : 'warning',
    joined([above, said.localLimits]),
    canCharge(fee),
  );
  return selectNotes([
    noteOf('letter', defaultedRate(facts)),
    noteOf(
      'letter',
      tone === 'final' && isOfThePast(facts)
        ? `A final reminder should not rely on records from ${asOf}: check whether a payment has arrived since then, and ask again without paid_date.`
        : null,
    ),
    // Ranked high, because the letter states payment terms, which must be true.
    noteOf('letter', termsNamed(facts)),
    noteOf('letter', lawNamed(facts)),
    noteOf('warning', agreed(said.fractionForPercent)),
    noteOf('warning', said.asOfToCome),
    noteOf('warning', said.dateOrder),
    noteOf('letter', forItsDay(tone, facts), true),
    noteOf(
      'letter',
      joined([
        moreThanAName(facts),
        facts.invoice.slip && SLIPS[facts.invoice.slip],
        missing(facts),
        smallSum(facts),
      ]),
    ),
    noteOf(
      'letter',
      firstFee === null
        ? null
        : `A late fee begins on ${longDayText(firstFee)}, after the payment deadline. The letter does not mention this, because it would tell your client that waiting until then costs nothing. If you expected an earlier fee, check grace_days.`,
    ),
    noteOf('warning', said.longOverdue),
    noteOf('warning', agreed(said.yearlyRate)),
    above === null ? null : limits,
    noteOf('warning', agreed(said.zeroFee)),
    noteOf('warning', said.asOfLongPast),
    noteOf('letter', toneOutOfPlace(tone, facts)),
    noteOf('caveat', namesTerms(facts) ? null : agreed(said.agreedTerms)),
    above === null ? limits : null,
    noteOf('caveat', agreed(said.countingRule)),
  ]);
}

/** Warns that the figures of a letter are valid on one day only. */
function forItsDay(tone: Tone, facts: LetterFacts): string {
  if (facts.paidOn !== null)
    return `The letter says that everything was paid on ${longDayText(facts.paidOn)}, and asks only for the cost of the delay: make sure that the date is right and that nothing else is unpaid.`;
  const asOf = longDayText(facts.fee.terms.paidDate);
  const isPast = isOfThePast(facts);
  const unpaid = `It says that nothing ${facts.fee.paid > 0n ? 'more ' : ''}had been paid by ${isPast ? asOf : 'that day'}: if your client has paid, do not send it.`;
  const isFinal = tone === 'final';
  // The sum due then. For a final letter, an earlier note already advises leaving the date out.
  const then = `${isFinal ? 'The' : 'For a letter dated today, leave paid_date out; the'} amount due on ${asOf} is only in this answer.`;
  const rest = [
    ...(isPast ? [then] : []),
    ...(facts.each.length > 0 && facts.fee.paid > 0n
      ? ['Payments are applied to the oldest invoice first.']
      : []),
    ...(isFinal
      ? ['This is a reminder, not the formal demand that a court may require before a claim.']
      : []),
    ...(isShortForCourt(facts) ? [PRE_ACTION] : []),
  ];
  return [`${countedTo(facts)}, or ask again.`, unpaid, ...rest].join(' ');
}

const PRE_ACTION =
  'If your client is an individual or a sole trader, the Pre-Action Protocol for Debt Claims gives 30 days to reply: send pay_within_days 30.';

const isShortForCourt = ({ nextStep, statutory, fee, payBy, sendDay }: LetterFacts): boolean =>
  nextStep === 'court' &&
  (statutory?.law.jurisdiction === 'GB' || fee.terms.currency === 'GBP') &&
  payBy - sendDay < 30;

function countedTo(facts: LetterFacts): string {
  const day = longDayText(facts.sendDay);
  // A fee that does not depend on days has no date to warn about.
  const hasCountedFee = facts.byLaw !== null || (asksForFee(facts) && flatFee(facts.fee) === null);
  if (hasCountedFee) return `The days and the fee are calculated up to ${day}: send the letter that day`;
  return isOfThePast(facts)
    ? `The letter is for ${day}: send it that day`
    : `The days are counted up to ${day}: send the letter that day`;
}

/** Below this amount a reminder costs more than it recovers. */
const SMALL_SUM = 5n;

function smallSum({ fee }: LetterFacts): string | null {
  if (fee.amount >= SMALL_SUM * powerOfTen(fee.digits)) return null;
  return `The invoice is for only ${money(fee, fee.amount)}: check the amount, and decide whether a reminder is worth sending.`;
}

function missing({ fee, business, invoice, leftOut }: LetterFacts): string | null {
  const gaps = [
    ...(business === null ? [['business_name', 'who is asking'] as const] : []),
    ...(invoice.isNumbered || invoice.slip !== null
      ? []
      : [['invoice_number', 'which invoice is meant'] as const]),
    ...(fee.terms.currency === null ? [['currency', 'which currency to pay in'] as const] : []),
  ].filter(([field]) => !leftOut.includes(field));
  if (gaps.length === 0) return null;
  const fields = listed(
    gaps.map(([field]) => field),
    'or',
  );
  const doubts = listed(gaps.map(([, doubt]) => doubt));
  return `You sent no ${fields}, so your client may not know ${doubts}: ask again with ${gaps.length === 1 ? 'this field' : 'these fields'}.`;
}

function moreThanAName({ business, leftOut }: LetterFacts): string | null {
  if (leftOut.length > 0) {
    const each = leftOut.length === 1 ? 'which is' : 'each of which is';
    return `The letter leaves out ${listed(leftOut)}, ${each} more than a name: ask again with only the name.`;
  }
  if (business === null || !SENTENCES.test(business)) return null;
  return 'The letter prints business_name as given, which is more than a name: check it before you send the letter.';
}

const SLIPS: Readonly<Record<NumberMistake, string>> = {
  credit_note:
    'invoice_number refers to a credit note, which a client does not pay, so the letter leaves it out: ask again with the number of the invoice.',
  not_a_number:
    'invoice_number is not a number, so the letter leaves it out: ask again with the number of the invoice.',
  not_a_bill:
    'invoice_number refers to a quote, a proforma or a receipt, none of which can be overdue: ask again with the number of the invoice.',
};

function termsNamed(facts: LetterFacts): string | null {
  if (!namesTerms(facts)) return null;
  const what = isInterest(facts.fee) ? 'interest' : 'fee';
  const agreed = `The letter says that this ${what} is in your payment terms: send it only if your client agreed to it.`;
  return lawCode(facts) === null
    ? agreed
    : `${agreed} ${statutorySentence(facts.fee, facts.isConsumer ?? false)}`;
}

/** The jurisdiction whose late-payment law belongs to the currency; null if there is none. */
const lawCode = ({ fee }: LetterFacts): string | null =>
  ({ GBP: 'GB', EUR: 'EU' })[fee.terms.currency ?? ''] ?? null;

function lawNamed(facts: LetterFacts): string | null {
  const { claim, statutory, byLaw } = facts;
  if (statutory === null) return null;
  if (claim === 'reserve')
    return 'The letter reserves the right to statutory interest, which only a business or a public authority owes, never a consumer.';
  if (byLaw === null) return null;
  const floor =
    statutory.law.jurisdiction === 'EU'
      ? ' National law may grant more than this minimum: name the law of your client’s country in the letter, such as § 288 BGB in Germany.'
      : '';
  return `The letter claims statutory interest: send it only to a business or a public authority, never to a consumer, and only if your contract has no late fee or interest of its own.${floor}`;
}

/** Warns that the letter names a rate that may not be in any agreement, and therefore comes first; null otherwise. */
function defaultedRate(facts: LetterFacts): string | null {
  const { fee, claim } = facts;
  const code = lawCode(facts);
  const byLaw =
    code === null
      ? ''
      : ` Between businesses, the law grants interest even without an agreement: send claim statutory or reserve with jurisdiction ${code}.`;
  if (!fee.terms.rateDefaulted || claim !== 'agreed' || !canCharge(fee)) return null;
  return `No rate was given, so the letter uses ${rateText(fee.terms)}. It must be in your terms; otherwise, ask again with the rate in your own terms, or with 0 for no fee.${byLaw}`;
}

function toneOutOfPlace(tone: Tone, facts: LetterFacts): string | null {
  const { onSendDay } = facts;
  if (onSendDay.status === 'within_grace')
    return tone === 'polite'
      ? null
      : 'The invoice is still within its grace days: a polite letter may serve you better.';
  if (tone === 'final' && onSendDay.daysLate < FIRST_DAYS)
    return 'A final reminder in the first week is unusual: a polite letter may serve you better.';
  if (tone === 'polite' && facts.paidOn === null && isLongPast(facts))
    return 'The invoice is more than 60 days late: a firm or a final letter may serve you better.';
  return null;
}
