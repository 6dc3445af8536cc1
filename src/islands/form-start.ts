import { keepAddress } from './inner-links.ts';
import { type Input, isNumber, labelRate, questionAt, showUnderstood } from './numbers.ts';
import { offerRegions } from './regions.ts';
import { type RowTools, rowTools } from './row-tools.ts';

/** Shows what was understood of the values in a form. */
export function showWritten(form: HTMLFormElement, rows?: RowTools): void {
  showUnderstood(form);
  rows?.show(form);
  labelRate(form);
}

/** Adds what needs a script: lines to move and paste, regional choices, and what was understood. */
export function startForm(form: HTMLFormElement, isFresh: boolean, rows?: RowTools): void {
  const status = document.querySelector<HTMLElement>('#status');
  rows?.start(form, (text) => {
    if (status) status.textContent = text;
  });
  offerRegions(form, isFresh);
  keepAddress();
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement) target.dataset.chosen = '';
  });
  showWritten(form, rows);
}

/** The same for a form that only the service validates: numbers that were not understood are asked about on leaving a field. */
export function startPaidForm(form: HTMLFormElement, isFresh: boolean): void {
  startForm(form, isFresh, rowTools);
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
