import { commonSigns, spokenNumber, type Understood, understood } from '../surfaces/pages/form-reading.ts';
import { RATE_LABELS } from '../surfaces/pages/form-texts.ts';
import { groupingOf, unmistakable } from '../surfaces/pages/written-number.ts';
import { button, elementOf } from './element.ts';

/*
 * Number fields as people write into them: what was understood is shown beside them, and what could be two numbers is
 * asked about.
 */

export type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const grouping = groupingOf(navigator.language);
// The API refuses a number that ends like this, so that what was not understood is never calculated with.
const UNREAD = '?';

export const isNumber = (input: Input): input is HTMLInputElement => input.dataset.number !== undefined;

const currencyField = (form: HTMLFormElement): HTMLSelectElement | null =>
  form.querySelector('select[name="currency"]');

function understoodAt(form: HTMLFormElement, input: HTMLInputElement, signs = signsIn(form)): Understood {
  const { name, value, dataset } = input;
  const kind = {
    min: Number(dataset.min),
    max: Number(dataset.max),
    hasDecimals: dataset.number === 'decimal',
  };
  const currency = currencyField(form);
  return understood(name, value, kind, {
    grouping,
    // A currency that the page proposed was not chosen.
    currency: currency?.dataset.chosen === undefined || currency.value === '' ? null : currency.value,
    signs,
    rateType: form.querySelector<HTMLSelectElement>('[name="rate_type"]')?.value ?? '',
  });
}

const numbersIn = (form: HTMLFormElement) => form.querySelectorAll<HTMLInputElement>('[data-number]');

/** What the signs of a form mean, as they were when its numbers were last shown. */
const signsIn = (form: HTMLFormElement): readonly string[] => form.dataset.signs?.split(' ') ?? [];

/** What an input says as the API takes it. */
export function asRead(form: HTMLFormElement, input: HTMLInputElement): string {
  const found = understoodAt(form, input);
  if (found === null) return '';
  return 'plain' in found ? found.plain : `${input.value}${UNREAD}`;
}

/** A value of a link as it is written into an input, in a form that cannot be read as another number. */
export const shown = (input: Input, value: string): string =>
  isNumber(input) ? (value.endsWith(UNREAD) ? value.slice(0, -1) : unmistakable(value)) : value;

/** What is asked at an input that was not understood, with a button for each answer; null where all is clear. */
export function questionAt(form: HTMLFormElement, input: Input): readonly HTMLElement[] | null {
  if (!isNumber(input)) return null;
  const found = understoodAt(form, input);
  if (found === null || 'plain' in found) return null;
  const choose = (choice: string): void => {
    input.value = unmistakable(choice);
    input.focus();
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return [
    elementOf('span', '', found.says),
    ...found.choices.map((choice) =>
      // Without a mark that the question is about.
      button(choice, () => choose(choice), 'quiet choice'),
    ),
  ];
}

/** Shows what was understood at every number that is not written as plainly, and follows a sign that was written. */
export function showUnderstood(form: HTMLFormElement): void {
  follow(form);
  for (const input of numbersIn(form)) {
    const found = understoodAt(form, input);
    const plain = found !== null && 'plain' in found ? found.plain : null;
    const isPlain = plain === null || plain === input.value.trim();
    const place = placeFor(input, !isPlain);
    if (place !== null)
      place.textContent = isPlain
        ? ''
        : `= ${spokenNumber(input.name, plain, currencyField(form)?.value ?? '')}`;
  }
}

function placeFor(input: HTMLInputElement, isWanted: boolean): HTMLElement | null {
  const id = `${input.id}-read`;
  const known = input.form?.querySelector<HTMLElement>(`#${CSS.escape(id)}`) ?? null;
  if (known !== null || !isWanted) return known;
  const place = elementOf('p', 'understood');
  place.id = id;
  input.after(place);
  return place;
}

/** The signs that were written say the currency where nobody has chosen one. */
function follow(form: HTMLFormElement): void {
  const signs = commonSigns(
    [...numbersIn(form)].map((input) => {
      const found = understoodAt(form, input, []);
      return found !== null && 'plain' in found ? found.currencies : [];
    }),
  );
  const [first] = signs;
  delete form.dataset.signs;
  if (first === undefined) return;
  form.dataset.signs = signs.join(' ');
  const field = currencyField(form);
  if (field?.dataset.chosen === undefined && field && !signs.includes(field.value)) field.value = first;
}

/** Labels the rate by the chosen way of charging; only interest per month has a rate that is used where it is empty. */
export function labelRate(form: HTMLFormElement): void {
  const type = form.querySelector<HTMLSelectElement>('[name="rate_type"]')?.value ?? '';
  const words = form.querySelector('label[for="f-rate"]')?.firstChild;
  if (words && RATE_LABELS[type] !== undefined) words.textContent = RATE_LABELS[type];
  const needed = type !== '' && type !== 'monthly_percent';
  form.querySelector('label[for="f-rate"] .optional')?.toggleAttribute('hidden', needed);
  const hint = form.querySelector<HTMLElement>('#f-rate-hint');
  if (hint === null) return;
  hint.dataset.all ??= hint.textContent ?? '';
  hint.textContent = needed ? 'As in your terms.' : hint.dataset.all;
}
