import { z } from 'zod';
import { operation } from '../catalog/operation.ts';
import { moneyText } from '../domain/currency.ts';
import { microsNumber } from '../domain/money.ts';
import { quote, quoteFormula } from '../domain/quote.ts';
import { quoteCaveats, quoteWarnings } from '../domain/quote-notes.ts';
import { sentences } from './late-fee-fields.ts';
import {
  amount,
  date,
  partialRequest,
  quoteFields,
  requestOf,
  totalsAnswer,
  totalsBody,
  validityBody,
} from './quote-fields.ts';

const formatted = z.string().max(40);
const step = (describe: string) => z.string().max(300).describe(describe);

const output = z.object({
  currency: z.string().max(3).describe('ISO 4217 code of every amount.'),
  ...totalsAnswer,
  discount_percent: amount('Discount used.'),
  tax_percent: amount('Tax used.'),
  deposit_percent: amount('Deposit used.'),
  issued_on: date('Day of the quote (UTC).'),
  valid_days: z.int().describe('Days the quote holds.'),
  valid_until: date('Last day the quote holds, inclusive.'),
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
    summary:
      'Subtotal, discount, tax, total, deposit and balance of a quote, exact to the cent, with every step. Free.',
    lead: 'Add your lines and see subtotal, discount, tax, total, deposit and balance, exact to the smallest coin of the currency.',
    view: 'quote',
  },
  price: null,
  input: z.strictObject(quoteFields),
  output,
  tolerates: ['business_name', 'better_markup_percent', 'best_markup_percent'],
  example: {
    items: [
      { description: 'Garden design', quantity: 2, unit_price: 450 },
      { description: 'Plants', quantity: 40, unit_price: 7.25 },
    ],
    discount_percent: 5,
    tax_percent: 8.25,
    deposit_percent: 25,
  },
  check: (input, context) => {
    const request = partialRequest(input, context);
    const result = request && quote(request);
    return result && !result.ok ? result.faults : [];
  },
  run: (input, context) => {
    const result = quote(requestOf(input, context));
    if (!result.ok) return { kind: 'invalid', faults: result.faults };
    const { value } = result;
    const { request } = value;
    const text = (minor: typeof value.total) => moneyText(minor, request.currency);
    const steps = quoteFormula(value);
    return {
      kind: 'answer',
      body: {
        currency: request.currency,
        ...totalsBody(value),
        discount_percent: microsNumber(request.discountPercent),
        tax_percent: microsNumber(request.taxPercent),
        deposit_percent: microsNumber(request.depositPercent),
        ...validityBody(value),
        formatted: {
          subtotal: text(value.subtotal),
          discount_amount: text(value.discount),
          taxable_amount: text(value.taxable),
          tax_amount: text(value.tax),
          total: text(value.total),
          deposit_amount: text(value.deposit),
          balance_due: text(value.balance),
        },
        formula: {
          lines: [...steps.lines],
          subtotal: steps.subtotal,
          discount_amount: steps.discount,
          taxable_amount: steps.taxable,
          tax_amount: steps.tax,
          total: steps.total,
          deposit_amount: steps.deposit,
          balance_due: steps.balance,
        },
        warnings: [...quoteWarnings(value)],
        caveats: [...quoteCaveats(value)],
      },
    };
  },
});
