import { currencyDigits } from '../domain/currency.ts';
import { type Micros, micros, minorNumber, productOf } from '../domain/money.ts';
import { type PastedRow, pastedRows } from '../surfaces/pages/pasted-rows.ts';
import { amountText } from '../surfaces/pages/views/format.ts';
import { elementOf } from './element.ts';
import { asRead, isNumber } from './numbers.ts';
import { addRow, clear, inputsOf, renumber, rowsOf } from './rows.ts';

/*
 * What people do with the lines of a list: moved and removed by buttons, for touch and keyboard alike, pasted from a
 * spreadsheet, each with its total.
 */

/** What a form does with its lists; a form without lists needs none of it. */
export type RowTools = {
  readonly start: (form: HTMLFormElement, say: (text: string) => void) => void;
  readonly show: (form: HTMLFormElement) => void;
};

export const rowTools: RowTools = { start: startRows, show: showLineTotals };

type Act = 'up' | 'down' | 'remove';

/** Starts the buttons and the pasting of every list; `say` announces changes to screen readers. */
function startRows(form: HTMLFormElement, say: (text: string) => void): void {
  for (const list of form.querySelectorAll<HTMLElement>('[data-list]')) {
    renumber(list);
    list.addEventListener('click', ({ target }) => {
      const button = (target as Element).closest('button[data-act]');
      const row = button?.closest<HTMLElement>('[data-row]');
      if (!button || !row) return;
      act(list, row, button.getAttribute('data-act') as Act, say);
      form.dispatchEvent(new Event('input', { bubbles: true }));
    });
    const said = elementOf('p', 'hint pasted');
    list.append(said);
    list.addEventListener('paste', (event) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      const row = (event.target as Element).closest<HTMLElement>('[data-row]');
      if (row === null || !/[\t\n\r]/.test(text.trim())) return;
      event.preventDefault();
      const { rows, leftOut } = pastedRows(text);
      said.textContent = pastedText(fill(list, row, rows), rows.length, leftOut, list.dataset.max ?? '');
      say(said.textContent);
      form.dispatchEvent(new Event('input', { bubbles: true }));
    });
  }
}

/** What became of pasted lines: nothing is left out without a word. */
function pastedText(count: number, all: number, leftOut: readonly string[], most: string): string {
  const room =
    count < all ? ` The last ${all - count} were not: there is room for ${most} lines in all.` : '';
  const columns = leftOut.length > 0 ? ` Left out: ${leftOut.join(', ')}.` : '';
  return `${count} ${count === 1 ? 'line' : 'lines'} pasted.${room}${columns}`;
}

function act(list: HTMLElement, row: HTMLElement, act: Act, say: (text: string) => void): void {
  const rows = rowsOf(list);
  const number = rows.indexOf(row);
  if (act === 'remove') {
    const next = rows[number + 1] ?? rows[number - 1];
    if (next === undefined) clear(row);
    else row.remove();
    renumber(list);
    (next ?? row).querySelector<HTMLElement>('[name]')?.focus();
    say(`Line ${number + 1} removed.`);
    return;
  }
  const other = rows[number + (act === 'up' ? -1 : 1)];
  if (other === undefined) return;
  if (act === 'up') other.before(row);
  else other.after(row);
  renumber(list);
  row.querySelector<HTMLElement>(`[data-act="${act}"]`)?.focus();
  say(`Line ${number + 1} is line ${rowsOf(list).indexOf(row) + 1} now.`);
}

const isEmpty = (row: Element): boolean => inputsOf(row).every(({ value }) => value.trim() === '');

/** Writes pasted lines into empty rows from `first` on, into new ones before what is written; returns for how many there was room. */
function fill(list: HTMLElement, first: HTMLElement, lines: readonly PastedRow[]): number {
  let row = first;
  for (const [count, line] of lines.entries()) {
    const rows = rowsOf(list);
    const next = count === 0 ? row : rows[rows.indexOf(row) + 1];
    const free =
      next !== undefined && isEmpty(next) ? next : addRow(list, row)?.closest<HTMLElement>('[data-row]');
    if (!free) return count;
    row = free;
    for (const input of inputsOf(row))
      input.value = line[input.name.slice(input.name.indexOf('.') + 1) as keyof PastedRow] ?? '';
  }
  return lines.length;
}

/** Shows the total of each line that has a price. */
function showLineTotals(form: HTMLFormElement): void {
  const currency = form.querySelector<HTMLSelectElement>('[name="currency"]')?.value || 'USD';
  const digits = currencyDigits(currency);
  for (const row of form.querySelectorAll('[data-row]')) {
    const output = row.querySelector('.line-total');
    if (output === null || digits === null) continue;
    const price = valueIn(form, row, 'unit_price');
    const quantity = valueIn(form, row, 'quantity') ?? micros('1');
    output.textContent =
      price === null || quantity === null
        ? ''
        : amountText(minorNumber(productOf(quantity, price, digits), digits), currency);
  }
}

function valueIn(form: HTMLFormElement, row: Element, name: string): Micros | null {
  const input = inputsOf(row).find((one) => one.name.endsWith(`.${name}`));
  return input !== undefined && isNumber(input) ? micros(asRead(form, input)) : null;
}
