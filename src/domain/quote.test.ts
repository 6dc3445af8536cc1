import { describe, expect, it } from 'vitest';
import { day, dec, faultCodes, faultsOf, items, quoteRequest, valued } from '../../test/domain/samples.ts';
import { dayText } from './calendar.ts';
import { type QuoteRequest, quote, quoteFormula } from './quote.ts';

const quoted = (changes: Partial<QuoteRequest> = {}) => valued(quote(quoteRequest(changes)));

const worked = {
  items: items(['0.5', '19.99'], [3, 100], [1, -25]),
  discountPercent: dec(10),
  taxPercent: dec('8.875'),
  depositPercent: dec('33.3333'),
};

it('a quote rounds lines first, then discounts, then taxes once, and takes the deposit from the total', () => {
  expect(quoted(worked)).toMatchObject({
    digits: 2,
    subtotal: 28_500n,
    discount: 2_850n,
    taxable: 25_650n,
    tax: 2_276n,
    total: 27_926n,
    deposit: 9_309n,
    balance: 18_617n,
  });
  expect(quoted(worked).lines.map(({ lineTotal }) => lineTotal)).toEqual([1_000n, 30_000n, -2_500n]);
});

it('a quote is valid through its last day', () => {
  const { validUntil } = quoted({ issuedOn: day('2028-01-31'), validDays: 30 });
  expect(dayText(validUntil)).toBe('2028-03-01');
  expect(dayText(quoted({ issuedOn: day('9999-12-20'), validDays: 365 }).validUntil)).toBe('9999-12-31');
});

describe('the formula', () => {
  it('says where a figure was rounded', () => {
    expect(quoteFormula(quoted(worked))).toEqual({
      lines: ['0.5 x 19.99 = 9.995, rounded to 10.00', '3 x 100.00 = 300.00', '1 x -25.00 = -25.00'],
      subtotal: '10.00 + 300.00 - 25.00 = 285.00',
      discount: '285.00 x 10% = 28.50',
      taxable: '285.00 - 28.50 = 256.50',
      tax: '256.50 x 8.875% = 22.764375, rounded to 22.76',
      total: '256.50 + 22.76 = 279.26',
      deposit: '279.26 x 33.3333% = 93.08657358, rounded to 93.09',
      balance: '279.26 - 93.09 = 186.17',
      groups: ['256.50 x 8.875% = 22.764375, rounded to 22.76'],
    });
  });

  it('says how much the rounding of the total added or deducted', () => {
    const total = (price: string) =>
      quoteFormula(quoted({ items: items([1, price]), roundTotalTo: dec('0.05') })).total;
    expect(total('10.04')).toBe('10.04 + 0.00 + 0.01 of rounding = 10.05');
    expect(total('10.01')).toBe('10.01 + 0.00 - 0.01 of rounding = 10.00');
    expect(total('10.00')).toBe('10.00 + 0.00 + 0.00 of rounding = 10.00');
  });

  it('writes each price with its own decimal places, and each sum with those of the currency', () => {
    const lines = (currency: string, ...pair: [string | number, string | number]) =>
      quoteFormula(quoted({ currency, items: items(pair) })).lines;
    expect(lines('JPY', '1.5', 333)).toEqual(['1.5 x 333 = 499.5, rounded to 500']);
    expect(lines('KWD', 3, '1.2345')).toEqual(['3 x 1.2345 = 3.7035, rounded to 3.704']);
    expect(lines('USD', 100, '0.1212')).toEqual(['100 x 0.1212 = 12.12']);
    expect(lines('USD', '0.000001', '-0.000001')).toEqual([
      '0.000001 x -0.000001 = -0.000000000001, rounded to 0.00',
    ]);
  });

  it('stays short for many lines', () => {
    const many = (count: number) =>
      quoteFormula(quoted({ items: items(...Array(count).fill([1, 2])) })).subtotal;
    expect(many(1)).toBe('2.00 = 2.00');
    expect(many(8)).toBe('2.00 + 2.00 + 2.00 + 2.00 + 2.00 + 2.00 + 2.00 + 2.00 = 16.00');
    expect(many(9)).toMatch(/\b9\b.* = 18\.00$/);
    expect(many(100)).toMatch(/\b100\b.* = 200\.00$/);
  });
});

describe('a quote that cannot be calculated', () => {
  it('reports that credits exceed charges', () => {
    expect(faultsOf(quote(quoteRequest({ items: items([1, -100]) })))).toEqual([
      {
        pointer: '/items',
        code: 'negative_subtotal',
        detail: expect.stringContaining('-100.00'),
        hint: expect.stringContaining('credit note'),
      },
    ]);
    expect(quoted({ items: items([1, 100], [1, -100]) }).total).toBe(0n);
  });

  it('reports every line that makes a total too large for exact JSON', () => {
    const large = items([1, 1], [1e6, 1e9], [1e6, -1e9]);
    expect(faultCodes(quote(quoteRequest({ items: large })))).toEqual([
      '/items/1 total_too_large',
      '/items/2 total_too_large',
    ]);
    expect(faultCodes(quote(quoteRequest({ items: items(...Array(100).fill([1000, 1e8])) })))).toEqual([
      '/items total_too_large',
    ]);
  });

  it('reports that only the tax makes the total too large', () => {
    const request = quoteRequest({ items: items([1000, '999999999.99']), taxPercent: dec('0.01') });
    expect(valued(quote({ ...request, taxPercent: dec(0) })).total).toBe(99_999_999_999_000n);
    expect(faultCodes(quote(request))).toEqual(['/items total_too_large']);
  });
});
