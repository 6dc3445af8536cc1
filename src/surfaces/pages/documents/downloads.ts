import { cleanLine } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { plain } from '../views/format.ts';

/** A quote, or a pack with its options. */
type Priced =
  | Pick<AnswerOf<'quote_totals'>, 'currency' | 'items'>
  | Pick<AnswerOf<'quote_pack'>, 'currency' | 'options'>;

// Without this mark, Excel reads "Blumenstrauß" in another encoding.
const BYTE_ORDER_MARK = '\uFEFF';

/** The lines as CSV for spreadsheets (RFC 4180). */
export function linesCsv(body: Priced): string {
  const options = 'options' in body ? body.options : [{ label: null, items: body.items }];
  const head = ['Description', 'Quantity', 'Unit price', 'Tax percent', 'Amount', 'Currency'];
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
  return BYTE_ORDER_MARK + [named, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** Quotes a cell; a text that a spreadsheet would run as a formula gets an apostrophe. */
function textCell(text: string): string {
  const line = cleanLine(text);
  const safe = /^[=+\-@]/.test(line) ? `'${line}` : line;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
