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
  readonly items: readonly {
    readonly description: string;
    readonly quantity: number;
    readonly unit_price: number;
    readonly line_total: number;
  }[];
  readonly subtotal: number;
  readonly discount_amount: number;
  readonly taxable_amount: number;
  readonly tax_amount: number;
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
  readonly discount_percent: number;
  readonly tax_percent: number;
  readonly deposit_percent: number;
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
  const [first] = options;
  return (first?.items ?? []).map(({ description }, index) => [
    description,
    ...options.map(({ items }) => {
      const line = items[index];
      return line === undefined
        ? ''
        : `${plain(line.quantity)} x ${plain(line.unit_price)} = ${amountText(line.line_total, currency)}`;
    }),
  ]);
}

function totals(body: PackBody): readonly (readonly string[])[] {
  const { options, currency, discount_percent, tax_percent, deposit_percent } = body;
  const row = (label: string, value: (option: PackOption) => number) => [
    label,
    ...options.map((option) => amountText(value(option), currency)),
  ];
  const percent = (value: number) => `${plain(value)}%`;
  return [
    ['Markup on each price', ...options.map(({ markup_percent }) => percent(markup_percent))],
    row('Subtotal: the sum of the lines', ({ subtotal }) => subtotal),
    ...(discount_percent === 0
      ? []
      : [
          row(
            `Discount: ${percent(discount_percent)} of the subtotal`,
            ({ discount_amount }) => discount_amount,
          ),
          row('After discount', ({ taxable_amount }) => taxable_amount),
        ]),
    ...(tax_percent === 0
      ? []
      : [row(`Tax: ${percent(tax_percent)} of what is taxable`, ({ tax_amount }) => tax_amount)]),
    row('Total', ({ total }) => total),
    ...(deposit_percent === 0
      ? []
      : [
          row(`Deposit: ${percent(deposit_percent)} of the total`, ({ deposit_amount }) => deposit_amount),
          row('Balance', ({ balance_due }) => balance_due),
        ]),
    row(`More than ${options[0]?.label ?? ''}`, ({ difference_from_good }) => difference_from_good),
    [
      'More than the option before',
      ...options.map(({ step_from_previous: step }) => stepText(step, currency)),
    ],
  ];
}

function stepText(step: PackOption['step_from_previous'], currency: string): string {
  if (step === null) return '';
  const percent = step.percent === null ? '' : ` (${plain(step.percent)}%)`;
  return `${amountText(step.amount, currency)}${percent}`;
}

const optionBlocks = ({ label, summary, adds }: PackOption, index: number): readonly Block[] => [
  { subheading: label },
  { text: summary },
  { text: index === 0 ? 'It holds:' : 'It adds:' },
  { list: adds },
];
