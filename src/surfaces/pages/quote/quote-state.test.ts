import { describe, expect, it } from 'vitest';
import { BLANK } from '../documents/letterhead.ts';
import type { Row } from '../form-values.ts';
import { LIST, lineWith, valuesOf } from './quote-state.ts';

const readLine = (values: Row) => {
  const written = { lines: [lineWith(values)], fields: {}, letterhead: BLANK };
  return valuesOf(written).values.lists[LIST]?.[0];
};
const read = (unit_price: string, unit = '') => readLine({ unit_price, unit });

describe('a price with a unit', () => {
  it.each([
    ['12/hr', '12', 'hour'],
    ['12 / h.', '12', 'hour'],
    ['£1,250.00 per day', '£1,250.00', 'day'],
    [' 30/m² ', '30', 'm²'],
    ['£12.50 a stem', '£12.50', 'stem'],
    ['40 an hour', '40', 'hour'],
    ['£1,250 each', '£1,250', ''],
    ['12.50 ea.', '12.50', ''],
    ['$12/ea', '$12', ''],
    ['12 / each', '12', ''],
    ['12 per each', '12', ''],
  ])('is split: %s is %s for each %s', (text, price, unit) => {
    expect(read(text)).toMatchObject({ unit_price: price, unit });
  });

  it.each(['12', '20 per cent', 'per day', '1/2', '/hr', 'each', 'half a day'])(
    'is not split if it is %s',
    (text) => {
      expect(read(text)).toEqual({ unit_price: text, unit: '' });
    },
  );

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

describe('a quantity with a unit', () => {
  it.each([
    ['2 hours', '2', 'hour'],
    ['1.5 hrs', '1.5', 'hour'],
    ['12 stems', '12', 'stem'],
    ['3 boxes', '3', 'box'],
    ['6 glasses.', '6', 'glass'],
    ['40 m²', '40', 'm²'],
  ])('is split: %s is %s of the unit %s', (quantity, count, unit) => {
    expect(readLine({ quantity, unit_price: '40' })).toEqual({ quantity: count, unit_price: '40', unit });
  });

  it('has the same unit as its price, or neither is split', () => {
    const line = { quantity: '2 hours', unit_price: '£40 an hour' };
    expect(readLine(line)).toEqual({ quantity: '2', unit_price: '£40', unit: 'hour' });
    expect(readLine({ ...line, unit: 'day' })).toEqual({ ...line, unit: 'day' });
    expect(readLine({ ...line, unit_price: '£40 a day' })).toEqual({ ...line, unit_price: '£40 a day' });
  });

  it.each(['2', 'a dozen', '2 or 3', '10%', '5 k', '5 USD', '5 eur', '5 percent', '2 hundred', '2 Million'])(
    'is not split if it is %s',
    (quantity) => {
      expect(readLine({ quantity })).toEqual({ quantity });
    },
  );
});
