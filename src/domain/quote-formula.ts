import {
  decimalsOf,
  type Micros,
  type Minor,
  microsText,
  minorText,
  powerOfTen,
  scaleOf,
  shortestText,
} from './money.ts';
import { type Figures, type Quote, type QuoteLine, type TaxRow, taxRows, WHOLE_PERCENT } from './quote.ts';

/** How each figure of a quote was calculated. Every string has at most 200 characters. */
export type QuoteFormula = Figures<string> & {
  /** One formula for each item, in order: '0.5 x 19.99 = 9.995, rounded to 10.00' */
  readonly lines: readonly string[];
  /** The formula of each tax at each rate, in the order of `taxRows`. */
  readonly groups: readonly string[];
};

const MOST_TERMS_LISTED = 8;

/** The calculation of a quote, step by step, so that a reader can repeat it with the figures shown. */
export function quoteFormula(quote: Quote): QuoteFormula {
  const { request, subtotal, discount, taxable, tax, total, deposit, balance, digits } = quote;
  const rows = taxRows(quote);
  const text = (amount: Minor) => minorText(amount, digits);
  const less = (from: Minor, ...parts: readonly Minor[]) =>
    [from, ...parts].map((part) => text(part)).join(' - ');
  const taxes = rows.map((row) => taxFormula(row, quote));
  const taxSums = rows.map((row) => row.tax);
  const lineTotals = quote.lines.map(({ lineTotal }) => lineTotal);
  return {
    lines: quote.lines.map((line) => lineFormula(line, digits)),
    subtotal: sumFormula(lineTotals, subtotal, 'line totals', digits),
    discount: discountFormula(quote),
    taxable: `${less(subtotal, discount, ...(request.pricesIncludeTax ? [tax] : []))} = ${text(taxable)}`,
    tax: rows.length === 1 ? (taxes[0] ?? '') : sumFormula(taxSums, tax, 'taxes', digits),
    total: `${text(taxable)} + ${text(tax)}${roundingFormula(quote)} = ${text(total)}`,
    deposit:
      request.depositAmount === undefined
        ? share(total, request.depositPercent, deposit, digits)
        : `given = ${text(deposit)}`,
    balance: `${less(total, deposit)} = ${text(balance)}`,
    groups: taxes,
  };
}

const share = (base: Minor, percent: Micros, result: Minor, digits: number): string =>
  `${minorText(base, digits)} x ${microsText(percent)}% = ${rounding(base * percent, 8 + digits, result, digits)}`;

/** ' - 0.02 of rounding'; empty if the total was not rounded. */
function roundingFormula({ rounding, request, digits }: Quote): string {
  if (request.roundTotalTo === undefined) return '';
  const amount = minorText((rounding < 0n ? -rounding : rounding) as Minor, digits);
  return ` ${rounding < 0n ? '-' : '+'} ${amount} of rounding`;
}

/** The discount: a percentage of the lines of each rate, or the given sum. */
function discountFormula({ request, groups, subtotal, discount, digits }: Quote): string {
  if (request.discountAmount !== undefined) return `given = ${minorText(discount, digits)}`;
  if (groups.length === 1) return share(subtotal, request.discountPercent, discount, digits);
  const parts = groups.map((group) => group.discount);
  return sumFormula(parts, discount, `shares of ${microsText(request.discountPercent)}%`, digits);
}

/** '95.00 x 20% = 19.00'; if the prices include tax, '10.00 x 20 / 120 = 1.666666..., rounded to 1.67'. */
function taxFormula(row: TaxRow, { request, digits }: Quote): string {
  const { taxPercent, wholePercent, subtotal, discount, tax } = row;
  const base = (subtotal - discount) as Minor;
  if (!request.pricesIncludeTax) return share(base, taxPercent, tax, digits);
  const whole = (WHOLE_PERCENT + wholePercent) as Micros;
  const figures = `${minorText(base, digits)} x ${microsText(taxPercent)} / ${microsText(whole)}`;
  const exact = base * taxPercent * powerOfTen(6 - digits);
  const millionths = exact / whole;
  return exact % whole === 0n
    ? `${figures} = ${rounding(millionths, 6, tax, digits)}`
    : `${figures} = ${minorText(millionths as Minor, 6)}..., rounded to ${minorText(tax, digits)}`;
}

function lineFormula(line: QuoteLine, digits: number): string {
  const { quantity, unitPrice, discountPercent, lineDiscount, lineTotal } = line;
  const whole = rounding(quantity * unitPrice, 12, (lineTotal + lineDiscount) as Minor, digits);
  const product = `${microsText(quantity)} x ${priceText(unitPrice, digits)} = ${whole}`;
  if (discountPercent === undefined) return product;
  return `${product}, less ${microsText(discountPercent)}% (${minorText(lineDiscount, digits)}) = ${minorText(lineTotal, digits)}`;
}

/** A price with the currency's decimals, or with its own if it has more. */
function priceText(price: Micros, digits: number): string {
  const decimals = Math.max(digits, decimalsOf(price));
  return minorText((price / powerOfTen(6 - decimals)) as Minor, decimals);
}

/** '22.76', or '22.764375, rounded to 22.76' if the exact figure has more decimals than the currency. */
function rounding(exact: bigint, exactDecimals: number, rounded: Minor, digits: number): string {
  const result = minorText(rounded, digits);
  if (rounded * scaleOf(exactDecimals - digits) === exact) return result;
  return `${shortestText(exact, exactDecimals)}, rounded to ${result}`;
}

/** '10.00 + 300.00 - 25.00 = 285.00'; 'sum of 9 line totals = 18.00' */
function sumFormula(parts: readonly Minor[], sum: Minor, what: string, digits: number): string {
  const result = minorText(sum, digits);
  if (parts.length > MOST_TERMS_LISTED) return `sum of ${parts.length} ${what} = ${result}`;
  const terms = parts.map((part, index) => {
    if (index === 0) return minorText(part, digits);
    return part < 0n ? `- ${minorText(-part as Minor, digits)}` : `+ ${minorText(part, digits)}`;
  });
  return `${terms.join(' ')} = ${result}`;
}
