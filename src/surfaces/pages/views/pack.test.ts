import { expect, test } from 'vitest';
import { catalog, NOON } from '../../../../test/support/app.ts';
import { inOrder } from '../../../../test/support/facts.ts';
import { utcDay } from '../../../domain/calendar.ts';
import { exampleAnswer } from '../../../exchange/validate.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { Blocks } from '../blocks.tsx';
import { htmlOf } from '../markup.ts';
import { packView } from './pack.ts';

const operation = catalog.find(({ name }) => name === 'quote_pack');
const bought = (changes: Readonly<Record<string, unknown>> = {}): AnswerOf<'quote_pack'> => {
  if (!operation) throw new Error('The catalog has no pack');
  const asked = { ...operation, example: { ...operation.example, ...changes } };
  return exampleAnswer(asked, { today: utcDay(NOON) }) as AnswerOf<'quote_pack'>;
};
const tablesOf = (body: AnswerOf<'quote_pack'>) =>
  packView(body).flatMap((block) => ('table' in block ? [block.table] : []));

test('the three options are side by side, and the recommended one is emphasized', () => {
  const body = { ...bought(), ready_to_send: true };
  expect(packView(body)[0]).toEqual({
    figures: [
      { label: 'Essential', value: '$1,288.18', strong: false },
      { label: 'Enhanced (recommended)', value: '$1,610.11', strong: true },
      { label: 'Premium', value: '$1,932.48', strong: false },
    ],
  });
});

test('each line shows how its total was reached in every option', () => {
  expect(tablesOf(bought())[0]).toEqual({
    isCompared: true,
    head: ['Line', 'Essential', 'Enhanced', 'Premium'],
    rows: [
      ['Garden design', '2 x $450.00 = $900.00', '2 x $562.50 = $1,125.00', '2 x $675.00 = $1,350.00'],
      ['Plants', '40 x $7.25 = $290.00', '40 x $9.06 = $362.40', '40 x $10.88 = $435.20'],
    ],
  });
});

test('the totals show their parts, and the steps between the options', () => {
  expect(tablesOf(bought())[1]?.rows).toEqual([
    [expect.stringMatching(/^Markup/), '0%', '25%', '50%'],
    [expect.stringMatching(/^Subtotal/), '$1,190.00', '$1,487.40', '$1,785.20'],
    [expect.stringMatching(/^Tax: 8\.25%/), '$98.18', '$122.71', '$147.28'],
    ['Total', '$1,288.18', '$1,610.11', '$1,932.48'],
    [expect.stringMatching(/^Deposit: 10%/), '$128.82', '$161.01', '$193.25'],
    ['Balance', '$1,159.36', '$1,449.10', '$1,739.23'],
    [expect.stringContaining('Essential'), '$0.00', '$321.93', '$644.30'],
    [expect.any(String), '', '$321.93 (24.99%)', '$322.37 (20.02%)'],
  ]);
});

test('tax and deposit have a row only if they were requested, and a discount has two rows', () => {
  const rows = tablesOf(bought({ tax_percent: 0, deposit_percent: 0, discount_percent: 5 }))[1]?.rows ?? [];
  const names = rows.map(([label]) => label);
  expect(names).toHaveLength(7);
  expect(names.join()).not.toMatch(/\b(?:tax|deposit|balance)\b/i);
  expect(rows[2]).toEqual([expect.stringMatching(/^Discount: 5%/), '$59.50', '$74.37', '$89.26']);
});

test('the pack shows its validity, the terms and a cover note', () => {
  const blocks = packView(bought());
  expect(blocks).toContainEqual({
    text: expect.stringMatching(inOrder('November 21, 2026', 'December 21, 2026')),
  });
  const text = JSON.stringify(blocks);
  for (const { title, text: term } of bought().terms) expect(text).toContain(`${title}: ${term}`);
  const letters = blocks.flatMap((block) => ('letter' in block ? [block] : []));
  expect(letters.map(({ label }) => label)).toEqual(['Subject', 'Cover note']);
  expect(letters[1]?.letter).toBe(bought().cover_note.body);
});

test('a description in a pack that looks like markup stays text', () => {
  const html = htmlOf(
    Blocks({
      blocks: packView(bought({ items: [{ description: '<script>alert(1)</script>', unit_price: 1 }] })),
    }),
  );
  expect(html).toContain('&lt;script>alert(1)&lt;/script>');
  expect(html).not.toContain('<script');
});
