import { methodsOf, type Operation } from '../../catalog/operation.ts';
import { inputSchema, type Schema } from '../../catalog/schema.ts';
import { COUNTRY_PATTERN, CURRENCY_PATTERN } from '../../catalog/word-fields.ts';
import type { Routed } from '../site.ts';

/** The legend of the input lines. */
export const INPUT_LEGEND = '* is required, a date is YYYY-MM-DD, a text is of so many characters at most';

/** An operation with its input in a line: `GET or POST /v1/late-fee-notice (0.01 USD): amount* number 0.01..1000000000, …`. */
export function inputLine(operation: Routed): string {
  const { route, price } = operation;
  const cost = price === null ? 'free' : `${price.usd} USD`;
  return `${methodsOf(route).join(' or ')} ${route.path} (${cost}): ${fieldsOf(inputSchema(operation))}`;
}

/** The inputs of an operation, one a line, those of a list's objects below it: for people, who read down a column. */
export function inputColumn(operation: Operation): string {
  const rows = rowsOf(inputSchema(operation), '  ');
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, kind]) => `${name.padEnd(width)}  ${kind}`).join('\n');
}

function rowsOf({ properties, required }: Schema, indent: string): (readonly [string, string])[] {
  const needed = (required ?? []) as readonly string[];
  return Object.entries((properties ?? {}) as Record<string, Schema>).flatMap(([name, field]) => {
    const items = field.items as Schema | undefined;
    const isOfObjects = items?.type === 'object';
    const kind = isOfObjects ? `list of ${field.minItems}..${field.maxItems}, each with` : kindOf(field);
    const fallback = field.default === undefined ? '' : ` = ${field.default}`;
    return [
      [`${indent}${name}${needed.includes(name) ? '*' : ''}`, `${kind}${fallback}`] as const,
      ...(isOfObjects ? rowsOf(items as Schema, `${indent}  `) : []),
    ];
  });
}

function fieldsOf({ properties, required }: Schema): string {
  const needed = (required ?? []) as readonly string[];
  return Object.entries((properties ?? {}) as Record<string, Schema>)
    .map(([name, field]) => {
      const fallback = field.default === undefined ? '' : ` = ${field.default}`;
      return `${name}${needed.includes(name) ? '*' : ''} ${kindOf(field)}${fallback}`;
    })
    .join(', ');
}

function kindOf(field: Schema): string {
  const { type, format, pattern, minimum, maximum, minItems = 0, maxItems, maxLength } = field;
  if (Array.isArray(field.enum)) return field.enum.join('|');
  if (type === 'array') return `list of ${minItems}..${maxItems} ${kindOf(field.items as Schema)}`;
  if (type === 'object') return `{${fieldsOf(field)}}`;
  if (type === 'boolean') return 'true|false';
  if (type === 'number') return `number ${minimum}..${maximum}`;
  if (type === 'integer') return `whole number ${minimum}..${maximum}`;
  if (format === 'date') return 'date';
  if (pattern === CURRENCY_PATTERN) return 'ISO 4217 code';
  if (pattern === COUNTRY_PATTERN) return 'ISO 3166-1 alpha-2 code';
  if (typeof pattern === 'string') return 'words with commas between';
  return `text ${maxLength}`;
}
