import { COUNTRY_PATTERN, CURRENCY_PATTERN } from '../../catalog/fields.ts';
import { methodsOf, type Operation } from '../../catalog/operation.ts';
import { inputSchema, type Schema } from '../../catalog/schema.ts';
import { costOf, type Routed } from '../site.ts';

/** The legend of the input lines. */
export const INPUT_LEGEND =
  '* means required, a date is YYYY-MM-DD, and text 60 is text of at most 60 characters';

/**
 * An operation with its input on one line: `GET or POST /v1/late-fee-notice (0.01 USD): amount* number
 * 0.01..1000000000, …`.
 */
export function inputLine(operation: Routed): string {
  const { route } = operation;
  return `${methodsOf(route).join(' or ')} ${route.path} (${costOf(operation)}): ${inOneLine(inputSchema(operation))}`;
}

/**
 * The inputs of an operation, one per line, with the fields of list items below their list: for people, who read down a
 * column.
 */
export function inputColumn(operation: Operation): string {
  const rows = rowsOf(inputSchema(operation), '  ');
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, kind]) => `${name.padEnd(width)}  ${kind}`).join('\n');
}

/** The fields of an object, with a mark for required ones and the default of the others. */
const fieldsOf = ({ properties = {}, required = [] }: Schema) =>
  Object.entries(properties).map(([name, field]) => ({
    field,
    name: required.includes(name) ? `${name}*` : name,
    fallback: field.default === undefined ? '' : ` = ${field.default}`,
  }));

const rowsOf = (schema: Schema, indent: string): (readonly [string, string])[] =>
  fieldsOf(schema).flatMap(({ field, name, fallback }) => {
    const { items, minItems, maxItems } = field;
    if (items?.type !== 'object') return [[`${indent}${name}`, `${kindOf(field)}${fallback}`] as const];
    const kind = `list of ${minItems}..${maxItems}, each with${fallback}`;
    return [[`${indent}${name}`, kind] as const, ...rowsOf(items, `${indent}  `)];
  });

const inOneLine = (schema: Schema): string =>
  fieldsOf(schema)
    .map(({ field, name, fallback }) => `${name} ${kindOf(field)}${fallback}`)
    .join(', ');

function kindOf(field: Schema): string {
  const { type, format, pattern, minimum, maximum, minItems = 0, maxItems, maxLength, items = {} } = field;
  if (Array.isArray(field.enum)) return field.enum.join('|');
  if (type === 'array') return `list of ${minItems}..${maxItems} ${kindOf(items)}`;
  if (type === 'object') return `{${inOneLine(field)}}`;
  if (type === 'boolean') return 'true|false';
  if (type === 'number') return `number ${minimum}..${maximum}`;
  if (type === 'integer') return `whole number ${minimum}..${maximum}`;
  if (format === 'date') return 'date';
  if (pattern === CURRENCY_PATTERN) return 'ISO 4217 code';
  if (pattern === COUNTRY_PATTERN) return 'ISO 3166-1 alpha-2 code';
  if (typeof pattern === 'string') return 'words separated by commas';
  return `text ${maxLength}`;
}
