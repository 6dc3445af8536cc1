import { parseDay } from '../../../domain/calendar.ts';
import { digitsOf } from '../../../domain/currency.ts';
import { localAmount, localDay } from '../../../domain/locale.ts';
import { cleanLine } from '../../../domain/text.ts';
import type { Block } from '../content.ts';

/** Sentences under their own heading; empty if there are none. */
export const notes = (heading: string, sentences: readonly string[]): readonly Block[] =>
  sentences.length === 0 ? [] : [{ subheading: heading }, { list: sentences }];

/** A number with up to six decimal places, without an exponent or grouping. */
export const plain = (value: number): string => numbers(0, 6).format(value);

/**
 * An amount in the format of its currency: "€1,260.63", "₹1,00,300.00"; without a currency, with two decimal places
 * and no sign.
 */
export function amountText(value: number, currency: string | null): string {
  const decimals = digitsOf(currency);
  return localAmount(numberText(value, numbers(decimals, decimals)), currency);
}

/** A unit price, which may have more decimal places than its currency: "$7.255". */
export const priceText = (value: number, currency: string | null): string =>
  localAmount(numberText(value, numbers(digitsOf(currency), 6)), currency);

/** A zero has no sign, although a discount of nothing is -0. */
const numberText = (value: number, format: Intl.NumberFormat): string =>
  format.format(value === 0 ? 0 : value);

const made = new Map<string, Intl.NumberFormat>();

/** Formats are cached: a result has hundreds of numbers, and making a format takes longer than using it. */
function numbers(least: number, most: number): Intl.NumberFormat {
  const key = `${least} ${most}`;
  const format =
    made.get(key) ??
    new Intl.NumberFormat('en', {
      minimumFractionDigits: least,
      maximumFractionDigits: most,
      useGrouping: false,
    });
  made.set(key, format);
  return format;
}

/** '21 November 2026' for '2026-11-21', or 'November 21, 2026' with USD; any other text is unchanged. */
export function longDay(day: string, currency: string | null = null): string {
  const parsed = parseDay(day);
  return parsed === null ? cleanLine(day) : localDay(parsed, currency);
}

/*
 * Days and times inside English sentences: "23 December 2026" has only one reading there, unlike "23.12.2026" or
 * "12/23/2026".
 */

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const;
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

const spoken = (ms: number, parts: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { ...parts, calendar: 'gregory', numberingSystem: 'latn' }).format(ms);

/** The day of a timestamp in the browser's time zone: "23 December 2026". */
export const spokenDay = (ms: number): string => spoken(ms, DAY);

/** The day and time of a timestamp in the browser's time zone: "23 December 2026, 19:52". */
export const spokenTime = (ms: number): string => `${spokenDay(ms)}, ${spoken(ms, TIME)}`;
