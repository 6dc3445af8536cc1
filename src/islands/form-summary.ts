import type { FormValues } from '../surfaces/pages/form-values.ts';
import { longDay } from '../surfaces/pages/views/long-day.ts';
import { writtenIn } from './form.ts';
import type { Input } from './numbers.ts';
import { inputsOf, rowsOf } from './rows.ts';

const MAX_ROWS = 3;
const MAX_LETTERS = 300;

/**
 * The values of a form with all choices as the page shows them: a choice that was submitted comes back as if it were the
 * default, and what is paid for must be what the page shows.
 */
export function valuesToBuy(form: HTMLFormElement): FormValues {
  const { fields, lists } = writtenIn(form);
  const choices = [...form.querySelectorAll<HTMLSelectElement>('.fields select[name]')];
  const shown = choices.filter(({ value }) => value !== '').map(({ name, value }) => [name, value]);
  return { fields: { ...fields, ...Object.fromEntries(shown) }, lists };
}

/** The values of a form in a line, without default choices: "Amount of the invoice 1250, It was due on 4 November 2026". */
export function summaryOf(form: HTMLFormElement): string {
  const fields = [...form.querySelectorAll<Input>('.fields [name]')].flatMap((input) => {
    const text = textOf(input);
    return text === '' ? [] : [`${labelOf(form, input)} ${isolated(text)}`];
  });
  const lists = [...form.querySelectorAll<HTMLElement>('[data-list]')].flatMap((list) => {
    const rows = rowsOf(list)
      .map((row) => inputsOf(row).map(textOf).filter(Boolean))
      .filter((texts) => texts.length > 0)
      .map((texts) => texts.map(isolated).join(' '));
    const more = rows.length - MAX_ROWS;
    const shown = rows.slice(0, MAX_ROWS).join('; ');
    const label = list.querySelector('legend')?.textContent ?? '';
    return rows.length === 0 ? [] : [`${label}: ${shown}${more > 0 ? `; and ${more} more` : ''}`];
  });
  const line = [...lists, ...fields].join(', ');
  return line.length > MAX_LETTERS ? `${closed(line.slice(0, MAX_LETTERS))}…` : line;
}

const RUNS_FROM_RIGHT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** What runs from right to left between marks that keep the words around it where they are; markup cannot, in a text. */
const isolated = (text: string): string => (RUNS_FROM_RIGHT.test(text) ? `\u2068${text}\u2069` : text);

/** A line that was cut, with the mark that ends what runs from right to left. */
const closed = (cut: string): string =>
  cut.lastIndexOf('\u2068') > cut.lastIndexOf('\u2069') ? `${cut}\u2069` : cut;

function textOf(input: Input): string {
  if (input instanceof HTMLSelectElement) {
    const [chosen] = input.selectedOptions;
    const isLeft = input.ariaRequired !== 'true' && chosen?.defaultSelected;
    return isLeft || input.value === '' ? '' : (chosen?.textContent ?? '').trim();
  }
  if (input instanceof HTMLInputElement && input.type === 'checkbox') return input.checked ? 'yes' : '';
  return input.type === 'date' ? longDay(input.value) : input.value.trim().replace(/\s*\n\s*/g, ', ');
}

const labelOf = (form: HTMLFormElement, { id, name }: Input): string =>
  form.querySelector(`label[for="${CSS.escape(id)}"]`)?.firstChild?.textContent?.trim() ?? name;
