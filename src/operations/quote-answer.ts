import { z } from 'zod';
import { amount } from './answer-fields.ts';

export const date = (describe: string) => z.string().max(10).describe(describe);

export const lineAnswer = {
  description: z.string().max(200).describe('What the line is for.'),
  quantity: amount('How many.'),
  unit_price: amount('Price of one.'),
  line_total: amount('Quantity times unit price, rounded to the currency.'),
  tax_percent: amount('Tax rate of the line.'),
};

const formatted = z.string().max(40);
const step = (describe: string) => z.string().max(300).describe(describe);

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
        formatted: formatted.describe('The tax with its currency sign.'),
        formula: step('How the tax was reached.'),
      }),
    )
    .max(100)
    .describe('The tax by rate, the highest first.'),
  total: amount('Taxable amount plus tax.'),
  deposit_amount: amount('Deposit on the total.'),
  balance_due: amount('Total less deposit.'),
  formatted: z
    .object({
      subtotal: formatted.describe('Subtotal with its currency sign.'),
      discount_amount: formatted.describe('Discount with its currency sign.'),
      taxable_amount: formatted.describe('Taxable amount with its currency sign.'),
      tax_amount: formatted.describe('Tax with its currency sign.'),
      total: formatted.describe('Total with its currency sign.'),
      deposit_amount: formatted.describe('Deposit with its currency sign.'),
      balance_due: formatted.describe('Balance with its currency sign.'),
    })
    .describe('The amounts as people read them.'),
  formula: z
    .object({
      lines: z
        .array(z.string().max(300))
        .max(100)
        .describe('How each line total was reached, in the order given.'),
      subtotal: step('How the subtotal was reached.'),
      discount_amount: step('How the discount was reached.'),
      taxable_amount: step('How the taxable amount was reached.'),
      tax_amount: step('How the tax was reached.'),
      total: step('How the total was reached.'),
      deposit_amount: step('How the deposit was reached.'),
      balance_due: step('How the balance was reached.'),
    })
    .describe('Each figure with the numbers it came from.'),
};

/** The values used for the fields that the quote and the pack share. */
export const usedAnswer = {
  discount_percent: z.number().nullable().describe('Discount used; null where a sum of money was given.'),
  tax_percent: amount('Tax of the lines that name none.'),
  deposit_percent: z.number().nullable().describe('Deposit used; null where a sum of money was given.'),
  prices_include_tax: z.boolean().describe('Whether the unit prices include the tax.'),
};
