import { currencyDigits } from '../../../domain/currency.ts';
import { localAmount } from '../../../domain/locale.ts';
import type { Block } from '../content.ts';

/** An answer as the result of a form, under its own heading. */
export const asResult = (blocks: readonly Block[]): readonly Block[] => [{ heading: 'Result' }, ...blocks];

/** Sentences under their own heading; empty if there are none. */
export const notes = (heading: string, sentences: readonly string[]): readonly Block[] =>
  sentences.length === 0 ? [] : [{ subheading: heading }, { list: sentences }];

/** A number without exponent or grouping, with its own decimals. */
export const plain = (value: number): string => numbers(0, 6).format(value);

/**
 * An amount with the decimals of its currency: "€1,260.63", "₹1,00,300.00"; without a currency, two decimals and no
 * sign.
 */
export function amountText(value: number, currency: string | null): string {
  const decimals = decimalsOf(currency);
  return localAmount(digitsOf(value, numbers(decimals, decimals)), currency);
}

/** A unit price, which may have more decimals than its currency: "$7.255". */
export const priceText = (value: number, currency: string | null): string =>
  localAmount(digitsOf(value, numbers(decimalsOf(currency), 6)), currency);

const decimalsOf = (currency: string | null): number =>
  (currency === null ? null : currencyDigits(currency)) ?? 2;

/** A zero has no sign, although a discount of nothing is -0. */
const digitsOf = (value: number, format: Intl.NumberFormat): string => format.format(value === 0 ? 0 : value);

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
