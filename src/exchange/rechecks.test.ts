import { describe, expect, it } from 'vitest';
import type { Outcome } from './outcome.ts';
import { createRechecks } from './rechecks.ts';

const WAITING: Outcome = {
  state: 'conflict',
  code: 'waiting',
  detail: 'not known yet',
  receipt: null,
  retryAfterSeconds: 2,
};
const A = { key: 'a', answer: 'json' };

describe("lookups of a purchase's result", () => {
  it('become rarer, down to one every ten seconds, however often the buyer asks', async () => {
    let nowMs = 0;
    const looks = createRechecks(() => nowMs);
    const at: number[] = [];
    const look = async () => {
      at.push(nowMs);
      return WAITING;
    };
    for (; nowMs < 60_000; nowMs += 10) await looks.run(A, look);
    expect(at).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 15_750, 25_750, 35_750, 45_750, 55_750]);
    const other: Outcome = { state: 'failed' };
    expect(await looks.run({ ...A, key: 'b' }, async () => other)).toBe(other);
  });

  it('report when the next lookup is due', async () => {
    let nowMs = 0;
    const looks = createRechecks(() => nowMs);
    for (; nowMs < 8_000; nowMs += 10) await looks.run(A, async () => WAITING);
    expect(await looks.run(A, async () => WAITING)).toEqual({ ...WAITING, retryAfterSeconds: 8 });
  });

  it('go back to the shortest pause once a result has been found', async () => {
    let nowMs = 0;
    const looks = createRechecks(() => nowMs);
    await looks.run(A, async () => WAITING);
    nowMs = 250;
    await looks.run(A, async () => ({ state: 'failed' }));
    expect(await looks.run(A, async () => WAITING)).toBe(WAITING);
    expect(await looks.run(A, async () => ({ state: 'failed' }))).toMatchObject(WAITING);
    nowMs = 500;
    expect(await looks.run(A, async () => ({ state: 'failed' }))).toEqual({ state: 'failed' });
  });

  it('are shared by all callers who ask for the same answer in the meantime', async () => {
    const looks = createRechecks(() => 0);
    let begun = 0;
    const settled: Outcome = { state: 'failed' };
    const look = async () => {
      begun += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return settled;
    };
    const ends = [looks.run(A, look), looks.run(A, look), looks.run({ ...A, answer: 'markdown' }, look)];
    expect(await Promise.all(ends)).toEqual([settled, settled, settled]);
    expect(begun).toBe(2);
    await looks.run(A, look);
    expect(begun).toBe(3);
  });
});
