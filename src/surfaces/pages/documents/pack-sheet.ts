import { cleanLine } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { amountText, priceText } from '../views/format.ts';
import { longDay } from '../views/long-day.ts';
import { taxAt, taxRatesOf } from '../views/pack.ts';
import type { Letterhead } from './letterhead.ts';
import { countText, factsOf, quoteName, shareText, taxLabel } from './quote-sheet.ts';
import { type Cell, linesOf, onPaper, type Sheet, type SheetTable } from './sheet.ts';

type Body = AnswerOf<'quote_pack'>;
type Option = Body['options'][number];
type Total = SheetTable['totals'][number];

/** A pack as its client reads it: three options side by side, their lines, terms, and where to choose and sign. */
export function packSheet(body: Body, letterhead: Letterhead): Sheet {
  const about = cleanLine(letterhead.about);
  const note = linesOf(letterhead.note);
  const until = longDay(body.valid_until);
  return {
    kind: 'pack',
    title: 'Quote',
    business: cleanLine(letterhead.business || (body.business_name ?? '')),
    contact: linesOf(letterhead.contact),
    client: linesOf(letterhead.client),
    facts: factsOf(body, letterhead),
    parts: [
      { subject: about === '' ? 'Three ways to have this done' : about },
      { options: body.options.map((option, index) => optionOf(body, letterhead, option, index)) },
      { heading: 'What each option costs' },
      {
        table: {
          head: ['What', 'Quantity', ...body.options.map(({ label }) => label)],
          rows: rowsOf(body),
          totals: totalsOf(body, letterhead),
        },
      },
      ...(note.length === 0 ? [] : [{ lines: note }]),
      { heading: 'Terms' },
      { terms: body.terms },
      { heading: 'To accept' },
      {
        lines: [
          `To accept ${quoteName(body, letterhead)}, choose one option, sign below and return this page by ${until}.`,
        ],
      },
      { choices: body.options.map(({ label, formatted }) => [label, onPaper(formatted.total)] as const) },
      { signature: ['Signature', 'Name', 'Date'] },
    ],
  };
}

/** What an option adds: the owner's own text where there is one. */
function addsOf(option: Option, { better, best }: Letterhead): readonly string[] {
  const own = linesOf({ good: '', better, best }[option.tier]);
  return own.length > 0 ? own : option.adds;
}

/** The cover note, with the additions as the document has them. */
export function coverNoteOf({ cover_note, options }: Body, letterhead: Letterhead): string {
  const [, better] = options;
  if (better === undefined || linesOf(letterhead.better).length === 0) return cover_note.body;
  const adds = addsOf(better, letterhead).map((add) => `- ${add}`);
  // The additions are the only list there is.
  return cover_note.body.replace(/(?:^- .*$\n?)+/m, () => `${adds.join('\n')}\n`);
}

function optionOf(body: Body, letterhead: Letterhead, option: Option, index: number) {
  const before = body.options[index - 1];
  return {
    label: option.label,
    total: onPaper(option.formatted.total),
    isRecommended: option.tier === body.recommended,
    lead: before === undefined ? '' : `Everything in ${before.label}, and:`,
    holds: addsOf(option, letterhead),
  };
}

/** The lines with the amount of each option; where several are wanted, the price of one below it. */
function rowsOf({ options, currency }: Body): readonly (readonly Cell[])[] {
  // The dearest option has every line.
  return (options.at(-1)?.items ?? []).map(({ description, line: number, quantity }) => [
    cleanLine(description),
    countText(quantity),
    ...options.map(({ items }): Cell => {
      const line = items.find((item) => item.line === number);
      if (line === undefined) return '';
      const value = onPaper(amountText(line.line_total, currency));
      return quantity === 1
        ? value
        : { value, below: `${onPaper(priceText(line.unit_price, currency))} each` };
    }),
  ]);
}

function totalsOf(body: Body, letterhead: Letterhead): readonly Total[] {
  const { options, currency, discount_percent, deposit_percent, prices_include_tax } = body;
  const row = (label: string, value: (option: Option) => number, isMain = false): Total => ({
    label,
    values: options.map((option) => onPaper(amountText(value(option), currency))),
    isMain,
  });
  const isAsked = (value: (option: Option) => number) => options.some((option) => value(option) !== 0);
  const discounts = isAsked(({ discount_amount }) => discount_amount)
    ? [row(shareText('Discount', discount_percent), ({ discount_amount }) => -discount_amount)]
    : [];
  const taxes = taxRatesOf(body).map((rate) =>
    row(taxLabel(letterhead, rate, prices_include_tax), (option) => taxAt(option, rate)),
  );
  const deposits = isAsked(({ deposit_amount }) => deposit_amount)
    ? [
        row(shareText('Deposit', deposit_percent), ({ deposit_amount }) => deposit_amount),
        row('Balance', ({ balance_due }) => balance_due),
      ]
    : [];
  const total = row('Total', (option) => option.total, true);
  const hasSteps = discounts.length + (prices_include_tax ? 0 : taxes.length) > 0;
  return [
    ...(hasSteps ? [row('Subtotal', ({ subtotal }) => subtotal)] : []),
    ...discounts,
    ...(prices_include_tax ? [total, ...taxes] : [...taxes, total]),
    ...deposits,
  ];
}
