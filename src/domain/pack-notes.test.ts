import { describe, expect, it } from 'vitest';
import { dec, items, packRequest, valued } from '../../test/domain/samples.ts';
import { type PackRequest, quotePack } from './quote-pack.ts';

const pack = (changes: Partial<PackRequest> = {}) => valued(quotePack(packRequest(changes)));

describe('warnings speak of this pack', () => {
  it('equal prices', () => {
    expect(pack({ betterMarkup: dec(0) }).warnings).toEqual([
      'Enhanced (better) costs the same as Essential (good): options at one price give no reason to choose. Check the better markup, the prices and the discount.',
      'Premium (best) costs the same as Enhanced (better): options at one price give no reason to choose. Check the best markup, the prices and the discount.',
    ]);
    expect(pack({ discountPercent: dec(100) }).warnings).toHaveLength(2);
  });

  it('a gap of more than half', () => {
    expect(pack({ betterMarkup: dec(50) }).warnings).toEqual([]);
    expect(pack({ betterMarkup: dec(51), bestMarkup: dec(60) }).warnings).toEqual([
      'Enhanced (better) costs more than one and a half times Essential (good): a gap this wide makes clients choose the cheaper option. Consider smaller steps.',
    ]);
    expect(pack({ betterMarkup: dec(10), bestMarkup: dec(80) }).warnings[0]).toContain(
      'Premium (best) costs more',
    );
  });

  it('credits', () => {
    expect(pack({ items: items([1, 100], [1, -5]) }).warnings).toEqual([
      'Credit lines are not marked up: each option gives the same credit, so the steps between totals are wider than the markups.',
    ]);
  });

  it('a step without a meaningful percentage has none', () => {
    const [, better] = pack({ items: items([1, 1000], [1, -1000]) }).tiers;
    expect(better.stepFromPrevious).toEqual({ amount: 25_000n, percent: null });
    const [, huge] = pack({ items: items([1, 1000], [1, '-999.99']) }).tiers;
    expect(huge.stepFromPrevious).toEqual({ amount: 25_000n, percent: null });
  });
});

it('a deposit above a tenth has a caveat', () => {
  expect(pack({ depositPercent: dec(10) }).caveats).toHaveLength(3);
  expect(pack({ depositPercent: dec('10.01') }).caveats[3]).toContain('Some places limit deposits');
});
