import type { Input } from './numbers.ts';

/* The rows of a list: how many there are, and one more. What people do with them is in row-tools.ts. */

export const rowsOf = (list: Element): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[data-row]')];

export const inputsOf = (row: Element): Input[] => [...row.querySelectorAll<Input>('[name]:not(button)')];

export const isEmpty = (row: Element): boolean => inputsOf(row).every(({ value }) => value.trim() === '');

/** Adds an empty row to a list, after the last one or after `before`, and gives its first input; null when the list is full. */
export function addRow(list: HTMLElement, before = rowsOf(list).at(-1)): Input | null {
  if (before === undefined || rowsOf(list).length >= Number(list.dataset.max)) return null;
  const row = before.cloneNode(true) as HTMLElement;
  clear(row);
  before.after(row);
  renumber(list);
  return row.querySelector<Input>('[name]');
}

export function clear(row: HTMLElement): void {
  for (const input of inputsOf(row)) {
    input.value = '';
    input.removeAttribute('aria-invalid');
  }
  for (const said of row.querySelectorAll('.fault, .understood, .line-total')) said.replaceChildren();
}

/** Numbers the ids and labels of the rows from the top. */
export function renumber(list: HTMLElement): void {
  for (const [number, row] of rowsOf(list).entries()) {
    const moved = (id: string): string => id.replace(/^(f-[a-z]+-)\d+-/, `$1${number}-`);
    for (const part of row.querySelectorAll('[id]')) part.id = moved(part.id);
    for (const label of row.querySelectorAll('label')) label.htmlFor = moved(label.htmlFor);
    for (const input of inputsOf(row)) input.setAttribute('aria-describedby', `${input.id}-fault`);
    for (const named of row.querySelectorAll<HTMLElement>('[aria-label]'))
      named.ariaLabel = (named.ariaLabel ?? '').replace(/\d+$/, String(number + 1));
  }
}
