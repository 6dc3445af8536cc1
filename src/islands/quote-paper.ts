import type { AnswerOf } from '../operations/answers.ts';
import { linesCsv } from '../surfaces/pages/documents/downloads.ts';
import { quoteSheet } from '../surfaces/pages/documents/quote-sheet.ts';
import { ABOUT, BUSINESS, CLIENT, CONTACT, NOTE, NUMBER, TAX } from './letterhead-fields.ts';
import type { PaperKind } from './paperwork.ts';

/** The document of the free quote. */
export const quotePaper: PaperKind<AnswerOf<'quote_totals'>> = {
  heading: 'The quote for your client',
  asked: () => [BUSINESS, CLIENT, CONTACT, ABOUT, NUMBER, TAX, NOTE],
  known: () => ({}),
  sheet: quoteSheet,
  csv: linesCsv,
};
