import { describe, expect, it } from 'vitest';
import { dec, faultsOf, items, quoteRequest, valued } from '../../test/domain/samples.ts';
import { inOrder } from '../../test/support/facts.ts';
import { microsText, minorText } from './money.ts';
import { type QuoteItem, type QuoteRequest, quote, quoteFormula } from './quote.ts';

const quoted = (changes: Partial<QuoteRequest>) => valued(quote(quoteRequest(changes)));
const line = (unitPrice: string | number, taxPercent?: string | number): QuoteItem => ({
  description: 'Line',
  quantity: dec(1),
  unitPrice: dec(unitPrice),
  taxPercent: taxPercent === undefined ? undefined : dec(taxPercent),
});
/** Returns subtotal, discount, taxable amount, tax, total, deposit and balance, in this order. */
const figures = (changes: Partial<QuoteRequest>) => {
  const { subtotal, discount, taxable, tax, total, deposit, balance, digits } = quoted(changes);
  return [subtotal, discount, taxable, tax, total, deposit, balance].map((each) => minorText(each, digits));
};
/** Returns 'rate: subtotal discount taxable tax' for each rate. */
const groups = (changes: Partial<QuoteRequest>) => {
  const { groups, digits } = quoted(changes);
  return groups.map(
    ({ taxPercent, subtotal, discount, taxable, tax }) =>
      `${microsText(taxPercent)}: ${[subtotal, discount, taxable, tax].map((each) => minorText(each, digits)).join(' ')}`,
  );
};

describe('the tax of lines with their own rates', () => {
  const british = { items: [line(100, 20), line(50, 5), line('10.10', 0), line(40)], taxPercent: dec(20) };

  it('is rounded once for each rate, after the share of the discount', () => {
    expect(groups({ ...british, discountPercent: dec(10) })).toEqual([
      '20: 140.00 14.00 126.00 25.20',
      '5: 50.00 5.00 45.00 2.25',
      '0: 10.10 1.01 9.09 0.00',
    ]);
    expect(figures({ ...british, discountPercent: dec(10) })).toEqual(
      '200.10 20.01 180.09 27.45 207.54 0.00 207.54'.split(' '),
    );
  });

  it('is rounded for each rate, not for each line', () => {
    // Taxed line by line, 3 x 0.05 gives 3 x 0.01. Taxed on the sum of 0.15 it gives 0.03, and at 7.5% of 1.02 it
    // gives 0.08.
    const many = { items: Array(6).fill(line('0.17', '7.5')) };
    expect(groups(many)).toEqual(['7.5: 1.02 0.00 1.02 0.08']);
  });

  it('has no group for a rate without lines', () => {
    expect(groups({ items: [line(10, 5)], taxPercent: dec(20) })).toEqual(['5: 10.00 0.00 10.00 0.50']);
  });

  it('has a formula that shows every part', () => {
    const { discount, tax, groups: taxes } = quoteFormula(quoted({ ...british, discountPercent: dec(10) }));
    expect([discount, tax]).toEqual(['14.00 + 5.00 + 1.01 = 20.01', '25.20 + 2.25 + 0.00 = 27.45']);
    expect(taxes).toEqual(['126.00 x 20% = 25.20', '45.00 x 5% = 2.25', '9.09 x 0% = 0.00']);
  });

  it('is refused if the tax on credits exceeds the tax on charges', () => {
    expect(faultsOf(quote(quoteRequest({ items: [line(100, 0), line(-100, 20)] })))).toEqual([
      {
        pointer: '/items',
        code: 'negative_total',
        detail: expect.stringContaining('-20.00'),
        hint: expect.stringContaining('tax_percent'),
      },
    ]);
  });
});

describe('a discount given as an amount', () => {
  it('is deducted as given, and the tax is calculated on the rest', () => {
    expect(figures({ items: items([1, 200]), discountAmount: dec(50), taxPercent: dec(10) })).toEqual(
      '200.00 50.00 150.00 15.00 165.00 0.00 165.00'.split(' '),
    );
  });

  it('is shared between the rates in proportion, and the largest rate gets the rounding difference', () => {
    expect(groups({ items: [line(100, 20), line(100, 10), line(100, 0)], discountAmount: dec(100) })).toEqual(
      ['20: 100.00 33.34 66.66 13.33', '10: 100.00 33.33 66.67 6.67', '0: 100.00 33.33 66.67 0.00'],
    );
  });

  it("is at most the subtotal, in the currency's decimal places", () => {
    expect(figures({ discountAmount: dec(20) })[4]).toBe('0.00');
    expect(faultsOf(quote(quoteRequest({ discountAmount: dec('20.01') })))).toEqual([
      {
        pointer: '/discount_amount',
        code: 'out_of_range',
        detail: expect.stringMatching(inOrder('20.01', '20.00')),
        hint: expect.stringContaining('20.00'),
      },
    ]);
    expect(faultsOf(quote(quoteRequest({ discountAmount: dec('1.5'), currency: 'JPY' })))[0]).toEqual({
      pointer: '/discount_amount',
      code: 'too_precise',
      detail: expect.stringMatching(inOrder('1.5', 'JPY')),
      hint: expect.stringContaining('decimal places'),
    });
  });

  it('has a formula that says only that the amount was given', () => {
    expect(quoteFormula(quoted({ discountAmount: dec(5) })).discount).toBe('given = 5.00');
  });
});

describe('a deposit given as an amount', () => {
  it('is taken from the total with tax', () => {
    expect(figures({ taxPercent: dec(10), depositAmount: dec(22) })).toEqual(
      '20.00 0.00 20.00 2.00 22.00 22.00 0.00'.split(' '),
    );
    expect(quoteFormula(quoted({ depositAmount: dec(5) })).deposit).toBe('given = 5.00');
  });

  it('is at most the total', () => {
    expect(faultsOf(quote(quoteRequest({ depositAmount: dec('20.01') })))).toEqual([
      {
        pointer: '/deposit_amount',
        code: 'out_of_range',
        detail: expect.stringMatching(inOrder('20.01', '20.00')),
        hint: expect.stringContaining('20.00'),
      },
    ]);
  });
});

describe('prices that include the tax', () => {
  it('keep their total, and the tax is calculated from it (GOBL: 1620 with 8.5%)', () => {
    const gobl = { items: items([1, 1620]), taxPercent: dec('8.5'), pricesIncludeTax: true as const };
    expect(figures(gobl)).toEqual(['1620.00', '0.00', '1493.09', '126.91', '1620.00', '0.00', '1620.00']);
    const { tax, taxable } = quoteFormula(quoted(gobl));
    expect(tax).toBe('1620.00 x 8.5 / 108.5 = 126.912442..., rounded to 126.91');
    expect(taxable).toBe('1620.00 - 0.00 - 126.91 = 1493.09');
  });

  it('are taxed by rate, after the discount', () => {
    expect(
      groups({ items: [line(120, 20), line(105, 5)], discountPercent: dec(50), pricesIncludeTax: true }),
    ).toEqual(['20: 120.00 60.00 50.00 10.00', '5: 105.00 52.50 50.00 2.50']);
    expect(quoteFormula(quoted({ items: [line(120, 20)], pricesIncludeTax: true })).tax).toBe(
      '120.00 x 20 / 120 = 20.00',
    );
  });
});
