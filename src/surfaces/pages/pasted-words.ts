import type { Pasted, PastedRow } from './pasted-rows.ts';

// One wrong column has a cell in each line.
const MOST_NAMED = 3;

type BecamePasted = Pasted & {
  /** How many of the rows there was room for. */
  readonly count: number;
  /** Numbers that were not understood. */
  readonly unread: readonly { readonly label: string; readonly value: string }[];
  /** The most lines that a form takes. */
  readonly most: number;
};

/** What became of pasted lines: nothing is left out, guessed or not understood without a word. */
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

/** Lines for which a price is asked: no total comes before. A row of words alone is mostly the head of a section. */
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
