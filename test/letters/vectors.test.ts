import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { notice, TONES } from './notices.ts';

type Vectors = { today: string; cases: { name: string; query: Record<string, string> }[] };
const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../vectors/letters.json', import.meta.url), 'utf8'),
);

/** A request and what came of it, as it is read. */
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

it('the letters of 62 cases in three tones are those that were read: docs/letters-review.md', async () => {
  const letters = vectors.cases.flatMap(({ name, query }) => TONES.map((tone) => shown(name, query, tone)));
  expect(letters).toHaveLength(186);
  expect(letters.filter((letter) => letter.includes('\nrefused: '))).toHaveLength(6);
  await expect(`${letters.join('\n\n')}\n`).toMatchFileSnapshot('../vectors/letters.txt');
});
