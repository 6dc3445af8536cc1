import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CASE, notice, TONES } from './notices.ts';

type Vectors = { today: string; cases: { name: string; query: Record<string, string> }[] };
const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../vectors/letters.json', import.meta.url), 'utf8'),
);

/** Letters that the vectors lack. The report on letters in docs/reports does not count them. */
const MORE: Readonly<Record<string, Record<string, string>>> = {
  'min-fee': { min_fee: '25' },
  'max-fee-reached': { max_fee: '5' },
  'max-fee-to-come': { max_fee: '50' },
  'grace-min-fee': { grace_days: '20', min_fee: '25' },
  'grace-default-rate': { grace_days: '20', rate: '' },
  'grace-next-day': { grace_days: '26' },
  'grace-last-flat': { grace_days: '17', rate_type: 'flat', rate: '25' },
  'payment-details': { payment_details: 'IBAN GB33 BUKB 2020 1555 5555 55' },
  'small-sum': { amount: '4.99' },
  statement: { invoice_number: 'Statement March 2026' },
  'several-past': { invoice_number: 'Invoices 3 and 4', due_date: '2026-01-04', paid_date: '2026-01-21' },
  'no-bill': { invoice_number: 'Quote 7' },
  'two-months': { due_date: '2026-09-21' },
  'other-century': { due_date: '1996-11-04', rate: '0.015' },
  'cut-off-daily': { rate: '11.75', rate_type: 'annual_percent', grace_days: '20' },
};

/** A request and its result in readable form. */
function shown(name: string, query: Record<string, string>, tone: string): string {
  const asked = `=== ${name}, ${tone}\n${JSON.stringify(query)}`;
  const { body, faults } = notice({ ...query, tone }, vectors.today);
  if (body === null)
    return [
      asked,
      ...faults.map(({ pointer, detail, hint }) => `refused: ${pointer} ${detail} (${hint})`),
    ].join('\n');
  const { reminder, fee, caveats } = body;
  return [
    asked,
    '---',
    `Subject: ${reminder.subject}`,
    '',
    reminder.body,
    '---',
    `pay_by ${reminder.pay_by}`,
    ...[...caveats, ...fee.warnings, ...fee.caveats].map((note) => `note: ${note}`),
  ].join('\n');
}

it('the letters of 62 cases in three tones equal the recorded ones', async () => {
  const letters = vectors.cases.flatMap(({ name, query }) => TONES.map((tone) => shown(name, query, tone)));
  expect(letters).toHaveLength(186);
  expect(letters.filter((letter) => letter.includes('\nrefused: '))).toHaveLength(6);
  for (const [name, changes] of Object.entries(MORE))
    letters.push(...TONES.map((tone) => shown(name, { ...CASE, ...changes }, tone)));
  await expect(`${letters.join('\n\n')}\n`).toMatchFileSnapshot('../vectors/letters.txt');
});
