import { methodsOf } from '../../catalog/operation.ts';
import { inputSchema, type Schema } from '../../catalog/schema.ts';
import { COUNTRY_PATTERN, CURRENCY_PATTERN } from '../../catalog/word-fields.ts';
import type { Routed } from '../site.ts';

/** What the marks of an input line mean. */
export const INPUT_LEGEND = '* is required, a date is YYYY-MM-DD, a text is of so many characters at most';

/** An operation with its input in a line: `GET or POST /v1/late-fee-notice (0.01 USD): amount* number 0.01..1000000000, …`. */
export function inputLine(operation: Routed): string {
  const { route, price } = operation;
  const cost = price === null ? 'free' : `${price.usd} USD`;
  return `${methodsOf(route).join(' or ')} ${route.path} (${cost}): ${fieldsOf(inputSchema(operation))}`;
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
