import { z } from 'zod';
import { list } from '../catalog/list-field.ts';
import { decimal, decimalOr, integerOr } from '../catalog/number-fields.ts';
import type { Context, Partly } from '../catalog/operation.ts';
import { currencyOr, textOr } from '../catalog/word-fields.ts';
import { dayText } from '../domain/calendar.ts';
import { type Micros, microsNumber, minorNumber } from '../domain/money.ts';
import type { Quote, QuoteRequest } from '../domain/quote.ts';

const item = z.strictObject({
  description: textOr(
    { describe: 'What the line is for. Default: "Item" and its number.', maxCodePoints: 200 },
    null,
  ),
  quantity: decimalOr({ describe: 'How many.', min: '0', aboveMin: true, max: '1000000' }, 1),
  unit_price: decimal({
    describe: 'Price of one; negative for a credit line. At most 6 decimals.',
    min: '-1000000000',
    max: '1000000000',
    example: 450,
  }),
});

const percent = (describe: string) => decimalOr({ describe, min: '0', max: '100' }, 0);

/** The input fields that the free quote and the paid pack share. */
export const quoteFields = {
  items: list(item, { describe: 'Line items, 1 to 100.', min: 1, max: 100 }),
  tax_percent: percent('Tax in percent of the amount after the discount.'),
  discount_percent: percent('Discount in percent of the subtotal.'),
  deposit_percent: percent('Deposit in percent of the total.'),
  valid_days: integerOr({ describe: 'Days the quote holds, from today.', min: 1, max: 365 }, 30),
  currency: currencyOr({ describe: 'ISO 4217 code; sets the decimals.' }, 'USD'),
};

type Items = z.output<typeof item>[];
type Fields = {
  items: Items;
  tax_percent: Micros;
  discount_percent: Micros;
  deposit_percent: Micros;
  valid_days: number;
  currency: string;
};

export function requestOf(input: Fields, { today }: Context): QuoteRequest {
  return {
    items: input.items.map(({ description, quantity, unit_price: unitPrice }, index) => ({
      description: description ?? `Item ${index + 1}`,
      quantity,
      unitPrice,
    })),
    currency: input.currency,
    discountPercent: input.discount_percent,
    taxPercent: input.tax_percent,
    depositPercent: input.deposit_percent,
    validDays: input.valid_days,
    issuedOn: today,
  };
}

const ZERO = 0n as Micros;

/** A request in which neutral values stand in for faulty fields, to compare the others; null without good items. */
export function partialRequest(input: Partly<Fields>, context: Context): QuoteRequest | null {
  if (input.items === undefined) return null;
  return requestOf(
    {
      items: input.items,
      tax_percent: input.tax_percent ?? ZERO,
      discount_percent: input.discount_percent ?? ZERO,
      deposit_percent: input.deposit_percent ?? ZERO,
      valid_days: input.valid_days ?? 30,
      currency: input.currency ?? 'USD',
    },
    context,
  );
}

export const amount = (describe: string) => z.number().describe(describe);
export const date = (describe: string) => z.string().max(10).describe(describe);

const lineAnswer = z.object({
  description: z.string().max(200).describe('What the line is for.'),
  quantity: amount('How many.'),
  unit_price: amount('Price of one.'),
  line_total: amount('Quantity times unit price, rounded to the currency.'),
});

export const totalsAnswer = {
  items: z.array(lineAnswer).max(100).describe('Lines in the order given.'),
  subtotal: amount('Sum of the line totals.'),
  discount_amount: amount('Discount on the subtotal.'),
  taxable_amount: amount('Subtotal less discount.'),
  tax_amount: amount('Tax on the taxable amount, rounded once.'),
  total: amount('Taxable amount plus tax.'),
  deposit_amount: amount('Deposit on the total.'),
  balance_due: amount('Total less deposit.'),
};

/** The totals of a quote on the wire. */
export function totalsBody(quote: Quote) {
  const money = (value: Quote['total']) => minorNumber(value, quote.digits);
  return {
    items: quote.lines.map((line) => ({
      description: line.description,
      quantity: microsNumber(line.quantity),
      unit_price: microsNumber(line.unitPrice),
      line_total: money(line.lineTotal),
    })),
    subtotal: money(quote.subtotal),
    discount_amount: money(quote.discount),
    taxable_amount: money(quote.taxable),
    tax_amount: money(quote.tax),
    total: money(quote.total),
    deposit_amount: money(quote.deposit),
    balance_due: money(quote.balance),
  };
}

export const validityBody = (quote: Quote) => ({
  issued_on: dayText(quote.request.issuedOn),
  valid_days: quote.request.validDays,
  valid_until: dayText(quote.validUntil),
});
