import { expect, it } from 'vitest';
import { createSlots } from './limits.ts';

it('a payer may use 128 of the 512 slots, and a released slot is free again', () => {
  const slots = createSlots();
  const taken = (payer: string, times: number) =>
    Array.from({ length: times }, () => slots.of(payer)).filter((slot) => slot.take());
  const [first] = taken('a', 128);
  expect(taken('a', 1)).toEqual([]);
  first?.release();
  first?.release();
  expect(taken('a', 2)).toHaveLength(1);
  const others = ['b', 'c', 'd'].flatMap((payer) => taken(payer, 129));
  expect(others).toHaveLength(3 * 128);
  expect(taken('e', 1)).toEqual([]);
  others[0]?.release();
  expect(taken('e', 2)).toHaveLength(1);
});
