import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Grouping,
  groupingOf,
  knownLanguage,
  type NumberKind,
  readNumber,
  unmistakable,
} from './written-number.ts';

const MONEY: NumberKind = { min: -1_000_000_000, max: 1_000_000_000, hasDecimals: true };
const PERCENT: NumberKind = { min: 0, max: 100, hasDecimals: true };
const DAYS: NumberKind = { min: 0, max: 365, hasDecimals: false };

const read = (written: string, grouping: Grouping = ',', kind = MONEY) => {
  const found = readNumber(written, kind, grouping);
  if (found.kind === 'number') return found.plain;
  return found.kind === 'ambiguous' ? found.choices : found.kind;
};

describe('a number as people write it', () => {
  it.each([
    ['1250', ['1250', '1,250', '1 250', '1250.', '1250,', '１２５０', '  1250  ']],
    [
      '1250.00',
      [
        '1.250,- €',
        '€ 1.250,-',
        '1250,--',
        '1 250:-',
        '1.250:- kr',
        'Fr. 1’250.–',
        '1,250.-',
        '1250.00',
        '1.250,00',
      ],
    ],
    ['125000.00', ['Rs. 1,25,000/-']],
    ['1250.5', ['1,250.5', '1 250,5', '١٬٢٥٠٫٥']],
    ['1250000', ['1,250,000', '1.250.000']],
    ['1250.50', ['1 250,50', '1 250,50', "1'250.50", '1’250.50']],
    ['12.50', ['12,50']],
    ['1.2500', ['1,2500']],
    ['1.5', ['1,5']],
    ['0.5', ['.5', ',5']],
    ['0.125', ['0.125', '0,125']],
    ['1250.125', ['1250.125']],
    ['100000', ['1,00,000']],
    ['1234567.5', ['12,34,567.5']],
    ['7', ['007']],
    ['-5', ['-5', '−5', '£-5']],
    ['-1250.00', ['-£1,250.00']],
  ])('is read as %s: %j', (plain, writings) => {
    for (const written of writings) expect([written, read(written)]).toEqual([written, plain]);
  });

  it.each([
    ['£1,250', ['GBP']],
    ['1.250,00 €', ['EUR']],
    ['EUR 12', ['EUR']],
    ['12 eur', ['EUR']],
    ['US$5', ['USD']],
    ['US$.50', ['USD']],
    ['Rs.500', ['INR', 'PKR', 'LKR', 'NPR']],
    ['1 250 kr', ['SEK', 'NOK', 'DKK', 'ISK']],
    ['12,50 zł', ['PLN']],
    ['1.5%', 'percent'],
    ['1.5 %', 'percent'],
    ['£1,250 quid', ['GBP']],
    ['1250 pounds', ['GBP']],
    ['5 euros', ['EUR']],
    ['10 per cent', 'percent'],
    ['7 days', 'days'],
    ['5', null],
  ])('may have a unit: %s', (written, unit) => {
    expect(readNumber(written, MONEY, ',')).toMatchObject({ kind: 'number', unit });
  });

  it.each([
    'abc',
    '12 apples',
    'about 5',
    '1.2.3',
    '1,25,0',
    '12,345,67',
    '1..5',
    '1,250,00',
    '0,125,000',
    '$5 EUR',
    '--5',
    '-£-5',
    '1e3',
    '½',
    '1/2',
    '5%5',
    '1'.repeat(41),
  ])('is not read from %s', (written) => {
    expect(read(written)).toBe('unreadable');
  });

  it('is empty if nothing is typed', () => {
    expect([read(''), read('  ')]).toEqual(['blank', 'blank']);
  });

  it('gets a question if it has two meanings', () => {
    expect(read('1.250', ',')).toEqual(['1.250', '1250']);
    expect(read('1,250', '.')).toEqual(['1.250', '1250']);
    expect(read('1,250', null)).toEqual(['1.250', '1250']);
    expect(read('-1.250', ' ')).toEqual(['-1.250', '-1250']);
    expect(read('12 50', ',')).toEqual(['12.50', '1250']);
    expect(read('12 50', '.')).toEqual(['12.50', '1250']);
  });

  it('is read with the given thousands separator', () => {
    expect([read('1,250', ','), read('1.250', '.')]).toEqual(['1250', '1250']);
  });

  it('is read as the only meaning that fits the field', () => {
    expect(read('8.125', ',', PERCENT)).toBe('8.125');
    expect(read('8,125', '.', PERCENT)).toBe('8.125');
    expect(read('1,000', '.', { ...DAYS, max: 10_000 })).toBe('1000');
    // The result is still out of bounds, which the field reports.
    expect(read('5,000', ',', DAYS)).toBe('5000');
  });

  const LOCALES =
    'en en-IN en-ZA de de-CH de-AT fr fr-CH es pt pt-PT it nl sv nb da fi pl cs hu tr ru uk ar-EG fa hi bn ja he'.split(
      ' ',
    );
  const micros = fc.bigInt({ min: 0n, max: 999_999_999_999_999n });
  const decimalText = (value: bigint) => {
    const digits = value.toString().padStart(7, '0');
    return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
  };
  const same = (plain: string, value: bigint) => {
    const [whole = '', fraction = ''] = plain.split('.');
    return BigInt(`${whole}${fraction.padEnd(6, '0')}`) === value;
  };

  it.each(LOCALES)(
    'in the format of %s is read correctly, or gets a question that offers the right answer',
    (locale) => {
      fc.assert(
        fc.property(micros, fc.integer({ min: 0, max: 6 }), (value, kept) => {
          const rounded = (value / 10n ** BigInt(6 - kept)) * 10n ** BigInt(6 - kept);
          const format = new Intl.NumberFormat(locale, {
            minimumFractionDigits: kept,
            maximumFractionDigits: 6,
          });
          const written = format.format(decimalText(rounded) as unknown as number);
          for (const grouping of [groupingOf(locale), null]) {
            const found = readNumber(written, MONEY, grouping);
            if (found.kind === 'number')
              expect([written, same(found.plain, rounded)]).toEqual([written, true]);
            else {
              expect([written, found.kind]).toEqual([written, 'ambiguous']);
              const { choices } = found as { choices: readonly string[] };
              expect(choices.some((choice) => same(choice, rounded))).toBe(true);
            }
          }
        }),
      );
    },
  );

  it('that is formatted as money in a language needs no question in that language', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LOCALES), fc.integer({ min: 0, max: 99_999_999 }), (locale, cents) => {
        const style = { minimumFractionDigits: 2 };
        const written = (cents / 100).toLocaleString(locale, style);
        const found = readNumber(written, MONEY, groupingOf(locale));
        expect([written, found.kind === 'number' && Number(found.plain)]).toEqual([written, cents / 100]);
      }),
    );
  });

  it('is read back unchanged after it is written out, with any thousands separator', () => {
    fc.assert(
      fc.property(
        micros,
        fc.boolean(),
        fc.constantFrom<Grouping>(',', '.', ' ', '’', null),
        (value, isMinus, grouping) => {
          const plain = `${isMinus && value !== 0n ? '-' : ''}${decimalText(value).replace(/\.?0+$/, '')}`;
          const again = readNumber(unmistakable(plain), MONEY, grouping);
          expect(again.kind === 'number' && Number(again.plain)).toBe(Number(plain));
        },
      ),
    );
  });

  it('causes no exception, whatever the text is', () => {
    const noise = fc.string({ unit: fc.constantFrom(..."0123456789.,’' -£$%krE€".split('')), maxLength: 45 });
    fc.assert(
      fc.property(noise, (written) => {
        const found = readNumber(written, MONEY, ',');
        if (found.kind === 'number') expect(found.plain).toMatch(/^-?\d+(?:\.\d+)?$/);
      }),
    );
  });
});

it.each(['C', 'POSIX', '', 'x', '-', 'en_US.UTF-8', undefined])(
  'the text %s is not used as a language and causes no exception',
  (language) => {
    expect([knownLanguage(language), groupingOf(language)]).toEqual([null, null]);
  },
);
