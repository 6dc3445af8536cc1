import type { Block } from '../content.ts';
import { dayWords } from './listing-words.ts';
import { amountText, notes, plain } from './words.ts';

/** One of the three options of a pack, as the API answers it. */
export type PackOption = {
  readonly tier: string;
  readonly label: string;
  readonly markup_percent: number;
  readonly summary: string;
  readonly adds: readonly string[];
  readonly adds_source: string;
  readonly items: readonly {
    readonly line: number;
    readonly description: string;
    readonly quantity: number;
    readonly unit_price: number;
    readonly line_total: number;
  }[];
  readonly subtotal: number;
  readonly discount_amount: number;
  readonly taxable_amount: number;
  readonly tax_amount: number;
  readonly tax_breakdown: readonly { readonly tax_percent: number; readonly tax_amount: number }[];
  readonly total: number;
  readonly deposit_amount: number;
  readonly balance_due: number;
  readonly difference_from_good: number;
  readonly step_from_previous: { readonly amount: number; readonly percent: number | null } | null;
};

/** What the page shows of a pack, as the API answers it. */
export type PackBody = {
  readonly currency: string;
  readonly issued_on: string;
  readonly valid_until: string;
  readonly discount_percent: number | null;
  readonly tax_percent: number;
  readonly deposit_percent: number | null;
  readonly prices_include_tax: boolean;
  readonly recommended: string;
  readonly options: readonly PackOption[];
  readonly terms: readonly { readonly title: string; readonly text: string }[];
  readonly cover_note: { readonly subject: string; readonly body: string };
  readonly warnings: readonly string[];
  readonly caveats: readonly string[];
};

/** A pack for people: three options side by side, how each figure was reached, terms and a note to send. */
export function packView(body: PackBody): readonly Block[] {
  const { options, recommended, terms, cover_note } = body;
  const labels = options.map(({ label }) => label);
  return [
    {
      figures: options.map(({ label, total, tier }) => ({
        label: tier === recommended ? `${label} (recommended)` : label,
        value: amountText(total, body.currency),
        strong: tier === recommended,
      })),
    },
    { text: `Issued on ${dayWords(body.issued_on)}, holds until ${dayWords(body.valid_until)}.` },
    { subheading: 'Lines' },
    { table: { head: ['Line', ...labels], rows: lines(body) } },
    { subheading: 'Totals' },
    { table: { head: ['Amount', ...labels], rows: totals(body) } },
    ...options.flatMap(optionBlocks),
    { subheading: 'Terms' },
    { list: terms.map(({ title, text }) => `${title}: ${text}`) },
    { subheading: 'A note to send it with' },
    { letter: cover_note.subject, label: 'Subject' },
    { letter: cover_note.body, label: 'Cover note' },
    ...notes('Check this', body.warnings),
    ...notes('Good to know', body.caveats),
  ];
}

/** "2 x 562.5 = 1,125.00 USD" for each option. */
function lines({ options, currency }: PackBody): readonly (readonly string[])[] {
  // The dearest option has every line.
  return (options.at(-1)?.items ?? []).map(({ description, line: number }) => [
    description,
    ...options.map(({ items }) => {
      const line = items.find((item) => item.line === number);
      return line === undefined
        ? ''
        : `${plain(line.quantity)} x ${plain(line.unit_price)} = ${amountText(line.line_total, currency)}`;
    }),
  ]);
}

function totals(body: PackBody): readonly (readonly string[])[] {
  const { options, currency, discount_percent, deposit_percent, prices_include_tax } = body;
  const row = (label: string, value: (option: PackOption) => number) => [
    label,
    ...options.map((option) => amountText(value(option), currency)),
  ];
  const isAsked = (percent: number | null, value: (option: PackOption) => number) =>
    percent === null ? options.some((option) => value(option) !== 0) : percent !== 0;
  const isDiscounted = isAsked(discount_percent, ({ discount_amount }) => discount_amount);
  const isDeposited = isAsked(deposit_percent, ({ deposit_amount }) => deposit_amount);
  const taxes = taxRows(body, row);
  const share = (what: string, percent: number | null, of: string) =>
    percent === null ? what : `${what}: ${plain(percent)}% of ${of}`;
  return [
    ['Markup on each price', ...options.map(({ markup_percent }) => `${plain(markup_percent)}%`)],
    row('Subtotal: the sum of the lines', ({ subtotal }) => subtotal),
    ...(isDiscounted
      ? [row(share('Discount', discount_percent, 'the subtotal'), ({ discount_amount }) => discount_amount)]
      : []),
    ...(isDiscounted || (taxes.length > 0 && prices_include_tax)
      ? [row(prices_include_tax ? 'Before tax' : 'After discount', ({ taxable_amount }) => taxable_amount)]
      : []),
    ...taxes,
    row('Total', ({ total }) => total),
    ...(isDeposited
      ? [
          row(share('Deposit', deposit_percent, 'the total'), ({ deposit_amount }) => deposit_amount),
          row('Balance', ({ balance_due }) => balance_due),
        ]
      : []),
    row(`More than ${options[0]?.label ?? ''}`, ({ difference_from_good }) => difference_from_good),
    [
      'More than the option before',
      ...options.map(({ step_from_previous: step }) => stepText(step, currency)),
    ],
  ];
}

type Row = (label: string, value: (option: PackOption) => number) => readonly string[];

/** A row for each rate of any option, the highest first; none where nothing is taxed. */
function taxRows({ options, prices_include_tax }: PackBody, row: Row): readonly (readonly string[])[] {
  const rates = [
    ...new Set(options.flatMap(({ tax_breakdown }) => tax_breakdown.map((rate) => rate.tax_percent))),
  ]
    .filter((rate) => rate !== 0)
    .sort((a, b) => b - a);
  const what = prices_include_tax ? 'Tax in the prices' : 'Tax';
  return rates.map((rate) =>
    row(
      `${what}: ${plain(rate)}% of what is taxable`,
      ({ tax_breakdown }) => tax_breakdown.find(({ tax_percent }) => tax_percent === rate)?.tax_amount ?? 0,
    ),
  );
}

function stepText(step: PackOption['step_from_previous'], currency: string): string {
  if (step === null) return '';
  const percent = step.percent === null ? '' : ` (${plain(step.percent)}%)`;
  return `${amountText(step.amount, currency)}${percent}`;
}

const optionBlocks = ({ label, summary, adds, adds_source }: PackOption, index: number): readonly Block[] => [
  { subheading: label },
  { text: summary },
  { text: index === 0 ? 'It holds:' : (ADDS[adds_source] ?? 'It adds:') },
  { list: adds },
];

const ADDS: Readonly<Record<string, string>> = {
  suggested: 'It adds (suggestions: keep what is true, or write your own):',
};
