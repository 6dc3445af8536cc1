import type { Fault } from '../domain/result.ts';
import { ownersWords } from '../surfaces/pages/fault-words.ts';
import {
  FaultSummary,
  faultTarget,
  type LabelledField,
  type LabelledForm,
} from '../surfaces/pages/form-faults.tsx';
import { type FormValues, formValues } from '../surfaces/pages/form-values.ts';
import { nodesOf } from './element.ts';
import { asRead, type Input, isNumber, questionAt, shown } from './numbers.ts';
import { addRow, inputsOf, isEmpty, rowsOf } from './rows.ts';

// Faults are shown in the page's own words, also those for which a browser would not submit the form.
document.querySelector('#form')?.setAttribute('novalidate', '');

/** The values of a form, numbers as the API takes them; empty rows are left out. */
export function writtenIn(form: HTMLFormElement): FormValues {
  const pairs = inputsOf(form).flatMap((input): [string, string][] => {
    if (input.type === 'checkbox') return (input as HTMLInputElement).checked ? [[input.name, 'true']] : [];
    // A choice that shows its default was not made. In a row the default is empty, and is sent as such.
    const isLeft = input instanceof HTMLSelectElement && input.value === defaultOf(input);
    if (isLeft && input.closest('[data-row]') === null) return [];
    // A date that does not exist has no value; left out, the field would count as today.
    if (input.validity.badInput) return [[input.name, NO_SUCH_DAY]];
    return [[input.name, isNumber(input) ? asRead(form, input) : input.value]];
  });
  return formValues(pairs);
}

const NO_SUCH_DAY = 'no such day';

/** Whether a query or a fragment has a field of this form; others, such as those of campaigns, are not meant for it. */
export function isMeantFor(form: HTMLFormElement, query: string): boolean {
  const names = new Set(inputsOf(form).map(({ name }) => name));
  return [...new URLSearchParams(query).keys()].some((name) => names.has(name));
}

/** Whether the page came with values: those of its address, or of a form that was sent before the script ran. */
export const hasSentValues = (form: HTMLFormElement): boolean =>
  isMeantFor(form, location.search) || inputsOf(form).some(cameFilled);

function cameFilled(input: Input): boolean {
  if (!(input instanceof HTMLSelectElement)) return input.type !== 'checkbox' && input.defaultValue !== '';
  const { value = input.dataset.default } = input.querySelector<HTMLOptionElement>('option[selected]') ?? {};
  return value !== input.dataset.default;
}

/** The form as its labels describe it, to word its faults. */
function modelOf(form: HTMLFormElement): LabelledForm {
  const lists = [...form.querySelectorAll<HTMLFieldSetElement>('[data-list]')].map((set) => ({
    name: set.dataset.list ?? '',
    label: set.querySelector('legend')?.textContent ?? '',
    fields: [...(set.querySelector('[data-row]')?.querySelectorAll<Input>('[name]') ?? [])].map((input) =>
      fieldOf(input, (input.getAttribute('aria-label') ?? '').split(',')[0] ?? ''),
    ),
  }));
  const fields = [...form.querySelectorAll<Input>('.fields [name]')].map((input) =>
    fieldOf(input, form.querySelector(`label[for="${input.id}"]`)?.firstChild?.textContent ?? ''),
  );
  return { fields, lists };
}

const fieldOf = ({ name, ariaRequired }: Input, label: string): LabelledField => ({
  name,
  label,
  required: ariaRequired === 'true',
});

/** Rows in which something was written, in order: the rows that a fault's number counts. */
const writtenRows = (list: Element): HTMLElement[] => rowsOf(list).filter((row) => !isEmpty(row));

/** A fault of a row, counted as the rows of the page are. */
function asCounted(form: HTMLFormElement, fault: Fault): Fault {
  const [, name = '', index, ...rest] = fault.pointer.split('/');
  const list = form.querySelector(`[data-list="${CSS.escape(name)}"]`);
  const row = list && writtenRows(list)[Number(index)];
  if (!list || !row) return fault;
  const number = rowsOf(list).indexOf(row);
  return { ...fault, pointer: ['', name, number, ...rest].join('/') };
}

/** The input that a fault is about. Faults count only the rows in which something was written. */
function inputAt(form: HTMLFormElement, fault: Fault, model: LabelledForm): Input | null {
  const [, name = '', index, part] = fault.pointer.split('/');
  const list = form.querySelector(`[data-list="${CSS.escape(name)}"]`);
  const target = faultTarget(fault, model);
  if (list === null) return target === null ? null : form.querySelector(`#${CSS.escape(target)}`);
  const row = writtenRows(list)[Number(index ?? 0)] ?? rowsOf(list)[0];
  const all = row === undefined ? [] : inputsOf(row);
  return (
    all.find((input) => input.name === `${name}.${part}`) ??
    all.find(({ ariaRequired }) => ariaRequired === 'true') ??
    null
  );
}

/** Shows faults at their fields, and above the form when `inSummary`; an empty list removes them. */
export function showFaults(form: HTMLFormElement, faults: readonly Fault[], inSummary: boolean): void {
  const model = modelOf(form);
  const found = faults.map((fault) => ({ fault, input: inputAt(form, fault, model) }));
  for (const paragraph of form.querySelectorAll('.fault')) paragraph.replaceChildren();
  for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid');
  for (const { fault, input } of found) {
    const place = input && form.querySelector(`#${CSS.escape(`${input.id}-fault`)}`);
    if (!input || !place) continue;
    input.ariaInvalid = 'true';
    input.closest('details')?.setAttribute('open', '');
    // A number that was not understood is asked about; the API could only say that it is not a number.
    const question = questionAt(form, input);
    if (question !== null) place.replaceChildren(...question);
    else {
      const text = ownersWords(fault);
      place.textContent = place.textContent ? `${place.textContent}; ${text}` : text;
    }
  }
  const summary = form.querySelector('#faults');
  if (summary === null) return;
  const said = inSummary ? found : [];
  const listed = said.map(({ fault, input }) => asCounted(form, asAsked(form, fault, input)));
  const [rendered] = nodesOf(FaultSummary({ faults: listed, form: model }));
  summary.replaceChildren(...(rendered?.childNodes ?? []));
  for (const [index, link] of summary.querySelectorAll('li').entries())
    link.querySelector('a')?.addEventListener('click', (event) => {
      event.preventDefault();
      found[index]?.input?.focus();
    });
}

/** A fault in the words of the question that is asked about its number, where one is. */
function asAsked(form: HTMLFormElement, fault: Fault, input: Input | null): Fault {
  const [question] = (input && questionAt(form, input)) ?? [];
  return question === undefined
    ? fault
    : { ...fault, detail: question.textContent ?? '', hint: undefined as never };
}

/** Writes values into a form, with as many rows as they need; the other fields become empty. */
export function write(form: HTMLFormElement, { fields, lists }: FormValues): void {
  for (const input of form.querySelectorAll<Input>('.fields [name]')) {
    const value = fields[input.name];
    if (input instanceof HTMLInputElement && input.type === 'checkbox') input.checked = value === 'true';
    else input.value = value === undefined ? defaultOf(input) : shown(input, value);
    if (input instanceof HTMLSelectElement) input.toggleAttribute('data-chosen', input.value !== '');
  }
  for (const list of form.querySelectorAll<HTMLElement>('[data-list]')) {
    const rows = lists[list.dataset.list ?? ''] ?? [];
    // It was said of rows that are replaced.
    list.querySelector('.pasted')?.replaceChildren();
    while (rowsOf(list).length < rows.length) if (addRow(list) === null) break;
    for (const [number, row] of rowsOf(list).entries())
      for (const input of inputsOf(row))
        input.value = shown(input, rows[number]?.[input.name.slice(input.name.indexOf('.') + 1)] ?? '');
  }
}

/** The default of a choice; the `selected` of the page is the value that was submitted. */
const defaultOf = (input: Input): string => input.dataset.default ?? '';

/** Whether the example may take the place of what was written: asked where there is something to lose. */
export const mayReplace = (form: HTMLFormElement): boolean =>
  isUntouched(form) || confirm('Put the example in the place of what you wrote?');

/** Opens the folds in which something stands: what a link brought is seen before it is paid for. */
export function unfold(form: HTMLFormElement): void {
  for (const input of inputsOf(form))
    if (!isProposed(input)) input.closest('details')?.setAttribute('open', '');
}

/** Whether nothing was written or chosen; what the page proposed does not count. */
export const isUntouched = (form: HTMLFormElement): boolean => inputsOf(form).every(isProposed);

function isProposed(input: Input): boolean {
  if (input instanceof HTMLSelectElement)
    return input.dataset.chosen === undefined || input.value === defaultOf(input);
  if (input instanceof HTMLInputElement && input.type === 'checkbox') return !input.checked;
  return input.value.trim() === '' && !input.validity.badInput;
}
