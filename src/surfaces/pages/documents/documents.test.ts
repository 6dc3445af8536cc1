import { describe, expect, it } from 'vitest';
import { inOrder } from '../../../../test/support/facts.ts';
import { answer, green, html, packed, quoted } from '../../../../test/support/papers.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { letterSheet, letterText } from './letter.ts';
import { BLANK } from './letterhead.ts';
import { coverNoteOf, packSheet } from './pack.ts';
import { quoteSheet } from './quote.ts';
import { sheetText } from './sheet.ts';

describe('a quote on paper', () => {
  it('names sender, client, lines, price and validity, and has a place to sign', () => {
    const [text, accept] = sheetText(quoteSheet(quoted(), green)).split(/(?<=\n)(?=.*\bsign\b)/);
    expect(text).toBe(`Green Gardens
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

`);
    expect(accept).toMatch(inOrder('Q-118', '21 November 2026', '21 December 2026'));
    expect(accept).toMatch(/\n\nSignature: _+\nName: _+\nDate: _+\n$/);
  });

  it('contains none of the notes for its owner', () => {
    const body = quoted();
    const text = html(quoteSheet(body, green));
    for (const hidden of [...body.caveats, ...body.warnings, ...body.formula.lines, body.formula.total])
      expect(text).not.toContain(hidden);
  });

  it('shows each of several taxes, and puts included taxes below the total', () => {
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
        head: ['Item', 'Quantity', 'Price', 'Tax', 'Amount'],
        totals: [
          { label: 'Total', values: ['£300.00'], isMain: true },
          { label: 'Includes VAT at 20% on £166.67', values: ['£33.33'] },
          { label: 'Includes VAT at 5% on £95.24', values: ['£4.76'] },
        ],
      },
    });
  });

  it('shows a credit with a minus sign, and prices with fractions of a cent', () => {
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

  it('shows the caller’s input as plain text', () => {
    const markup = '<img src=x onerror=alert(1)>';
    const items = [{ description: markup, unit_price: 1 }];
    expect(html(quoteSheet(quoted(), { ...green, business: markup }))).not.toContain('<img');
    expect(html(packSheet(packed({ items }), green))).not.toContain('<img');
  });
});

describe('a pack on paper', () => {
  it('shows three options side by side without their markups', () => {
    const body = packed({ better_adds: ['A plan'], best_adds: ['A visit'], best_markup_percent: 50 });
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

  it('lists the additions that the owner writes instead of the suggestions, also in the cover note', () => {
    const own = { ...green, better: 'A year of watering\nOne visit', best: 'Lights' };
    const text = sheetText(packSheet(packed(), own));
    expect(text).toContain('Everything in Essential, and:\n\n- A year of watering\n- One visit');
    expect(text).not.toContain('Priority when dates are agreed');
    const note = coverNoteOf(packed(), own).body;
    expect(note).toContain('and adds:\n- A year of watering\n- One visit\n\n');
    expect(coverNoteOf(packed(), { ...green, client: '' })).toEqual(packed().cover_note);
  });

  it('does not list additions in the options or the cover note if the owner removed the suggestions', () => {
    const own = { ...green, better: '', best: ' \n' };
    const sheet = packSheet(packed(), own);
    const text = sheetText(sheet);
    expect(text).toMatch(/ Essential\.\n/);
    expect(text).toMatch(/ Enhanced\.\n/);
    const [, better, best] = packed().options;
    const note = coverNoteOf(packed(), own).body;
    for (const add of [...(better?.adds ?? []), ...(best?.adds ?? [])]) {
      expect(text).not.toContain(add);
      expect(html(sheet)).not.toContain(add);
      expect(note).not.toContain(add);
    }
    expect(note).toMatch(/ Essential\.\n\n/);
  });
});

describe('names in Hebrew or Arabic', () => {
  const names = { client_name: 'פרחים בע״מ (2019)', business_name: 'ورود (دبي)' };

  it('are isolated in a document, so that the text next to them stays in place', () => {
    const body = packed({ good_name: 'בסיס 1' });
    const sheet = packSheet(body, { ...green, client: names.client_name });
    expect(html(sheet)).toContain('<li><bdi>בסיס 1</bdi>, $1,288.18</li>');
    expect(html(sheet)).toContain(`<bdi>${names.client_name}</bdi>`);
    expect(sheetText(sheet)).toContain('[ ] בסיס 1, $1,288.18');
  });

  it('appear in plain text as written, without invisible characters', () => {
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
