import { type Input, isNumber, labelRate, questionAt, showUnderstood } from './numbers.ts';
import { offerPlaces } from './places.ts';
import { showLineTotals, startRows } from './rows.ts';

/** Shows what was understood of what is written in a form. */
export function showWritten(form: HTMLFormElement): void {
  showUnderstood(form);
  showLineTotals(form);
  labelRate(form);
}

/** Gives a form what only a script can: lines to move and paste, places, and what was understood. */
export function startForm(form: HTMLFormElement, isFresh: boolean): void {
  const status = document.querySelector<HTMLElement>('#status');
  startRows(form, (text) => {
    if (status) status.textContent = text;
  });
  offerPlaces(form, isFresh);
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement) target.dataset.chosen = '';
  });
  showWritten(form);
}

/** The same for a form whose faults only the service tells: what could not be read is asked when a field is left. */
export function startPaidForm(form: HTMLFormElement, isFresh: boolean): void {
  startForm(form, isFresh);
  form.addEventListener('input', () => showWritten(form));
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
