import type { Fault } from '../../../domain/result.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { ACCENTS } from '../documents/brand.ts';
import { BLANK, type Letterhead } from '../documents/letterhead.ts';
import { paymentFaults } from '../documents/payment-link.ts';
import type { FormField, FormModel } from '../form-fields.ts';
import type { Understood } from '../form-reading.ts';
import { LETTERHEAD_LABELS as LABELS } from '../form-texts.ts';
import { type FormValues, isWritten, type Row } from '../form-values.ts';

/** A line of the form. Its key does not change when the line moves. */
export type Line = { readonly key: number; readonly values: Row };

/** The user's text for a quote, unchanged. */
export type Written = {
  readonly lines: readonly Line[];
  readonly fields: Readonly<Record<string, string>>;
  readonly letterhead: Letterhead;
};

/** The result of that text. */
export type Worked = {
  /** The answer for all lines that are complete so far; null if none is. */
  readonly body: AnswerOf<'quote_totals'> | null;
  /** Form positions of the lines in the answer. */
  readonly counted: readonly number[];
  /** Faults, with the positions of lines in the form. */
  readonly faults: readonly Fault[];
  /** The interpretation of each number, by its pointer. */
  readonly numbers: ReadonlyMap<string, Understood>;
};

/** The name of the list in a quote. */
export const LIST = 'items';

/** The values of a form, with the positions of the lines that are not blank. */
export function valuesOf({ lines, fields }: Written): { values: FormValues; places: readonly number[] } {
  const places = lines.flatMap(({ values }, place) => (isWritten(values) ? [place] : []));
  const rows = places.map((place) => withUnit(lines[place]?.values ?? {}));
  return { values: { fields, lists: { [LIST]: rows } }, places };
}

// The pattern begins with a fixed text, so its time grows only in proportion to the length of a price.
const UNIT_AT_END = /(?:\/|\bper\b(?! cent))\s*(\p{L}{1,20}[23²³]?)\.?$/iu;
const HOURS = /^(?:h|hrs?)$/i;

/** "12/hr" or "40 per day" as a price and its unit, unless the line has another unit. */
function withUnit(values: Row): Row {
  const { unit_price = '', unit = '' } = values;
  const text = unit_price.trim();
  const found = UNIT_AT_END.exec(text);
  const [price, per = ''] = [text.slice(0, found?.index ?? 0).trimEnd(), found?.[1]];
  const named = HOURS.test(per) ? 'hour' : per;
  const isSame = ['', named.toLowerCase()].includes(unit.trim().toLowerCase());
  return !/\d/.test(price) || !isSame ? values : { ...values, unit_price: price, unit: named };
}

/** A fault of a line, with the position of that line in the form. */
export function placed(fault: Fault, places: readonly number[]): Fault {
  const [, list, index, ...rest] = fault.pointer.split('/');
  const place = list === LIST && index !== undefined ? places[Number(index)] : undefined;
  return place === undefined ? fault : { ...fault, pointer: ['', list, place, ...rest].join('/') };
}

let lastKey = 0;

/** A line with a new key. */
export const lineWith = (values: Row = {}): Line => {
  lastKey += 1;
  return { key: lastKey, values };
};

/** Values as lines, padded with blank ones up to `least`. */
export function writtenFrom({ fields, lists }: FormValues, letterhead: Letterhead, least: number): Written {
  const lines = (lists[LIST] ?? []).map(lineWith);
  while (lines.length < least) lines.push(lineWith());
  return { lines, fields, letterhead };
}

export const isBlank = ({ lines, fields, letterhead }: Written): boolean =>
  ![...lines.map(({ values }) => values), fields, letterhead].some(isWritten);

/** Values that only the document has, as fields of its form. */
export const PAPER_FIELDS: Readonly<Record<keyof typeof BLANK, FormField>> = {
  business: paperField('business', LABELS.business, { isLong: true }),
  contact: paperField('contact', LABELS.contact, { isLong: true, example: 'Address, phone, email' }),
  client: paperField('client', LABELS.client, { isLong: true }),
  number: paperField('number', LABELS.number, { example: 'Number' }),
  about: paperField('about', LABELS.about, { example: 'Garden at 4 Park Row' }),
  note: paperField('note', LABELS.note, { isLong: true }),
  tax: paperField('tax', LABELS.tax, { example: 'VAT' }),
  pay: paperField('pay', LABELS.pay, {
    example: 'https://buy.stripe.com/…',
    help: 'Your payment page, if you have one. Your client sees its full address.',
  }),
  accent: {
    ...paperField('accent', LABELS.accent),
    kind: 'choice',
    options: ACCENTS.map(([value, label]) => ({ value, label })),
    fallback: 'green',
  },
};

function paperField(
  name: keyof typeof BLANK,
  label: string,
  more: Partial<Pick<FormField, 'isLong' | 'example' | 'help'>> = {},
): FormField {
  const nothing = { help: '', hint: '', options: [], fallback: null, number: null };
  return { ...nothing, example: label, ...more, name: `paper.${name}`, label, kind: 'text', required: false };
}

/** The faults of the document's own fields. */
export const paperFaults = ({ pay }: Letterhead): readonly Fault[] =>
  paymentFaults(pay).map((detail) => ({ pointer: '/paper.pay', code: 'invalid_address', detail }));

/** The form with the document's fields that can have faults. */
export const withPaper = (form: FormModel): FormModel => ({
  ...form,
  fields: [...form.fields, PAPER_FIELDS.pay],
});

/**
 * The document field that an input of a form belongs to; null for other inputs. No operation uses the names of these
 * inputs.
 */
export const paperName = (name: string): keyof typeof BLANK | null => {
  const own = name.startsWith('paper.') ? name.slice('paper.'.length) : '';
  return Object.hasOwn(BLANK, own) ? (own as keyof typeof BLANK) : null;
};

/**
 * Whether a query or a fragment has a value for this form. Other parameters, such as those of campaigns, do not count.
 */
export function isMeantFor({ fields, lists }: FormModel, query: string): boolean {
  const names = new Set([...fields, ...lists.flatMap((list) => list.fields)].map(({ name }) => name));
  return [...new URLSearchParams(query).keys()].some((name) => names.has(name));
}

/** The user's text, with the letterhead that came with it. */
export type Sent = {
  readonly values: FormValues;
  readonly letterhead: Letterhead;
  readonly faults: readonly Fault[];
  readonly rows: number;
  readonly body: Worked['body'];
};

/** The result of a form sent to the server. */
export function workedFrom({ values, letterhead, faults, rows, body }: Sent): {
  written: Written;
  worked: Worked;
} {
  const written = writtenFrom(values, letterhead, rows);
  const { places } = valuesOf(written);
  const worked = {
    body,
    counted: places,
    faults: [...faults.map((fault) => placed(fault, places)), ...paperFaults(letterhead)],
    numbers: new Map(),
  };
  return { written, worked };
}
