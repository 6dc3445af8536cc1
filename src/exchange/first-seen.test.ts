import { describe, expect, it } from 'vitest';
import { createFirstSeen } from './limits.ts';

describe('the record of when a payment was first seen', () => {
  it('is displaced only by later records of the same caller, oldest first', () => {
    const sights = createFirstSeen();
    sights.note('honest', 'a', 1);
    for (let index = 0; index < 10_001; index += 1) sights.note(`theirs ${index}`, 'b', 2);
    expect(sights.of('honest')).toBe(1);
    expect(sights.of('theirs 9900')).toBeUndefined();
    expect(sights.of('theirs 9901')).toBe(2);
  });

  it('is one of at most ten thousand records', () => {
    const sights = createFirstSeen();
    for (let index = 0; index <= 10_000; index += 1) sights.note(`${index}`, `caller ${index}`, index);
    expect([sights.of('0'), sights.of('1')]).toEqual([undefined, 1]);
  });

  it('keeps the first time, and is deleted on request', () => {
    const sights = createFirstSeen();
    sights.note('one', 'a', 1);
    sights.note('one', 'b', 1);
    expect(sights.of('one')).toBe(1);
    sights.note('one', 'b', null);
    expect(sights.of('one')).toBeUndefined();
  });
});
