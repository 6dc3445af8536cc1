import { describe, expect, it } from 'vitest';
import { CURRENCY_CODES, currencyDigits } from './currency.ts';
import { localMoney } from './locale.ts';
import type { Minor } from './money.ts';

describe('the number of minor digits, which follows ISO 4217', () => {
  it.each('AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK PKR SOS SYP YER'.split(' '))(
    'is two for %s, whatever Intl says',
    (code) => {
      expect(currencyDigits(code)).toBe(2);
    },
  );

  it.each('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '))(
    'is zero for %s',
    (code) => {
      expect(currencyDigits(code)).toBe(0);
    },
  );

  it.each('BHD IQD JOD KWD LYD OMR TND'.split(' '))('is three for %s', (code) => {
    expect(currencyDigits(code)).toBe(3);
  });

  it('is two for every other code', () => {
    expect(CURRENCY_CODES.filter((code) => currencyDigits(code) === 0)).toHaveLength(16);
    expect(CURRENCY_CODES.filter((code) => currencyDigits(code) === 3)).toHaveLength(7);
    expect(new Set(CURRENCY_CODES.map(currencyDigits))).toEqual(new Set([0, 2, 3]));
  });
});

describe('the list of currencies in use', () => {
  it.each([
    // funds
    ...'CLF UYI UYW USN CHE CHW COU BOV MXV'.split(' '),
    // no currency
    ...'XAU XAG XPT XPD XXX'.split(' '),
    // metals, tests, units of account
    ...'XTS XDR XSU XUA XBA'.split(' '),
    // withdrawn
    ...'HRK BGN ANG SLL ZWL CUC DEM VEF MRO STD'.split(' '),
    ...'USDC BTC usd US'.split(' '),
    '',
    'constructor',
    '__proto__',
  ])('does not contain %j', (code) => {
    expect(currencyDigits(code)).toBeNull();
  });

  it.each(['USD', 'EUR', 'GBP', 'XCG', 'VED', 'SLE', 'ZWG', 'SVC'])('contains %s', (code) => {
    expect(currencyDigits(code)).not.toBeNull();
  });

  it('contains each code once, in order', () => {
    expect([...new Set(CURRENCY_CODES)].sort()).toEqual(CURRENCY_CODES);
    expect(CURRENCY_CODES.every((code) => /^[A-Z]{3}$/.test(code))).toBe(true);
    expect(CURRENCY_CODES).toHaveLength(155);
  });
});

const moneyText = (amount: bigint, code: string): string =>
  localMoney(amount as Minor, code, currencyDigits(code) ?? 0);

describe('the usual English format for money', () => {
  it.each([
    [125_000n, 'USD', '$1,250.00'],
    [1_000n, 'CHF', 'CHF 10.00'],
    [3_960n, 'JPY', '¥3,960'],
    [-500n, 'EUR', '-€5.00'],
    [-500n, 'CHF', '-CHF 5.00'],
    [6_449n, 'KWD', 'KWD 6.449'],
    [125_000n, 'CAD', 'CA$1,250.00'],
    [1_000n, 'XOF', 'XOF 1,000'],
    [0n, 'GBP', '£0.00'],
    [10_030_000n, 'INR', '₹1,00,300.00'],
    [-125_000n, 'CHF', "-CHF 1'250.00"],
    [1_667_500n, 'ZAR', 'R16,675.00'],
    [123_456_789_012_345_678_912n, 'USD', '$1,234,567,890,123,456,789.12'],
  ])('writes %s %s as %s', (amount, code, text) => {
    expect(moneyText(amount, code)).toBe(text);
  });

  it('uses the same signs as Intl for the most common currencies', () => {
    for (const code of 'USD EUR GBP JPY CAD AUD INR CNY MXN BRL NZD KRW HKD ILS'.split(' ')) {
      const digits = currencyDigits(code) ?? 0;
      const options = {
        style: 'currency',
        currency: code,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      } as const;
      expect(moneyText(123_456n, code)).toBe(
        new Intl.NumberFormat('en-US', options).format(123_456 / 10 ** digits),
      );
    }
  });

  it('has no special spaces', () => {
    for (const code of CURRENCY_CODES)
      expect(moneyText(-1_234_567n, code)).toMatch(/^-[^\s]*(?: )?[0-9,.']+$/);
  });
});
