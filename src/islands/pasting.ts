import { type Pasted, type PastedRow, pastedRows } from '../surfaces/pages/pasted-rows.ts';
import { type Input, questionAt, showUnderstood } from './numbers.ts';
import { addRow, inputsOf, isEmpty, rowsOf } from './rows.ts';

/* Rows of a spreadsheet that are pasted into a list; loaded apart from the page, since few need it. */

/** Writes the lines in a text into a list, from `row` on, and says what became of them. */
export function pasteRows(form: HTMLFormElement, list: HTMLElement, row: HTMLElement, text: string): string {
  const pasted = pastedRows(text);
  const filled = fill(list, row, pasted.rows);
  showUnderstood(form);
  const unread = filled.flatMap(inputsOf).filter((input) => questionAt(form, input) !== null);
  return pastedText(filled.length, pasted, unread, list.dataset.max ?? '');
}

// One wrong column has a cell in each line.
const MOST_NAMED = 3;

/** What became of pasted lines: nothing is left out, guessed or not understood without a word. */
function pastedText(
  count: number,
  { rows, leftOut, guess }: Pasted,
  unread: readonly Input[],
  most: string,
): string {
  const over = rows.length - count;
  const more = unread.length - MOST_NAMED;
  const named = unread
    .slice(0, MOST_NAMED)
    .map(({ ariaLabel, value }) => `${ariaLabel} (“${value}”)`)
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

/** Writes pasted lines into empty rows from `first` on, into new ones before what is written; returns those for which there was room. */
function fill(list: HTMLElement, first: HTMLElement, lines: readonly PastedRow[]): HTMLElement[] {
  const filled: HTMLElement[] = [];
  // While it was loaded, the row may have been removed.
  let row = first.isConnected ? first : (rowsOf(list).at(-1) ?? first);
  for (const [count, line] of lines.entries()) {
    const rows = rowsOf(list);
    const next = count === 0 ? row : rows[rows.indexOf(row) + 1];
    const free =
      next !== undefined && isEmpty(next) ? next : addRow(list, row)?.closest<HTMLElement>('[data-row]');
    if (!free) break;
    row = free;
    filled.push(row);
    for (const input of inputsOf(row))
      input.value = line[input.name.slice(input.name.indexOf('.') + 1) as keyof PastedRow] ?? '';
  }
  return filled;
}
