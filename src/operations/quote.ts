import { z } from 'zod';
import { operation } from '../catalog/operation.ts';
import { quote } from '../domain/quote.ts';
import { quoteNotes } from '../domain/quote-notes.ts';
import { sentences } from './answer-fields.ts';
import { date, totalsAnswer, totalsBody, usedAnswer, usedBody, validityBody } from './quote-answer.ts';
import { quoteFaults, quoteFields, quoteItems, requestOf } from './quote-fields.ts';
import { QUOTE_MEANT } from './quote-meant.ts';

const output = z.object({
  currency: z.string().max(3).describe('ISO 4217 code of every amount.'),
  ...totalsAnswer,
  ...usedAnswer,
  issued_on: date('Day of the quote (UTC).'),
  valid_days: z.int().describe('Days the quote holds.'),
  valid_until: date('Last day the quote holds, inclusive.'),
  warnings: sentences('What looks unusual about this input.'),
  caveats: sentences('What to know before sending the quote.'),
});

/** Fields of the paid pack, so that one body serves both. */
const PACK_FIELDS = [
  'business_name',
  'better_markup_percent',
  'best_markup_percent',
  'good_name',
  'better_name',
  'best_name',
  'better_adds',
  'best_adds',
  'round_unit_to',
];

export default operation({
  name: 'quote_totals',
  operationId: 'createQuote',
  title: 'Quote totals',
  summary: 'Totals of a quote from its line items',
  description:
    'Free. Subtotal, discount, tax, total, deposit and balance of a quote from line items, exact to the smallest unit of the currency, each with its formula. Needs items with unit_price.',
  route: { method: 'POST', path: '/v1/quote' },
  page: {
    path: '/quote',
    heading: 'Quote calculator',
    summary:
      'Subtotal, discount, tax, total, deposit and balance of a quote, exact to the cent, with every step. Free.',
    lead: 'Add your lines and see subtotal, discount, tax, total, deposit and balance, exact to the smallest coin of the currency.',
  },
  price: null,
  input: z.strictObject({ items: quoteItems, ...quoteFields }),
  output,
  tolerates: PACK_FIELDS,
  meant: QUOTE_MEANT,
  example: {
    items: [
      { description: 'Garden design', quantity: 2, unit_price: 450 },
      { description: 'Plants', quantity: 40, unit_price: 7.25 },
    ],
    discount_percent: 5,
    tax_percent: 8.25,
    deposit_percent: 25,
  },
  check: quoteFaults,
  run: (input, context) => {
    const result = quote(requestOf(input, context));
    if (!result.ok) return { kind: 'invalid', faults: result.faults };
    const { value } = result;
    return {
      kind: 'answer',
      body: {
        currency: value.request.currency,
        ...totalsBody(value),
        ...usedBody(value),
        ...validityBody(value),
        ...quoteNotes(value),
      },
    };
  },
});
