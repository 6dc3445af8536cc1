import { cleanLine } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { amountText, plain, priceText } from '../views/format.ts';
import { longDay } from '../views/long-day.ts';
import type { Letterhead } from './letterhead.ts';
import { linesOf, onPaper, type Sheet, type SheetTable } from './sheet.ts';

type Body = AnswerOf<'quote_totals'>;
type Total = SheetTable['totals'][number];

/** A quote as its client reads it: who, for whom, what, how much, until when, and where to sign. */
export function quoteSheet(body: Body, letterhead: Letterhead): Sheet {
  const until = longDay(body.valid_until);
  const about = cleanLine(letterhead.about);
  const note = linesOf(letterhead.note);
  return {
    kind: 'quote',
    title: 'Quote',
    business: cleanLine(letterhead.business),
    contact: linesOf(letterhead.contact),
    client: linesOf(letterhead.client),
    facts: factsOf(body, letterhead),
    parts: [
      ...(about === '' ? [] : [{ subject: about }]),
      { table: { head: headOf(body), rows: rowsOf(body), totals: totalsOf(body, letterhead) } },
      ...(note.length === 0 ? [] : [{ lines: note }]),
      { lines: [`To accept ${quoteName(body, letterhead)}, please sign below and return it by ${until}.`] },
      { signature: ['Signature', 'Name', 'Date'] },
    ],
  };
}

type Dated = Pick<Body, 'issued_on' | 'valid_until'>;

/** Number, date and validity. */
export const factsOf = ({ issued_on, valid_until }: Dated, { number }: Letterhead): Sheet['facts'] => [
  ...(cleanLine(number) === '' ? [] : [{ label: 'Number', value: cleanLine(number) }]),
  { label: 'Date', value: longDay(issued_on) },
  { label: 'Valid until', value: longDay(valid_until) },
];

/** "quote Q-118 of 21 November 2026": names the document beside its signature, which may be on another page. */
export const quoteName = ({ issued_on }: Dated, { number }: Letterhead): string =>
  `${cleanLine(number) === '' ? 'the quote' : `quote ${cleanLine(number)}`} of ${longDay(issued_on)}`;

const hasRates = ({ tax_breakdown }: Body): boolean => tax_breakdown.length > 1;

const headOf = (body: Body): readonly string[] => [
  'What',
  'Quantity',
  'Price',
  ...(hasRates(body) ? ['Tax'] : []),
  'Amount',
];

const rowsOf = (body: Body): readonly (readonly string[])[] =>
  body.items.map(({ description, quantity, unit_price, tax_percent, line_total }) => [
    cleanLine(description),
    countText(quantity),
    onPaper(priceText(unit_price, body.currency)),
    ...(hasRates(body) ? [`${plain(tax_percent)}%`] : []),
    onPaper(amountText(line_total, body.currency)),
  ]);

/** 1,250 and 2.5 */
export const countText = (quantity: number): string =>
  plain(quantity).replace(/\B(?=(?:\d{3})+(?:\.|$))(?<!\.\d*)/g, ',');

function totalsOf(body: Body, letterhead: Letterhead): readonly Total[] {
  const { formatted, discount_percent, deposit_percent, prices_include_tax } = body;
  const one = (label: string, value: string, isMain = false): Total => ({ label, values: [value], isMain });
  const discounts =
    body.discount_amount === 0
      ? []
      : [one(shareText('Discount', discount_percent), `−${formatted.discount_amount}`)];
  const taxes = taxRowsOf(body, letterhead);
  const deposits =
    body.deposit_amount === 0
      ? []
      : [
          one(shareText('Deposit', deposit_percent), formatted.deposit_amount),
          one('Balance', onPaper(formatted.balance_due)),
        ];
  const total = one('Total', onPaper(formatted.total), true);
  const hasSteps = discounts.length + taxes.length > 0;
  return [
    ...(hasSteps && !(prices_include_tax && discounts.length === 0)
      ? [one('Subtotal', onPaper(formatted.subtotal))]
      : []),
    ...discounts,
    ...(prices_include_tax ? [total, ...taxes] : [...taxes, total]),
    ...deposits,
  ];
}

function taxRowsOf({ tax_breakdown, prices_include_tax }: Body, letterhead: Letterhead): readonly Total[] {
  return tax_breakdown
    .filter(({ tax_percent }) => tax_percent !== 0)
    .map(({ tax_percent, formatted }) => ({
      label: taxLabel(letterhead, tax_percent, prices_include_tax),
      values: [onPaper(formatted)],
    }));
}

/** "VAT 20%", "Includes VAT 20%" */
export function taxLabel({ tax }: Letterhead, percent: number, isIncluded: boolean): string {
  const name = cleanLine(tax) || 'Tax';
  return isIncluded
    ? `Includes ${name === 'Tax' ? 'tax' : name} at ${plain(percent)}%`
    : `${name} ${plain(percent)}%`;
}

/** "Discount 5%", or "Discount" where a sum of money was given. */
export const shareText = (what: string, percent: number | null): string =>
  percent === null ? what : `${what} ${plain(percent)}%`;
