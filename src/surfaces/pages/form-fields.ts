import type { Operation } from '../../catalog/operation.ts';
import { inputSchema, type Schema } from '../../catalog/schema.ts';
import { CHOICE_WORDS, inWords, wordsOf } from './form-words.ts';

/** A field of a form, as its schema describes it. */
export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly kind: 'decimal' | 'integer' | 'date' | 'choice' | 'flag' | 'text';
  readonly required: boolean;
  readonly hint: string;
  /** Words of a choice by their value; empty for other kinds. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** What is used when the field is left out, as text; null when nothing is said of it. */
  readonly fallback: string | null;
  readonly maxLength: number | null;
};

/** A list of rows; the inputs of a row are named `items.unit_price`. */
export type FormList = {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly fields: readonly FormField[];
  readonly maxRows: number;
};

export type FormModel = { readonly fields: readonly FormField[]; readonly lists: readonly FormList[] };

/** The form of an operation: every field of its input that says what is asked for, in order, lists apart. */
export function formOf(operation: Operation): FormModel {
  const { properties, required } = shapeOf(inputSchema(operation));
  const fields: FormField[] = [];
  const lists: FormList[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    // A page shows its answer in its own form.
    if (name === operation.form) continue;
    if (schema.type === 'array' && (schema.items as Schema).type === 'object')
      lists.push(listOf(name, schema));
    else fields.push(fieldOf(name, schema, required.includes(name)));
  }
  return { fields, lists };
}

function shapeOf(schema: Schema) {
  const { properties = {}, required = [] } = schema;
  return { properties: properties as Record<string, Schema>, required: required as readonly string[] };
}

function listOf(name: string, schema: Schema): FormList {
  const { properties, required } = shapeOf(schema.items as Schema);
  return {
    name,
    label: wordsOf(name),
    hint: String(schema.description ?? ''),
    fields: Object.entries(properties).map(([field, of]) =>
      inRow(fieldOf(`${name}.${field}`, of, required.includes(field))),
    ),
    maxRows: Number(schema.maxItems),
  };
}

/**
 * A field as a row has it. Every row sends all of its inputs, which a box that is not ticked would not, and a row in
 * which nothing was written says nothing, so that what a choice falls back to is written as nothing.
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

function fieldOf(name: string, schema: Schema, required: boolean): FormField {
  const { title, description = '', default: fallback, maxLength } = schema;
  return {
    name,
    label: typeof title === 'string' ? title : wordsOf(name.slice(name.lastIndexOf('.') + 1)),
    kind: kindOf(schema),
    required,
    hint: inWords(String(description)),
    options: ((schema.enum ?? []) as readonly string[]).map((value) => ({
      value,
      label: CHOICE_WORDS[value] ?? wordsOf(value),
    })),
    fallback: fallback === undefined ? null : String(fallback),
    maxLength: typeof maxLength === 'number' ? maxLength : null,
  };
}

function kindOf(schema: Schema): FormField['kind'] {
  if (schema.enum !== undefined) return 'choice';
  if (schema.format === 'date') return 'date';
  if (schema.type === 'number') return 'decimal';
  if (schema.type === 'integer') return 'integer';
  return schema.type === 'boolean' ? 'flag' : 'text';
}
