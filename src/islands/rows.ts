import { currencyDigits } from '../domain/currency.ts';
import { type Micros, micros, minorNumber, productOf } from '../domain/money.ts';
import { amountText } from '../surfaces/pages/views/format.ts';
import { asRead, type Input, isNumber } from './numbers.ts';

/*
 * The lines of a list: added, removed and moved by buttons, for touch and keyboard alike, pasted from a spreadsheet,
 * each with its total.
 */

export const rowsOf = (list: Element): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[data-row]')];

const inputsOf = (row: Element): Input[] => [...row.querySelectorAll<Input>('[name]:not(button)')];

/** Adds an empty row to a list, after the last one, and gives its first input; null when the list is full. */
export function addRow(list: HTMLElement): Input | null {
  const rows = rowsOf(list);
  const last = rows.at(-1);
  if (last === undefined || rows.length >= Number(list.dataset.max)) return null;
  const row = last.cloneNode(true) as HTMLElement;
  clear(row);
  last.after(row);
  renumber(list);
  return row.querySelector<Input>('[name]');
}

function clear(row: HTMLElement): void {
  for (const input of inputsOf(row)) {
    input.value = '';
    input.removeAttribute('aria-invalid');
  }
  for (const said of row.querySelectorAll('.fault, .understood, .line-total')) said.replaceChildren();
}

/** Numbers the ids and labels of the rows from the top. */
function renumber(list: HTMLElement): void {
  for (const [number, row] of rowsOf(list).entries()) {
    const moved = (id: string): string => id.replace(/^(f-[a-z]+-)\d+-/, `$1${number}-`);
    for (const part of row.querySelectorAll('[id]')) part.id = moved(part.id);
    for (const label of row.querySelectorAll('label')) label.htmlFor = moved(label.htmlFor);
    for (const input of inputsOf(row)) input.setAttribute('aria-describedby', `${input.id}-fault`);
    for (const named of row.querySelectorAll<HTMLElement>('[aria-label]'))
      named.ariaLabel = (named.ariaLabel ?? '').replace(/\d+$/, String(number + 1));
  }
}

type Act = 'up' | 'down' | 'remove';

/** Starts the buttons and the pasting of every list; `say` announces changes to screen readers. */
export function startRows(form: HTMLFormElement, say: (text: string) => void): void {
  for (const list of form.querySelectorAll<HTMLElement>('[data-list]')) {
    renumber(list);
    list.addEventListener('click', ({ target }) => {
      const button = (target as Element).closest('button[data-act]');
      const row = button?.closest<HTMLElement>('[data-row]');
      if (!button || !row) return;
      act(list, row, button.getAttribute('data-act') as Act, say);
      form.dispatchEvent(new Event('input', { bubbles: true }));
    });
    list.addEventListener('paste', (event) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      const row = (event.target as Element).closest<HTMLElement>('[data-row]');
      if (row === null || !/[\t\n\r]/.test(text.trim())) return;
      event.preventDefault();
      // Few people paste, so the module is loaded only then.
      void import('../surfaces/pages/pasted-rows.ts').then(({ pastedRows }) => {
        const count = fill(list, row, pastedRows(text));
        say(`${count} ${count === 1 ? 'line' : 'lines'} pasted.`);
        form.dispatchEvent(new Event('input', { bubbles: true }));
      });
    });
  }
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

/** Writes pasted lines over the rows from `first` on, and returns how many there was room for. */
function fill(
  list: HTMLElement,
  first: HTMLElement,
  lines: readonly Readonly<Record<string, string>>[],
): number {
  const start = rowsOf(list).indexOf(first);
  let count = 0;
  for (const line of lines) {
    if (rowsOf(list)[start + count] === undefined && addRow(list) === null) break;
    const row = rowsOf(list)[start + count];
    if (row === undefined) break;
    for (const input of inputsOf(row)) {
      const value = line[input.name.slice(input.name.indexOf('.') + 1)];
      if (value !== undefined) input.value = value;
    }
    count += 1;
  }
  return count;
}

/** Shows the total of each line that has a price. */
export function showLineTotals(form: HTMLFormElement): void {
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
