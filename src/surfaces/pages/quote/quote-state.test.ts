import { describe, expect, it } from 'vitest';
import { BLANK } from '../documents/letterhead.ts';
import { LIST, lineWith, valuesOf } from './quote-state.ts';

const read = (unit_price: string, unit = '') => {
  const written = { lines: [lineWith({ unit_price, unit })], fields: {}, letterhead: BLANK };
  return valuesOf(written).values.lists[LIST]?.[0];
};

describe('a price with a unit', () => {
  it.each([
    ['12/hr', '12', 'hour'],
    ['12 / h.', '12', 'hour'],
    ['£1,250.00 per day', '£1,250.00', 'day'],
    [' 30/m² ', '30', 'm²'],
  ])('is split: %s is %s for each %s', (text, price, unit) => {
    expect(read(text)).toMatchObject({ unit_price: price, unit });
  });

  it.each(['12', '20 per cent', 'per day', '1/2', '/hr'])('is not split if it is %s', (text) => {
    expect(read(text)).toEqual({ unit_price: text, unit: '' });
  });

  it('is not split if the line has another unit', () => {
    expect(read('12/hr', 'day')).toEqual({ unit_price: '12/hr', unit: 'day' });
  });

  it('is read in a time proportional to its length', () => {
    const many = 20_000;
    for (const text of ['+', ' ', '/', 'per '].map(
      (part) => `${part.repeat(many)}${'1'.repeat(many)}${part.repeat(many)}x1`,
    ))
      expect(read(text)?.unit_price).toBe(text);
  });
});
