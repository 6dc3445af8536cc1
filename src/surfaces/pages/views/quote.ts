import type { Block } from '../content.ts';
import { notes, plain } from './words.ts';

/** The amounts of a quote in the order in which they are worked out. */
const AMOUNTS = [
  ['subtotal', 'Subtotal'],
  ['discount_amount', 'Discount'],
  ['taxable_amount', 'After discount'],
  ['tax_amount', 'Tax'],
  ['total', 'Total'],
  ['deposit_amount', 'Deposit'],
  ['balance_due', 'Balance'],
] as const;
type Amount = (typeof AMOUNTS)[number][0];

/** The tax at one rate. */
export type TaxRow = {
  readonly tax_percent: number;
  readonly formatted: string;
  readonly formula: string;
};

/** What the page shows of a quote, as the API answers it. */
export type QuoteBody = {
  readonly items: readonly {
    readonly description: string;
    readonly quantity: number;
    readonly unit_price: number;
    readonly line_total: number;
    readonly tax_percent: number;
  }[];
  readonly discount_percent: number | null;
  readonly deposit_percent: number | null;
  readonly discount_amount: number;
  readonly deposit_amount: number;
  readonly tax_breakdown: readonly TaxRow[];
  readonly prices_include_tax: boolean;
  readonly issued_on: string;
  readonly valid_until: string;
  readonly formatted: Readonly<Record<Amount, string>>;
  readonly formula: Readonly<Record<Amount, string>> & { readonly lines: readonly string[] };
  readonly warnings: readonly string[];
  readonly caveats: readonly string[];
};

/** A quote for people: its total, its lines, and every step with its formula. */
export function quoteView(body: QuoteBody): readonly Block[] {
  const { formatted, formula, items } = body;
  const isDiscounted = (body.discount_percent ?? body.discount_amount) !== 0;
  const isTaxed = body.tax_breakdown.some(({ tax_percent }) => tax_percent !== 0);
  const isDeposited = (body.deposit_percent ?? body.deposit_amount) !== 0;
  const asked: Partial<Record<Amount, boolean>> = {
    discount_amount: isDiscounted,
    taxable_amount: isDiscounted || (isTaxed && body.prices_include_tax),
    tax_amount: isTaxed,
    deposit_amount: isDeposited,
    balance_due: isDeposited,
  };
  const shown = AMOUNTS.filter(([name]) => asked[name] !== false);
  return [
    {
      figures: [
        { label: 'Total', value: formatted.total, strong: true },
        ...(isDeposited
          ? [
              { label: 'Deposit', value: formatted.deposit_amount },
              { label: 'Balance', value: formatted.balance_due },
            ]
          : []),
      ],
    },
    { text: `Issued on ${body.issued_on}, holds until ${body.valid_until}.` },
    { table: linesTable(items, formula.lines, body.tax_breakdown.length > 1) },
    {
      table: {
        head: ['Step', 'Amount', 'How it was reached'],
        rows: shown.flatMap(([name, label]) => [
          ...(name === 'tax_amount' ? ratesOf(body) : []),
          [
            name === 'taxable_amount' && body.prices_include_tax ? 'Before tax' : label,
            formatted[name],
            formula[name],
          ],
        ]),
      },
    },
    ...notes('Check this', body.warnings),
    ...notes('Good to know', body.caveats),
  ];
}

function linesTable(items: QuoteBody['items'], formulas: readonly string[], hasRates: boolean) {
  return {
    head: ['Line', 'Quantity', 'Price of one', ...(hasRates ? ['Tax'] : []), 'How it was reached'],
    rows: items.map(({ description, quantity, unit_price, tax_percent }, index) => [
      description,
      plain(quantity),
      plain(unit_price),
      ...(hasRates ? [`${plain(tax_percent)}%`] : []),
      formulas[index] ?? '',
    ]),
  };
}

/** A row for each rate, where there are several. */
const ratesOf = ({ tax_breakdown: rates }: QuoteBody): readonly (readonly string[])[] =>
  rates.length < 2
    ? []
    : rates.map(({ tax_percent, formatted, formula }) => [
        `Tax at ${plain(tax_percent)}%`,
        formatted,
        formula,
      ]);
