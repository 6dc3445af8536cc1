import { describe, expect, it, test } from 'vitest';
import { answer, green, html } from '../../../../test/support/papers.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { onPage } from './late-fee.ts';
import { letterNotes, letterSheet, letterText, letterView } from './letter.ts';
import { BLANK, paperIn, paperQuery, withoutPaper } from './letterhead.ts';
import { sheetText } from './sheet.ts';

const bought = (changes = {}) => answer<AnswerOf<'late_fee_notice'>>('late_fee_notice', changes);

test('the subject and the body of the letter can be copied separately', () => {
  const letters = letterView(bought()).flatMap((block) => ('letter' in block ? [block] : []));
  expect(letters.map(({ label }) => label)).toEqual(['Subject', 'Letter']);
  expect(letters[0]?.letter).toBe('Overdue by 17 days: invoice INV-1042 from Green Gardens');
  expect(letters[1]?.letter).toMatch(/^Dear Acme Ltd,\n\nInvoice INV-1042 for \$1,250\.00 was due/);
  expect(letters[1]?.letter).toMatch(/Regards,\nGreen Gardens$/);
});

test('the notes on a letter show how its fee was reached, and the fee of later days', () => {
  const blocks = letterNotes(bought({ currency: 'EUR' }));
  expect(JSON.stringify(blocks)).toContain('["Formula","1250.00 x 1.5% x 17 / 30 = 10.63"]');
  expect(blocks).toContainEqual({
    table: {
      head: ['Paid on', 'Late fee', 'Total due'],
      rows: [
        ['28 November 2026', '€15.00', '€1,265.00'],
        ['5 December 2026', '€19.38', '€1,269.38'],
        ['21 December 2026', '€29.38', '€1,279.38'],
      ],
    },
  });
});

test('each note about the letter and the fee appears only once', () => {
  const { caveats, fee } = bought();
  const text = JSON.stringify(letterView(bought()));
  for (const note of [...caveats, ...fee.caveats].map(onPage))
    expect(text.split(JSON.stringify(note).slice(1, -1)), note).toHaveLength(2);
  expect(fee.caveats.join()).toContain('legal advice');
});

test("the notes on the page refer to the page's fields, not to inputs of the API", () => {
  const asked = [
    {},
    { rate: undefined },
    { rate: undefined, currency: 'GBP' },
    { rate: undefined, rate_type: 'flat', currency: 'EUR' },
    { business_name: undefined, invoice_number: undefined, currency: undefined },
    { invoice_number: 'credit note 4' },
    { amount: 2 },
    { tone: 'final', next_step: 'court', currency: 'GBP' },
    { tone: 'final', paid_date: '2026-11-10' },
    { paid_date: '2026-11-10' },
    { grace_days: 60 },
  ];
  for (const changes of asked) {
    const { caveats, fee } = bought(changes);
    for (const note of [...caveats, ...fee.caveats, ...fee.warnings].map(onPage))
      expect(note).not.toMatch(
        /[a-z]_[a-z]|\bsend (?:claim|pay|the rate|\d)|\bask again\b|jurisdiction|paid date|claim statutory/,
      );
  }
});

test('statutory interest is shown separately from the fee', () => {
  const law = { currency: 'GBP', jurisdiction: 'GB' };
  const blocks = letterView(bought(law));
  expect(blocks).toContainEqual({ subheading: expect.stringContaining('by law') });
  expect(blocks).toContainEqual({
    table: {
      head: ['By law', 'Value'],
      rows: [
        ['Interest', '£6.84'],
        ['Compensation', '£70.00'],
        ['Total due', '£1,326.84'],
        ['Formula for the interest', '1250.00 x (8% + 3.75%) x 17 / 365 = 6.84'],
        [
          'Reference rate of 2026-H2',
          expect.stringMatching(/^3\.75% .*30 June 2026, 17 days \(Bank of England: .*\)$/),
        ],
      ],
    },
  });
  const unknown = letterView(bought({ ...law, due_date: '2022-01-01' }));
  expect(JSON.stringify(unknown)).toContain('1 January 2022');
  expect(unknown).not.toContainEqual(expect.objectContaining({ table: { head: ['By law', 'Value'] } }));
});

test('a name in a letter that looks like markup stays text', () => {
  const name = '<img src=x onerror=alert(1)>';
  const paper = html(letterSheet(bought({ client_name: name }), BLANK, '2026-11-22'));
  expect(paper).toContain('Dear &lt;img src=x onerror=alert(1)>,');
  expect(paper).not.toContain('<img');
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
    const figures = parts.flatMap((part) => ('figures' in part ? part.figures : []));
    expect(figures.filter(({ strong }) => strong).map(({ label }) => label)).toEqual(['Total to pay']);
  });

  it("has the signer's name as its heading", () => {
    const body = answer<AnswerOf<'late_fee_notice'>>('late_fee_notice');
    expect(letterSheet(body, BLANK, '2026-11-22').business).toBe('Green Gardens');
    const nameless = answer<AnswerOf<'late_fee_notice'>>('late_fee_notice', { business_name: undefined });
    expect(letterSheet(nameless, BLANK, '2026-11-22').business).toBe('');
    expect(letterText(nameless, BLANK)).toMatch(/\n\nRegards,$/);
    expect(letterText(nameless, green)).toMatch(/,\nGreen Gardens$/);
  });
});

describe('text that an owner adds to a document', () => {
  it('is in the link of the document together with the day, and is read back unchanged', () => {
    const query = paperQuery({ letterhead: green, issuedOn: '2026-11-21' });
    expect(paperIn(`items.unit_price=5&${query}`)).toEqual({ letterhead: green, issuedOn: '2026-11-21' });
    expect(String(withoutPaper(`items.unit_price=5&${query}`))).toBe('items.unit_price=5');
    expect(paperQuery({ letterhead: BLANK, issuedOn: null })).toBe('');
    expect(paperIn('paper.issued_on=2026-02-30').issuedOn).toBeNull();
  });
});
