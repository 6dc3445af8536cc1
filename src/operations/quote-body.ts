import { dayText } from '../domain/calendar.ts';
import { moneyText } from '../domain/currency.ts';
import { type Minor, microsNumber, minorNumber } from '../domain/money.ts';
import type { Quote } from '../domain/quote.ts';
import { quoteFormula } from '../domain/quote-formula.ts';

/** The totals of a quote on the wire. */
export function totalsBody(quote: Quote) {
  const { groups, digits, lines, request } = quote;
  const money = (value: Minor) => minorNumber(value, digits);
  const text = (value: Minor) => moneyText(value, request.currency);
  const steps = quoteFormula(quote);
  return {
    items: lines.map((line) => ({
      description: line.description,
      quantity: microsNumber(line.quantity),
      unit_price: microsNumber(line.unitPrice),
      line_total: money(line.lineTotal),
      tax_percent: microsNumber(line.taxPercent ?? request.taxPercent),
    })),
    ...amountsOf(quote, money),
    tax_breakdown: groups.map(({ taxPercent, subtotal, discount, taxable, tax }, index) => ({
      tax_percent: microsNumber(taxPercent),
      subtotal: money(subtotal),
      discount_amount: money(discount),
      taxable_amount: money(taxable),
      tax_amount: money(tax),
      formatted: text(tax),
      formula: steps.groups[index] ?? '',
    })),
    formatted: amountsOf(quote, text),
    formula: { lines: [...steps.lines], ...amountsOf(steps, (working: string) => working) },
  };
}

type Amounts<T> = Record<'subtotal' | 'discount' | 'taxable' | 'tax' | 'total' | 'deposit' | 'balance', T>;

/** The seven figures under their names on the wire. */
export const amountsOf = <From, To>(of: Amounts<From>, encode: (figure: From) => To) => ({
  subtotal: encode(of.subtotal),
  discount_amount: encode(of.discount),
  taxable_amount: encode(of.taxable),
  tax_amount: encode(of.tax),
  total: encode(of.total),
  deposit_amount: encode(of.deposit),
  balance_due: encode(of.balance),
});

export function usedBody({ request }: Quote) {
  const { discountAmount, depositAmount } = request;
  return {
    discount_percent: discountAmount === undefined ? microsNumber(request.discountPercent) : null,
    tax_percent: microsNumber(request.taxPercent),
    deposit_percent: depositAmount === undefined ? microsNumber(request.depositPercent) : null,
    prices_include_tax: request.pricesIncludeTax === true,
  };
}

export const validityBody = (quote: Quote) => ({
  issued_on: dayText(quote.request.issuedOn),
  valid_days: quote.request.validDays,
  valid_until: dayText(quote.validUntil),
});
