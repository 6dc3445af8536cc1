import { describe, expect, it } from 'vitest';
import { createChainClock } from './chain-watch.ts';

const hex = (value: number): `0x${string}` => `0x${value.toString(16)}`;
const START = 1_800_000_000;

/**
 * Checks a chain with these values, in seconds since the test began: the number and date of its newest block, and our
 * clock.
 */
const looks = (...all: readonly (readonly [number: number, dated: number, ours: number])[]): boolean[] => {
  const clock = createChainClock();
  return all.map(([number, dated, ours]) =>
    clock.judge({
      block: { number: hex(number), timestamp: hex(START + dated) },
      askedMs: (START + ours) * 1_000,
      answeredMs: (START + ours) * 1_000,
    }),
  );
};

describe("the service's clock", () => {
  it('may differ by some seconds from the clock of the chain', () => {
    expect(looks([10, 0, 0], [15, 10, 10], [20, 20, 33])).toEqual([true, true, true]);
  });

  it.each([16, 130, 600])('is wrong at once if a block is dated %d s ahead of it', (aheadSeconds) => {
    expect(looks([10, aheadSeconds, 0])).toEqual([false]);
    expect(looks([10, 15, 0])).toEqual([true]);
  });

  it.each([36, 130, 600])(
    'is wrong at the second check if it is %d s ahead of new blocks',
    (aheadSeconds) => {
      expect(looks([10, 0, aheadSeconds], [12, 5, aheadSeconds + 5])).toEqual([true, false]);
    },
  );

  it('is not judged by an idle chain, however old the last block is', () => {
    expect(looks([1, 0, 90_000], [1, 0, 90_030], [2, 90_040, 90_060])).toEqual([true, true, true]);
  });

  it('stays wrong until a new block shows otherwise', () => {
    expect(looks([1, 0, 600], [2, 10, 610], [2, 10, 620], [3, 50, 50])).toEqual([true, false, false, true]);
  });

  it('is not judged by the blocks of a node that lags', () => {
    expect(looks([10, 0, 0], [5, -90, 30], [6, -60, 60], [40, 90, 90])).toEqual([true, true, true, true]);
  });

  it('is not judged by a block dated more than the limit ahead of it', () => {
    expect(looks([10, 3_600, 0], [11, 5, 5], [12, 300, 400], [20, 310, 430])).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('is right if it was set back between two checks', () => {
    expect(looks([1, 0, 600], [2, 30, 30], [3, 60, 60])).toEqual([true, true, true]);
  });
});
