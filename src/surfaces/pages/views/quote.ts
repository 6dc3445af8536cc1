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

/** What the page shows of a quote, as the API answers it. */
export type QuoteBody = {
  readonly items: readonly {
    readonly description: string;
    readonly quantity: number;
    readonly unit_price: number;
    readonly line_total: number;
  }[];
  readonly discount_percent: number;
  readonly tax_percent: number;
  readonly deposit_percent: number;
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
  const asked: Partial<Record<Amount, number>> = {
    discount_amount: body.discount_percent,
    taxable_amount: body.discount_percent,
    tax_amount: body.tax_percent,
    deposit_amount: body.deposit_percent,
    balance_due: body.deposit_percent,
  };
  const shown = AMOUNTS.filter(([name]) => asked[name] !== 0);
  return [
    {
      figures: [
        { label: 'Total', value: formatted.total, strong: true },
        ...(body.deposit_percent === 0
          ? []
          : [
              { label: 'Deposit', value: formatted.deposit_amount },
              { label: 'Balance', value: formatted.balance_due },
            ]),
      ],
    },
    { text: `Issued on ${body.issued_on}, holds until ${body.valid_until}.` },
    {
      table: {
        head: ['Line', 'Quantity', 'Price of one', 'How it was reached'],
        rows: items.map(({ description, quantity, unit_price }, index) => [
          description,
          plain(quantity),
          plain(unit_price),
          formula.lines[index] ?? '',
        ]),
      },
    },
    {
      table: {
        head: ['Step', 'Amount', 'How it was reached'],
        rows: shown.map(([name, label]) => [label, formatted[name], formula[name]]),
      },
    },
    ...notes('Check this', body.warnings),
    ...notes('Good to know', body.caveats),
  ];
}
