import { currencyDigits } from '../../../domain/currency.ts';
import type { Block } from '../content.ts';

/** An answer as the result of a form: under a heading of its own. */
export const asResult = (blocks: readonly Block[]): readonly Block[] => [{ heading: 'Result' }, ...blocks];

/** Sentences under a heading of their own; nothing when there are none. */
export const notes = (heading: string, sentences: readonly string[]): readonly Block[] =>
  sentences.length === 0 ? [] : [{ subheading: heading }, { list: sentences }];

/** A number without exponent or grouping, with the decimals it has. */
export const plain = (value: number): string =>
  new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 6 }).format(value);

/** An amount with the decimals of its currency: "1,260.63 EUR"; two and no code where no currency was given. */
export function amountText(value: number, currency: string | null): string {
  const decimals = (currency === null ? null : currencyDigits(currency)) ?? 2;
  const text = new Intl.NumberFormat('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value);
  return currency === null ? text : `${text} ${currency}`;
}
