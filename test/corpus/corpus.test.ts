import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestOf, player } from './play.ts';
import { BATCH, batchOf, kinds } from './requests.ts';

// What changes an answer on purpose records it anew: RECORD=1 npm test -- test/corpus. ANSWERS=folder writes every
// request with its answer there, so that those of two versions can be compared.
const file = new URL('./digests.txt', import.meta.url);
/** A line for each kind: its name, and the digest of each batch. */
const recorded = new Map(
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([name = '', digests = '']) => [name, digests.split(' ')]),
);
const { RECORD, ANSWERS } = process.env;

/** What a reader of a failure does next: a new operation changes what names all of them, and nothing else. */
const meant = (what: string): string =>
  `${what}. Is that meant (a new operation is named in lists, prices and "Unknown tool")? Write the answers of both versions (ANSWERS=folder npm test -- test/corpus) and compare them, then record yours: RECORD=1 npm test -- test/corpus`;

let service: Awaited<ReturnType<typeof player>>;
beforeAll(async () => {
  service = await player();
});
afterAll(() => {
  service.stop();
  if (RECORD)
    writeFileSync(
      file,
      Object.keys(kinds)
        .map((name) => `${name}\t${recorded.get(name)?.join(' ')}\n`)
        .join(''),
    );
});

async function digestsOf(name: string, batches: number): Promise<string[]> {
  const digests: string[] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    const asked = batchOf(name, batch);
    const answers: string[] = [];
    for (const one of asked) answers.push(await service.answer(one));
    digests.push(digestOf(answers));
    if (ANSWERS) {
      mkdirSync(ANSWERS, { recursive: true });
      const lines = asked.map((one, index) => JSON.stringify([one, answers[index]]));
      writeFileSync(`${ANSWERS}/${name}-${batch}.jsonl`, `${lines.join('\n')}\n`);
    }
  }
  return digests;
}

describe('a corpus of requests, good and bad, is answered as recorded', { timeout: 120_000 }, () => {
  it.skipIf(RECORD)('and has at least 20,000 of them', () => {
    const batches = Object.values(kinds).reduce((sum, kind) => sum + kind.batches, 0);
    expect(batches * BATCH).toBeGreaterThanOrEqual(20_000);
    expect([...recorded.keys()], meant('Other kinds of requests are recorded')).toEqual(Object.keys(kinds));
  });

  it.each(Object.entries(kinds))('%s', async (name, { batches }) => {
    const digests = await digestsOf(name, batches);
    if (RECORD) recorded.set(name, digests);
    const known = recorded.get(name);
    const changed = digests.flatMap((digest, batch) => (digest === known?.[batch] ? [] : [batch]));
    const what = `${changed.length} of ${batches} batches of "${name}" are answered otherwise than recorded (${changed.join(', ')})`;
    expect(digests, meant(what)).toEqual(known);
    expect(service.bugs).toEqual([]);
  });
});
