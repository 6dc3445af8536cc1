import { cleanLine, countedText, perUnit } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { amountText, longDay, notes, plain, priceText } from '../views/format.ts';
import { brandOf } from './brand.ts';
import { BLANK, type Letterhead } from './letterhead.ts';
import { paymentLink } from './payment-link.ts';
import { linesOf, onPaper, type Sheet, type SheetPart, type SheetTable, sheetBlocks } from './sheet.ts';

type Body = AnswerOf<'quote_totals'>;
type Total = SheetTable['totals'][number];

/** A quote as text: the document, then what only its owner needs. */
export const quoteView = (body: Body): readonly Block[] => [
  ...body.warnings.map((note) => ({ note })),
  ...sheetBlocks(quoteSheet(body, BLANK)),
  ...quoteSteps(body),
];

/** How each figure of a quote was reached, and general notes. */
export const quoteSteps = (body: Body): readonly Block[] => [
  { subheading: 'How it was reached' },
  {
    table: {
      isLastLong: true,
      head: ['Amount', 'How it was reached'],
      rows: [
        ...body.items.map(({ description }, index) => [description, body.formula.lines[index] ?? '']),
        ...steps(body),
      ],
    },
  },
  ...notes('Good to know', body.caveats),
];

/** The formulas of a quote in the order of the calculation, except those of amounts that nobody asked for. */
function steps({ formula, tax_breakdown: rates, ...body }: Body): readonly (readonly [string, string])[] {
  const isDiscounted = (body.discount_percent ?? body.discount_amount) !== 0;
  const isTaxed = rates.some(({ tax_percent }) => tax_percent !== 0);
  const isDeposited = (body.deposit_percent ?? body.deposit_amount) !== 0;
  const beforeTax = body.prices_include_tax ? 'Before tax' : 'After discount';
  return [
    ['Subtotal', formula.subtotal],
    ...(isDiscounted ? [['Discount', formula.discount_amount] as const] : []),
    ...(isDiscounted || (isTaxed && body.prices_include_tax)
      ? [[beforeTax, formula.taxable_amount] as const]
      : []),
    ...(rates.length < 2
      ? []
      : rates.map(
          (rate) => [`${rate.tax_name ?? 'Tax'} at ${plain(rate.tax_percent)}%`, rate.formula] as const,
        )),
    ...(isTaxed ? [['Tax', formula.tax_amount] as const] : []),
    ['Total', formula.total],
    ...(isDeposited
      ? [['Deposit', formula.deposit_amount] as const, ['Balance', formula.balance_due] as const]
      : []),
  ];
}

/** A quote as its client reads it: both parties, lines, amounts, validity, and space to sign. */
export function quoteSheet(body: Body, letterhead: Letterhead): Sheet {
  const until = longDay(body.valid_until, body.currency);
  const about = cleanLine(letterhead.about);
  const note = linesOf(letterhead.note);
  return {
    ...brandOf(letterhead),
    kind: 'quote',
    validUntil: body.valid_until,
    title: 'Quote',
    business: cleanLine(letterhead.business),
    contact: linesOf(letterhead.contact),
    client: linesOf(letterhead.client),
    facts: factsOf(body, letterhead),
    parts: [
      ...(about === '' ? [] : [{ subject: about }]),
      { table: { head: headOf(body), rows: rowsOf(body), totals: totalsOf([body], body, letterhead) } },
      ...(note.length === 0 ? [] : [{ lines: note }]),
      ...paymentOf(letterhead),
      { lines: [`To accept ${quoteName(body, letterhead)}, please sign below and return it by ${until}.`] },
      { signature: ['Signature', 'Name', 'Date'] },
    ],
  };
}

/** The owner's payment page as a part of a document. */
export function paymentOf(letterhead: Letterhead): readonly SheetPart[] {
  const payment = paymentLink(letterhead);
  return payment === null ? [] : [{ payment }];
}

type Dated = Pick<Body, 'issued_on' | 'valid_until' | 'currency'>;

/** Number, date and validity. */
export const factsOf = (
  { issued_on, valid_until, currency }: Dated,
  { number }: Letterhead,
): Sheet['facts'] => [
  ...(cleanLine(number) === '' ? [] : [{ label: 'Number', value: cleanLine(number) }]),
  { label: 'Date', value: longDay(issued_on, currency) },
  { label: 'Valid until', value: longDay(valid_until, currency) },
];

/** "quote Q-118 of 21 November 2026": names the document next to its signature, which may be on another page. */
export const quoteName = ({ issued_on, currency }: Dated, { number }: Letterhead): string =>
  `${cleanLine(number) === '' ? 'the quote' : `quote ${cleanLine(number)}`} of ${longDay(issued_on, currency)}`;

const headOf = (body: Body): readonly string[] => [
  'Item',
  'Quantity',
  'Price',
  ...(hasRates([body]) ? ['Tax'] : []),
  'Amount',
];

const rowsOf = (body: Body): readonly (readonly string[])[] =>
  body.items.map(({ description, quantity, unit, unit_price, line_total, ...line }) => [
    cleanLine(description),
    countedText(countText(quantity), unit),
    `${onPaper(priceText(unit_price, body.currency))}${perUnit(unit)}${lessText(line.discount_percent, line.discount_amount, body.currency)}`,
    ...(hasRates([body]) ? [rateText(line)] : []),
    onPaper(amountText(line_total, body.currency)),
  ]);

/** ", less 10% (£18.75)" for a line with a discount. */
export const lessText = (percent = 0, amount = 0, currency: string): string =>
  percent === 0 ? '' : `, less ${plain(percent)}% (${onPaper(amountText(amount, currency))})`;

/** 1,250 and 2.5 */
export const countText = (quantity: number): string =>
  plain(quantity).replace(/\B(?=(?:\d{3})+(?:\.|$))(?<!\.\d*)/g, ',');

/** A column of totals: a quote, or an option of a pack. */
type Totalled = Pick<
  Body,
  'items' | 'subtotal' | 'discount_amount' | 'tax_breakdown' | 'total' | 'deposit_amount' | 'balance_due'
>;
type Used = Pick<Body, 'currency' | 'discount_percent' | 'deposit_percent' | 'prices_include_tax'> & {
  readonly price_per?: string | undefined;
};

/** The totals of a quote, or of the options of a pack side by side. */
export function totalsOf(
  columns: readonly Totalled[],
  { currency, discount_percent, deposit_percent, prices_include_tax, price_per }: Used,
  letterhead: Letterhead,
): readonly Total[] {
  const money = (sum: number) => onPaper(amountText(sum, currency));
  const row = (label: string, value: (column: Totalled) => number, isMain = false): Total => ({
    label,
    values: columns.map((column) => money(value(column))),
    isMain,
  });
  const isAsked = (value: (column: Totalled) => number) => columns.some((column) => value(column) !== 0);
  const discounts = isAsked(({ discount_amount }) => discount_amount)
    ? [row(shareText('Discount', discount_percent), ({ discount_amount }) => -discount_amount)]
    : [];
  const all = taxesOf(columns);
  const taxes = all.map((one) => {
    // A name from the owner replaces the name of a single tax.
    const said = one.name ?? '';
    const own = new Set(all.map((each) => each.name)).size > 1 ? '' : letterhead.tax;
    const name = taxNameOf({ tax: own || said }, currency);
    const tax = row(taxLabel(name, one.percent, prices_include_tax), (column) => taxAt(column, one));
    const bases = columns.map((column) => taxedAt(columns, column, one));
    return ofHowMuch(
      tax,
      bases.map((base) => (base === null ? '' : `on ${money(base)}`)),
    );
  });
  const deposits = isAsked(({ deposit_amount }) => deposit_amount)
    ? [
        row(shareText('Deposit', deposit_percent), ({ deposit_amount }) => deposit_amount),
        row('Balance', ({ balance_due }) => balance_due),
      ]
    : [];
  const per = price_per === undefined ? '' : ` per ${price_per}`;
  const total = row(`Total${per}`, (column) => column.total, true);
  const hasSteps = discounts.length + (prices_include_tax ? 0 : taxes.length) > 0;
  return [
    ...(hasSteps ? [row('Subtotal', ({ subtotal }) => subtotal)] : []),
    ...discounts,
    ...(prices_include_tax ? [total, ...taxes] : [...taxes, total]),
    ...deposits,
  ];
}

/** States the base of a tax: "VAT 20% on £3,727.50"; for several options, below the amount of each. */
function ofHowMuch({ label, values, ...total }: Total, bases: readonly string[]): Total {
  if (values.length === 1) return { label: `${label} ${bases[0]}`.trim(), values, ...total };
  const cells = values.map((value, index) => {
    const below = bases[index] ?? '';
    return below === '' || typeof value !== 'string' ? value : { value, below };
  });
  return { label, values: cells, ...total };
}

/** The name of the tax: the owner's, or else the usual one in the country of the currency. */
export function taxNameOf({ tax }: Pick<Letterhead, 'tax'>, currency: string): string {
  const usual = ['GBP', 'EUR'].includes(currency) ? 'VAT' : 'Tax';
  return cleanLine(tax) || (['AUD', 'NZD', 'SGD', 'INR'].includes(currency) ? 'GST' : usual);
}

/** "VAT 20%", "Includes VAT at 20%" */
const taxLabel = (name: string, percent: number, isIncluded: boolean): string =>
  isIncluded
    ? `Includes ${name === 'Tax' ? 'tax' : name} at ${plain(percent)}%`
    : `${name.charAt(0).toUpperCase()}${name.slice(1)} ${plain(percent)}%`;

/** "Discount 5%", or "Discount" if an amount was given. */
const shareText = (what: string, percent: number | null): string =>
  percent === null ? what : `${what} ${plain(percent)}%`;

/* The taxes of a quote or of the options of a pack. */

type Line = Pick<Body['items'][number], 'tax_percent' | 'second_tax_percent'>;
type Taxed = Pick<Body, 'tax_breakdown'> & { readonly items: readonly Line[] };

/** A tax in a document. Two taxes with the same rate have different names. */
type Tax = { readonly name: string | undefined; readonly percent: number };

/** Every tax of any option except 0%, in the order of the option with the most taxes. */
function taxesOf(options: readonly Taxed[]): readonly Tax[] {
  const rows = [...options]
    .sort((one, other) => other.tax_breakdown.length - one.tax_breakdown.length)
    .flatMap(({ tax_breakdown }) => tax_breakdown)
    .filter(({ tax_percent }) => tax_percent !== 0)
    .map(({ tax_name: name, tax_percent: percent }): [string, Tax] => [
      `${name} ${percent}`,
      { name, percent },
    ]);
  return [...new Map(rows).values()];
}

/** Whether lines have different taxes, or some have none. Each line then shows its own tax. */
export const hasRates = (options: readonly Taxed[]): boolean =>
  new Set(options.flatMap(({ items }) => items.map(rateText))).size > 1;

/** "20%", or "5% + 9.975%" for a line with two taxes */
export const rateText = ({ tax_percent, second_tax_percent = 0 }: Line): string =>
  `${plain(tax_percent)}%${second_tax_percent === 0 ? '' : ` + ${plain(second_tax_percent)}%`}`;

const rowOf = ({ tax_breakdown }: Taxed, { name, percent }: Tax) =>
  tax_breakdown.find(({ tax_name, tax_percent }) => tax_name === name && tax_percent === percent);

/** The amount of a tax in an option. */
const taxAt = (option: Taxed, tax: Tax): number => rowOf(option, tax)?.tax_amount ?? 0;

/**
 * The base of that tax; null if it adds no information: with one rate for all lines, or if the option does not have the
 * tax.
 */
const taxedAt = (options: readonly Taxed[], option: Taxed, tax: Tax): number | null =>
  hasRates(options) ? (rowOf(option, tax)?.taxable_amount ?? null) : null;
