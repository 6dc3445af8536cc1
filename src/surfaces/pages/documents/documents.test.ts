import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../test/support/app.ts';
import { type Day, parseDay } from '../../../domain/calendar.ts';
import { validate } from '../../../exchange/validate.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { reportPaper } from '../views/report.ts';
import { linesCsv } from './downloads.ts';
import { letterSheet, letterText } from './letter-sheet.ts';
import { BLANK, type Letterhead, paperIn, paperQuery, withoutPaper } from './letterhead.ts';
import { coverNoteOf, packSheet } from './pack-sheet.ts';
import { quoteSheet } from './quote-sheet.ts';
import { reportSheet } from './report-sheet.ts';
import { type Sheet, sheetText } from './sheet.ts';
import { SheetView } from './sheet-view.tsx';

const today = parseDay('2026-11-21') as Day;

function answer<Body>(name: string, changes: object = {}): Body {
  const operation = catalog.find((one) => one.name === name);
  if (operation === undefined) throw new Error(name);
  const values = { ...operation.example, ...changes };
  const validated = validate(operation, { values, faults: [] }, { today });
  if (!validated.ok) throw new Error(JSON.stringify(validated.faults));
  const found = operation.run(validated.input, { today });
  if (found.kind !== 'answer') throw new Error(found.kind);
  return found.body as Body;
}

const green: Letterhead = {
  ...BLANK,
  business: 'Green Gardens',
  contact: '12 Mill Lane\n\n  hello@green.example',
  client: 'Acme Ltd\r\n4 Park Row',
  number: 'Q-118',
  about: 'Garden at 4 Park Row',
  note: 'Paid by bank transfer.',
  tax: 'VAT',
};
const html = (sheet: Sheet) => String(SheetView({ sheet }));
const quoted = (changes = {}) =>
  answer<AnswerOf<'quote_totals'>>('quote_totals', { currency: 'GBP', ...changes });
const packed = (changes = {}) => answer<AnswerOf<'quote_pack'>>('quote_pack', changes);

describe('a quote on paper', () => {
  it('says who, for whom, what, how much, until when, and where to sign', () => {
    expect(sheetText(quoteSheet(quoted(), green))).toBe(`Green Gardens
12 Mill Lane
hello@green.example

QUOTE
Number: Q-118
Date: 21 November 2026
Valid until: 21 December 2026

For
Acme Ltd
4 Park Row

Garden at 4 Park Row

Garden design: Quantity 2, Price £450.00, Amount £900.00
Plants: Quantity 40, Price £7.25, Amount £290.00

Subtotal: £1,190.00
Discount 5%: −£59.50
VAT 8.25%: £93.27
Total: £1,223.77
Deposit 25%: £305.94
Balance: £917.83

Paid by bank transfer.

To accept quote Q-118 of 21 November 2026, please sign below and return it by 21 December 2026.

Signature: ____________________
Name: ____________________
Date: ____________________
`);
  });

  it('has nothing of its owner’s notes', () => {
    const body = quoted();
    const text = html(quoteSheet(body, green));
    for (const hidden of [...body.caveats, ...body.warnings, ...body.formula.lines, body.formula.total])
      expect(text).not.toContain(hidden);
  });

  it('shows each tax where there are several, and what prices include below the total', () => {
    const items = [
      { description: 'Plants', unit_price: 100, tax_percent: 5 },
      { description: 'Work', unit_price: 200 },
    ];
    const changes = {
      items,
      tax_percent: 20,
      prices_include_tax: true,
      discount_percent: 0,
      deposit_percent: 0,
    };
    const [, table] = quoteSheet(quoted(changes), green).parts;
    expect(table).toMatchObject({
      table: {
        head: ['What', 'Quantity', 'Price', 'Tax', 'Amount'],
        totals: [
          { label: 'Total', values: ['£300.00'], isMain: true },
          { label: 'Includes VAT at 20%', values: ['£33.33'] },
          { label: 'Includes VAT at 5%', values: ['£4.76'] },
        ],
      },
    });
  });

  it('has a credit with a minus as wide as a plus, and prices finer than a coin', () => {
    const items = [
      { description: 'Cable', quantity: 1200, unit_price: 0.125 },
      { description: 'Returned', unit_price: -5 },
    ];
    const [, table] = quoteSheet(quoted({ items }), green).parts;
    expect(table).toMatchObject({
      table: {
        rows: [
          ['Cable', '1,200', '£0.125', '£150.00'],
          ['Returned', '1', '−£5.00', '−£5.00'],
        ],
      },
    });
  });

  it('shows what anybody wrote as text', () => {
    const text = html(quoteSheet(quoted(), { ...green, business: '<img src=x onerror=alert(1)>' }));
    expect(text).not.toContain('<img');
  });
});

describe('a pack on paper', () => {
  it('sets three options side by side, and nothing of markups', () => {
    const body = packed();
    const sheet = packSheet(body, green);
    expect(sheet.parts).toContainEqual({
      options: [
        expect.objectContaining({ label: 'Essential', total: '$1,288.18', isRecommended: false }),
        expect.objectContaining({ label: 'Enhanced', total: '$1,610.11', isRecommended: true }),
        expect.objectContaining({ label: 'Premium', total: '$1,932.48', isRecommended: false }),
      ],
    });
    const text = html(sheet);
    for (const hidden of ['arkup', ' 25%', '24.99', ...body.caveats]) expect(text).not.toContain(hidden);
    for (const { title } of body.terms) expect(text).toContain(title);
    expect(text.match(/<li><bdi>(?:Essential|Enhanced|Premium)<\/bdi>, /g)).toHaveLength(3);
  });

  it('promises what the owner writes in the place of suggestions, in the cover note too', () => {
    const own = { ...green, better: 'A year of watering\nOne visit', best: 'Lights' };
    const text = sheetText(packSheet(packed(), own));
    expect(text).toContain('Everything in Essential, and:\n- A year of watering\n- One visit');
    expect(text).not.toContain('Priority when dates are agreed');
    const note = coverNoteOf(packed(), own);
    expect(note).toContain('and adds:\n- A year of watering\n- One visit\n\nInclusions');
    expect(coverNoteOf(packed(), green)).toBe(packed().cover_note.body);
  });
});

describe('names in Hebrew or Arabic', () => {
  const names = { client_name: 'פרחים בע״מ (2019)', business_name: 'ورود (دبي)' };

  it('stand apart in a document, so that what is beside them stays where it is', () => {
    const body = packed({ good_name: 'בסיס 1' });
    const sheet = packSheet(body, { ...green, client: names.client_name });
    expect(html(sheet)).toContain('<li><bdi>בסיס 1</bdi>, $1,288.18</li>');
    expect(html(sheet)).toContain(`<bdi>${names.client_name}</bdi>`);
    expect(sheetText(sheet)).toContain('[ ] בסיס 1, $1,288.18');
  });

  it('are in a text as they were written, with no sign that nobody sees', () => {
    const body = answer<AnswerOf<'late_fee_notice'>>('late_fee_notice', names);
    const text = sheetText(letterSheet(body, BLANK, '2026-11-22'));
    for (const one of [
      text,
      letterText(body, BLANK),
      body.reminder.body,
      sheetText(packSheet(packed(), green)),
    ])
      expect(one).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
    expect(letterText(body, BLANK)).toBe(body.reminder.body);
    expect(text).toContain(`Dear ${names.client_name},`);
  });
});

describe('a letter on paper', () => {
  it.each(['polite', 'firm', 'final'])('says word for word what the %s email says', (tone) => {
    const body = answer<AnswerOf<'late_fee_notice'>>('late_fee_notice', {
      tone,
      payment_details: 'Green Gardens\nAccount: 12345678',
    });
    const words = (text: string) => text.match(/[^\s:\-−]+/g)?.join(' ');
    const { parts } = letterSheet(body, green, '2026-11-22');
    const [, ...letter] = sheetText({
      ...letterSheet(body, BLANK, '2026-11-22'),
      business: '',
      facts: [],
    }).split(body.reminder.subject);
    expect(words(letter.join(body.reminder.subject))).toBe(words(body.reminder.body));
    expect(parts[0]).toEqual({ subject: body.reminder.subject });
    expect(parts.some((part) => 'figures' in part)).toBe(true);
  });

  it('is headed by who signs it', () => {
    const body = answer<AnswerOf<'late_fee_notice'>>('late_fee_notice');
    expect(letterSheet(body, BLANK, '2026-11-22').business).toBe('Green Gardens');
    const nameless = answer<AnswerOf<'late_fee_notice'>>('late_fee_notice', { business_name: undefined });
    expect(letterSheet(nameless, BLANK, '2026-11-22').business).toBe('');
    expect(letterText(nameless, BLANK)).toMatch(/\n\nRegards,$/);
    expect(letterText(nameless, green)).toMatch(/,\nGreen Gardens$/);
  });
});

describe('a report on paper', () => {
  it('has every pick with its words, and not what is to be known of reports as such', () => {
    const body = answer<AnswerOf<'small_business_stack_report'>>('small_business_stack_report');
    const text = html(reportSheet(body, green, reportPaper(body)));
    expect(text.match(/<blockquote/g)).toHaveLength(body.picks.length);
    for (const caveat of body.caveats) expect(text).not.toContain(caveat);
  });
});

describe('what an owner adds to a document', () => {
  it('is in its link with the day, and comes out as it went in', () => {
    const query = paperQuery({ letterhead: green, issuedOn: '2026-11-21' });
    expect(paperIn(`items.unit_price=5&${query}`)).toEqual({ letterhead: green, issuedOn: '2026-11-21' });
    expect(String(withoutPaper(`items.unit_price=5&${query}`))).toBe('items.unit_price=5');
    expect(paperQuery({ letterhead: BLANK, issuedOn: null })).toBe('');
    expect(paperIn('paper.issued_on=2026-02-30').issuedOn).toBeNull();
  });
});

describe('lines for a spreadsheet', () => {
  it('are plain numbers, and no text is a formula', () => {
    const items = [
      { description: '=1+1', quantity: 2, unit_price: 450 },
      { description: 'Pot, "blue"', unit_price: 7.25 },
    ];
    expect(linesCsv(quoted({ items }))).toBe(
      'Description,Quantity,Price of one,Tax percent,Amount,Currency\r\n' +
        "'=1+1,2,450,8.25,900,GBP\r\n" +
        '"Pot, ""blue""",1,7.25,8.25,7.25,GBP\r\n',
    );
    expect(linesCsv(packed()).split('\r\n')[1]).toBe('Essential,Garden design,2,450,8.25,900,USD');
  });
});
