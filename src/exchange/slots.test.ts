import { expect, it } from 'vitest';
import { createSlots } from './limits.ts';

it('a payer may use 128 of the 512 slots, and a released slot is free again', () => {
  const slots = createSlots();
  const taken = (payer: string, times: number) =>
    Array.from({ length: times }, () => slots.take(payer)).filter((isTaken) => isTaken).length;
  expect(taken('a', 130)).toBe(128);
  slots.release('a');
  expect(taken('a', 2)).toBe(1);
  expect([taken('b', 128), taken('c', 128), taken('d', 129), taken('e', 1)]).toEqual([128, 128, 128, 0]);
  slots.release('b');
  expect(taken('e', 2)).toBe(1);
});
