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

/** A rule that no schema expresses: the code of its fault, and the rule as a sentence. */
type InputRule = { readonly code: string; readonly says: string };

/** The spellings that are accepted in addition to those in the schemas. */
export const ALSO_ACCEPTED =
  'Beyond the schemas, the service accepts a number or boolean as text ("1250.00", "true"), a code in lower case, a list as JSON text, a list of texts as one text with semicolons, and a list of words instead of words separated by commas. It ignores null and blank text.';

/**
 * Every rule of an input that its schema does not have. The documents show these rules, and the test that generates
 * inputs from the schemas obeys them.
 */
export const inputRules: readonly InputRule[] = [
  {
    code: 'too_precise',
    says: 'A number has at most six decimal places. amount, round_unit_to and round_total_to have at most as many as the currency (USD two, JPY none).',
  },
  {
    code: 'invalid_number',
    says: 'A number in a query or in text is digits with an optional decimal point, without an exponent.',
  },
  { code: 'invalid_date', says: 'A date is a calendar day, 1970-01-01 or later.' },
  {
    code: 'out_of_range',
    says: 'rate is at most 1000 for monthly_percent and annual_percent, 10 for daily_percent; amount_paid and payments are less than the amounts, and payments, paid_on and earlier_reminders are not in the future; min_fee is at most max_fee, discount_amount at most the subtotal, deposit_amount at most the total.',
  },
  {
    code: 'required',
    says: 'jurisdiction needs its currency; reference_rate needs jurisdiction; claim statutory needs jurisdiction and, if we have no rate, reference_rate; a flat fee in a currency without cents needs rate; an item has unit_price or unit_cost.',
  },
  {
    code: 'invalid_currency',
    says: 'A currency is the ISO 4217 code of a currency in use; jurisdiction GB needs GBP, and EU needs EUR.',
  },
  { code: 'invalid_country', says: 'A country is an ISO 3166-1 alpha-2 code.' },
  {
    code: 'too_long',
    says: 'Texts have the maximum lengths above; the schemas of MCP tools omit them.',
  },
  {
    code: 'invoice_not_overdue',
    says: 'A notice is only for overdue invoices: each due_date is before paid_date.',
  },
  { code: 'date_in_future', says: 'The paid_date of a notice is not after today (UTC).' },
  {
    code: 'unreadable',
    says: 'payments is a text such as "250 on 2026-09-20; 100 on 2026-10-03", more_invoices one such as "500 due 2026-09-15 as INV-8 of 2026-08-15; 90 due 2026-10-01" (number and date are optional); either may also be a list of objects with amount, date, due_date and number.',
  },
  {
    code: 'not_together',
    says: 'claim is not statutory with client_is_consumer; paid_on excludes paid_date, amount_paid and claim reserve or none; amount_paid excludes payments; accrual month_begun needs monthly_percent or flat; compound needs a percentage and excludes payments.',
  },
  {
    code: 'percent_and_amount',
    says: 'discount_percent and discount_amount exclude each other, and so do deposit_percent and deposit_amount.',
  },
  {
    code: 'price_and_cost',
    says: 'An item has a unit_price, or a unit_cost with either margin_percent or markup_percent; never both.',
  },
  { code: 'negative_subtotal', says: 'The items of a quote add up to at least 0.' },
  { code: 'negative_total', says: 'With tax, they also add up to at least 0.' },
  { code: 'total_too_large', says: 'No total is above 999,999,999,999.99.' },
  { code: 'no_good_line', says: 'At least one item of a pack is in the good option.' },
  { code: 'no_line', says: 'At least one is in the better option, and one in the best.' },
  { code: 'tier_and_tiers', says: 'tier and tiers of an item exclude each other.' },
  { code: 'same_name', says: 'good_name, better_name and best_name differ.' },
  { code: 'best_below_better', says: 'best_markup_percent is at least better_markup_percent.' },
  {
    code: 'unknown_category',
    says: 'The values of category and needs are categories of GET /v1/tools, or common words for them.',
  },
  { code: 'too_many', says: 'payment_details has at most ten lines.' },
];

/** The parameters of a route's path, in order: `id` of `/v1/tools/{id}`. */
export const pathParameters = (operation: Operation): readonly string[] =>
  [...(operation.route?.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** The path and query of an operation's example, such as `/v1/late-fee?amount=1250&due_date=2026-11-04`. */
export function exampleTarget(operation: Operation): string {
  const { route } = operation;
  if (route === null) throw new Error(`Operation ${operation.name} is not reachable over HTTP`);
  if (route.method === 'POST') return route.path;
  const { example } = operation;
  const inPath = pathParameters(operation);
  const path = inPath.reduce<string>(
    (filled, name) => filled.replace(`{${name}}`, encodeURIComponent(String(example[name]))),
    route.path,
  );
  const query = new URLSearchParams();
  // A list becomes its texts joined by commas.
  for (const [name, value] of Object.entries(example))
    if (!inPath.includes(name)) query.set(name, `${value}`);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The example as a command that a developer can paste. */
export function exampleCommand(operation: Operation, baseUrl: string): string {
  const url = `${baseUrl}${exampleTarget(operation)}`;
  if (operation.route?.method === 'GET') return `curl -i '${url}'`;
  const body = JSON.stringify(operation.example).replaceAll("'", "'\\''");
  return `curl -i '${url}' -H 'Content-Type: application/json' -d '${body}'`;
}
