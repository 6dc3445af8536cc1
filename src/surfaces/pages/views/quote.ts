import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { longDay, notes, plain, priceText } from './format.ts';
import { hasRates, rateText } from './taxes.ts';

/** The amounts of a quote in the order of their calculation. */
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

type Body = AnswerOf<'quote_totals'>;

/** A quote for people: its total, its lines, and every step with its formula. */
export function quoteView(body: Body): readonly Block[] {
  const { formatted, formula } = body;
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
    {
      text: `Issued on ${longDay(body.issued_on, body.currency)}, valid until ${longDay(body.valid_until, body.currency)}.`,
    },
    ...body.warnings.map((warning) => ({ note: warning })),
    { subheading: 'How it was reached' },
    { table: linesTable(body) },
    {
      table: {
        isLastLong: true,
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
    ...notes('Good to know', body.caveats),
  ];
}

function linesTable(body: Body) {
  const { items, formula, currency } = body;
  const tax = hasRates([body]);
  return {
    isLastLong: true,
    head: ['Line', 'Quantity', 'Price', ...(tax ? ['Tax'] : []), 'How it was reached'],
    rows: items.map(({ description, quantity, unit_price, ...line }, index) => [
      description,
      plain(quantity),
      priceText(unit_price, currency),
      ...(tax ? [rateText(line)] : []),
      formula.lines[index] ?? '',
    ]),
  };
}

/** A row for each rate, if there are several. */
const ratesOf = ({ tax_breakdown: rates }: Body): readonly (readonly string[])[] =>
  rates.length < 2
    ? []
    : rates.map(({ tax_name = 'Tax', tax_percent, formatted, formula }) => [
        `${tax_name} at ${plain(tax_percent)}%`,
        formatted,
        formula,
      ]);
