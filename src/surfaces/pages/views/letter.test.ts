import { expect, test } from 'vitest';
import { catalog, NOON } from '../../../../test/support/app.ts';
import { exampleAnswer } from '../../../catalog/seal.ts';
import { utcDay } from '../../../domain/calendar.ts';
import { validate } from '../../../exchange/validate.ts';
import { Blocks } from '../blocks.tsx';
import { type LetterBody, letterView } from './letter.ts';

const operation = catalog.find(({ name }) => name === 'late_fee_notice');
const bought = (changes: Readonly<Record<string, unknown>> = {}): LetterBody => {
  if (!operation) throw new Error('The catalog has no reminder');
  const asked = { ...operation, example: { ...operation.example, ...changes } };
  return exampleAnswer(asked, validate, { today: utcDay(NOON) }) as LetterBody;
};

test('the letter can be taken away as it is, subject and body apart', () => {
  const letters = letterView(bought()).flatMap((block) => ('letter' in block ? [block] : []));
  expect(letters.map(({ label }) => label)).toEqual(['Subject', 'Letter']);
  expect(letters[0]?.letter).toBe('Overdue: Invoice INV-1042 from Green Gardens is 17 days past due');
  expect(letters[1]?.letter).toMatch(/^Dear Acme Ltd,\n\nOur records show/);
  expect(letters[1]?.letter).toMatch(/Regards,\nGreen Gardens$/);
});

test('every figure of the letter shows how it was reached, and what it will be later', () => {
  const blocks = letterView(bought({ currency: 'EUR' }));
  expect(blocks).toContainEqual({
    figures: [
      { label: 'Total due', value: '1,260.63 EUR', strong: true },
      { label: 'Late fee', value: '10.63 EUR' },
      { label: 'Invoice', value: '1,250.00 EUR' },
    ],
  });
  expect(JSON.stringify(blocks)).toContain('["Formula","1250.00 x 1.5% x 17 / 30 = 10.63"]');
  expect(blocks).toContainEqual({
    table: {
      head: ['Paid on', 'Late fee', 'Total due'],
      rows: [
        ['28 November 2026', '15.00 EUR', '1,265.00 EUR'],
        ['5 December 2026', '19.38 EUR', '1,269.38 EUR'],
        ['21 December 2026', '29.38 EUR', '1,279.38 EUR'],
      ],
    },
  });
});

test('what to know before sending is said once', () => {
  const text = JSON.stringify(letterView(bought()));
  expect(text).toContain('Read the letter before you send it');
  expect(text.split('This is arithmetic on the figures given, not legal advice.')).toHaveLength(2);
});

test('a name that looks like markup stays text', () => {
  const name = '<img src=x onerror=alert(1)>';
  const html = String(Blocks({ blocks: letterView(bought({ client_name: name })) }));
  expect(html).toContain('Dear &lt;img src=x onerror=alert(1)&gt;,');
  expect(html).not.toContain('<img');
});
