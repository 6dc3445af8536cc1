import { describe, expect, it } from 'vitest';
import { price, read } from '../../test/catalog/read-field.ts';
import { decimal, decimalOr, integerOr } from './number-fields.ts';
import { dayOr, textOr } from './word-fields.ts';

const amount = decimal({ describe: 'Amount.', min: '0.01', max: '1000000000' });

const quantity = decimalOr({ describe: 'How many.', min: '0', aboveMin: true, max: '1000000' }, 1);

describe('a decimal', () => {
  it.each([
    ['5', 5_000_000n],
    [' 5 ', 5_000_000n],
    ['1250.00', 1_250_000_000n],
    ['0.01', 10_000n],
    ['000005', 5_000_000n],
    ['1000000000', 1_000_000_000_000_000n],
    [5, 5_000_000n],
    [0.1 + 0.2, 300_000n],
    [1e3, 1_000_000_000n],
    [0.30000000000000004, 300_000n],
    [19.990000000000002, 19_990_000n],
  ])('reads %j exactly', (raw, micros) => {
    expect(read(amount, raw)).toBe(micros);
  });

  it.each([
    [999999999999.99, 999_999_999_999_990_000n],
    [499999999999.98, 499_999_999_999_980_000n],
    [-68719476736.07, -68_719_476_736_070_000n],
  ])('reads %d as it is written, also where a double has no six decimals left', (raw, micros) => {
    const any = decimal({ describe: 'A sum.', min: '-999999999999.99', max: '999999999999.99' });
    expect(read(any, raw)).toBe(micros);
  });

  it.each(['+5', '-5', '1,000', '1.000,50', '1_000', '1e3', '0x10', '0b11', 'NaN', 'Infinity', '５', '٥'])(
    'does not read %j',
    (raw) => {
      expect(read(amount, raw)).toBe('invalid_number');
    },
  );

  it.each(['.5', '5.', '5.5.5', '$5', '5 USD', '5 5', '5\n6', '١٢', '9'.repeat(41), '--5', '-'])(
    'nor %j',
    (raw) => {
      expect(read(amount, raw)).toBe('invalid_number');
    },
  );

  it('nor what is no number at all', () => {
    for (const raw of [true, [], [5], {}, { valueOf: 5 }]) expect(read(amount, raw)).toBe('invalid_type');
  });

  it.each([
    ['0', 'out_of_range'],
    ['0.009999', 'out_of_range'],
    ['1000000000.01', 'out_of_range'],
    ['9'.repeat(40), 'out_of_range'],
    [0, 'out_of_range'],
    [-0, 'out_of_range'],
    [-5, 'out_of_range'],
    [1e13, 'out_of_range'],
    [Number.MAX_VALUE, 'out_of_range'],
    [Number.POSITIVE_INFINITY, 'invalid_number'],
    [Number.NaN, 'invalid_number'],
    ['1.0000001', 'too_precise'],
    [1.0000001, 'too_precise'],
    [1.0000004, 'too_precise'],
    [1.0000015, 'too_precise'],
    [0.123456789, 'too_precise'],
    [0.0000004, 'too_precise'],
  ])('refuses %j as %s', (raw, code) => {
    expect(read(amount, raw)).toBe(code);
  });

  it('may be negative only where credits are', () => {
    expect(read(price, '-5')).toBe(-5_000_000n);
    expect(read(price, -5.25)).toBe(-5_250_000n);
    expect(read(price, '+5')).toBe('invalid_number');
    expect(read(price, '-1000000001')).toBe('out_of_range');
  });

  it('refuses its lower bound where only more will do', () => {
    expect(read(quantity, 0)).toBe('out_of_range');
    expect(read(quantity, 0.0000001)).toBe('too_precise');
    expect(read(quantity, 0.000001)).toBe(1n);
  });
});

describe('an absent field', () => {
  it.each([undefined, null, '', '   ', '\t\n'])('spelled %j is required or has its default', (raw) => {
    expect(read(amount, raw)).toBe('required');
    expect(read(quantity, raw)).toBe(1_000_000n);
    expect(read(dayOr({ describe: 'Day.' }, null), raw)).toBeNull();
    expect(read(textOr({ describe: 'Name.', maxCodePoints: 5 }, null), raw)).toBeNull();
  });
});

describe('a whole number', () => {
  const days = integerOr({ describe: 'Days.', min: 0, max: 365 }, 30);

  it.each([
    [0, 0],
    [365, 365],
    ['14', 14],
    [' 14 ', 14],
    ['007', 7],
    [14.0, 14],
  ])('reads %j', (raw, days_) => {
    expect(read(days, raw)).toBe(days_);
  });

  it.each([1.5, '1.5', '1e2', '0x1', '-1', 'x', true, [5], Number.NaN, '9'.repeat(10)])(
    'does not read %j',
    (raw) => {
      expect(read(days, raw)).toBe('invalid_integer');
    },
  );

  it.each([-1, 366, '366', 1e9])('refuses %j as out of range', (raw) => {
    expect(read(days, raw)).toBe('out_of_range');
  });
});
