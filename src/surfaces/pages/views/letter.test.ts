import { expect, test } from 'vitest';
import { catalog, NOON } from '../../../../test/support/app.ts';
import { utcDay } from '../../../domain/calendar.ts';
import { exampleAnswer } from '../../../exchange/validate.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { Blocks } from '../blocks.tsx';
import { htmlOf } from '../markup.ts';
import { onPage } from './late-fee.ts';
import { letterView } from './letter.ts';

const operation = catalog.find(({ name }) => name === 'late_fee_notice');
const bought = (changes: Readonly<Record<string, unknown>> = {}): AnswerOf<'late_fee_notice'> => {
  if (!operation) throw new Error('The catalog has no reminder');
  const asked = { ...operation, example: { ...operation.example, ...changes } };
  return exampleAnswer(asked, { today: utcDay(NOON) }) as AnswerOf<'late_fee_notice'>;
};

test('the subject and the body of the letter can be copied separately', () => {
  const letters = letterView(bought()).flatMap((block) => ('letter' in block ? [block] : []));
  expect(letters.map(({ label }) => label)).toEqual(['Subject', 'Letter']);
  expect(letters[0]?.letter).toBe('Overdue by 17 days: invoice INV-1042 from Green Gardens');
  expect(letters[1]?.letter).toMatch(/^Dear Acme Ltd,\n\nInvoice INV-1042 for \$1,250\.00 was due/);
  expect(letters[1]?.letter).toMatch(/Regards,\nGreen Gardens$/);
});

test('every figure of the letter shows its calculation and its later values', () => {
  const blocks = letterView(bought({ currency: 'EUR' }));
  expect(blocks).toContainEqual({
    figures: [
      { label: 'Total due', value: '€1,260.63', strong: true },
      { label: 'Late fee', value: '€10.63' },
      { label: 'Invoice', value: '€1,250.00' },
    ],
  });
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

test("the notes on the page refer to the page's fields, and to no input of the API", () => {
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
  const html = htmlOf(Blocks({ blocks: letterView(bought({ client_name: name })) }));
  expect(html).toContain('Dear &lt;img src=x onerror=alert(1)>,');
  expect(html).not.toContain('<img');
});
