import type { Pasted, PastedRow } from './pasted-rows.ts';

// One wrong column has a wrong cell in every line.
const MOST_NAMED = 3;

type BecamePasted = Pasted & {
  /** The number of rows that fit. */
  readonly count: number;
  /** Numbers that were not understood. */
  readonly unread: readonly { readonly label: string; readonly value: string }[];
  /** The maximum number of lines in a form. */
  readonly most: number;
};

/** A report on pasted lines: it names everything that was omitted, guessed or not understood. */
export function pastedWords({ count, rows, leftOut, guess, unread, most }: BecamePasted): string {
  const over = rows.length - count;
  const more = unread.length - MOST_NAMED;
  const named = unread
    .slice(0, MOST_NAMED)
    .map(({ label, value }) => `${label} (“${value}”)`)
    .join('; ');
  return [
    `${count} ${count === 1 ? 'line' : 'lines'} pasted.`,
    over > 0 && `The last ${over} were not: there is room for ${most} lines in all.`,
    leftOut.length > 0 && `Left out: ${leftOut.join('; ')}.`,
    guess && `Read as “${guess.description ?? ''}”: ${readAs(guess)}.`,
    withoutPrice(rows.slice(0, count)),
    named !== '' && `Not understood: ${named}${more > 0 ? `, and ${more} more` : ''}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Lines that still need a price, if no total comes before them. A row of only words is usually a section heading. */
function withoutPrice(lines: readonly PastedRow[]): string {
  const unpriced = lines.filter(({ unit_price }) => !unit_price);
  if (unpriced.length === 0) return '';
  if (unpriced.length === lines.length) return 'No line has a price yet.';
  const names = unpriced.slice(0, MOST_NAMED).map(({ description }) => `“${description ?? ''}”`);
  const more = unpriced.length - names.length;
  const [have, remove] =
    unpriced.length === 1
      ? ['1 line has', 'The head of a section, probably: remove it']
      : [`${unpriced.length} lines have`, 'Heads of sections, probably: remove them'];
  const isHead = unpriced.every(({ quantity, tax_percent }) => !quantity && !tax_percent);
  return `${have} no price: ${names.join('; ')}${more > 0 ? `, and ${more} more` : ''}.${isHead ? ` ${remove}, or write a price.` : ''}`;
}

const readAs = ({ quantity, unit_price: price, tax_percent: tax }: PastedRow): string =>
  [quantity && `quantity ${quantity}`, `price of one ${price}`, tax && `tax in percent ${tax}`]
    .filter(Boolean)
    .join(', ');
