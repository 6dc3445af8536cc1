import { type Issue, later, type ValuesOf } from '../catalog/field.ts';
import * as field from '../catalog/fields.ts';
import { type Context, type PartialInput, reckoning } from '../catalog/operation.ts';
import { dayText } from '../domain/calendar.ts';
import { localMoney } from '../domain/locale.ts';
import { type Micros, type Minor, microsNumber, minorNumber } from '../domain/money.ts';
import {
  type Figures,
  priceFromCost,
  type Quote,
  type QuoteRequest,
  quote,
  quoteFormula,
  taxRows,
} from '../domain/quote.ts';
import { quoteNotes } from '../domain/quote-notes.ts';
import type { Fault, Result } from '../domain/result.ts';
import { ITEM_ALIASES, QUOTE_ALIASES } from './aliases.ts';

const ZERO = 0n as Micros;
const LARGEST = '999999999999.99';

const percent = (describe: string) => field.decimal({ describe, min: '0', max: '100', default: 0 });

const optional = (describe: string, min: string, max: string) =>
  field.decimal({ describe, min, max, default: undefined });
const name = (describe: string) => field.text({ describe, maxCodePoints: 20, default: undefined });

/** The fields of a line. */
export const itemFields = {
  description: field.text({
    describe: 'Description. Default: "Item" and the line number.',
    maxCodePoints: 200,
    default: null,
  }),
  quantity: field.decimal({ describe: 'Quantity.', min: '0', aboveMin: true, max: '1000000', default: 1 }),
  unit_price: optional(
    'Unit price; negative for a credit. At most 6 decimal places.',
    '-1000000000',
    '1000000000',
  ),
  tax_percent: optional('Tax rate of this line. Default: the quote’s taxes.', '0', '100'),
  unit: name('Unit, such as hour.'),
  discount_percent: later(percent('Discount on this line, in percent.')),
  unit_cost: optional(
    'Your unit cost, instead of unit_price; needs margin_percent or markup_percent.',
    '0',
    '1000000000',
  ),
  margin_percent: optional('Profit as a % of the price.', '0', '99.99'),
  markup_percent: optional('Profit as a % of unit_cost.', '0', '1000'),
};

/** A line has a price, or a cost with a margin or a markup. */
function priceIssues(item: Partial<Item>): readonly Issue[] {
  const { unit_price: price, unit_cost: cost, margin_percent: margin, markup_percent: markup } = item;
  const profits = [margin, markup].filter((percent) => percent !== undefined).length;
  if (price === undefined && cost === undefined && profits === 0) return [NO_PRICE];
  const isPriced =
    price === undefined ? cost !== undefined && profits === 1 : cost === undefined && profits === 0;
  return isPriced ? [] : [PRICE_AND_COST];
}

const NO_PRICE: Issue = {
  path: ['unit_price'],
  code: 'required',
  detail: 'is required',
  hint: 'send unit_cost with margin_percent or markup_percent, or a price, for example 450',
};
const PRICE_AND_COST: Issue = {
  path: ['unit_cost'],
  code: 'price_and_cost',
  detail: 'replaces unit_price and needs either margin_percent or markup_percent',
  hint: 'send unit_price, or unit_cost with margin_percent (such as 30% of the price) or markup_percent (such as 40% of the cost)',
};

const PACK_ONLY = 'belongs to the quote pack (POST /v1/quote-pack) only';
const NOT_IN_A_QUOTE = `${PACK_ONLY}: leave it out, and also leave out the line if it is not in the good option`;

export const DESCRIBED_LIST = {
  describe: 'Line items, 1 to 100.',
  min: 1,
  max: 100,
  between: priceIssues,
  // A line has a price or a cost, so its schema requires neither.
  example: { unit_price: 450 },
};

const quoteItems = field.list(itemFields, {
  ...DESCRIBED_LIST,
  meant: {
    ...ITEM_ALIASES,
    tier: NOT_IN_A_QUOTE,
    tiers: NOT_IN_A_QUOTE,
    markup: `${PACK_ONLY}: leave it out, because a quote has no markup; send the profit on a unit_cost as markup_percent`,
  },
});

/** The input fields, except the items, that the free quote and the paid pack share. */
export const quoteFields = {
  tax_percent: percent('Tax as a % of the amount after the discount.'),
  tax_name: name('Name of the tax, such as VAT.'),
  second_tax_percent: later(percent('Second tax in percent, such as QST, for lines without tax_percent.')),
  second_tax_name: name('Second tax name. Default: Second tax.'),
  round_total_to: field.decimal({
    describe: 'Rounds the total to a multiple of this, such as 0.05 for cash.',
    min: '0',
    aboveMin: true,
    max: '1000',
    default: undefined,
  }),
  prices_include_tax: later(
    field.flag({ describe: 'Whether the unit prices include the tax.', default: false }),
  ),
  discount_percent: percent('Discount as a % of the subtotal.'),
  discount_amount: optional('Discount amount, instead of discount_percent.', '0', LARGEST),
  deposit_percent: percent('Deposit as a % of the total.'),
  deposit_amount: optional('Deposit amount, instead of deposit_percent.', '0', LARGEST),
  valid_days: field.integer({
    describe: 'Days from today that the quote is valid.',
    min: 1,
    max: 365,
    default: 30,
  }),
  currency: field.currency({ describe: 'ISO 4217 code; sets the decimal places.', default: 'USD' }),
};

type Fields<Item> = ValuesOf<typeof quoteFields> & { items: Item[] };
type Item = ValuesOf<typeof itemFields>;

/** The price of a line that has none, calculated from its cost and a margin or a markup. */
function priceOf(
  { unit_cost: cost = ZERO, margin_percent: margin, markup_percent: markup }: Item,
  currency: string,
) {
  const profit = margin === undefined ? { markupPercent: markup ?? ZERO } : { marginPercent: margin };
  return priceFromCost(cost, profit, currency);
}

/** Converts a valid input to a request for a quote. */
export function requestOf(input: Fields<Item>, { today }: Context): QuoteRequest {
  return {
    items: input.items.map((item, index) => ({
      description: item.description ?? `Item ${index + 1}`,
      quantity: item.quantity,
      unitPrice: item.unit_price ?? priceOf(item, input.currency),
      taxPercent: item.tax_percent,
      unit: item.unit,
      discountPercent: item.discount_percent,
      unitCost: item.unit_cost,
    })),
    currency: input.currency,
    discountPercent: input.discount_percent,
    taxPercent: input.tax_percent,
    depositPercent: input.deposit_percent,
    discountAmount: input.discount_amount,
    depositAmount: input.deposit_amount,
    pricesIncludeTax: input.prices_include_tax ? true : undefined,
    taxName: input.tax_name,
    secondTax:
      input.second_tax_percent === undefined
        ? undefined
        : { percent: input.second_tax_percent, name: input.second_tax_name ?? 'Second tax' },
    roundTotalTo: input.round_total_to,
    validDays: input.valid_days,
    issuedOn: today,
  };
}

/** Replaces invalid fields with neutral values, so that the others can be compared. The items are valid. */
export function inputWithNeutralValues<Line extends Item>(
  items: Line[],
  input: PartialInput<Omit<Fields<Line>, 'items'>>,
): Fields<Line> {
  const neutral = { tax_percent: ZERO, discount_percent: ZERO, deposit_percent: ZERO, valid_days: 30 };
  const values = Object.assign(neutral, input, { items, currency: input.currency ?? 'USD' });
  // Without a currency, the allowed number of decimal places is unknown.
  return (
    input.currency === undefined
      ? { ...values, discount_amount: undefined, deposit_amount: undefined, round_total_to: undefined }
      : values
  ) as Fields<Line>;
}

/**
 * Calculates once for an input and a day: the result of the check stays with the input for the price and the answer. A
 * WeakMap would take a tenth of a request, because short-lived keys are expensive for the garbage collector.
 */
export function onceFor<Input extends object, Value>(
  calculate: (input: Input, context: Context) => Result<Value>,
) {
  const RESULT = Symbol('result');
  type Checked = { readonly [RESULT]?: { readonly today: Context['today']; readonly result: Result<Value> } };
  return {
    /** The faults of an input; `whole` has neutral values in place of its invalid fields. */
    faults: (input: object, whole: Input, context: Context): readonly Fault[] => {
      const result = calculate(whole, context);
      if (!result.ok) return result.faults;
      Object.defineProperty(input, RESULT, { value: { today: context.today, result }, configurable: true });
      return [];
    },
    /** The result of a valid input. */
    of: (input: Input & Checked, context: Context): Result<Value> => {
      const known = input[RESULT];
      return known?.today === context.today ? known.result : calculate(input, context);
    },
  };
}

const quotes = onceFor((input: Fields<Item>, context) => quote(requestOf(input, context)));

/** Faults that concern several fields of a free quote. */
function quoteFaults(input: PartialInput<Fields<Item>>, context: Context): readonly Fault[] {
  const { items } = input;
  if (items === undefined) return shareFaults(input);
  return [...shareFaults(input), ...quotes.faults(input, inputWithNeutralValues(items, input), context)];
}

/** An amount and a percentage for the same thing, which is ambiguous. */
export function shareFaults(input: PartialInput<Fields<Item>>): readonly Fault[] {
  const both = [
    ['discount', input.discount_percent, input.discount_amount],
    ['deposit', input.deposit_percent, input.deposit_amount],
  ] as const;
  return both.flatMap(([what, share, amount]) =>
    amount === undefined || !share
      ? []
      : [
          {
            pointer: `/${what}_amount`,
            code: 'percent_and_amount',
            detail: `cannot be sent together with ${what}_percent`,
            hint: `send one of them: ${what}_amount for an amount of money, ${what}_percent for a percentage`,
          },
        ],
  );
}

/** The totals of a quote on the wire. */
export function totalsBody(quote: Quote) {
  const { digits, lines, request } = quote;
  const money = (value: Minor) => minorNumber(value, digits);
  const text = (value: Minor) => localMoney(value, request.currency, digits);
  const steps = quoteFormula(quote);
  return {
    items: lines.map((line) => ({
      description: line.description,
      quantity: microsNumber(line.quantity),
      unit_price: microsNumber(line.unitPrice),
      line_total: money(line.lineTotal),
      tax_percent: microsNumber(line.taxPercent ?? request.taxPercent),
      ...(line.unit !== undefined && { unit: line.unit }),
      ...(line.unitCost !== undefined && { unit_cost: microsNumber(line.unitCost) }),
      ...(line.discountPercent !== undefined && {
        discount_percent: microsNumber(line.discountPercent),
        discount_amount: money(line.lineDiscount),
      }),
      ...(request.secondTax !== undefined && {
        second_tax_percent: line.taxPercent === undefined ? microsNumber(request.secondTax.percent) : 0,
      }),
    })),
    ...amountsOf(quote, money),
    ...(request.roundTotalTo !== undefined && { rounding_amount: money(quote.rounding) }),
    tax_breakdown: taxRows(quote).map(({ name, taxPercent, subtotal, discount, taxable, tax }, index) => ({
      ...(name !== undefined && { tax_name: name }),
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

/** The seven figures by their wire names. */
export const amountsOf = <From, To>(of: Figures<From>, encode: (figure: From) => To) => ({
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

/** Fields of the paid pack, so that the free calculator accepts the same body. */
const PACK_FIELDS =
  'business_name better_markup_percent best_markup_percent good_name better_name best_name better_adds best_adds round_unit_to trade recommended client_name job quote_number start payment_stages exclusions warranty'.split(
    ' ',
  );

/** A quote from its lines to its totals, for the service and for the page. */
export const quoteReckoning = reckoning({
  input: { items: quoteItems, ...quoteFields },
  tolerates: PACK_FIELDS,
  meant: QUOTE_ALIASES,
  check: quoteFaults,
  run: (input, context) => {
    const result = quotes.of(input, context);
    if (!result.ok) return { kind: 'invalid', faults: result.faults };
    const { value } = result;
    return {
      kind: 'answer',
      body: {
        currency: value.request.currency,
        ...totalsBody(value),
        ...usedBody(value),
        ...validityBody(value),
        ...quoteNotes(value),
      },
    };
  },
});
