import { cleanLine } from '../../../domain/text.ts';
import { plain } from '../views/format.ts';

/** A line of a quote, and the option of a pack that it belongs to. */
type Line = {
  readonly description: string;
  readonly quantity: number;
  readonly unit_price: number;
  readonly tax_percent: number;
  readonly line_total: number;
};

type Priced =
  | { readonly currency: string; readonly items: readonly Line[] }
  | {
      readonly currency: string;
      readonly options: readonly { readonly label: string; readonly items: readonly Line[] }[];
    };

/** Lines as a spreadsheet reads them (RFC 4180). */
export function linesCsv(body: Priced): string {
  const options = 'options' in body ? body.options : [{ label: null, items: body.items }];
  const head = ['Description', 'Quantity', 'Price of one', 'Tax percent', 'Amount', 'Currency'];
  const rows = options.flatMap(({ label, items }) =>
    items.map((line) => [
      ...(label === null ? [] : [textCell(label)]),
      textCell(line.description),
      plain(line.quantity),
      plain(line.unit_price),
      plain(line.tax_percent),
      plain(line.line_total),
      body.currency,
    ]),
  );
  const named = 'options' in body ? ['Option', ...head] : head;
  return [named, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** Quotes a cell; a text that a spreadsheet would evaluate as a formula gets an apostrophe. */
function textCell(text: string): string {
  const line = cleanLine(text);
  const safe = /^[=+\-@]/.test(line) ? `'${line}` : line;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
