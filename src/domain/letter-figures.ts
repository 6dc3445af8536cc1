import { addDays, type Day, LAST_DAY, longDayText, workdayFrom } from './calendar.ts';
import { moneyText } from './currency.ts';
import { dailyGrowth, type LateFee, standingOn } from './late-fee.ts';
import { canCharge } from './late-fee-notes.ts';
import type { Standing } from './late-fee-terms.ts';
import { groupedText, type Micros, type Minor, powerOfTen } from './money.ts';
import { rateBasisText } from './rate-period.ts';
import { daysText } from './text.ts';

/** The days that a letter speaks of, and what is due on each. */
export type LetterDays = {
  /** The fee at the day that it is worked out to. */
  readonly fee: LateFee;
  /** That day, or today where it is past. */
  readonly sendDay: Day;
  readonly onSendDay: Standing;
  readonly payBy: Day;
  readonly onPayBy: Standing;
  /** The day to answer by, which the end of the days of grace does not shorten. */
  readonly replyBy: Day;
  /** null where the total would be too large to name. */
  readonly onReplyBy: Standing | null;
};

/** Whether the fee is worked out to a day that is past when the letter is sent. */
export const isOfThePast = ({ fee, sendDay }: LetterDays): boolean => fee.terms.paidDate < sendDay;

/** Whether waiting until the day to pay by costs more. */
export const grows = ({ onSendDay, onPayBy }: LetterDays): boolean => onPayBy.totalDue !== onSendDay.totalDue;

/** Whether the sum that is asked for has a fee in it. */
const asksForFee = ({ onPayBy }: LetterDays): boolean => onPayBy.fee !== 0n;

/** Whether there is no fee on the day it is sent, nor one that the day to pay by alone would begin. */
export const hasNoFee = ({ onSendDay, onPayBy }: LetterDays): boolean =>
  onPayBy.fee === 0n || onSendDay.status === 'within_grace';

/** Whether the letter says that its fee is one of the payment terms. */
export const namesTerms = (days: LetterDays): boolean =>
  !days.fee.terms.rateDefaulted && (!hasNoFee(days) || firstDayWithFee(days) !== null);

/** Grouped, with a symbol only when the currency is known. */
export function money({ terms, digits }: LateFee, amount: Minor): string {
  return terms.currency === null ? groupedText(amount, digits) : moneyText(amount, terms.currency);
}

/** What is due, one sum for each day that the letter names. */
export function rowsOf(days: LetterDays, amountLabel: string): readonly string[] {
  const { fee, sendDay, onSendDay, payBy, onPayBy } = days;
  const row = (label: string, amount: Minor) => `${label}: ${money(fee, amount)}`;
  if (hasNoFee(days))
    return [...(asksForFee(days) ? [row(amountLabel, fee.amount)] : []), ...rowsWithoutFee(days, row)];
  return [
    row(amountLabel, fee.amount),
    // One fee alone, that of the day it is sent: a column is read as a sum.
    row(feeLabel(days), onSendDay.fee),
    ...(grows(days)
      ? [
          row(`Total if paid on ${longDayText(sendDay)}`, onSendDay.totalDue),
          row(`Total if paid on ${longDayText(payBy)}`, onPayBy.totalDue),
        ]
      : [row(`Total if paid by ${longDayText(payBy)}`, onPayBy.totalDue)]),
  ];
}

/** What is due while there is no fee, and on the day to answer by where there is one by then. */
function rowsWithoutFee(days: LetterDays, row: (label: string, amount: Minor) => string): readonly string[] {
  const { fee, payBy, onPayBy, replyBy, onReplyBy } = days;
  if (firstDayWithFee(days) === null) return [row('Amount due', fee.amount)];
  const lastDay = onPayBy.fee === 0n ? payBy : lastDayOfGrace(fee);
  const first = addDays(lastDayOfGrace(fee), 1);
  const holds = first < replyBy && standingOn(fee, first)?.totalDue === onReplyBy?.totalDue;
  // A day's sum is named by its day, one that holds until then by all of them.
  const when = `${holds ? `from ${longDayText(first)} to` : 'on'} ${longDayText(replyBy)}`;
  // What is asked for is explained where no row of its own shows the fee.
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

/** The whole of a fee that no day changes, whatever its terms are made of; null where days count. */
export function flatFee(fee: LateFee): Minor | null {
  const { rateType, rate, minFee, maxFee } = fee.terms;
  if (rateType !== 'flat' && rate !== 0n && (minFee === null || minFee !== maxFee)) return null;
  return standingOn(fee, addDays(lastDayOfGrace(fee), 1))?.fee ?? null;
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

/** What a day adds; null where it adds less than can be said, or where a limit holds the fee for now. */
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

/** How a fee grows that does. */
export type Growth = {
  /** ': £0.625 for each day after 4 November 2026' */
  readonly rule: string;
  /** ', up to £50.00' */
  readonly cap: string;
};

/** null where a fee does not grow until the day to pay by, or by what cannot be said. */
export function growthOf(days: LetterDays): Growth | null {
  const rule = grows(days) ? dailyText(days) : '';
  return rule === '' ? null : { rule, cap: capText(days.fee) };
}

/** Money with the decimals that it has, and at least those of its coins: '£0.625', '£0.50'. */
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

/** The first day with a fee that has not begun; null where none is to come. */
function feeToCome({ fee, onSendDay }: LetterDays): Day | null {
  const { dueDate, graceDays } = fee.terms;
  const isToCome = onSendDay.status === 'within_grace' && canCharge(fee) && dueDate + graceDays < LAST_DAY;
  return isToCome ? addDays(dueDate, graceDays + 1) : null;
}

/** That day, where the letter names it: one well after the day to pay by would say that waiting costs nothing. */
function firstDayWithFee(days: LetterDays): Day | null {
  const first = feeToCome(days);
  return first === null || first > workdayFrom(addDays(days.replyBy, 1)) ? null : first;
}

/** That day, where the letter leaves it out. */
export const distantFeeDay = (days: LetterDays): Day | null =>
  firstDayWithFee(days) === null ? feeToCome(days) : null;

/** Why there is no fee yet, and from when there is one and at which rate. */
export function noFeeText(days: LetterDays, whose: 'our' | 'the'): string {
  const { terms } = days.fee;
  const first = firstDayWithFee(days);
  if (first === null) return 'No late fee has been added.';
  const flat = flatFee(days.fee);
  const rate = flat === null ? rateBasisText(terms.rate, terms.rateType) : money(days.fee, flat);
  const limits = flat === null ? limitsText(days.fee) : '';
  const from = longDayText(first);
  // A default rate comes from no terms that are known.
  const begins = terms.rateDefaulted
    ? `will be added from ${from}`
    : `applies from ${from} under ${whose} payment terms`;
  // Who pays between two days with a sum needs to work it out; a limit would make it another.
  const growth =
    (grows(days) || isMoreByReply(days)) && limits === '' && flat === null ? dailyText(days) : '';
  const text = `late fee of ${rate}${limits === '' ? '' : `${limits},`} ${begins}${growth}.`;
  if (asksForFee(days)) return `A ${text}`;
  return `No late fee has been added${isOfThePast(days) ? '' : ' yet'}; a ${text}`;
}

/** 'a late fee of 1.5% per month of 30 days: £0.625 for each day after 4 November 2026', for a fee that is of no terms. */
export function defaultedFee(days: LetterDays): string {
  const { fee } = days;
  const { rate, rateType } = fee.terms;
  const flat = flatFee(fee);
  if (flat !== null) return `a flat late fee of ${money(fee, flat)}`;
  const growth = growthOf(days);
  const rest = growth === null ? limitsText(fee) : `${growth.rule}${growth.cap}`;
  return `a late fee of ${rateBasisText(rate, rateType)}${rest}`;
}
