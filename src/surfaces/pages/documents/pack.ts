import { taxNameOf } from '../../../domain/currency.ts';
import { clientName, greetingLine } from '../../../domain/letter-names.ts';
import { coverSubject, optionWords } from '../../../domain/pack-words.ts';
import { capitalised, cleanLine, countedText, perUnit } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { amountText, longDay, notes, plain, priceText } from '../views/format.ts';
import { brandOf } from './brand.ts';
import { BLANK, type Letterhead } from './letterhead.ts';
import { countText, factsOf, hasRates, lessText, paymentOf, quoteName, rateText, totalsOf } from './quote.ts';
import { type Cell, linesOf, onPaper, type Sheet, sheetBlocks } from './sheet.ts';

type Body = AnswerOf<'quote_pack'>;
type Option = Body['options'][number];

/** A pack as text: the document, a note to send with it, then what only its owner needs. */
export const packView = (body: Body): readonly Block[] => [
  ...unfinished(body),
  ...sheetBlocks(packSheet(body, BLANK)),
  { subheading: 'A note to send with it' },
  { letter: body.cover_note.subject, label: 'Subject' },
  { letter: body.cover_note.body, label: 'Cover note' },
  ...stepsUp(body),
];

/** Notes on a pack for its owner, which the client must not see. */
export const packNotes = (body: Body): readonly Block[] => [...unfinished(body), ...stepsUp(body)];

const unfinished = ({ missing, warnings }: Body): readonly Block[] =>
  [...missing, ...warnings].map((note) => ({ note }));

/** How much more each option costs than the others, and general notes. */
const stepsUp = ({ options, currency, caveats }: Body): readonly Block[] => [
  { subheading: 'How the options differ' },
  {
    table: {
      isCompared: true,
      head: ['For you only', ...options.map(({ label }) => label)],
      rows: [
        ['Markup on each price', ...options.map(({ markup_percent }) => `${plain(markup_percent)}%`)],
        [
          `More than ${options[0]?.label ?? ''}`,
          ...options.map(({ difference_from_good: more }) => amountText(more, currency)),
        ],
        [
          'More than the option before',
          ...options.map(({ step_from_previous: step }) => stepText(step, currency)),
        ],
      ],
    },
  },
  ...notes('Good to know', caveats),
];

function stepText(step: Option['step_from_previous'], currency: string): string {
  if (step === null) return '';
  const percent = step.percent === null ? '' : ` (${plain(step.percent)}%)`;
  return `${amountText(step.amount, currency)}${percent}`;
}

/** A pack as its client reads it: three options side by side, their lines, terms, and space to choose and sign. */
export function packSheet(body: Body, written: Letterhead): Sheet {
  const letterhead = { ...written, ...saidOf(body, written) };
  const about = cleanLine(letterhead.about);
  const note = linesOf(letterhead.note);
  const until = longDay(body.valid_until, body.currency);
  return {
    ...brandOf(letterhead),
    kind: 'pack',
    validUntil: body.valid_until,
    title: 'Quote',
    business: cleanLine(letterhead.business || (body.business_name ?? '')),
    contact: linesOf(letterhead.contact),
    client: linesOf(letterhead.client),
    facts: factsOf(body, letterhead),
    parts: [
      { subject: about === '' ? 'Three ways to have this done' : capitalised(about) },
      { options: body.options.map((option, index) => optionOf(body, letterhead, option, index)) },
      { heading: 'What each option costs' },
      {
        table: {
          head: [
            'Item',
            'Quantity',
            ...(hasRates(body.options) ? ['Tax'] : []),
            ...body.options.map(({ label }) => label),
          ],
          rows: rowsOf(body),
          totals: totalsOf(body.options, body, letterhead),
        },
      },
      ...(note.length === 0 ? [] : [{ lines: note }]),
      ...paymentOf({ ...letterhead, business: letterhead.business || (body.business_name ?? '') }),
      { heading: 'Terms' },
      { terms: body.terms },
      { heading: 'To accept' },
      {
        lines: [
          `To accept ${quoteName(body, letterhead)}, choose one option, sign below and return this page by ${until}.`,
        ],
      },
      { choices: body.options.map((option) => [option.label, totalOf(body, option)] as const) },
      { signature: ['Signature', 'Name', 'Date'] },
    ],
  };
}

/** The texts that the document takes from the answer unless the owner wrote others. */
const saidOf = (
  { client_name, job, quote_number, currency, options }: Body,
  { client, about, number, tax }: Letterhead,
) => ({
  client: client || (client_name ?? ''),
  about: about || (job ?? ''),
  number: number || (quote_number ?? ''),
  tax: tax || (isTaxNamed(options) ? '' : taxNameOf(currency)),
});

const isTaxNamed = (options: readonly Option[]): boolean =>
  options.some(({ tax_breakdown }) => tax_breakdown.some(({ tax_name }) => tax_name !== undefined));

/** The additions of an option. The owner's own text replaces them, even if it is empty. */
function addsOf(option: Option, { better, best }: Letterhead): readonly string[] {
  const own = { good: undefined, better, best }[option.tier];
  return own === undefined ? option.adds : linesOf(own);
}

type CoverNote = Body['cover_note'];

/**
 * The cover note with the document's additions and client. If the note names no sender, the business on the document
 * signs it.
 */
export function coverNoteOf(body: Body, letterhead: Letterhead): CoverNote {
  const { subject, body: text } = signed(body, cleanLine(letterhead.business));
  return { subject, body: withAdds(text, body, letterhead).replace(/^Hello,/, () => greetingOf(letterhead)) };
}

function signed({ cover_note: note, valid_until, currency, quote_number }: Body, name: string): CoverNote {
  // A note without a name ends with “Kind regards”.
  if (name === '' || !note.body.endsWith('\n\nKind regards')) return note;
  return {
    subject: coverSubject(longDay(valid_until, currency), name, quote_number),
    body: `${note.body},\n${name}`,
  };
}

/** Maximum length of a client name in a form; a link from elsewhere may hold any length. */
const LONGEST_NAME = 120;

/** "Hello Jo Smith," by the rules of a letter; an address on the same line is not part of the name. */
function greetingOf({ client }: Letterhead): string {
  const [line = ''] = linesOf(client);
  const name = line.length > LONGEST_NAME ? null : line.replace(/,(?=.*\d).*$/, '');
  return greetingLine('Hello', clientName(name));
}

/** The note with the additions that the owner has changed. Additions that replace other lines do not change. */
function withAdds(
  note: string,
  { options, recommended, ready_to_send }: Body,
  letterhead: Letterhead,
): string {
  return options.reduce((text, option, index) => {
    const before = options[index - 1];
    const own = addsOf(option, letterhead);
    const isSame = own.join('\n') === linesOf(option.adds.join('\n')).join('\n');
    if (before === undefined || option.replaces.length > 0 || isSame) return text;
    const isRecommended = ready_to_send && option.tier === recommended;
    const words = (adds: readonly string[]) =>
      `\n\n${optionWords(before.label, { label: option.label, adds, changes: [] }, isRecommended)}\n\n`;
    return text.replace(words(option.adds), () => words(own));
  }, note);
}

/** "€615.00", or "€615.00 per month" if the prices recur. */
const totalOf = ({ price_per }: Body, { formatted }: Option): string =>
  `${onPaper(formatted.total)}${price_per === undefined ? '' : ` per ${price_per}`}`;

/** An option that replaces lines lists everything it has. Otherwise the replaced lines would seem to be missing. */
function optionOf(body: Body, letterhead: Letterhead, option: Option, index: number) {
  const before = body.options[index - 1];
  const adds = addsOf(option, letterhead);
  const all = before === undefined || option.replaces.length > 0 ? '' : `Everything in ${before.label}`;
  const others = option.includes.filter((text) => !option.adds.includes(text));
  return {
    label: option.label,
    total: totalOf(body, option),
    isRecommended: body.ready_to_send && option.tier === body.recommended,
    lead: all === '' ? '' : adds.length === 0 ? `${all}.` : `${all}, and:`,
    holds: option.replaces.length === 0 ? adds : [...adds, ...others],
  };
}

/** Every line of any option once, in the order of the request. */
const linesIn = (options: Body['options']): readonly Option['items'][number][] =>
  [...new Map(options.flatMap(({ items }) => items.map((item) => [item.line, item] as const))).values()].sort(
    (one, other) => one.line - other.line,
  );

/** The lines with the amount of each option, and the unit price below if the quantity is more than one. */
function rowsOf({ options, currency }: Body): readonly (readonly Cell[])[] {
  return linesIn(options).map((first) => [
    cleanLine(first.description),
    countedText(countText(first.quantity), first.unit),
    ...(hasRates(options) ? [rateText(first)] : []),
    ...options.map(({ items }): Cell => {
      const line = items.find((item) => item.line === first.line);
      if (line === undefined) return '';
      const value = onPaper(amountText(line.line_total, currency));
      const below = priceOf(line, currency);
      return below === '' ? value : { value, below };
    }),
  ]);
}

/** "A$48.40 per m2", "£0.75 each, less 10% (£18.75)"; empty if the amount says it all. */
function priceOf(
  { quantity, unit, unit_price, discount_percent = 0, discount_amount = 0 }: Option['items'][number],
  currency: string,
): string {
  if (quantity === 1 && unit === undefined && discount_percent === 0) return '';
  const price = onPaper(priceText(unit_price, currency));
  const each = quantity === 1 && unit === undefined ? '' : perUnit(unit) || ' each';
  return `${price}${each}${lessText(discount_percent, discount_amount, currency)}`;
}
