import { describe, expect, it } from 'vitest';
import { dec, items, quoteRequest, valued } from '../../test/domain/samples.ts';
import { type QuoteRequest, quote } from './quote.ts';
import { quoteCaveats, quoteWarnings } from './quote-notes.ts';

const quoted = (changes: Partial<QuoteRequest> = {}) => valued(quote(quoteRequest(changes)));
const warnings = (changes: Partial<QuoteRequest> = {}) => quoteWarnings(quoted(changes));
const caveats = (changes: Partial<QuoteRequest> = {}) => quoteCaveats(quoted(changes));

describe('a warning speaks of this quote only', () => {
  it('an ordinary quote needs none', () => {
    expect(warnings()).toEqual([]);
    expect(warnings({ discountPercent: dec(10), taxPercent: dec(8), depositPercent: dec(30) })).toEqual([]);
  });

  it.each([
    ['a discount of 100%', { discountPercent: dec(100) }],
    ['prices of 0', { items: items([1, 0]) }],
    ['credits as large as the charges', { items: items([1, 10], [1, -10]) }],
  ])('%s leaves nothing to pay', (_, changes) => {
    expect(warnings(changes)).toContain(
      'The total is 0: check the prices, the credits and the discount if you expected one.',
    );
  });

  it('lines that round to zero are counted, lines priced at zero are not', () => {
    const round = (...lines: [number, string][]) => warnings({ items: items([1, 10], ...lines) });
    expect(round([1, '0.004'])).toEqual([
      '1 line rounds to a total of zero although it has a price: check its quantity and unit price.',
    ]);
    expect(round([1, '0.004'], [1, '-0.004'])[0]).toMatch(
      /^2 lines round to a total of zero although they have/,
    );
    expect(round([1, '0'], [1, '0.005'])).toEqual([]);
  });

  it('a deposit of the whole total is pointed out, where there is one', () => {
    expect(warnings({ depositPercent: dec(100) })).toEqual([
      'The deposit is the whole total, so no balance is left to pay.',
    ]);
    expect(warnings({ depositPercent: dec('99.9') })).toEqual([]);
    expect(warnings({ depositPercent: dec(100), discountPercent: dec(100) })).toHaveLength(1);
  });
});

describe('the caveats hold for every quote', () => {
  it('tax, validity and no advice', () => {
    expect(caveats()).toEqual([
      'No tax is included: add the rate that your law asks for, if it asks for one.',
      'The prices hold through 21 December 2026, that day included.',
      'This is arithmetic on the figures given, not tax or legal advice.',
    ]);
    expect(caveats({ taxPercent: dec(8) })[0]).toBe(
      'Tax is worked out once, at one rate, on the sum after the discount: check that the rate covers every line.',
    );
  });

  it('a deposit above a tenth may be capped', () => {
    expect(caveats({ depositPercent: dec(10) })).toHaveLength(3);
    expect(caveats({ depositPercent: dec('10.01') })[3]).toBe(
      'Some places limit deposits, for example home improvement in California to 10% or 1,000 dollars, whichever is less: check before you ask for this one.',
    );
    expect(caveats({ depositPercent: dec(30), discountPercent: dec(100) })).toHaveLength(3);
  });
});
