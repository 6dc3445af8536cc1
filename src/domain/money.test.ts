import { describe, expect, it } from 'vitest';
import {
  decimalsOf,
  divRound,
  exactMinor,
  exceedsLargestMoney,
  type Micros,
  type Minor,
  micros,
  microsNumber,
  microsText,
  minorNumber,
  minorText,
  numberMicros,
  powerOfTen,
  shortestText,
} from './money.ts';

const minor = (value: bigint) => value as Minor;

describe('the decimal parser', () => {
  it.each([
    ['0', 0n],
    ['12', 12_000_000n],
    ['1.5', 1_500_000n],
    ['0.000001', 1n],
    ['-3.25', -3_250_000n],
    ['-0', 0n],
    ['007.10', 7_100_000n],
    ['9007199254740993', 9_007_199_254_740_993_000_000n],
  ])('reads %s exactly', (text, expected) => {
    expect(micros(text)).toBe(expected);
  });
});

describe('reading a JSON number as millionths', () => {
  it.each([
    [1.5, 1_500_000n],
    [-0.000001, -1n],
    [1e9, 1_000_000_000_000_000n],
    [-1e9, -1_000_000_000_000_000n],
  ])('is exact for %d', (number, expected) => {
    expect(numberMicros(number)).toBe(expected);
  });

  it.each([0.0000005, 1.2345678, 1_000_000_001, -1_000_000_001, 1e300, Number.NaN, Number.POSITIVE_INFINITY])(
    'fails for %d',
    (number) => {
      expect(numberMicros(number)).toBeNull();
    },
  );
});

describe('division', () => {
  it.each([
    [5n, 2n, 3n],
    [-5n, 2n, -3n],
    [5n, -2n, -3n],
    [-5n, -2n, 3n],
    [7n, 3n, 2n],
    [8n, 3n, 3n],
    [1n, 3n, 0n],
    [-1n, 3n, 0n],
    [0n, 7n, 0n],
    [15_643_588_5n, 10n, 15_643_589n],
    [-15_643_588_5n, 10n, -15_643_589n],
  ])(
    'rounds %s / %s to %s, the nearest unit, with halves away from zero',
    (numerator, denominator, expected) => {
      expect(divRound(numerator, denominator)).toBe(expected);
    },
  );
});

describe('an amount of money', () => {
  it.each([
    [125_000n, 2, '1250.00', 1250],
    [-5n, 2, '-0.05', -0.05],
    [0n, 2, '0.00', 0],
    [3_960n, 0, '3960', 3960],
    [1_234_567n, 3, '1234.567', 1234.567],
    [-100_000n, 0, '-100000', -100_000],
    [99_999_999_999_999n, 2, '999999999999.99', 999_999_999_999.99],
  ])('is written with its own decimal places, such as %s with %s digits', (amount, digits, plain, number) => {
    expect(minorText(minor(amount), digits)).toBe(plain);
    expect(minorNumber(minor(amount), digits)).toBe(number);
  });

  it('has no negative zero', () => {
    expect(Object.is(minorNumber(minor(-0n), 2), 0)).toBe(true);
  });
});

describe('a decimal', () => {
  it.each([
    [1_500_000n, '1.5', 1.5, 1],
    [12_000_000n, '12', 12, 0],
    [-250_000n, '-0.25', -0.25, 2],
    [1n, '0.000001', 0.000001, 6],
    [0n, '0', 0, 0],
    [1_000_000_000_000_000n, '1000000000', 1e9, 0],
    [2_000_000_000_000_000n, '2000000000', 2e9, 0],
    [-2_000_000_000_500_000n, '-2000000000.5', -2_000_000_000.5, 1],
    [2_000_000_000_000_001n, '2000000000.000001', 2_000_000_000.000001, 6],
  ])('is written in its shortest form, such as %s', (value, text, number, decimals) => {
    expect(microsText(value as Micros)).toBe(text);
    expect(microsNumber(value as Micros)).toBe(number);
    expect(decimalsOf(value as Micros)).toBe(decimals);
  });
});

it('a decimal fits a currency only if the currency has enough decimal places', () => {
  expect(exactMinor(1_500_000n as Micros, 2)).toBe(150n);
  expect(exactMinor(1_500_000n as Micros, 0)).toBeNull();
  expect(exactMinor(1_234_500n as Micros, 3)).toBeNull();
  expect(exactMinor(-1_234_000n as Micros, 3)).toBe(-1234n);
});

it('the largest amount is 999,999,999,999.99 in every currency, positive or negative', () => {
  expect(exceedsLargestMoney(minor(99_999_999_999_999n), 2)).toBe(false);
  expect(exceedsLargestMoney(minor(100_000_000_000_000n), 2)).toBe(true);
  expect(exceedsLargestMoney(minor(-100_000_000_000_000n), 2)).toBe(true);
  expect(exceedsLargestMoney(minor(999_999_999_999n), 0)).toBe(false);
  expect(exceedsLargestMoney(minor(1_000_000_000_000n), 0)).toBe(true);
  expect(exceedsLargestMoney(minor(999_999_999_999_990n), 3)).toBe(false);
  expect(exceedsLargestMoney(minor(999_999_999_999_991n), 3)).toBe(true);
});

it('powers of ten go up to the maximum number of decimal places', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map(powerOfTen)).toEqual([
    1n,
    10n,
    100n,
    1000n,
    10_000n,
    100_000n,
    1_000_000n,
  ]);
  expect(() => powerOfTen(15)).toThrow(RangeError);
  expect(() => powerOfTen(-1)).toThrow(RangeError);
});

it.each([
  [22_764_375_000_000n, 12, '22.764375'],
  [-5n, 1, '-0.5'],
  [1n, 12, '0.000000000001'],
  [123_400n, 10, '0.00001234'],
  [9_999_999_999_999_999_990n, 12, '9999999.99999999999'],
])('%s with %i decimals is written as %s in its shortest form', (value, decimals, text) => {
  expect(shortestText(value, decimals)).toBe(text);
});
