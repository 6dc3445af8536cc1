import { z } from 'zod';
import { amount, amountOrNull, text } from './answer-fields.ts';
import { amountsOf } from './quote-body.ts';

export const date = (describe: string) => text(10, describe);

export const lineAnswer = {
  description: text(200, 'What the line is for.'),
  quantity: amount('How many.'),
  unit_price: amount('Price of one.'),
  line_total: amount('Quantity times unit price, rounded to the currency.'),
  tax_percent: amount('Tax rate of the line.'),
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
  items: z.array(z.object(lineAnswer)).max(100).describe('Lines in the order given.'),
  subtotal: amount('Sum of the line totals.'),
  discount_amount: amount('Discount on the subtotal.'),
  taxable_amount: amount('Subtotal less discount; without the tax where prices include it.'),
  tax_amount: amount('Tax on the taxable amount, rounded once for each rate.'),
  tax_breakdown: z
    .array(
      z.object({
        tax_percent: amount('The rate.'),
        subtotal: amount('Sum of the lines of this rate.'),
        discount_amount: amount('Their share of the discount.'),
        taxable_amount: amount('What the tax is a share of.'),
        tax_amount: amount('The tax, rounded once.'),
        formatted: formatted('The tax'),
        formula: step('Tax'),
      }),
    )
    .max(100)
    .describe('The tax by rate, the highest first.'),
  total: amount('Taxable amount plus tax.'),
  deposit_amount: amount('Deposit on the total.'),
  balance_due: amount('Total less deposit.'),
  formatted: z.object(amountsOf(FIGURES, formatted)).describe('The amounts as people read them.'),
  formula: z
    .object({
      lines: z
        .array(z.string().max(300))
        .max(100)
        .describe('How each line total was reached, in the order given.'),
      ...amountsOf(FIGURES, step),
    })
    .describe('Each figure with the numbers it came from.'),
};

/** The values used for the fields that the quote and the pack share. */
export const usedAnswer = {
  discount_percent: amountOrNull('Discount used; null where a sum of money was given.'),
  tax_percent: amount('Tax of the lines that name none.'),
  deposit_percent: amountOrNull('Deposit used; null where a sum of money was given.'),
  prices_include_tax: z.boolean().describe('Whether the unit prices include the tax.'),
};
