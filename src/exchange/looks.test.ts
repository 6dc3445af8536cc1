import { describe, expect, it } from 'vitest';
import { createLooks } from './looks.ts';
import type { Outcome } from './outcome.ts';

const WAITING: Outcome = {
  state: 'conflict',
  code: 'waiting',
  detail: 'not known yet',
  receipt: null,
  retryAfterSeconds: 2,
};

describe('looks for how a purchase ended', () => {
  it('come ever more seldom, at least every ten seconds, however often anybody asks', () => {
    let nowMs = 0;
    const looks = createLooks(() => nowMs);
    const at: number[] = [];
    for (; nowMs < 60_000; nowMs += 10) {
      if (looks.recent('a') !== null) continue;
      at.push(nowMs);
      looks.note('a', WAITING);
    }
    expect(at).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 15_750, 25_750, 35_750, 45_750, 55_750]);
    expect(looks.recent('b')).toBeNull();
  });

  it('say when the next one is due', () => {
    let nowMs = 0;
    const looks = createLooks(() => nowMs);
    for (; nowMs < 8_000; nowMs += 10) if (looks.recent('a') === null) looks.note('a', WAITING);
    expect(looks.recent('a')).toEqual({ ...WAITING, retryAfterSeconds: 8 });
  });

  it('begin anew once an end was found', () => {
    const looks = createLooks(() => 0);
    looks.note('a', WAITING);
    looks.note('a', { state: 'failed' });
    expect(looks.recent('a')).toBeNull();
  });
});
