import type { Operation, Price } from '../catalog/operation.ts';
import { loadDirectory } from '../directory/load.ts';
import { createCatalog } from '../operations/catalog.ts';
import { exampleTarget } from '../surfaces/discovery/inputs.ts';

/** A call of the demo: what to send, what it costs, and which parts of the answer to show. */
export type DemoCall = {
  readonly title: string;
  readonly path: string;
  readonly init?: RequestInit;
  readonly price: Price | null;
  readonly show: readonly string[];
};

// The shown paths of each answer, in reading order.
const shown: Readonly<Record<string, readonly string[]>> = {
  quote_totals: ['subtotal', 'discount_amount', 'tax_amount', 'total', 'formula.total', 'valid_until'],
  late_fee: ['days_late', 'late_fee', 'total_due', 'formula'],
  list_tools: [
    'count',
    'tools.0.name',
    'tools.0.check.quote',
    'tools.0.check.source_url',
    'tools.0.check.checked_on',
  ],
  late_fee_notice: ['fee.formula', 'fee.total_due', 'reminder.subject', 'reminder.body'],
  quote_pack: [
    'options.0.total',
    'options.1.total',
    'options.2.total',
    'cover_note.subject',
    'cover_note.body',
  ],
  small_business_stack_report: [
    'picks.0.need_name',
    'picks.0.tool.name',
    'picks.0.vendor_quote.text',
    'picks.0.vendor_quote.checked_on',
    'picks.0.why',
    'unmet',
    'getting_started',
  ],
};

const operations = createCatalog(loadDirectory());

/** The first paid operation, which the demo also buys over MCP. */
export const demoTool = operations.find(({ price }) => price !== null) as Operation;

/** Every operation with its documented example, over HTTP. */
export const demoCalls: readonly DemoCall[] = operations.flatMap((operation) => {
  const { route, title, price, name } = operation;
  if (route === null || route.path.includes('{')) return [];
  const call = { title, price, show: shown[name] ?? [], path: exampleTarget(operation) };
  if (route.method === 'GET') return [call];
  const headers = { 'content-type': 'application/json' };
  return [{ ...call, init: { method: 'POST', headers, body: JSON.stringify(operation.example) } }];
});

/**
 * "late_fee: 10.63", one line for each path, or for each field if no paths are given; texts with several lines are
 * indented.
 */
export function highlights(body: unknown, paths: readonly string[]): string[] {
  const wanted = paths.length === 0 ? Object.keys(body as object) : paths;
  return wanted.flatMap((path) => {
    const value = path
      .split('.')
      .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], body);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const [first = '', ...rest] = (text ?? '').split('\n');
    return rest.length === 0
      ? [`${path}: ${first}`]
      : [`${path}:`, ...[first, ...rest].map((line) => `  ${line}`)];
  });
}
