import { clientName, greetingLine } from '../../../domain/letter-names.ts';
import { coverSubject } from '../../../domain/pack-words.ts';
import { cleanLine, listed } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { amountText, plain, priceText } from '../views/format.ts';
import { longDay } from '../views/long-day.ts';
import { hasRates, linesOf as linesIn } from '../views/pack.ts';
import type { Letterhead } from './letterhead.ts';
import { countText, factsOf, quoteName, totalsOf } from './quote-sheet.ts';
import { type Cell, linesOf, onPaper, type Sheet } from './sheet.ts';

type Body = AnswerOf<'quote_pack'>;
type Option = Body['options'][number];

/** A pack as its client reads it: three options side by side, their lines, terms, and where to choose and sign. */
export function packSheet(body: Body, letterhead: Letterhead): Sheet {
  const about = cleanLine(letterhead.about);
  const note = linesOf(letterhead.note);
  const until = longDay(body.valid_until, body.currency);
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
          head: [
            'What',
            'Quantity',
            ...(hasRates(body.options) ? ['Tax'] : []),
            ...body.options.map(({ label }) => label),
          ],
          rows: rowsOf(body),
          totals: totalsOf(body.options, body, letterhead),
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

/** What an option adds: the owner's own text where there is one, and nothing where it was emptied. */
function addsOf(option: Option, { better, best }: Letterhead): readonly string[] {
  const own = { good: undefined, better, best }[option.tier];
  return own === undefined ? option.adds : linesOf(own);
}

type CoverNote = Body['cover_note'];

/** The cover note as the document has it: its additions, its client, and its business where no other signed it. */
export function coverNoteOf(body: Body, letterhead: Letterhead): CoverNote {
  const { subject, body: text } = signed(body, cleanLine(letterhead.business));
  return { subject, body: withAdds(text, body, letterhead).replace(/^Hello,/, () => greetingOf(letterhead)) };
}

function signed({ cover_note: note, valid_until, currency, quote_number }: Body, name: string): CoverNote {
  // A note without a name ends with its closing.
  if (name === '' || !note.body.endsWith('\n\nKind regards')) return note;
  return {
    subject: coverSubject(longDay(valid_until, currency), name, quote_number),
    body: `${note.body},\n${name}`,
  };
}

/** What a form takes as the name of a client; a link that somebody made may hold any length. */
const LONGEST_NAME = 120;

/** "Hello Jo Smith," by the rules of a letter; an address that follows on the same line is no part of a name. */
function greetingOf({ client }: Letterhead): string {
  const [line = ''] = linesOf(client);
  const name = line.length > LONGEST_NAME ? null : line.replace(/,(?=.*\d).*$/, '');
  return greetingLine('Hello', clientName(name));
}

/** The note with the additions of the recommended option as the owner changed them; lines replaced stay as they are. */
function withAdds(note: string, { options, recommended }: Body, letterhead: Letterhead): string {
  const option = options.find(({ tier }) => tier === recommended);
  if (option === undefined || option.tier === 'good' || option.replaces.length > 0) return note;
  const own = addsOf(option, letterhead);
  if (own.join('\n') === linesOf(option.adds.join('\n')).join('\n')) return note;
  const adds = own.map((add) => `\n- ${add}`);
  return note.replace(/^(We recommend .*?)(?:, and adds:(?:\n- .*)+|\.)$/m, (_, advice: string) =>
    adds.length === 0 ? `${advice}.` : `${advice}, and adds:${adds.join('')}`,
  );
}

function optionOf(body: Body, letterhead: Letterhead, option: Option, index: number) {
  const before = body.options[index - 1];
  const holds = addsOf(option, letterhead);
  const all =
    before &&
    (option.replaces.length === 0
      ? `Everything in ${before.label}`
      : `As ${before.label}, without ${listed(option.replaces.map(cleanLine))}`);
  return {
    label: option.label,
    total: onPaper(option.formatted.total),
    isRecommended: option.tier === body.recommended,
    lead: all === undefined ? '' : holds.length === 0 ? `${all}.` : `${all}, and:`,
    holds,
  };
}

/** The lines with the amount of each option; where several are wanted, the price of one below it. */
function rowsOf({ options, currency }: Body): readonly (readonly Cell[])[] {
  return linesIn(options).map(({ description, line: number, quantity, tax_percent }) => [
    cleanLine(description),
    countText(quantity),
    ...(hasRates(options) ? [`${plain(tax_percent)}%`] : []),
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
