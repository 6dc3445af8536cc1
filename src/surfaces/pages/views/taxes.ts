import type { AnswerOf } from '../../../operations/answers.ts';
import { plain } from './format.ts';

/* The taxes of a quote or of the options of a pack, as people read them. */

type Option = AnswerOf<'quote_pack'>['options'][number];
type Line = Pick<Option['items'][number], 'tax_percent' | 'second_tax_percent'>;
type Taxed = Pick<Option, 'tax_breakdown'> & { readonly items: readonly Line[] };

/** A tax in a document. Two taxes with the same rate have different names. */
export type Tax = { readonly name: string | undefined; readonly percent: number };

/** Every tax of any option except 0%, in the order of the option with the most taxes. */
export function taxesOf(options: readonly Taxed[]): readonly Tax[] {
  const rows = [...options]
    .sort((one, other) => other.tax_breakdown.length - one.tax_breakdown.length)
    .flatMap(({ tax_breakdown }) => tax_breakdown)
    .filter(({ tax_percent }) => tax_percent !== 0)
    .map(({ tax_name: name, tax_percent: percent }): [string, Tax] => [
      `${name} ${percent}`,
      { name, percent },
    ]);
  return [...new Map(rows).values()];
}

/** Whether lines have different taxes, or some have none, so that each line shows its own. */
export const hasRates = (options: readonly Taxed[]): boolean =>
  new Set(options.flatMap(({ items }) => items.map(rateText))).size > 1;

/** "20%", or "5% + 9.975%" for a line with two taxes */
export const rateText = ({ tax_percent, second_tax_percent = 0 }: Line): string =>
  `${plain(tax_percent)}%${second_tax_percent === 0 ? '' : ` + ${plain(second_tax_percent)}%`}`;

const rowOf = ({ tax_breakdown }: Taxed, { name, percent }: Tax) =>
  tax_breakdown.find(({ tax_name, tax_percent }) => tax_name === name && tax_percent === percent);

/** The amount of a tax in an option. */
export const taxAt = (option: Taxed, tax: Tax): number => rowOf(option, tax)?.tax_amount ?? 0;

/**
 * The base of that tax; null if it adds no information: with one rate for all lines, or if the option does not have the
 * tax.
 */
export const taxedAt = (options: readonly Taxed[], option: Taxed, tax: Tax): number | null =>
  hasRates(options) ? (rowOf(option, tax)?.taxable_amount ?? null) : null;
