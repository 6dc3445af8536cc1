import { addDays, type Day } from './calendar.ts';
import { digitsOf, tooPrecise } from './currency.ts';
import {
  decimalsOf,
  divRound,
  exactMinor,
  exceedsLargestMoney,
  type Micros,
  type Minor,
  microsText,
  minorOf,
  minorText,
  powerOfTen,
  productOf,
  SCALE,
  shortestText,
} from './money.ts';
import type { Fault, Result } from './result.ts';

export type QuoteItem = {
  readonly description: string;
  readonly quantity: Micros;
  /** Negative is a credit. */
  readonly unitPrice: Micros;
  /** The tax rate of the line; by default, that of the quote. */
  readonly taxPercent?: Micros | undefined;
  /** 'hour', 'm2' */
  readonly unit?: string | undefined;
  /** Deducted from this line before everything else. */
  readonly discountPercent?: Micros | undefined;
  /** The cost that the price was calculated from. */
  readonly unitCost?: Micros | undefined;
};

/** Percents are millionths of a percent. The currency is an accepted upper-case code. */
export type QuoteRequest = {
  readonly items: readonly QuoteItem[];
  readonly currency: string;
  readonly discountPercent: Micros;
  readonly taxPercent: Micros;
  readonly depositPercent: Micros;
  /** Amounts that replace the percentages. */
  readonly discountAmount?: Micros | undefined;
  readonly depositAmount?: Micros | undefined;
  /** The unit prices include the tax, which is derived from them and not added. */
  readonly pricesIncludeTax?: true | undefined;
  readonly taxName?: string | undefined;
  /** A second tax on the same sums, for every line without its own rate. */
  readonly secondTax?: { readonly percent: Micros; readonly name: string } | undefined;
  /** The total is rounded to a multiple of this amount, such as the smallest coin. */
  readonly roundTotalTo?: Micros | undefined;
  readonly validDays: number;
  readonly issuedOn: Day;
};

type QuoteLine = QuoteItem & { readonly lineDiscount: Minor; readonly lineTotal: Minor };

/** The seven figures of a quote: as sums, as texts, or as formulas. */
export type Figures<Of> = {
  readonly subtotal: Of;
  readonly discount: Of;
  /** The taxable amount: without the tax, even if the prices include it. */
  readonly taxable: Of;
  readonly tax: Of;
  readonly total: Of;
  readonly deposit: Of;
  readonly balance: Of;
};

/** Totals in minor units of `digits` decimal places. Each follows from the figures shown above it. */
export type Quote = Figures<Minor> & {
  readonly request: QuoteRequest;
  readonly digits: number;
  readonly lines: readonly QuoteLine[];
  /** One group for each rate that a line has, the highest rate first. */
  readonly groups: readonly TaxGroup[];
  /** The amount that rounding the total added or deducted. */
  readonly rounding: Minor;
  /** The last day on which the quote is valid. */
  readonly validUntil: Day;
};

/**
 * Quote totals in the order of EN 16931: lines are rounded, the discount is deducted, then each tax rate is applied
 * once to the sum of its lines. The deposit is a share of the total with tax. Faults: too_precise (an
 * amount with more decimal places than the currency); total_too_large (a line, or the total, would be above
 * 999,999,999,999.99); negative_subtotal; negative_total; out_of_range (a discount above the subtotal, a deposit above
 * the total).
 */
export function quote(request: QuoteRequest): Result<Quote> {
  const digits = digitsOf(request.currency);
  const lines = request.items.map((item) => priced(item, digits));
  const totals = totalsOf(lines, request, digits);
  const faults = [...precisionFaults(request, digits), ...faultsOf(lines, totals, request, digits)];
  if (faults.length > 0) return { ok: false, faults };
  const validUntil = addDays(request.issuedOn, request.validDays);
  return { ok: true, value: { request, digits, lines, ...totals, validUntil } };
}

function priced(item: QuoteItem, digits: number): QuoteLine {
  const { quantity, unitPrice, discountPercent = 0n } = item;
  const whole = productOf(quantity, unitPrice, digits);
  const lineDiscount = (
    discountPercent === 0n ? 0n : divRound(whole * discountPercent, WHOLE_PERCENT)
  ) as Minor;
  return { ...item, lineDiscount, lineTotal: (whole - lineDiscount) as Minor };
}

type Totals = Omit<Quote, 'request' | 'digits' | 'lines' | 'validUntil'>;

function totalsOf(lines: readonly QuoteLine[], request: QuoteRequest, digits: number): Totals {
  const groups = taxGroups(lines, request, digits);
  const sum = (part: 'subtotal' | 'discount' | 'taxable' | 'tax' | 'secondTax') =>
    groups.reduce((total, group) => total + group[part], 0n) as Minor;
  const [taxable, tax] = [sum('taxable'), (sum('tax') + sum('secondTax')) as Minor];
  const step = (request.roundTotalTo === undefined ? null : exactMinor(request.roundTotalTo, digits)) ?? 1n;
  const total = (divRound(taxable + tax, step) * step) as Minor;
  const share = (divRound(total * request.depositPercent, WHOLE_PERCENT * step) * step) as Minor;
  const deposit = moneyOf(request.depositAmount, digits) ?? share;
  return {
    groups,
    subtotal: sum('subtotal'),
    discount: sum('discount'),
    taxable,
    tax,
    rounding: (total - taxable - tax) as Minor,
    total,
    deposit,
    balance: (total - deposit) as Minor,
  };
}

/**
 * A given amount; null if none was given. It is rounded even if it is rejected, so that the other figures can be
 * compared.
 */
const moneyOf = (amount: Micros | undefined, digits: number): Minor | null =>
  amount === undefined ? null : (divRound(amount * powerOfTen(digits), SCALE) as Minor);

function precisionFaults(request: QuoteRequest, digits: number): Fault[] {
  const given = [
    ['/discount_amount', request.discountAmount],
    ['/deposit_amount', request.depositAmount],
    ['/round_total_to', request.roundTotalTo],
  ] as const;
  return given.flatMap(([pointer, amount]) =>
    amount === undefined || exactMinor(amount, digits) !== null
      ? []
      : [tooPrecise(pointer, amount, request.currency, digits)],
  );
}

function faultsOf(
  lines: readonly QuoteLine[],
  totals: Totals,
  request: QuoteRequest,
  digits: number,
): Fault[] {
  const { subtotal, total, groups } = totals;
  const sums = [subtotal, total, ...groups.map((group) => group.subtotal)];
  const faults: Fault[] = [];
  lines.forEach(({ lineTotal }, index) => {
    if (exceedsLargestMoney(lineTotal, digits)) faults.push(tooLarge(`/items/${index}`, 'has a line total'));
  });
  if (subtotal < 0n)
    faults.push({
      pointer: '/items',
      code: 'negative_subtotal',
      detail: `add up to ${minorText(subtotal, digits)}: the credits are larger than the charges`,
      hint: 'lower the negative unit prices, or send a credit note instead of a quote',
    });
  else if (sums.some((sum) => exceedsLargestMoney(sum, digits)))
    faults.push(tooLarge('/items', 'add up to a total'));
  else faults.push(...sumFaults(totals, request, digits));
  return faults;
}

function sumFaults(totals: Totals, request: QuoteRequest, digits: number): Fault[] {
  const { subtotal, discount, taxable, tax, total, deposit } = totals;
  const above = (pointer: string, of: string, sum: Minor, most: Minor): Fault[] => [
    {
      pointer,
      code: 'out_of_range',
      detail: `is ${minorText(sum, digits)}, more than the ${of} of ${minorText(most, digits)}`,
      hint: `send at most ${minorText(most, digits)}`,
    },
  ];
  if (request.discountAmount !== undefined && discount > subtotal)
    return above('/discount_amount', 'subtotal', discount, subtotal);
  const unrounded = (taxable + tax) as Minor;
  if (unrounded < 0n)
    return [
      {
        pointer: '/items',
        code: 'negative_total',
        detail: `add up to a total of ${minorText(unrounded, digits)}: the credits remove more tax than the charges add`,
        hint: 'give each credit line the tax_percent of the line that it belongs to',
      },
    ];
  return request.depositAmount !== undefined && deposit > total
    ? above('/deposit_amount', 'total', deposit, total)
    : [];
}

const tooLarge = (pointer: string, what: string): Fault => ({
  pointer,
  code: 'total_too_large',
  detail: `${what} above 999,999,999,999.99`,
  hint: 'split the work into several quotes',
});

/** 100 percent, in millionths of a percent. */
const WHOLE_PERCENT = 100n * SCALE;

/** The lines of one rate: their sum, their share of the discount, and the taxes on the rest, each rounded once. */
type TaxGroup = {
  readonly taxPercent: Micros;
  /** The rate of the second tax; null if it does not apply to the lines. */
  readonly secondPercent: Micros | null;
  readonly subtotal: Minor;
  readonly discount: Minor;
  readonly taxable: Minor;
  readonly tax: Minor;
  readonly secondTax: Minor;
};

/** Every tax of a quote on the lines of every rate. */
export const taxRows = ({ groups, request }: Quote) =>
  groups.flatMap((group) => {
    const { secondPercent, secondTax } = group;
    // All taxes on these lines together.
    const wholePercent = (group.taxPercent + (secondPercent ?? 0n)) as Micros;
    const first = { ...group, name: request.taxName, wholePercent };
    return secondPercent === null
      ? [first]
      : [first, { ...first, name: request.secondTax?.name, taxPercent: secondPercent, tax: secondTax }];
  });

type TaxRow = ReturnType<typeof taxRows>[number];

/** The lines by rate, the highest first, whatever their order. */
function taxGroups(lines: readonly QuoteLine[], request: QuoteRequest, digits: number): TaxGroup[] {
  // Most quotes have one rate: a list is faster than a map.
  const rates: { taxPercent: Micros; secondPercent: Micros | null; subtotal: Minor }[] = [];
  for (const { taxPercent: own, lineTotal } of lines) {
    const taxPercent = own ?? request.taxPercent;
    const secondPercent = own === undefined ? (request.secondTax?.percent ?? null) : null;
    const known = rates.find(
      (rate) => rate.taxPercent === taxPercent && rate.secondPercent === secondPercent,
    );
    if (known === undefined) rates.push({ taxPercent, secondPercent, subtotal: lineTotal });
    else known.subtotal = (known.subtotal + lineTotal) as Minor;
  }
  rates.sort((a, b) => {
    if (a.taxPercent === b.taxPercent) return a.secondPercent === null ? 1 : -1;
    return a.taxPercent > b.taxPercent ? -1 : 1;
  });
  const discounts = discountsOf(
    rates.map(({ subtotal }) => subtotal),
    request,
    digits,
  );
  return rates.map(({ taxPercent, secondPercent, subtotal }, index) => {
    const discount = discounts[index] ?? ZERO;
    const rest = (subtotal - discount) as Minor;
    const included = request.pricesIncludeTax === true ? taxPercent + (secondPercent ?? 0n) : 0n;
    const base = WHOLE_PERCENT + included;
    const tax = divRound(rest * taxPercent, base) as Minor;
    const secondTax = (secondPercent === null ? ZERO : divRound(rest * secondPercent, base)) as Minor;
    const taxable = (request.pricesIncludeTax ? rest - tax - secondTax : rest) as Minor;
    return { taxPercent, secondPercent, subtotal, discount, taxable, tax, secondTax };
  });
}

const ZERO = 0n as Minor;

/**
 * The discount of each rate. A percentage is taken of each. An amount is shared in proportion, and the largest rate
 * gets the rounding difference.
 */
function discountsOf(subtotals: readonly Minor[], request: QuoteRequest, digits: number): Minor[] {
  const given = moneyOf(request.discountAmount, digits);
  if (given === null)
    return subtotals.map((subtotal) => divRound(subtotal * request.discountPercent, WHOLE_PERCENT) as Minor);
  const whole = subtotals.reduce<bigint>((sum, subtotal) => sum + subtotal, 0n);
  if (whole === 0n) return subtotals.map((_, index) => (index === 0 ? given : ZERO));
  const shares = subtotals.map((subtotal) => divRound(given * subtotal, whole));
  const largest = subtotals.findIndex((each) => subtotals.every((other) => other <= each));
  const left = given - shares.reduce((sum, share) => sum + share, 0n);
  return shares.map((share, index) => (index === largest ? share + left : share) as Minor);
}

const EXACT_IN_JSON = 10n ** 15n;

/** A price rounded to `decimals`, or to fewer if it would exceed the 15 significant digits of an exact JSON number. */
function roundedPrice(numerator: bigint, denominator: bigint, decimals: number): Micros {
  let kept = decimals;
  const rounded = () => divRound(numerator, denominator * powerOfTen(6 - kept));
  while (kept > 0 && rounded() >= EXACT_IN_JSON) kept -= 1;
  return (rounded() * powerOfTen(6 - kept)) as Micros;
}

/** How a price follows from a cost: a margin is a share of the price, a markup a share of the cost. */
export type Profit = { readonly marginPercent: Micros } | { readonly markupPercent: Micros };

/** The price for a cost, with as many decimal places as the currency, or as the cost if the cost has more. */
export function priceFromCost(cost: Micros, profit: Profit, currency: string): Micros {
  const decimals = Math.max(digitsOf(currency), decimalsOf(cost));
  return 'markupPercent' in profit
    ? roundedPrice(cost * (WHOLE_PERCENT + profit.markupPercent), WHOLE_PERCENT, decimals)
    : roundedPrice(cost * WHOLE_PERCENT, WHOLE_PERCENT - profit.marginPercent, decimals);
}

/** How each figure of a quote was calculated. Every string has at most 200 characters. */
type QuoteFormula = Figures<string> & {
  /** One formula for each item, in order: '0.5 x 19.99 = 9.995, rounded to 10.00' */
  readonly lines: readonly string[];
  /** The formula of each tax at each rate, in the order of `taxRows`. */
  readonly groups: readonly string[];
};

const MOST_TERMS_LISTED = 8;

/** The calculation of a quote, step by step, so that the client can repeat it with the figures shown. */
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
  return ` ${addend(rounding, digits)} of rounding`;
}

/** The discount: a percentage of the lines of each rate, or the given amount. */
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

/** A price with the currency's decimal places, or with its own if it has more. */
export function priceText(price: Micros, digits: number): string {
  const decimals = Math.max(digits, decimalsOf(price));
  return minorText(minorOf(price, decimals), decimals);
}

/** '22.76', or '22.764375, rounded to 22.76' if the exact figure has more decimal places than the currency. */
function rounding(exact: bigint, exactDecimals: number, rounded: Minor, digits: number): string {
  const result = minorText(rounded, digits);
  if (rounded * powerOfTen(exactDecimals - digits) === exact) return result;
  return `${shortestText(exact, exactDecimals)}, rounded to ${result}`;
}

/** '10.00 + 300.00 - 25.00 = 285.00'; 'sum of 9 line totals = 18.00' */
function sumFormula(parts: readonly Minor[], sum: Minor, what: string, digits: number): string {
  const result = minorText(sum, digits);
  if (parts.length > MOST_TERMS_LISTED) return `sum of ${parts.length} ${what} = ${result}`;
  const terms = parts.map((part, index) => (index === 0 ? minorText(part, digits) : addend(part, digits)));
  return `${terms.join(' ')} = ${result}`;
}

/** '+ 300.00' or '- 25.00' */
const addend = (amount: Minor, digits: number): string =>
  amount < 0n ? `- ${minorText(-amount as Minor, digits)}` : `+ ${minorText(amount, digits)}`;
