import { z } from 'zod';
import { operation } from '../catalog/operation.ts';
import { amount, amountOrNull, listOf, object, sentences, text, texts, whole } from './answer-fields.ts';
import { amountsOf, quoteReckoning } from './quote-reckoning.ts';

export const date = (describe: string) => text(10, describe);

export const lineAnswer = {
  description: text(200, 'Description.'),
  quantity: amount('Quantity.'),
  unit_price: amount('Unit price.'),
  line_total: amount('Quantity times unit price, rounded to the currency.'),
  tax_percent: amount('Tax rate.'),
  unit: text(20, 'Unit.').optional(),
  unit_cost: amount('Unit cost from which the price was calculated.').optional(),
  discount_percent: amount('Discount on the line, in percent.').optional(),
  discount_amount: amount('Discount on the line, as an amount.').optional(),
  second_tax_percent: amount('Rate of the second tax; 0 if it does not apply to this line.').optional(),
};

const FIGURES = {
  subtotal: 'Subtotal',
  discount: 'Discount',
  taxable: 'Taxable amount',
  tax: 'Tax',
  total: 'Total',
  deposit: 'Deposit',
  balance: 'Balance',
};

/** The totals of a quote, and of each option of a pack. */
export const totalsAnswer = {
  items: listOf(100, 'Lines in the given order.', lineAnswer),
  subtotal: amount('Sum of the line totals.'),
  discount_amount: amount('Discount on the subtotal.'),
  taxable_amount: amount('Subtotal minus discount, without tax even if prices include it.'),
  tax_amount: amount('Tax on the taxable amount, rounded once for each rate.'),
  rounding_amount: amount('Amount added or taken off to round the total.').optional(),
  tax_breakdown: listOf(200, 'Taxes by rate, highest first.', {
    tax_name: text(20, 'Name of the tax, if given.').optional(),
    tax_percent: amount('The rate.'),
    subtotal: amount('Sum of the lines taxed at this rate.'),
    discount_amount: amount('Share of the discount on the lines with this rate.'),
    taxable_amount: amount('Amount that is taxed.'),
    tax_amount: amount('The tax, rounded once.'),
    formatted: text(40, 'The tax with its currency symbol.'),
    formula: text(300, 'How the tax was calculated.'),
  }),
  total: amount('Taxable amount plus tax, rounded if requested.'),
  deposit_amount: amount('Deposit due on acceptance.'),
  balance_due: amount('Total minus deposit.'),
  formatted: z
    .object(amountsOf(FIGURES, (figure) => text(40, `${figure}.`)))
    .describe('The amounts with their currency symbol.'),
  formula: object('How each figure was calculated.', {
    lines: texts(100, 300, 'How each line total was calculated.'),
    ...amountsOf(FIGURES, (figure) => text(300, `${figure}.`)),
  }),
};

/** The values used for the fields that the quote and the pack share. */
export const usedAnswer = {
  discount_percent: amountOrNull('Discount in percent; null if an amount was sent.'),
  tax_percent: amount('Tax rate of lines without their own rate.'),
  deposit_percent: amountOrNull('Deposit in percent; null if an amount was sent.'),
  prices_include_tax: z.boolean().describe('Whether the unit prices include the tax.'),
};

const output = z.object({
  currency: text(3, 'ISO 4217 code of every amount.'),
  ...totalsAnswer,
  ...usedAnswer,
  issued_on: date('Date of the quote (UTC).'),
  valid_days: whole('Days the quote is valid.'),
  valid_until: date('Last day the quote is valid.'),
  warnings: sentences('Anything unusual about this input.'),
  caveats: sentences('What to know before sending the quote.'),
});

export default operation({
  name: 'quote_totals',
  operationId: 'createQuote',
  title: 'Quote totals',
  summary: 'Totals of a quote from its line items',
  description:
    'Free. Subtotal, discount, tax, total, deposit and balance of a quote from line items, exact to the smallest unit of the currency, each with its formula. Needs items, each with unit_price or unit_cost.',
  route: { method: 'POST', path: '/v1/quote' },
  page: {
    path: '/quote',
    heading: 'New quote',
    summary:
      'Subtotal, discount, tax, total, deposit and balance of a quote, exact to the cent, with every step. Free.',
    lead: 'Add your lines to see the subtotal, discount, tax, total, deposit and balance, exact to the cent.',
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
