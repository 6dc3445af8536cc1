import { COUNTRY_PATTERN, CURRENCY_PATTERN } from '../../../catalog/fields.ts';
import type { Operation } from '../../../catalog/operation.ts';
import { fieldsAs, type Schema, spokenInput } from '../../../catalog/schema.ts';
import { CURRENCY_CODES } from '../../../domain/currency.ts';
import { COUNTRY_CODES } from '../../../domain/regions.ts';
import { ref } from './pieces.ts';

/** Codes are listed in this document, which has room for hundreds; lower case is accepted as well. */
const CODES: readonly { readonly name: string; readonly pattern: string; readonly schema: Schema }[] = [
  {
    name: 'CurrencyCode',
    pattern: CURRENCY_PATTERN,
    schema: { type: 'string', enum: [...CURRENCY_CODES], description: 'ISO 4217 code.' },
  },
  {
    name: 'CountryCode',
    pattern: COUNTRY_PATTERN,
    schema: { type: 'string', enum: [...COUNTRY_CODES], description: 'ISO 3166-1 alpha-2 code.' },
  },
];

/** The component schemas of codes. */
export const codeSchemas = (): Readonly<Record<string, Schema>> =>
  Object.fromEntries(CODES.map(({ name, schema }) => [name, schema]));

/** An operation's input as the document shows it, for validation and generated types. */
export function documentedInput(operation: Operation): Schema {
  const schema = spokenInput(operation);
  return { ...schema, properties: fieldsAs(schema, withCodes) };
}

function withCodes(field: Schema): Schema {
  const code = CODES.find(({ pattern }) => pattern === field.pattern);
  if (code === undefined) return field;
  const { description, examples } = field;
  return { ...ref('schemas', code.name), description, ...(examples !== undefined && { examples }) };
}
