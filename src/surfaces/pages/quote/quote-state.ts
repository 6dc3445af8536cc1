import { TIERS, type TierName } from '../../../domain/pack-options.ts';
import type { Fault } from '../../../domain/result.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { ACCENTS } from '../documents/brand.ts';
import { BLANK, inNameOf, type Letterhead } from '../documents/letterhead.ts';
import { paymentFaults } from '../documents/payment-link.ts';
import { linesOf } from '../documents/sheet.ts';
import type { FormField, FormModel } from '../form-fields.ts';
import type { Understood } from '../form-reading.ts';
import { LETTERHEAD_LABELS as LABELS } from '../form-texts.ts';
import { type FormValues, isWritten, type Row } from '../form-values.ts';
import type { LiveValues, Write } from '../live-fields.tsx';
import type { Choice, Pasted } from '../pasted-rows.ts';

/** A line of the form. Its key does not change when the line moves. */
export type Line = { readonly key: number; readonly values: Row };

/** The user's text for a quote, unchanged. */
export type Written = {
  readonly lines: readonly Line[];
  readonly fields: Readonly<Record<string, string>>;
  readonly letterhead: Letterhead;
};

export type Body = AnswerOf<'quote_totals'>;

/** The result of that text. */
export type Worked = {
  /** The answer for all lines that are complete so far; null if none is. */
  readonly body: Body | null;
  /** Form positions of the lines in the answer. */
  readonly counted: readonly number[];
  /** Faults, with the positions of lines in the form. */
  readonly faults: readonly Fault[];
  /** The interpretation of each number, by its pointer. */
  readonly numbers: ReadonlyMap<string, Understood>;
};

/** Rows from a spreadsheet, with the keys of their lines and a report on them. */
export type PastedLines = {
  readonly table: Pasted;
  readonly choice: Choice;
  readonly keys: readonly number[];
  readonly says: string;
};

/** Actions of the page while its script runs. Fields have the names of the inputs. */
export type Acts = {
  readonly write: Write;
  readonly writeLine: (key: number, name: string, value: string) => void;
  readonly add: () => void;
  readonly move: (key: number, by: 1 | -1) => void;
  readonly remove: (key: number) => void;
  readonly drag: (key: number, event: unknown) => void;
  readonly paste: (key: number, event: unknown) => void;
  /** Chooses the meaning of a column of the pasted rows. */
  readonly chooseColumn: (part: keyof Choice, index: number) => void;
  /** Adds the pasted rows that were left out. */
  readonly addLeftOut: () => void;
  readonly send: () => void;
  readonly beginAnew: () => void;
  readonly remember: (isWanted: boolean) => void;
  /** Draws the logo from a file; null removes it. */
  readonly chooseLogo: (file: File | null) => void;
};

/** The data that fields need, with the answer for the complete lines. */
export type FieldsOf = LiveValues & { readonly worked: Worked };

/** The name of the list in a quote. */
export const LIST = 'items';

/** The values of a form, with the positions of the lines that are not blank. */
export function valuesOf({ lines, fields }: Written): { values: FormValues; places: readonly number[] } {
  const quoted = lines.map(({ values: { tier: _, tiers: __, markup: ___, ...values } }) => values);
  const places = quoted.flatMap((values, place) => (isWritten(values) ? [place] : []));
  const rows = places.map((place) => withUnit(quoted[place] ?? {}));
  return { values: { fields, lists: { [LIST]: rows } }, places };
}

// Each pattern begins with a fixed text, so its time grows only in proportion to the length of a price.
const UNIT_AT_END = /(?:\/|\b(?:per|an?)\b(?! cent))\s*(\p{L}{1,20}[23²³]?)\.?$/iu;
const EACH_AT_END = /(?:\/ ?|\bper )?\bea(?:ch)?\.?$/i;
const COUNTED = /^(\d[\d.,]{0,20}) {0,3}(\p{L}[23²³]|h|hrs?|\p{Lu}?\p{Ll}{2,20})\.?$/u;
// These are not units: "2 hundred" is not a quantity of 2. The reader of numbers explains the error.
const NO_UNIT = /^(?:percent|(?:hundred|thousand|million|lakh|crore|euro|dollar|buck)s?|eur|usd|gbp|quid)$/i;
const HOURS = /^(?:h|hrs?|hours)$/i;

/** "2 hours", "12/hr", "40 per day" or "9 each" as numbers and a unit, unless the line has another unit. */
function withUnit(values: Row): Row {
  const { quantity = '', unit_price = '', unit = '' } = values;
  const [, number, word = ''] = COUNTED.exec(quantity.trim()) ?? [];
  const [count, counted] = NO_UNIT.test(word) ? [undefined, ''] : [number, word];
  const text = unit_price.trim().replace(EACH_AT_END, '').trimEnd();
  const per = UNIT_AT_END.exec(text);
  const price = text.slice(0, per?.index).trimEnd();
  const isPriced = price !== unit_price.trim() && /\d/.test(price);
  const words = [inSingular(counted), (isPriced && per?.[1]) || ''];
  const units = [unit.trim(), ...words.map((word) => (HOURS.test(word) ? 'hour' : word))].filter(Boolean);
  if (new Set(units.map((word) => word.toLowerCase())).size > 1) return values;
  return {
    ...values,
    ...(count !== undefined && { quantity: count }),
    ...(isPriced && { unit_price: price }),
    ...(units[0] !== undefined && { unit: units[0] }),
  };
}

const inSingular = (word: string): string => word.replace(/(?<=ch|sh|x|ss)es$|(?<=\p{L}{2}[^s])s$/iu, '');

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

/** A text of a document as a field of its form. */
export function paperField(
  name: string,
  label: string,
  more: Partial<Pick<FormField, 'isLong' | 'example' | 'help'>> = {},
): FormField {
  const nothing = { help: '', hint: '', options: [], fallback: null, number: null };
  return { ...nothing, example: label, ...more, name: `paper.${name}`, label, kind: 'text', required: false };
}

/** Every value outside the lines, by the name of its input. */
export function valuesOnPaper({
  fields,
  letterhead,
}: Omit<Written, 'lines'>): Readonly<Record<string, string>> {
  const onPaperOnly = Object.entries(letterhead).map(([name, text]) => [`paper.${name}`, text]);
  return { ...fields, ...Object.fromEntries(onPaperOnly) };
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

/*
 * Links, forms and drafts of the quote pack use the names of its operation. On the page of a quote, some of these
 * values belong to the document and some to the step of three options.
 */

/** An option above the first. */
export type HigherTier = Exclude<TierName, 'good'>;

/** An addition to a more expensive option; with a price, it is a separate line. */
export type Addition = {
  readonly text: string;
  readonly price: string;
  /** Whether the page proposed the price and the owner has not decided on it. */
  readonly isGuess?: boolean;
};

/** The owner's input for the three options. */
export type OptionsWritten = {
  readonly trade: string;
  readonly better: readonly Addition[];
  readonly best: readonly Addition[];
  /** Further fields of the operation, by name. */
  readonly fields: Readonly<Record<string, string>>;
};

export const NO_OPTIONS: OptionsWritten = {
  trade: '',
  better: [],
  best: [],
  fields: {},
};

type Apart = {
  readonly written: Written;
  /** Omitted if there is nothing about three options. */
  readonly options?: OptionsWritten | undefined;
};

/** Splits the input into the quote and its three options; `known` are the further fields of that step. */
export function optionsApart(all: Written, known: readonly { readonly name: string }[]): Apart {
  const { trade = '', better_adds = '', best_adds = '', ...others } = all.fields;
  const names = new Set(known.map(({ name }) => name));
  const isSaid = ([, text]: readonly [string, string]): boolean => text.trim() !== '';
  const entries = Object.entries(others).filter(isSaid);
  const written = {
    lines: all.lines,
    fields: Object.fromEntries(entries.filter(([name]) => !names.has(name) && !ON_PAPER.has(name))),
    letterhead: named(others, all.letterhead),
  };
  const options = {
    ...NO_OPTIONS,
    trade,
    better: additionsIn(better_adds),
    best: additionsIn(best_adds),
    fields: Object.fromEntries(entries.filter(([name]) => names.has(name))),
  };
  const isAny = JSON.stringify(options) !== JSON.stringify(NO_OPTIONS) || all.lines.some(hasOwnOptions);
  return { written, ...(isAny && { options }) };
}

const ON_PAPER: ReadonlySet<string> = new Set(['business_name', 'client_name', 'job', 'quote_number']);

/** The letterhead, filled from the pack's names for the same values. */
function named(fields: Readonly<Record<string, string>>, letterhead: Letterhead): Letterhead {
  const { business_name = '', client_name = '', job = '', quote_number = '' } = fields;
  const [client = '', ...address] = linesOf(letterhead.client);
  const isNamed = client_name.trim() === '' || client === client_name.trim();
  return {
    ...inNameOf(business_name, letterhead),
    business: business_name || letterhead.business,
    client: isNamed ? letterhead.client : [client_name.trim(), client, ...address].filter(Boolean).join('\n'),
    about: job || letterhead.about,
    number: quote_number || letterhead.number,
  };
}

const additionsIn = (phrases: string): OptionsWritten['better'] =>
  phrases
    .split(';')
    .map((text) => ({ text: text.trim(), price: '' }))
    .filter(({ text }) => text !== '');

/** The options that include a line; all three by default. */
export function tiersOf({ tier = '', tiers = '' }: Row): readonly TierName[] {
  const from = TIERS.indexOf(tier.trim().toLowerCase() as TierName);
  const listed = TIERS.filter((one) => tiers.toLowerCase().split(/\W+/).includes(one));
  return listed.length > 0 ? listed : TIERS.slice(Math.max(from, 0));
}

/** Whether the price of a line is the same in every option, whatever the markup. */
export const isFixed = ({ markup }: Row): boolean => markup === 'false';

export const hasOwnOptions = ({ values }: Line): boolean =>
  isFixed(values) || tiersOf(values).length < TIERS.length;
