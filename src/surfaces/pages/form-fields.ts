import type { Operation } from '../../catalog/operation.ts';
import { inputSchema, type Schema } from '../../catalog/schema.ts';
import { CHOICE_LABELS, FIELD_TEXTS, type FieldText, inWords, labelFromName } from './form-texts.ts';
import { fieldTextsOf } from './views/views.ts';
import type { NumberKind } from './written-number.ts';

/** A field of a form: its schema, and its text for owners. */
export type FormField = Pick<FieldText, 'label' | 'help' | 'example' | 'unit' | 'isLong'> & {
  readonly name: string;
  readonly kind: 'decimal' | 'integer' | 'date' | 'choice' | 'currency' | 'country' | 'flag' | 'text';
  readonly required: boolean;
  /** The description from the API, for agents that fill in the form. */
  readonly hint: string;
  /** The labels of a choice by value; empty for other kinds. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** The default as text; null if the text does not mention one. */
  readonly fallback: string | null;
  /** Bounds of a number; null for other kinds. */
  readonly number: NumberKind | null;
};

/** A list of rows. The inputs of a row are named `items.unit_price`. */
export type FormList = {
  readonly name: string;
  readonly label: string;
  readonly fields: readonly FormField[];
  readonly maxRows: number;
};

export type FormModel = { readonly fields: readonly FormField[]; readonly lists: readonly FormList[] };

/**
 * Inputs that a form replaces: the owner enters the price of a line and selects its options, and the document names the
 * tax.
 */
const FOR_PROGRAMS: ReadonlySet<string> = new Set([
  ...['tiers', 'unit_cost', 'margin_percent', 'markup_percent'].map((name) => `items.${name}`),
  'tax_name',
]);

const isQuoted = ({ name }: Operation): boolean => name.startsWith('quote_');

/** The form of an operation: every input field that a form has, in order, with lists separate. */
export function formOf(operation: Operation): FormModel {
  const { properties, required } = shapeOf(inputSchema(operation));
  const texts = { ...FIELD_TEXTS, ...fieldTextsOf(operation.name) };
  const fields: FormField[] = [];
  const lists: FormList[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    // On a page, the format of the answer is fixed.
    if (name === operation.form || (isQuoted(operation) && FOR_PROGRAMS.has(name))) continue;
    if (schema.type === 'array' && (schema.items as Schema).type === 'object')
      lists.push(listOf(name, schema, texts));
    else fields.push(fieldOf({ name, schema, required: required.includes(name), text: texts[name] }));
  }
  return { fields, lists };
}

function shapeOf(schema: Schema) {
  const { properties = {}, required = [] } = schema;
  return { properties: properties as Record<string, Schema>, required: required as readonly string[] };
}

function listOf(name: string, schema: Schema, texts: Readonly<Record<string, FieldText>>): FormList {
  const { properties, required } = shapeOf(schema.items as Schema);
  return {
    name,
    label: texts[name]?.label ?? labelFromName(name),
    fields: Object.entries(properties).flatMap(([part, of]) => {
      const path = `${name}.${part}`;
      if (FOR_PROGRAMS.has(path)) return [];
      // A program may send a cost instead; a form has only the price.
      const isRequired = required.includes(part) || path === 'items.unit_price';
      return inRow(fieldOf({ name: path, schema: of, required: isRequired, text: texts[path] }));
    }),
    maxRows: Number(schema.maxItems),
  };
}

/**
 * A field in a row. Every row must submit all of its inputs, but browsers do not submit an unchecked checkbox. An empty
 * row must have only empty values, so the default of a choice has the empty value.
 */
function inRow(field: FormField): FormField {
  const { kind, fallback } = field;
  if (kind !== 'choice' && kind !== 'flag') return field;
  const options = kind === 'flag' ? YES_OR_NO : field.options;
  return {
    ...field,
    kind: 'choice',
    fallback: '',
    options: options.map(({ value, label }) => ({ value: value === fallback ? '' : value, label })),
  };
}

const YES_OR_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

type FieldSource = {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly text: FieldText | undefined;
};

function fieldOf({ name, schema, required, text }: FieldSource): FormField {
  const { title, description = '', default: fallback } = schema;
  const own = name.slice(name.lastIndexOf('.') + 1);
  return {
    label: typeof title === 'string' ? title : labelFromName(own),
    help: inWords(String(description)),
    ...text,
    name,
    kind: kindOf(own, schema),
    required,
    hint: inWords(String(description)),
    options: ((schema.enum ?? []) as readonly string[]).map((value) => ({
      value,
      label: CHOICE_LABELS[`${own}.${value}`] ?? CHOICE_LABELS[value] ?? labelFromName(value),
    })),
    fallback: fallback === undefined ? null : String(fallback),
    number: numberOf(schema),
  };
}

function kindOf(name: string, schema: Schema): FormField['kind'] {
  if (name === 'currency' || name === 'country') return name;
  if (schema.enum !== undefined) return 'choice';
  if (schema.format === 'date') return 'date';
  if (schema.type === 'number') return 'decimal';
  if (schema.type === 'integer') return 'integer';
  return schema.type === 'boolean' ? 'flag' : 'text';
}

const numberOf = ({ type, minimum, maximum }: Schema): NumberKind | null =>
  type === 'number' || type === 'integer'
    ? { min: Number(minimum), max: Number(maximum), hasDecimals: type === 'number' }
    : null;
