import { describe, expect, it } from 'vitest';
import { dec, items, quoteRequest, valued } from '../../test/domain/samples.ts';
import { factsIn, inOrder } from '../../test/support/facts.ts';
import { type QuoteRequest, quote } from './quote.ts';
import { quoteNotes, WHOLE_DEPOSIT } from './quote-notes.ts';

const notes = (changes: Partial<QuoteRequest> = {}) => quoteNotes(valued(quote(quoteRequest(changes))));
const warnings = (changes: Partial<QuoteRequest> = {}) => notes(changes).warnings;
const caveats = (changes: Partial<QuoteRequest> = {}) => notes(changes).caveats;
const taxed = (...rates: (string | number)[]) => ({
  items: rates.map((rate) => ({
    description: 'x',
    quantity: dec(1),
    unitPrice: dec(100),
    taxPercent: dec(rate),
  })),
});

describe('a quote', () => {
  it('gets no warning if it is ordinary', () => {
    expect(warnings()).toEqual([]);
    expect(warnings({ discountPercent: dec(10), taxPercent: dec(8), depositPercent: dec(30) })).toEqual([]);
  });

  it.each([
    ['a discount of 100%', { discountPercent: dec(100) }],
    ['a discount of all', { discountAmount: dec(20) }],
    ['prices of 0', { items: items([1, 0]) }],
    ['credits as large as the charges', { items: items([1, 10], [1, -10]) }],
  ])('gets a single warning if %s leaves nothing to pay', (_, changes) => {
    expect(warnings({ ...changes, depositPercent: dec(0) }).map(factsIn)).toEqual([['0']]);
  });

  it('gets a warning that counts the lines that round to zero, but not those priced at zero', () => {
    const round = (...lines: [number, string][]) => warnings({ items: items([1, 10], ...lines) });
    expect(round([1, '0.004']).map(factsIn)).toEqual([['1']]);
    expect(round([1, '0.004'], [1, '-0.004']).map(factsIn)).toEqual([['2']]);
    expect(round([1, '0'], [1, '0.005'])).toEqual([]);
  });

  it('gets a warning for a deposit of the whole total if there is a total', () => {
    expect(warnings({ depositPercent: dec(100) })).toEqual([WHOLE_DEPOSIT]);
    expect(warnings({ depositAmount: dec(20) })).toEqual([WHOLE_DEPOSIT]);
    expect(warnings({ depositPercent: dec('99.9') })).toEqual([]);
    expect(warnings({ depositPercent: dec(100), discountPercent: dec(100) })).toHaveLength(1);
  });

  it('gets a warning for a discount of more than half, as a percentage or a sum', () => {
    expect(warnings({ discountPercent: dec(50) })).toEqual([]);
    expect(warnings({ discountPercent: dec('50.1') })).toHaveLength(1);
    expect(warnings({ discountAmount: dec(11) })).toHaveLength(1);
  });
});

describe('a percentage below 1', () => {
  it('gets a warning that it may be a fraction, in one sentence for the tax, the discount and the deposit', () => {
    expect(warnings({ taxPercent: dec('0.08') }).map(factsIn)).toEqual([['0.08%', '8%', '8']]);
    expect(
      warnings({ taxPercent: dec('0.0825'), discountPercent: dec('0.05'), depositPercent: dec('0.5') }).map(
        factsIn,
      ),
    ).toEqual([['0.0825%', '8.25%', '8.25', '0.05%', '5%', '5', '0.5%', '50%', '50']]);
  });

  it('gets that warning even on a single line', () => {
    expect(warnings(taxed(20, '0.05')).map(factsIn)).toEqual([['0.05%', '5%', '5']]);
  });

  it('gets no warning if no line has the rate or an amount replaces it', () => {
    expect(warnings({ ...taxed(20, 5), taxPercent: dec('0.2') })).toEqual([]);
    expect(warnings({ taxPercent: dec(1), discountPercent: dec(1), depositPercent: dec(1) })).toEqual([]);
  });
});

describe('the caveats of a quote', () => {
  it('say what to check for no tax, one rate, several rates, or prices with tax', () => {
    const ofTax = [
      {},
      { taxPercent: dec(8) },
      taxed(20, 5),
      { taxPercent: dec(8), pricesIncludeTax: true as const },
    ].map((changes) => caveats(changes)[0]);
    for (const text of ofTax) expect(text).toMatch(/\btax\b/i);
    expect(new Set(ofTax).size).toBe(ofTax.length);
    const untaxed = notes({ pricesIncludeTax: true });
    expect(untaxed.warnings).toEqual([expect.stringMatching(/\btax\b/)]);
    expect(untaxed.caveats).toEqual([caveats().at(-1)]);
  });

  it('leave out the validity date, which is a field', () => {
    expect(caveats().join()).not.toMatch(/\d/);
  });
});

describe('the caveat about deposits in California', () => {
  const limit = expect.stringMatching(inOrder('California', '10%', '1,000'));
  const large = { items: items([1, 20_000]) };

  it.each([
    ['over a tenth', { depositPercent: dec('10.01'), ...large }, true],
    ['a tenth of a small total', { depositPercent: dec(10) }, false],
    ['a tenth of 20,000 dollars is 2,000', { depositPercent: dec(10), ...large }, true],
    ['1,000 dollars of 20,000', { depositAmount: dec(1000), ...large }, false],
    ['1,000.01 dollars of 20,000', { depositAmount: dec('1000.01'), ...large }, true],
    ['a tenth of 20,000 euros', { depositPercent: dec(10), currency: 'EUR', ...large }, false],
    ['none', large, false],
    ['a share of a total of 0', { depositPercent: dec(30), discountPercent: dec(100) }, false],
  ] as const)(
    'appears only above the limit, which is the lesser of a tenth and 1,000 dollars: %s',
    (_, changes, isSaid) => {
      const told = caveats(changes as Partial<QuoteRequest>);
      if (isSaid) expect(told).toContainEqual(limit);
      else expect(told.join()).not.toContain('California');
    },
  );
});

it('a quote has at most five notes, the most important ones first', () => {
  const { warnings: first, caveats: rest } = notes({
    items: items([1, 10], [1, '0.001']),
    taxPercent: dec('0.2'),
    discountPercent: dec(60),
    depositPercent: dec(100),
  });
  expect(first.map(factsIn)).toEqual([['0.2%', '20%', '20'], ['60%'], ['1'], []]);
  expect(first.at(-1)).toBe(WHOLE_DEPOSIT);
  expect(rest).toHaveLength(1);
});
