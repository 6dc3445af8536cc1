import { addDays, type Day, LAST_DAY, longDayText, workdayFrom } from './calendar.ts';
import { moneyText } from './currency.ts';
import { dailyGrowth, feeOnDay, type LateFee } from './late-fee.ts';
import { canCharge } from './late-fee-notes.ts';
import { type FeeOnDay, rateBasisText } from './late-fee-terms.ts';
import type { InvoiceName } from './letter-names.ts';
import { groupedText, type Micros, type Minor, powerOfTen } from './money.ts';
import { daysText } from './text.ts';

/** The days that a letter names, and the sum due on each. */
export type LetterDays = {
  /** The fee at the day that it is worked out to. */
  readonly fee: LateFee;
  /** That day, or today where it is past. */
  readonly sendDay: Day;
  readonly onSendDay: FeeOnDay;
  readonly payBy: Day;
  readonly onPayBy: FeeOnDay;
  /** The day to reply by; it may be later than the end of the grace period. */
  readonly replyBy: Day;
  /** null where the total would be too large to name. */
  readonly onReplyBy: FeeOnDay | null;
};

/** Whether the fee is worked out to a day that is past when the letter is sent. */
export const isOfThePast = ({ fee, sendDay }: LetterDays): boolean => fee.terms.paidDate < sendDay;

/** Whether waiting until the day to pay by costs more. */
export const grows = ({ onSendDay, onPayBy }: LetterDays): boolean => onPayBy.totalDue !== onSendDay.totalDue;

/** Whether the sum that is asked for has a fee in it. */
const asksForFee = ({ onPayBy }: LetterDays): boolean => onPayBy.fee !== 0n;

/** Whether there is no fee on the day of sending, and none that begins just because of the day to pay by. */
export const hasNoFee = ({ onSendDay, onPayBy }: LetterDays): boolean =>
  onPayBy.fee === 0n || onSendDay.status === 'within_grace';

/** Whether the letter says that its fee is one of the payment terms. */
export const namesTerms = (days: LetterDays): boolean =>
  !days.fee.terms.rateDefaulted && (!hasNoFee(days) || firstDayWithFee(days) !== null);

/** Grouped, with a symbol only when the currency is known. */
export function money({ terms, digits }: LateFee, amount: Minor): string {
  return terms.currency === null ? groupedText(amount, digits) : moneyText(amount, terms.currency);
}

/** The sums due, one for each day that the letter names. */
export function rowsOf(days: LetterDays, amountLabel: string): readonly string[] {
  const { fee, sendDay, onSendDay, payBy, onPayBy } = days;
  const row = (label: string, amount: Minor) => `${label}: ${money(fee, amount)}`;
  if (hasNoFee(days))
    return [...(asksForFee(days) ? [row(amountLabel, fee.amount)] : []), ...rowsWithoutFee(days, row)];
  return [
    row(amountLabel, fee.amount),
    // Only the fee of the day of sending: readers add up the rows of a column.
    row(feeLabel(days), onSendDay.fee),
    ...(grows(days)
      ? [
          row(`Total if paid on ${longDayText(sendDay)}`, onSendDay.totalDue),
          row(`Total if paid on ${longDayText(payBy)}`, onPayBy.totalDue),
        ]
      : [row(`Total if paid by ${longDayText(payBy)}`, onPayBy.totalDue)]),
  ];
}

/** The sum due while there is no fee, and on the day to reply by where a fee has begun by then. */
function rowsWithoutFee(days: LetterDays, row: (label: string, amount: Minor) => string): readonly string[] {
  const { fee, payBy, onPayBy, replyBy, onReplyBy } = days;
  if (firstDayWithFee(days) === null) return [row('Amount due', fee.amount)];
  const lastDay = onPayBy.fee === 0n ? payBy : lastDayOfGrace(fee);
  const first = addDays(lastDayOfGrace(fee), 1);
  const holds = first < replyBy && feeOnDay(fee, first)?.totalDue === onReplyBy?.totalDue;
  // A sum that holds on one day is labelled with it, one that holds until then with the range.
  const when = `${holds ? `from ${longDayText(first)} to` : 'on'} ${longDayText(replyBy)}`;
  // The requested sum is explained where no separate row shows the fee.
  const part = asksForFee(days) ? `, with a late fee of ${money(fee, onPayBy.fee)}` : '';
  return [
    row(`Total if paid by ${longDayText(lastDay)}`, fee.amount),
    ...(onReplyBy !== null && isMoreByReply(days)
      ? [row(`Total if paid ${when}${part}`, onReplyBy.totalDue)]
      : []),
  ];
}

const isMoreByReply = ({ fee, onReplyBy }: LetterDays): boolean =>
  onReplyBy !== null && onReplyBy.totalDue !== fee.amount;

export const lastDayOfGrace = ({ terms }: LateFee): Day => addDays(terms.dueDate, terms.graceDays);

/** 'Late fee to 21 November 2026 (1.5% per month of 30 days, 12 days after 5 days of grace)' */
function feeLabel({ fee, sendDay, onSendDay }: LetterDays): string {
  const { terms } = fee;
  if (flatFee(fee) !== null) return 'Late fee (flat, charged once)';
  const grace = terms.graceDays === 0 ? '' : ` after ${daysText(terms.graceDays)} of grace`;
  const basis = rateBasisText(terms.rate, terms.rateType);
  const counted = `${daysText(onSendDay.chargeableDays)}${grace}${limitsText(fee)}`;
  return `Late fee to ${longDayText(sendDay)} (${basis}, ${counted})`;
}

/** The amount of a fee that does not depend on days; null where it does. */
export function flatFee(fee: LateFee): Minor | null {
  const { rateType, rate, minFee, maxFee } = fee.terms;
  if (rateType !== 'flat' && rate !== 0n && (minFee === null || minFee !== maxFee)) return null;
  return feeOnDay(fee, addDays(lastDayOfGrace(fee), 1))?.fee ?? null;
}

/** ', at least £25.00' */
function limitsText(fee: LateFee): string {
  const { minFee, maxFee } = fee.terms;
  const part = (word: string, limit: Micros | null) =>
    limit === null ? '' : `, at ${word} ${money(fee, minorOf(fee, limit))}`;
  return `${part('least', minFee)}${part('most', maxFee)}`;
}

const minorOf = ({ digits }: LateFee, value: Micros): Minor => (value / powerOfTen(6 - digits)) as Minor;

// More decimals than a coin has, so that 0.625 a day is exact.
const DECIMALS_BEYOND_COINS = 2;

/** What each day adds; null where that is too small to express, or where a limit caps the fee for now. */
function dailyOf({ fee, onSendDay }: LetterDays): { text: string; isExact: boolean } | null {
  if (onSendDay.limit !== null) return null;
  const daily = dailyGrowth(fee.terms, fee.digits + DECIMALS_BEYOND_COINS);
  if (daily === null || daily.value === 0n) return null;
  return { text: finely(fee, daily.value), isExact: daily.isExact };
}

/**
 * ': £0.625 for each day after 4 November 2026', which with the amount is the total of every day, once rounded; ': about
 * £0.4024 …' where a day adds no exact figure; nothing where it adds none that can be said.
 */
function dailyText(days: LetterDays): string {
  const daily = dailyOf(days);
  if (daily === null) return '';
  const after = longDayText(lastDayOfGrace(days.fee));
  return `: ${daily.isExact ? '' : 'about '}${daily.text} for each day after ${after}`;
}

/** How a growing fee grows. */
export type Growth = {
  /** ': £0.625 for each day after 4 November 2026' */
  readonly rule: string;
  /** ', up to £50.00' */
  readonly cap: string;
};

/** null where the fee does not grow until the day to pay by, or its growth cannot be expressed. */
export function growthOf(days: LetterDays): Growth | null {
  const rule = grows(days) ? dailyText(days) : '';
  return rule === '' ? null : { rule, cap: capText(days.fee) };
}

/** Money with all its decimals, at least those of the currency: '£0.625', '£0.50'. */
function finely(fee: LateFee, value: bigint): string {
  const step = powerOfTen(DECIMALS_BEYOND_COINS);
  const coins = value / step;
  if (coins * step === value) return money(fee, coins as Minor);
  const fraction = String(value % step)
    .padStart(DECIMALS_BEYOND_COINS, '0')
    .replace(/0+$/, '');
  const whole = money(fee, coins as Minor);
  return fee.digits === 0 ? `${whole}.${fraction}` : `${whole}${fraction}`;
}

function capText(fee: LateFee): string {
  const { maxFee } = fee.terms;
  return maxFee === null ? '' : `, up to ${money(fee, minorOf(fee, maxFee))}`;
}

/** The first day on which a future fee is due; null where none is to come. */
function feeToCome({ fee, onSendDay }: LetterDays): Day | null {
  const { dueDate, graceDays } = fee.terms;
  const isToCome = onSendDay.status === 'within_grace' && canCharge(fee) && dueDate + graceDays < LAST_DAY;
  return isToCome ? addDays(dueDate, graceDays + 1) : null;
}

/** That day where the letter names it. A day well after the day to pay by would suggest that waiting is free. */
function firstDayWithFee(days: LetterDays): Day | null {
  const first = feeToCome(days);
  return first === null || first > workdayFrom(addDays(days.replyBy, 1)) ? null : first;
}

/** That day where the letter does not name it. */
export const distantFeeDay = (days: LetterDays): Day | null =>
  firstDayWithFee(days) === null ? feeToCome(days) : null;

/** How a letter says that it asks for no fee. */
export const NO_FEE = 'No late fee has been added';

/** Why there is no fee yet, when it begins, and its rate. */
export function noFeeText(days: LetterDays, whose: 'our' | 'the'): string {
  const { terms } = days.fee;
  const first = firstDayWithFee(days);
  if (first === null) return `${NO_FEE}.`;
  const flat = flatFee(days.fee);
  const rate = flat === null ? rateBasisText(terms.rate, terms.rateType) : money(days.fee, flat);
  const limits = flat === null ? limitsText(days.fee) : '';
  const from = longDayText(first);
  // A default rate is not part of any known payment terms.
  const begins = terms.rateDefaulted
    ? `will be added from ${from}`
    : `applies from ${from} under ${whose} payment terms`;
  // Whoever pays between the named days calculates the sum; a limit would change it.
  const growth =
    (grows(days) || isMoreByReply(days)) && limits === '' && flat === null ? dailyText(days) : '';
  const text = `late fee of ${rate}${limits === '' ? '' : `${limits},`} ${begins}${growth}.`;
  if (asksForFee(days)) return `A ${text}`;
  return `${NO_FEE}${isOfThePast(days) ? '' : ' yet'}; a ${text}`;
}

/**
 * 'a late fee of 1.5% per month of 30 days: £0.625 for each day after 4 November 2026', for a fee that no
 * payment terms contain.
 */
export function defaultedFee(days: LetterDays): string {
  const { fee } = days;
  const { rate, rateType } = fee.terms;
  const flat = flatFee(fee);
  if (flat !== null) return `a flat late fee of ${money(fee, flat)}`;
  const growth = growthOf(days);
  const rest = growth === null ? limitsText(fee) : `${growth.rule}${growth.cap}`;
  return `a late fee of ${rateBasisText(rate, rateType)}${rest}`;
}

export type Tone = 'polite' | 'firm' | 'final';

export const TONES: readonly Tone[] = ['polite', 'firm', 'final'];

/** What a letter is written from; names are clean single lines, null when missing. */
export type LetterFacts = LetterDays & {
  readonly client: string | null;
  readonly business: string | null;
  readonly invoice: InvoiceName;
  /** The fields of names that are left out, being more than a name. */
  readonly leftOut: readonly string[];
  /** Clean lines; none: those on the invoice hold. */
  readonly paymentDetails: readonly string[];
};

/** Days of grace are past the due date, but not overdue. */
export const lateWord = ({ status }: FeeOnDay): string =>
  status === 'within_grace' ? 'past due' : 'overdue';

const LONG_PAST_DAYS = 60;

/** Whether it was due so long ago that nothing about a reminder is quick, and a polite one is mild. */
export const isLongPast = ({ onSendDay }: LetterFacts): boolean => onSendDay.daysLate > LONG_PAST_DAYS;
