import { z } from 'zod';
import { operation } from '../catalog/operation.ts';
import { sentences, text } from './answer-fields.ts';
import { date, totalsAnswer, usedAnswer } from './quote-answer.ts';
import { quoteReckoning } from './quote-reckoning.ts';

const output = z.object({
  currency: text(3, 'ISO 4217 code of every amount.'),
  ...totalsAnswer,
  ...usedAnswer,
  issued_on: date('Day of the quote (UTC).'),
  valid_days: z.int().describe('Days the quote holds.'),
  valid_until: date('Last day the quote holds, inclusive.'),
  warnings: sentences('What looks unusual about this input.'),
  caveats: sentences('What to know before sending the quote.'),
});

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
    menu: 'Quote',
    summary:
      'Subtotal, discount, tax, total, deposit and balance of a quote, exact to the cent, with every step. Free.',
    lead: 'Add your lines and see subtotal, discount, tax, total, deposit and balance, exact to the smallest coin of the currency.',
  },
  price: null,
  ...quoteReckoning,
  output,
  example: {
    items: [
      { description: 'Garden design', quantity: 2, unit_price: 450 },
      { description: 'Plants', quantity: 40, unit_price: 7.25 },
    ],
    discount_percent: 5,
    tax_percent: 8.25,
    deposit_percent: 25,
  },
});
