import { z } from 'zod';
import { operation } from '../catalog/operation.ts';
import { amount, amountOrNull, listOf, object, sentences, text, whole } from './answer-fields.ts';
import { amountsOf, quoteReckoning } from './quote-reckoning.ts';

export const date = (describe: string) => text(10, describe);

export const lineAnswer = {
  description: text(200, 'What the line is for.'),
  quantity: amount('How many.'),
  unit_price: amount('Price of one.'),
  line_total: amount('Quantity times unit price, rounded to the currency.'),
  tax_percent: amount('Tax rate of the line.'),
  unit: text(20, 'What is counted.').optional(),
  unit_cost: amount('The cost that the price was worked out from.').optional(),
  discount_percent: amount('Discount on the line.').optional(),
  discount_amount: amount('What it took off.').optional(),
  second_tax_percent: amount('Rate of the second tax; 0 where the line does not bear it.').optional(),
};

const formatted = (what: string) => text(40, `${what} with its currency sign.`);
const step = (what: string) => text(300, `How the ${what.toLowerCase()} was reached.`);

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
  items: listOf(100, 'Lines in the order given.', lineAnswer),
  subtotal: amount('Sum of the line totals.'),
  discount_amount: amount('Discount on the subtotal.'),
  taxable_amount: amount('Subtotal less discount; without the tax where prices include it.'),
  tax_amount: amount('Tax on the taxable amount, rounded once for each rate.'),
  rounding_amount: amount('Where the total is rounded: what that added, or took off.').optional(),
  tax_breakdown: listOf(200, 'Each tax by rate, the highest first.', {
    tax_name: text(20, 'What the tax is called, where that was given.').optional(),
    tax_percent: amount('The rate.'),
    subtotal: amount('Sum of the lines of this rate.'),
    discount_amount: amount('Their share of the discount.'),
    taxable_amount: amount('What the tax is a share of.'),
    tax_amount: amount('The tax, rounded once.'),
    formatted: formatted('The tax'),
    formula: step('Tax'),
  }),
  total: amount('Taxable amount plus tax, rounded where that was asked for.'),
  deposit_amount: amount('Deposit on the total.'),
  balance_due: amount('Total less deposit.'),
  formatted: z.object(amountsOf(FIGURES, formatted)).describe('The amounts as people read them.'),
  formula: object('Each figure with the numbers it came from.', {
    lines: z
      .array(z.string().max(300))
      .max(100)
      .describe('How each line total was reached, in the order given.'),
    ...amountsOf(FIGURES, step),
  }),
};

/** The values used for the fields that the quote and the pack share. */
export const usedAnswer = {
  discount_percent: amountOrNull('Discount used; null where a sum of money was given.'),
  tax_percent: amount('Tax of the lines that name none.'),
  deposit_percent: amountOrNull('Deposit used; null where a sum of money was given.'),
  prices_include_tax: z.boolean().describe('Whether the unit prices include the tax.'),
};

const output = z.object({
  currency: text(3, 'ISO 4217 code of every amount.'),
  ...totalsAnswer,
  ...usedAnswer,
  issued_on: date('Day of the quote (UTC).'),
  valid_days: whole('Days the quote holds.'),
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
    'Free. Subtotal, discount, tax, total, deposit and balance of a quote from line items, exact to the smallest unit of the currency, each with its formula. Needs items with unit_price, or with unit_cost.',
  route: { method: 'POST', path: '/v1/quote' },
  page: {
    path: '/quote',
    heading: 'New quote',
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
