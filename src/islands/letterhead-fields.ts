import type { Letterhead } from '../surfaces/pages/documents/letterhead.ts';
import { LETTERHEAD_LABELS as LABELS } from '../surfaces/pages/form-texts.ts';
import { elementOf } from './element.ts';
import { rememberChoice } from './own-details.ts';
import { OWN_NAMES } from './own-memory.ts';

/* What an owner adds to a document beside its answer; it stays in the browser. */

/** A field of a letterhead, as owners know it. */
export type Asked = {
  readonly name: keyof Letterhead;
  readonly label: string;
  readonly hint?: string;
  readonly rows?: number;
};

export const BUSINESS: Asked = { name: 'business', label: LABELS.business };
export const CONTACT: Asked = { name: 'contact', label: LABELS.contact, rows: 3 };
export const CLIENT: Asked = { name: 'client', label: LABELS.client, rows: 3 };
export const NUMBER: Asked = { name: 'number', label: LABELS.number, hint: 'Such as Q-118.' };
export const ABOUT: Asked = {
  name: 'about',
  label: LABELS.about,
  hint: 'Such as: Garden at 4 Park Row.',
};
export const NOTE: Asked = { name: 'note', label: LABELS.note, rows: 3 };
export const TAX: Asked = { name: 'tax', label: LABELS.tax, hint: 'Such as VAT or GST.' };

/** The choice to remember what a letterhead says of the owner's business. */
export const choiceOf = (id: string, inputs: readonly HTMLInputElement[]): HTMLElement =>
  rememberChoice(
    `${id}-own`,
    inputs.flatMap((input) => {
      const detail = OWN_NAMES[input.dataset.paper as keyof typeof OWN_NAMES];
      return detail === undefined ? [] : [[detail, input] as const];
    }),
  );

/** A field of the letterhead of the document with this id. */
export function fieldOf(id: string, { name, label, hint, rows }: Asked, value: string): HTMLElement {
  const input = rows === undefined ? elementOf('input') : elementOf('textarea');
  input.id = `${id}-${name}`;
  input.dataset.paper = name;
  input.autocomplete = 'off';
  input.dir = 'auto';
  if (input instanceof HTMLTextAreaElement) input.rows = rows ?? 1;
  input.value = value;
  const words = elementOf('label', '', label);
  words.htmlFor = input.id;
  const field = elementOf('div', 'field', words, input);
  if (hint !== undefined) {
    const help = elementOf('p', 'hint', hint);
    help.id = `${input.id}-hint`;
    input.setAttribute('aria-describedby', help.id);
    field.append(help);
  }
  return field;
}
