import Big from 'big.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  divRound,
  exceedsLargestMoney,
  type Micros,
  type Minor,
  micros,
  microsNumber,
  microsText,
  minorNumber,
  minorText,
} from '../../src/domain/money.ts';
import { decimals } from './arbitraries.ts';

const digits = fc.constantFrom(0, 2, 3);

it('rounding equals half-up rounding in big.js', () => {
  const small = fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n });
  fc.assert(
    fc.property(small, fc.integer({ min: 1, max: 10_000 }), (numerator, denominator) => {
      const expected = new Big(numerator.toString()).div(denominator).round(0, Big.roundHalfUp);
      expect(divRound(numerator, BigInt(denominator)).toString()).toBe(
        expected.toFixed().replace(/^-0$/, '0'),
      );
    }),
  );
});

it('rounding treats both signs alike and differs from the exact value by at most half a unit', () => {
  const any = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
  fc.assert(
    fc.property(any, fc.bigInt({ min: 1n, max: 10n ** 20n }), (numerator, denominator) => {
      const rounded = divRound(numerator, denominator);
      expect(divRound(-numerator, denominator)).toBe(-rounded);
      expect(divRound(numerator, -denominator)).toBe(-rounded);
      const error = 2n * (numerator - rounded * denominator);
      expect(error <= denominator && error >= -denominator).toBe(true);
    }),
  );
});

it('a decimal is read and written without loss', () => {
  fc.assert(
    fc.property(decimals(-1_000_000_000n, 1_000_000_000n), (value) => {
      expect(micros(microsText(value))).toBe(value);
      expect(new Big(microsText(value)).times(1e6).toFixed()).toBe(value.toString());
    }),
  );
});

it('every accepted amount is an exact JSON number', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), digits, (value, count) => {
      const amount = value as Minor;
      fc.pre(!exceedsLargestMoney(amount, count));
      const number = JSON.parse(JSON.stringify(minorNumber(amount, count)));
      expect(new Big(number).toFixed(count)).toBe(minorText(amount, count));
    }),
  );
});

it('a decimal of 15 significant digits is an exact JSON number', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }), (value) => {
      const number = JSON.parse(JSON.stringify(microsNumber(value as Micros)));
      expect(new Big(number).times(1e6).toFixed()).toBe(value.toString());
    }),
  );
});

it('reading a number never causes an exception, and accepts only plain decimals', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[-+]?[0-9 .,_eExX]{0,12}$/),
    fc.double().map(String),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const value = micros(text);
      expect(value !== null).toBe(/^-?[0-9]{1,40}(\.[0-9]{1,6})?$/.test(text) && !text.endsWith('\n'));
      if (value !== null) expect(new Big(text).times(1e6).eq(value.toString())).toBe(true);
    }),
  );
});
