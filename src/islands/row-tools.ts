import { currencyDigits } from '../domain/currency.ts';
import { type Micros, micros, minorNumber, productOf } from '../domain/money.ts';
import { amountText } from '../surfaces/pages/views/format.ts';
import { elementOf } from './element.ts';
import { loadLater } from './load-later.ts';
import { asRead, isNumber } from './numbers.ts';
import { clear, inputsOf, renumber, rowsOf } from './rows.ts';

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
      // An empty first cell begins with a tab.
      const text = (event.clipboardData?.getData('text/plain') ?? '').trimEnd().replace(/^[\r\n]+/, '');
      const input = event.target as HTMLInputElement;
      const row = input.closest<HTMLElement>('[data-row]');
      if (row === null || !/[\t\n\r]/.test(text)) return;
      event.preventDefault();
      said.textContent = 'Reading what you pasted.';
      void pasting()
        .then(({ pasteRows }) => pasteRows(form, list, row, text))
        .catch(() => {
          input.setRangeText?.(text.replace(/\s+/g, ' '));
          return NOT_READ;
        })
        .then((became) => {
          said.textContent = became;
          say(became);
          form.dispatchEvent(new Event('input', { bubbles: true }));
        });
    });
    setTimeout(() => {
      if (navigator.onLine) pasting().catch(() => {});
    }, PASTING_MS);
  }
}

// Nobody copies rows elsewhere and is back sooner; until then the page loads what it needs at once.
const PASTING_MS = 3_000;
const NOT_READ =
  'The rows could not be read, because the connection was lost: they stand in one field as they are. Paste them again once it is back, or after loading the page again.';

let reader: Promise<typeof import('./pasting.ts')> | null = null;

/** What reads pasted rows, loaded a while after the page, so that it is there without a connection, too. */
function pasting() {
  reader ??= loadLater(() => import('./pasting.ts'));
  reader.catch(() => {
    reader = null;
  });
  return reader;
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

/** Shows the total of each line that has a price. */
function showLineTotals(form: HTMLFormElement): void {
  const currency = form.querySelector<HTMLSelectElement>('[name="currency"]')?.value || 'USD';
  const digits = currencyDigits(currency);
  for (const row of form.querySelectorAll('[data-row]')) {
    const output = row.querySelector('.line-total');
    if (output === null || digits === null) continue;
    const price = valueIn(form, row, 'unit_price');
    const quantity = valueIn(form, row, 'quantity', '1');
    output.textContent =
      price === null || quantity === null
        ? ''
        : amountText(minorNumber(productOf(quantity, price, digits), digits), currency);
  }
}

/** A number of a row; null where it is not understood, or empty and without a default. */
function valueIn(form: HTMLFormElement, row: Element, name: string, fallback = ''): Micros | null {
  const input = inputsOf(row).find((one) => one.name.endsWith(`.${name}`));
  return input !== undefined && isNumber(input) ? micros(asRead(form, input) || fallback) : null;
}
