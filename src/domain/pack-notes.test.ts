import { describe, expect, it } from 'vitest';
import { dec, items, packRequest, valued } from '../../test/domain/samples.ts';
import { factsIn, inOrder } from '../../test/support/facts.ts';
import type { PackRequest } from './pack-options.ts';
import { quotePack } from './quote-pack.ts';

const pack = (changes: Partial<PackRequest> = {}) => valued(quotePack(packRequest(changes)));

describe('a pack', () => {
  it('gets a warning for a total of 0', () => {
    expect(pack({ discountPercent: dec(100) }).warnings.map(factsIn)).toEqual([['0']]);
  });

  it('gets a warning for a gap of more than half', () => {
    expect(pack({ betterMarkup: dec(50), bestMarkup: dec(100) }).warnings).toEqual([]);
    expect(pack({ betterMarkup: dec(51), bestMarkup: dec(70) }).warnings.map(factsIn)).toEqual([
      ['Essential'],
    ]);
    expect(pack({ betterMarkup: dec(10), bestMarkup: dec(80) }).warnings.map(factsIn)).toEqual([
      ['Enhanced'],
    ]);
  });

  it('gets a warning for credits', () => {
    expect(pack({ items: items([1, 100], [1, -5]) }).warnings).toHaveLength(1);
  });

  it('gets no warning for a step without a meaningful percentage', () => {
    const [, better] = pack({ items: items([1, 1000], [1, -1000]) }).tiers;
    expect(better.stepFromPrevious).toEqual({ amount: 25_000n, percent: null });
    const [, huge] = pack({ items: items([1, 1000], [1, '-999.99']) }).tiers;
    expect(huge.stepFromPrevious).toEqual({ amount: 25_000n, percent: null });
  });
});

describe('the warning that a markup changes a price', () => {
  const OWN = /^Lines that are only in a more expensive option are also marked up \(\d+ here\)/;
  const CREDIT = /^Credit lines are not marked up/;
  const asked = (tier: 'better' | 'best', changes: Partial<PackRequest>) => {
    const [logo, card] = items([1, 280], [1, 40]);
    return pack({ items: [logo, { ...card, tier }] as PackRequest['items'], ...changes }).warnings;
  };

  it('is not given for a line of a more expensive option if both markups are 0', () => {
    expect(asked('better', { betterMarkup: dec(0), bestMarkup: dec(0) })).toEqual([]);
  });

  it('is given for a line of the better or best option if only the best markup is above 0', () => {
    const onlyBest = { betterMarkup: dec(0), bestMarkup: dec(38) };
    expect(asked('better', onlyBest)).toContainEqual(expect.stringMatching(OWN));
    expect(asked('best', onlyBest)).toContainEqual(expect.stringMatching(OWN));
  });

  it('is not given for a price that rounding leaves unchanged', () => {
    const slight = { betterMarkup: dec('0.01'), bestMarkup: dec('0.01') };
    expect(asked('better', slight)).not.toContainEqual(expect.stringMatching(OWN));
  });

  it('is not given for a credit if both markups are 0', () => {
    const credit = { items: items([1, 100], [1, -5]), betterMarkup: dec(0), bestMarkup: dec(0) };
    expect(pack(credit).warnings).not.toContainEqual(expect.stringMatching(CREDIT));
  });
});

describe('the warnings of a pack', () => {
  it('include one for a step below 5%, because clients hardly notice it', () => {
    expect(pack({ betterMarkup: dec(10), bestMarkup: dec(12) }).warnings.map(factsIn)).toEqual([
      ['5%', 'Enhanced'],
    ]);
    expect(pack({ betterMarkup: dec(5), bestMarkup: dec(11) }).warnings).toEqual([]);
  });

  it('include one for a deposit of the whole total of every option', () => {
    expect(pack({ depositPercent: dec(100) }).warnings).toHaveLength(1);
    expect(pack({ depositAmount: dec(20) }).warnings).toEqual([]);
  });

  it('include one for fractions that were sent instead of percentages, also for markups', () => {
    expect(
      factsIn(
        pack({ taxPercent: dec('0.2'), betterMarkup: dec('0.25'), bestMarkup: dec('0.5') }).warnings[0],
      ),
    ).toEqual(['0.2%', '20%', '20', '0.25%', '25%', '25', '0.5%', '50%', '50']);
  });
});

describe('a pack of three options', () => {
  const missing = (changes: Partial<PackRequest>) => pack(changes).missing;
  const own = (unitPrice: number, tier: 'better' | 'best') => {
    const [item] = items([1, unitPrice]);
    return { ...item, description: `${tier} line`, tier } as PackRequest['items'][number];
  };

  it('gets a warning if only a markup distinguishes its options', () => {
    for (const changes of [{}, { betterMarkup: dec(30) }])
      expect(missing(changes)).toEqual([
        expect.stringMatching(inOrder('Enhanced', 'Premium', 'better_adds', 'tiers')),
      ]);
  });

  it('gets a warning if an addition has no price', () => {
    const adds = { better: ['A weekly report'], best: ['A yearly visit'] };
    expect(missing({ adds })).toEqual([
      expect.stringMatching(inOrder('Enhanced', 'Essential', 'better_markup_percent')),
      expect.stringMatching(inOrder('Premium', 'Enhanced', 'best_markup_percent')),
    ]);
    expect(missing({ adds, betterMarkup: dec(10) })).toEqual([]);
  });

  it('gets a warning if an option costs less than the cheaper one', () => {
    const credit = [...items([1, 100]), own(-50, 'better'), own(80, 'best')];
    expect(missing({ items: credit })).toEqual([
      expect.stringMatching(inOrder('Enhanced', 'less', 'Essential')),
    ]);
  });

  it('gets no warning if each option has its own line or words and a higher price', () => {
    const lines = [...items([1, 100]), own(50, 'better'), own(80, 'best')];
    expect(missing({ items: lines })).toEqual([]);
  });
});

describe('the caveats of a pack', () => {
  const LIMIT = /California/;
  const says = (changes: Partial<PackRequest>, what: RegExp) =>
    pack(changes).caveats.some((caveat) => what.test(caveat));

  it('name the California limit for deposits, a tenth or 1,000 dollars, only if there is a deposit', () => {
    const large = { items: items([1, 20_000]) };
    expect(says({ depositPercent: dec(10) }, LIMIT)).toBe(false);
    expect(says({ depositPercent: dec(11) }, LIMIT)).toBe(true);
    expect(says({ depositPercent: dec(10), ...large }, LIMIT)).toBe(true);
    expect(says({ depositPercent: dec(10), currency: 'EUR', ...large }, LIMIT)).toBe(false);
    expect(says({ depositPercent: dec(50), discountPercent: dec(100), ...large }, LIMIT)).toBe(false);
    expect(says({ depositPercent: dec(4), ...large }, LIMIT)).toBe(true);
    expect(says({ depositPercent: dec(3), ...large }, LIMIT)).toBe(false);
    expect(says(large, LIMIT)).toBe(false);
  });

  it('suggest ideas that fit the trade only to the owner, and only for options without their own content', () => {
    const ideas = { better: ['A gutter guard'], best: ['A yearly clean'] };
    expect(pack({ ideas }).caveats[0]).toMatch(
      inOrder('Enhanced', 'A gutter guard', 'Premium', 'A yearly clean'),
    );
    const { caveats, coverNote, terms, tiers } = pack({ ideas, adds: { better: ['Weekly report'] } });
    expect(caveats[0]).toMatch(inOrder('Premium', 'A yearly clean'));
    expect(caveats[0]).not.toContain('Enhanced');
    expect(
      JSON.stringify([coverNote, terms, tiers.map(({ adds, includes }) => [adds, includes])]),
    ).not.toMatch(/gutter|yearly/);
    expect(says({ adds: { better: ['a'], best: ['b'] } }, /Enhanced|Premium/)).toBe(false);
  });
});
