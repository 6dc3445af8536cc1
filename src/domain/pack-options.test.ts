import { describe, expect, it } from 'vitest';
import { dec, faultCodes, faultsOf, items, packRequest, valued } from '../../test/domain/samples.ts';
import { factsIn } from '../../test/support/facts.ts';
import { microsText, minorText } from './money.ts';
import type { PackItem, PackRequest } from './pack-options.ts';
import { quotePack } from './quote-pack.ts';

const pack = (changes: Partial<PackRequest> = {}) => valued(quotePack(packRequest(changes)));
const line = (description: string, unitPrice: string | number, more: Partial<PackItem> = {}): PackItem => ({
  description,
  quantity: dec(1),
  unitPrice: dec(unitPrice),
  ...more,
});
const prices = (changes: Partial<PackRequest>) =>
  pack(changes).tiers.map(({ quote }) => quote.lines.map(({ unitPrice }) => microsText(unitPrice)));

describe('items at cost', () => {
  it('have the same price in every option, even a permit in a pack with markups', () => {
    const asked = [line('Deck', 1000), line('City permit fee (at cost)', 350, { markup: false })];
    expect(prices({ items: asked })).toEqual([
      ['1000', '350'],
      ['1250', '350'],
      ['1500', '350'],
    ]);
  });

  it('cause no note about markups if nothing is marked up', () => {
    const asked = [line('Laptop Model X', 1299, { markup: false })];
    expect(pack({ items: asked }).caveats.join()).not.toMatch(/markup/i);
    expect(pack().caveats.join()).toMatch(/markup/i);
  });
});

describe('a line for only some of the options', () => {
  const asked = [
    line('Deck', 1000),
    line('Lights', 200, { tier: 'better', markup: false }),
    line('Bench', 100, { tier: 'best' }),
  ];
  const shown = (changes: Partial<PackRequest>) =>
    pack(changes).tiers.map(({ quote }) =>
      quote.lines.map(({ description, unitPrice }) => `${description} ${microsText(unitPrice)}`),
    );

  it('is also in the higher options, at the given price', () => {
    expect(shown({ items: asked })).toEqual([
      ['Deck 1000'],
      ['Deck 1000', 'Lights 200'],
      ['Deck 1000', 'Lights 200', 'Bench 100'],
    ]);
    expect(pack({ items: asked }).tiers.map(({ positions }) => positions)).toEqual([[0], [0, 1], [0, 1, 2]]);
  });

  it('is marked up in the higher options if a markup is given', () => {
    expect(shown({ items: asked, betterMarkup: dec(30) })).toEqual([
      ['Deck 1000'],
      ['Deck 1300', 'Lights 200'],
      ['Deck 1600', 'Lights 200', 'Bench 160'],
    ]);
  });

  it('is named once even if the caller also names it as an addition', () => {
    const card = { items: [line('Logo', 280), line('Card', 40, { tier: 'better' })] };
    const adds = { better: ['Card', 'Envelope', 'envelope'], best: ['Envelope', 'Stamp'] };
    const { tiers, coverNote } = pack({ ...card, adds, bestMarkup: dec(50) });
    const [, better, best] = tiers;
    expect([better.adds, best.adds]).toEqual([['Card', 'Envelope'], ['Stamp']]);
    expect(better.includes).toEqual(['Logo', 'Card', 'Envelope']);
    expect(best.includes).toEqual(['Logo', 'Card', 'Envelope', 'Stamp']);
    expect(coverNote.body.match(/^- Card$/gm)).toHaveLength(1);
  });

  it('gets a warning that it is still marked up in the higher options', () => {
    // One of the two lines that begin with a more expensive option keeps its price (`markup: false`).
    const told = pack({ items: asked, betterMarkup: dec(30) }).warnings.filter((warning) =>
      /markup/i.test(warning),
    );
    expect(told.map(factsIn)).toEqual([['1']]);
  });

  it('causes a fault if the cheapest option has no line', () => {
    expect(faultsOf(quotePack(packRequest({ items: [line('Lights', 200, { tier: 'better' })] })))).toEqual([
      {
        pointer: '/items',
        code: 'no_good_line',
        detail: expect.stringContaining('good'),
        hint: expect.stringContaining('tier'),
      },
    ]);
  });

  it('causes a fault for every other option that has no line', () => {
    const laminate = line('Laminate', 570, { tiers: ['good'] });
    expect(faultCodes(quotePack(packRequest({ items: [laminate] })))).toEqual([
      '/items no_line',
      '/items no_line',
    ]);
  });

  it('is identified in a fault by its position in the request', () => {
    const huge = { ...line('Bench', '1e9'.replace('1e9', '1000000000')), quantity: dec(1_000_000) };
    expect(
      faultCodes(
        quotePack(packRequest({ items: [asked[1] as PackItem, line('Deck', 1), { ...huge, tier: 'best' }] })),
      ),
    ).toContain('/items/2 total_too_large');
  });
});

describe('a line that names its options', () => {
  const kitchen = [
    line('Fitting', 900),
    line('Laminate worktop', 570, { tiers: ['good'] }),
    line('Quartz worktop', 1860, { tiers: ['better', 'best'] }),
    line('Boiling tap', 700, { tier: 'best' }),
  ];

  it('appears only in those options, at its own price', () => {
    const { tiers, missing } = pack({ items: kitchen });
    expect(tiers.map(({ positions }) => positions)).toEqual([
      [0, 1],
      [0, 2],
      [0, 2, 3],
    ]);
    expect(tiers.map(({ quote }) => minorText(quote.total, 2))).toEqual(['1470.00', '2760.00', '3460.00']);
    expect(missing).toEqual([]);
  });

  it('cannot also have a tier', () => {
    const both = line('Tap', 100, { tier: 'better', tiers: ['best'] });
    expect(faultCodes(quotePack(packRequest({ items: [line('Fitting', 900), both] })))).toEqual([
      '/items/1/tiers tier_and_tiers',
    ]);
  });
});

describe('the default markups', () => {
  const tap = line('Tap', 100, { tiers: ['best'] });
  const markups = (changes: Partial<PackRequest>) =>
    pack(changes).tiers.map(({ markupPercent }) => microsText(markupPercent));

  it.each<[string, Partial<PackRequest>]>([
    ['tiers', { items: [line('Fitting', 900), tap] }],
    ['a tier', { items: [line('Fitting', 900), line('Tap', 100, { tier: 'better' })] }],
    ['additions', { adds: { best: ['A yearly visit'] } }],
  ])('are 0 with %s, even if the other markup is sent', (_, changes) => {
    expect(markups(changes)).toEqual(['0', '0', '0']);
    expect(markups({ ...changes, betterMarkup: dec(30) })).toEqual(['0', '30', '60']);
    expect(markups({ ...changes, bestMarkup: dec(50) })).toEqual(['0', '25', '50']);
  });

  it('are otherwise 25 and 50', () => {
    expect(markups({})).toEqual(['0', '25', '50']);
  });
});

describe('the names that a caller gives to the options', () => {
  it('must differ, because the client replies with one of them', () => {
    const faults = (labels: PackRequest['labels']) =>
      quotePack(packRequest(labels === undefined ? {} : { labels }));
    expect(faultCodes(faults({ better: 'Pro', best: 'pro' }))).toEqual(['/best_name same_name']);
    expect(faultCodes(faults({ good: 'Premium' }))).toEqual(['/good_name same_name']);
    expect(faults({ good: 'Premium', best: 'Top' }).ok).toBe(true);
  });
});

describe('rounding marked-up prices to a step', () => {
  it.each([
    ['5', '15.63', ['15.63', '20', '25']],
    ['1', '15.63', ['15.63', '20', '23']],
    ['0.05', '15.63', ['15.63', '19.55', '23.45']],
    ['100', '15.63', ['15.63', '15.63', '15.63']],
  ])('gives a multiple of %s: %s', (step, price, expected) => {
    expect(prices({ items: items([1, price]), roundUnitTo: dec(step) }).flat()).toEqual(expected);
  });

  it('is refused for a step below a hundredth', () => {
    expect(faultCodes(quotePack(packRequest({ roundUnitTo: dec('0.005') })))).toEqual([
      '/round_unit_to too_precise',
    ]);
  });

  it('never lowers the original price, and changes nothing if nothing is marked up', () => {
    const asked = [line('a', '15.63', { markup: false }), line('b', '-2.22')];
    expect(prices({ items: [line('c', 100), ...asked], roundUnitTo: dec(5) })).toEqual([
      ['100', '15.63', '-2.22'],
      ['125', '15.63', '-2.22'],
      ['150', '15.63', '-2.22'],
    ]);
  });
});
