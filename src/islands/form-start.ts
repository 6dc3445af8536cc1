import { mayReplace } from './form.ts';
import { keepAddress } from './inner-links.ts';
import { type Input, isNumber, labelRate, questionAt, showUnderstood } from './numbers.ts';
import { offerRegions } from './regions.ts';
import { type RowTools, rowTools } from './row-tools.ts';
import { addRow } from './rows.ts';

/** Shows what was understood of the values in a form. */
function showWritten(form: HTMLFormElement, rows?: RowTools): void {
  showUnderstood(form);
  rows?.show(form);
  labelRate(form);
}

/** What happens when the form is submitted, and when its example is asked for, whose values are a query. */
export type Acts = { readonly ask: () => void; readonly fill: (query: string) => void };

/** Adds what needs a script: lines to add, move and paste, regional choices, and what was understood. */
function startForm(form: HTMLFormElement, isFresh: boolean, acts: Acts, rows?: RowTools): void {
  const status = document.querySelector<HTMLElement>('#status');
  rows?.start(form, (text) => {
    if (status) status.textContent = text;
  });
  offerRegions(form, isFresh);
  keepAddress();
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement) target.dataset.chosen = '';
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const add = event.submitter?.closest('[data-add]')?.closest<HTMLElement>('[data-list]');
    if (add) addRow(add)?.focus();
    else acts.ask();
  });
  const example = document.querySelector<HTMLAnchorElement>('[data-example]');
  example?.addEventListener('click', (event) => {
    event.preventDefault();
    if (mayReplace(form)) acts.fill(example.search);
  });
  showWritten(form, rows);
}

/** The same for a form that only the service validates: numbers that were not understood are asked about on leaving a field. */
export function startPaidForm(form: HTMLFormElement, isFresh: boolean, acts: Acts): void {
  startForm(form, isFresh, acts, rowTools);
  form.addEventListener('input', () => showWritten(form, rowTools));
  form.addEventListener('focusout', ({ target }) => {
    const input = target as Input;
    if (!(target as Element).matches('[data-number]') || !isNumber(input)) return;
    const place = form.querySelector<HTMLElement>(`#${CSS.escape(`${input.id}-fault`)}`);
    const question = questionAt(form, input);
    if (place === null || (question === null && place.querySelector('span') === null)) return;
    place.replaceChildren(...(question ?? []));
    if (question === null) input.removeAttribute('aria-invalid');
    else input.ariaInvalid = 'true';
  });
}
