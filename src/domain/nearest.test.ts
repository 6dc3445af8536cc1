import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const FIELDS = ['amount', 'due_date', 'paid_date', 'rate', 'rate_type', 'grace_days', 'tax_percent'];

describe('the search for the nearest name', () => {
  it.each([
    ['amout', 'amount'],
    ['AMOUNT', 'amount'],
    ['amonut', 'amount'],
    ['dueDate', 'due_date'],
    ['due-date', 'due_date'],
    ['rate-type', 'rate_type'],
    [' rate ', 'rate'],
  ])('finds %s as a typo of %s', (wrong, meant) => {
    expect(nearest(wrong, FIELDS)).toBe(meant);
  });

  it.each([
    ['tax_rate', 'tax_percent'],
    ['tax', 'tax_percent'],
    ['grace', 'grace_days'],
    ['grace_period', 'grace_days'],
  ])('finds %s by a word that it shares with %s', (wrong, meant) => {
    expect(nearest(wrong, FIELDS)).toBe(meant);
  });

  it.each(['', ' ', 'xyzzy', 'to', '__proto__', 'constructor', 'a'.repeat(41), 'amount'.repeat(20)])(
    'returns nothing near %j',
    (wrong) => {
      expect(nearest(wrong, FIELDS)).toBeNull();
    },
  );

  it('returns nothing without candidates', () => {
    expect(nearest('amount', [])).toBeNull();
  });

  it('returns the name itself, one of the candidates, or nothing', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        expect([...FIELDS, null]).toContain(nearest(text, FIELDS));
      }),
    );
    for (const field of FIELDS) expect(nearest(field, FIELDS)).toBe(field);
  });
});

describe('a name that an agent writes instead of ours', () => {
  const fields = ['items', 'description', 'quantity', 'unit_price', 'tax_percent', 'discount_percent'];
  it.each([
    ['price', 'unit_price'],
    ['qty', 'quantity'],
    ['tax_rate', 'tax_percent'],
    ['discount', 'discount_percent'],
    ['desc', null],
    ['zz', null],
  ])('is matched to the intended one: %s means %s', (written, meant) => {
    expect(nearest(written, fields)).toBe(meant);
  });
});
