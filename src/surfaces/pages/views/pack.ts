import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { amountText, longDay, notes, plain, priceText } from './format.ts';
import { hasRates, rateText, taxAt, taxedAt, taxesOf } from './taxes.ts';

type Body = AnswerOf<'quote_pack'>;
type Option = Body['options'][number];

/** A pack for people: three options side by side, their calculations, the terms and a cover note. */
export function packView(body: Body): readonly Block[] {
  const { options, terms, cover_note } = body;
  return [
    ...packAnswer(body),
    ...workings(body),
    ...options.flatMap(optionBlocks),
    { subheading: 'Terms' },
    { list: terms.map(({ title, text }) => `${title}: ${text}`) },
    { subheading: 'A note to send with it' },
    { letter: cover_note.subject, label: 'Subject' },
    { letter: cover_note.body, label: 'Cover note' },
    ...notes('Good to know', body.caveats),
  ];
}

/** Notes on a pack for its owner, which the client must not see. */
export const packNotes = (body: Body): readonly Block[] => [
  ...packAnswer(body),
  ...workings(body),
  ...notes('Good to know', body.caveats),
];

const packAnswer = (body: Body): readonly Block[] => [
  {
    figures: body.options.map(({ label, total, tier }) => {
      const strong = body.ready_to_send && tier === body.recommended;
      const value = amountText(total, body.currency);
      return { label: strong ? `${label} (recommended)` : label, value, strong };
    }),
  },
  {
    text: `Issued on ${longDay(body.issued_on, body.currency)}, valid until ${longDay(body.valid_until, body.currency)}.`,
  },
  ...[...body.missing, ...body.warnings].map((note) => ({ note })),
];

function workings(body: Body): readonly Block[] {
  const labels = body.options.map(({ label }) => label);
  const tax = hasRates(body.options) ? ['Tax'] : [];
  return [
    { subheading: 'Lines' },
    { table: { isCompared: true, head: ['Line', ...tax, ...labels], rows: lines(body) } },
    { subheading: 'Totals' },
    { table: { isCompared: true, head: ['Amount', ...labels], rows: totals(body) } },
  ];
}

/** "2 x $562.50 = $1,125.00" for each option. */
function lines({ options, currency }: Body): readonly (readonly string[])[] {
  return linesOf(options).map((first) => [
    first.description,
    ...(hasRates(options) ? [rateText(first)] : []),
    ...options.map(({ items }) => {
      const line = items.find((item) => item.line === first.line);
      return line === undefined
        ? ''
        : `${plain(line.quantity)} x ${priceText(line.unit_price, currency)} = ${amountText(line.line_total, currency)}`;
    }),
  ]);
}

/** Every line of any option once, in the order of the request. */
export const linesOf = (options: Body['options']): readonly Option['items'][number][] =>
  [...new Map(options.flatMap(({ items }) => items.map((item) => [item.line, item] as const))).values()].sort(
    (one, other) => one.line - other.line,
  );

function totals(body: Body): readonly (readonly string[])[] {
  const { options, currency, discount_percent, deposit_percent, prices_include_tax } = body;
  const row = (label: string, value: (option: Option) => number) => [
    label,
    ...options.map((option) => amountText(value(option), currency)),
  ];
  const isAsked = (percent: number | null, value: (option: Option) => number) =>
    percent === null ? options.some((option) => value(option) !== 0) : percent !== 0;
  const isDiscounted = isAsked(discount_percent, ({ discount_amount }) => discount_amount);
  const isDeposited = isAsked(deposit_percent, ({ deposit_amount }) => deposit_amount);
  const tax = prices_include_tax ? 'Tax in the prices' : 'Tax';
  const taxes = taxesOf(options).map((one) => [
    `${one.name ?? tax}: ${plain(one.percent)}% of the taxable amount`,
    ...options.map((option) => {
      const base = taxedAt(options, option, one);
      const sum = amountText(taxAt(option, one), currency);
      return base === null ? sum : `${sum} on ${amountText(base, currency)}`;
    }),
  ]);
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

function stepText(step: Option['step_from_previous'], currency: string): string {
  if (step === null) return '';
  const percent = step.percent === null ? '' : ` (${plain(step.percent)}%)`;
  return `${amountText(step.amount, currency)}${percent}`;
}

const optionBlocks = ({ label, summary, adds }: Option, index: number): readonly Block[] => [
  { subheading: label },
  { text: summary },
  ...(adds.length === 0 ? [] : [{ text: index === 0 ? 'It includes:' : 'It adds:' }, { list: adds }]),
];
