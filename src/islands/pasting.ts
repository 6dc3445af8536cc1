import { type PastedRow, pastedRows } from '../surfaces/pages/pasted-rows.ts';
import { pastedWords } from '../surfaces/pages/pasted-words.ts';
import { questionAt, showUnderstood } from './numbers.ts';
import { addRow, inputsOf, isEmpty, rowsOf } from './rows.ts';

/* Rows of a spreadsheet that are pasted into a list; loaded apart from the page, since few need it. */

/** Writes the lines in a text into a list, from `row` on, and says what became of them. */
export function pasteRows(form: HTMLFormElement, list: HTMLElement, row: HTMLElement, text: string): string {
  const pasted = pastedRows(text);
  const filled = fill(list, row, pasted.rows);
  showUnderstood(form);
  const unread = filled.flatMap(inputsOf).filter((input) => questionAt(form, input) !== null);
  const named = unread.map(({ ariaLabel, value }) => ({ label: ariaLabel ?? '', value }));
  return pastedWords({ ...pasted, count: filled.length, unread: named, most: Number(list.dataset.max) });
}

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
