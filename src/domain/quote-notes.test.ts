import { describe, expect, it } from 'vitest';
import { dec, items, quoteRequest, valued } from '../../test/domain/samples.ts';
import { type QuoteRequest, quote } from './quote.ts';
import { quoteNotes, slips } from './quote-notes.ts';

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

describe('a warning speaks of this quote only', () => {
  it('an ordinary quote needs none', () => {
    expect(warnings()).toEqual([]);
    expect(warnings({ discountPercent: dec(10), taxPercent: dec(8), depositPercent: dec(30) })).toEqual([]);
  });

  it.each([
    ['a discount of 100%', { discountPercent: dec(100) }],
    ['a discount of all', { discountAmount: dec(20) }],
    ['prices of 0', { items: items([1, 0]) }],
    ['credits as large as the charges', { items: items([1, 10], [1, -10]) }],
  ])('%s leaves nothing to pay, and that is all that is said', (_, changes) => {
    expect(warnings({ ...changes, depositPercent: dec(0) })).toEqual([
      'The total is 0: check the prices, the credits and the discount if you expected one.',
    ]);
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
    const whole = ['The deposit is the whole total, so no balance is left to pay.'];
    expect(warnings({ depositPercent: dec(100) })).toEqual(whole);
    expect(warnings({ depositAmount: dec(20) })).toEqual(whole);
    expect(warnings({ depositPercent: dec('99.9') })).toEqual([]);
    expect(warnings({ depositPercent: dec(100), discountPercent: dec(100) })).toHaveLength(1);
  });

  it('a discount of more than half is more than people give, in percent and in money', () => {
    expect(warnings({ discountPercent: dec(50) })).toEqual([]);
    expect(warnings({ discountPercent: dec('50.1') })).toEqual([
      'The discount is 50.1%, more than people usually give: check that it is meant.',
    ]);
    expect(warnings({ discountAmount: dec(11) })).toEqual([
      'The discount takes off more than half of the subtotal: check that it is meant as a sum of money.',
    ]);
  });
});

describe('a percent below 1 is more often a fraction', () => {
  it('of the tax, the discount and the deposit, in one sentence', () => {
    expect(warnings({ taxPercent: dec('0.08') })).toEqual(['The tax is 0.08%: for 8% send 8.']);
    expect(
      warnings({ taxPercent: dec('0.0825'), discountPercent: dec('0.05'), depositPercent: dec('0.5') }),
    ).toEqual([
      'The tax is 0.0825%, the discount 0.05% and the deposit 0.5%: for 8.25% send 8.25, for 5% send 5, for 50% send 50.',
    ]);
  });

  it('also of a line alone', () => {
    expect(warnings(taxed(20, '0.05'))).toEqual(['The tax is 0.05%: for 5% send 5.']);
  });

  it('not where no line has the rate, nor where a sum of money counts', () => {
    expect(warnings({ ...taxed(20, 5), taxPercent: dec('0.2') })).toEqual([]);
    expect(warnings({ taxPercent: dec(1), discountPercent: dec(1), depositPercent: dec(1) })).toEqual([]);
  });
});

describe('the caveats say what to check', () => {
  it('no tax, one rate, several rates, prices with tax', () => {
    const [none] = caveats();
    expect(none).toBe(
      'No tax is included: send the rate if you have to charge one. In many places prices for consumers must include it.',
    );
    expect(caveats({ taxPercent: dec(8) })[0]).toBe(
      'Tax is worked out once, at one rate, on the sum after the discount: check that the rate covers every line.',
    );
    expect(caveats(taxed(20, 5))[0]).toBe(
      'Tax is worked out once for each rate, on the sum of its lines after their share of the discount: check the rate of each line.',
    );
    expect(caveats({ taxPercent: dec(8), pricesIncludeTax: true })[0]).toMatch(
      /^Tax is worked out of the prices once, at one rate/,
    );
    expect(notes({ pricesIncludeTax: true })).toEqual({
      warnings: [
        'The prices are said to include tax, but no line has a rate: no tax was worked out of them.',
      ],
      caveats: ['This is arithmetic on the figures given, not tax or legal advice.'],
    });
  });

  it('the validity date is a field and needs no sentence', () => {
    expect(caveats().join()).not.toContain('prices hold');
  });
});

describe('the limit of deposits that California has is a tenth or 1,000 dollars, whichever is less', () => {
  const LIMIT =
    'Some places limit deposits, for example home improvement in California to 10% or 1,000 dollars, whichever is less: check before you ask for this one.';
  const large = { items: items([1, 20_000]) };

  it.each([
    ['over a tenth', { depositPercent: dec('10.01'), ...large }, true],
    ['a tenth of little', { depositPercent: dec(10) }, false],
    ['a tenth of 20,000 dollars is 2,000', { depositPercent: dec(10), ...large }, true],
    ['1,000 dollars of 20,000', { depositAmount: dec(1000), ...large }, false],
    ['1,000.01 dollars of 20,000', { depositAmount: dec('1000.01'), ...large }, true],
    ['a tenth of 20,000 euros', { depositPercent: dec(10), currency: 'EUR', ...large }, false],
    ['none', large, false],
    ['a share of nothing', { depositPercent: dec(30), discountPercent: dec(100) }, false],
  ] as const)('%s', (_, changes, isSaid) => {
    expect(caveats(changes as Partial<QuoteRequest>).includes(LIMIT)).toBe(isSaid);
  });
});

it('at most five sentences, the important first', () => {
  const { warnings: first, caveats: rest } = notes({
    items: items([1, 10], [1, '0.001']),
    taxPercent: dec('0.2'),
    discountPercent: dec(60),
    depositPercent: dec(100),
  });
  expect(first.map((text) => text.slice(0, 12))).toEqual([
    'The tax is 0',
    'The discount',
    '1 line round',
    'The deposit ',
  ]);
  expect(rest).toHaveLength(1);
});

it('at most four percentages that look like fractions are named', () => {
  const named = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, percent: dec('0.08') }));
  expect(slips(named)).toBe(
    'The a is 0.08%, the b 0.08%, the c 0.08% and the d 0.08%: for 8% send 8, for 8% send 8, for 8% send 8, for 8% send 8.',
  );
  expect(slips([])).toBeNull();
});
