import { type Day, parseDay } from '../../src/domain/calendar.ts';
import { validate } from '../../src/exchange/validate.ts';
import type { AnswerOf } from '../../src/operations/answers.ts';
import { BLANK, type Letterhead } from '../../src/surfaces/pages/documents/letterhead.ts';
import type { Sheet } from '../../src/surfaces/pages/documents/sheet.ts';
import { SheetView } from '../../src/surfaces/pages/documents/sheet-view.tsx';
import { htmlOf } from '../../src/surfaces/pages/markup.ts';
import { catalog } from './app.ts';

const today = parseDay('2026-11-21') as Day;

/** The answer of an operation to its example with these changes. */
export function answer<Body>(name: string, changes: object = {}): Body {
  const operation = catalog.find((one) => one.name === name);
  if (operation === undefined) throw new Error(name);
  const values = { ...operation.example, ...changes };
  const validated = validate(operation, { values, faults: [] }, { today });
  if (!validated.ok) throw new Error(JSON.stringify(validated.faults));
  const found = operation.run(validated.input, { today });
  if (found.kind !== 'answer') throw new Error(found.kind);
  return found.body as Body;
}

/** A letterhead with every field that a document of a quote has. */
export const green: Letterhead = {
  ...BLANK,
  business: 'Green Gardens',
  contact: '12 Mill Lane\n\n  hello@green.example',
  client: 'Acme Ltd\r\n4 Park Row',
  number: 'Q-118',
  about: 'Garden at 4 Park Row',
  note: 'Paid by bank transfer.',
  tax: 'VAT',
};
export const html = (sheet: Sheet) => htmlOf(SheetView({ sheet }));
export const quoted = (changes = {}) =>
  answer<AnswerOf<'quote_totals'>>('quote_totals', { currency: 'GBP', ...changes });
export const packed = (changes = {}) => answer<AnswerOf<'quote_pack'>>('quote_pack', changes);
