import { addDays, type Day } from './calendar.ts';
import { currencyDigits } from './currency.ts';
import {
  decimalsOf,
  divRound,
  exceedsLargestMoney,
  type Micros,
  type Minor,
  microsText,
  minorText,
  powerOfTen,
  SCALE,
} from './money.ts';
import type { Fault, Result } from './result.ts';

export type QuoteItem = {
  readonly description: string;
  readonly quantity: Micros;
  /** Negative is a credit. */
  readonly unitPrice: Micros;
};

/** Percents are millionths of a percent; the currency is an accepted upper-case code. */
export type QuoteRequest = {
  readonly items: readonly QuoteItem[];
  readonly currency: string;
  readonly discountPercent: Micros;
  readonly taxPercent: Micros;
  readonly depositPercent: Micros;
  readonly validDays: number;
  readonly issuedOn: Day;
};

type QuoteLine = QuoteItem & { readonly lineTotal: Minor };

/** Totals in minor units of `digits` decimals; each equals what the shown figures above it imply. */
export type Quote = {
  readonly request: QuoteRequest;
  readonly digits: number;
  readonly lines: readonly QuoteLine[];
  readonly subtotal: Minor;
  readonly discount: Minor;
  readonly taxable: Minor;
  readonly tax: Minor;
  readonly total: Minor;
  readonly deposit: Minor;
  readonly balance: Minor;
  /** The last day on which the quote holds. */
  readonly validUntil: Day;
};

/** 100 percent, in millionths of a percent. */
export const WHOLE_PERCENT = 100n * SCALE;

const percentOf = (amount: bigint, percent: Micros): Minor =>
  divRound(amount * percent, WHOLE_PERCENT) as Minor;

/**
 * Quote totals in the order of EN 16931: lines rounded first, then discount, then tax once on the sum;
 * the deposit is a share of the total with tax. Faults: invalid_currency; total_too_large (a line, or the total,
 * would pass 999,999,999,999.99); negative_subtotal.
 */
export function quote(request: QuoteRequest): Result<Quote> {
  const digits = currencyDigits(request.currency);
  if (digits === null)
    return {
      ok: false,
      faults: [{ pointer: '/currency', code: 'invalid_currency', detail: 'is not accepted' }],
    };
  const lines = request.items.map((item) => priced(item, digits));
  const totals = totalsOf(lines, request);
  const faults = faultsOf(lines, totals, digits);
  if (faults.length > 0) return { ok: false, faults };
  const validUntil = addDays(request.issuedOn, request.validDays);
  return { ok: true, value: { request, digits, lines, ...totals, validUntil } };
}

function priced({ description, quantity, unitPrice }: QuoteItem, digits: number): QuoteLine {
  const lineTotal = divRound(quantity * unitPrice * powerOfTen(digits), SCALE * SCALE) as Minor;
  return { description, quantity, unitPrice, lineTotal };
}

type Totals = Pick<Quote, 'subtotal' | 'discount' | 'taxable' | 'tax' | 'total' | 'deposit' | 'balance'>;

function totalsOf(lines: readonly QuoteLine[], request: QuoteRequest): Totals {
  let sum = 0n;
  for (const line of lines) sum += line.lineTotal;
  const subtotal = sum as Minor;
  const discount = percentOf(subtotal, request.discountPercent);
  const taxable = (subtotal - discount) as Minor;
  const tax = percentOf(taxable, request.taxPercent);
  const total = (taxable + tax) as Minor;
  const deposit = percentOf(total, request.depositPercent);
  const balance = (total - deposit) as Minor;
  return { subtotal, discount, taxable, tax, total, deposit, balance };
}

function faultsOf(lines: readonly QuoteLine[], { subtotal, total }: Totals, digits: number): Fault[] {
  const faults: Fault[] = [];
  lines.forEach((line, index) => {
    if (exceedsLargestMoney(line.lineTotal, digits))
      faults.push(tooLarge(`/items/${index}`, 'has a line total'));
  });
  if (subtotal < 0n)
    faults.push({
      pointer: '/items',
      code: 'negative_subtotal',
      detail: `add up to ${minorText(subtotal, digits)}: the credits are larger than the charges`,
      hint: 'lower the negative unit prices, or send a credit note instead of a quote',
    });
  else if (exceedsLargestMoney(subtotal, digits) || exceedsLargestMoney(total, digits))
    faults.push(tooLarge('/items', 'add up to a total'));
  return faults;
}

const tooLarge = (pointer: string, what: string): Fault => ({
  pointer,
  code: 'total_too_large',
  detail: `${what} above 999,999,999,999.99`,
  hint: 'split the work over several quotes',
});

/** How each figure of a quote was reached; every string is at most 200 characters. */
export type QuoteFormula = {
  /** One for each item, in order: '0.5 x 19.99 = 9.995, rounded to 10.00' */
  readonly lines: readonly string[];
  /** '10.00 + 300.00 - 25.00 = 285.00'; many lines are counted, not listed. */
  readonly subtotal: string;
  readonly discount: string;
  readonly taxable: string;
  readonly tax: string;
  readonly total: string;
  readonly deposit: string;
  readonly balance: string;
};

const MOST_TERMS_LISTED = 8;

/** The working of a quote, step by step, so that a reader can redo it with the figures shown. */
export function quoteFormula(quote: Quote): QuoteFormula {
  const { request, subtotal, discount, taxable, tax, total, deposit, balance, digits } = quote;
  const text = (amount: Minor) => minorText(amount, digits);
  const share = (base: Minor, percent: Micros, result: Minor) =>
    `${text(base)} x ${microsText(percent)}% = ${rounding(base * percent, 8 + digits, result, digits)}`;
  return {
    lines: quote.lines.map((line) => lineFormula(line, digits)),
    subtotal: sumFormula(quote.lines, subtotal, digits),
    discount: share(subtotal, request.discountPercent, discount),
    taxable: `${text(subtotal)} - ${text(discount)} = ${text(taxable)}`,
    tax: share(taxable, request.taxPercent, tax),
    total: `${text(taxable)} + ${text(tax)} = ${text(total)}`,
    deposit: share(total, request.depositPercent, deposit),
    balance: `${text(total)} - ${text(deposit)} = ${text(balance)}`,
  };
}

function lineFormula({ quantity, unitPrice, lineTotal }: QuoteLine, digits: number): string {
  const product = rounding(quantity * unitPrice, 12, lineTotal, digits);
  return `${microsText(quantity)} x ${priceText(unitPrice, digits)} = ${product}`;
}

/** A price with the currency's decimals, or with its own where it has more. */
function priceText(price: Micros, digits: number): string {
  const decimals = Math.max(digits, decimalsOf(price));
  return minorText((price / powerOfTen(6 - decimals)) as Minor, decimals);
}

/** '22.76', or '22.764375, rounded to 22.76' when the exact figure has more decimals than the currency. */
function rounding(exact: bigint, exactDecimals: number, rounded: Minor, digits: number): string {
  let [value, decimals] = [exact, exactDecimals];
  while (decimals > digits && value % 10n === 0n) {
    value /= 10n;
    decimals -= 1;
  }
  const result = minorText(rounded, digits);
  return decimals === digits ? result : `${minorText(value as Minor, decimals)}, rounded to ${result}`;
}

function sumFormula(lines: readonly QuoteLine[], subtotal: Minor, digits: number): string {
  const result = minorText(subtotal, digits);
  if (lines.length === 1) return `1 line = ${result}`;
  if (lines.length > MOST_TERMS_LISTED) return `sum of ${lines.length} line totals = ${result}`;
  const terms = lines.map(({ lineTotal }, index) => {
    if (index === 0) return minorText(lineTotal, digits);
    return lineTotal < 0n
      ? `- ${minorText(-lineTotal as Minor, digits)}`
      : `+ ${minorText(lineTotal, digits)}`;
  });
  return `${terms.join(' ')} = ${result}`;
}
