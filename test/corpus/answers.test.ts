import { expect, it } from 'vitest';
import { type Random, randomOf } from '../soak/random.ts';
import { player } from './play.ts';
import { readableAnswer, readableRequest } from './readable.ts';
import { BATCH, batchOf, kinds } from './requests.ts';

// Some two hundred answers in readable form. After changing an answer on purpose, run `npx vitest run test/corpus -u`
// and read the diff. `npm run answers:compare` compares all 25,000 with those of the last release.

const DRAWN = 20;

/** Selects the requests of a kind to record, as the batch and the position in it. */
function drawn(random: Random, batches: number): readonly (readonly [batch: number, index: number])[] {
  const turns = new Set<number>();
  while (turns.size < DRAWN) turns.add(random.whole(0, batches * BATCH - 1));
  return [...turns].sort((a, b) => a - b).map((turn) => [Math.floor(turn / BATCH), turn % BATCH]);
}

it('some requests of every kind are answered as recorded in answers.txt', { timeout: 300_000 }, async () => {
  const service = await player();
  const bodies = new Map<string, string>();
  const told: string[] = [];
  for (const [kind, { batches }] of Object.entries(kinds)) {
    for (const [place, [batch, index]] of drawn(randomOf(17, `drawn ${kind}`), batches).entries()) {
      const title = `${kind}, ${place + 1}`;
      const asked = batchOf(kind, batch)[index];
      if (asked === undefined) throw new Error(`There is no request ${index} in batch ${batch} of ${kind}`);
      const answer = readableAnswer(await service.answer(asked));
      const same = bodies.get(answer);
      bodies.set(answer, same ?? title);
      told.push(`=== ${title}\n${readableRequest(asked)}\n---\n${same ? `as ${same}` : answer}`);
    }
  }
  service.stop();
  expect(service.bugs).toEqual([]);
  await expect(`${told.join('\n\n')}\n`).toMatchFileSnapshot('./answers.txt');
});
