import { describe, expect, it } from 'vitest';
import { dec, items, packRequest, valued } from '../../test/domain/samples.ts';
import { factsIn } from '../../test/support/facts.ts';
import type { PackRequest } from './pack-request.ts';
import { quotePack } from './quote-pack.ts';

const pack = (changes: Partial<PackRequest> = {}) => valued(quotePack(packRequest(changes)));

describe('warnings speak of this pack', () => {
  it('equal prices', () => {
    expect(pack({ betterMarkup: dec(0) }).warnings.map(factsIn)).toEqual([['Essential'], ['Enhanced']]);
    expect(pack({ discountPercent: dec(100) }).warnings.map(factsIn)).toEqual([['0']]);
  });

  it('a gap of more than half', () => {
    expect(pack({ betterMarkup: dec(50), bestMarkup: dec(100) }).warnings).toEqual([]);
    expect(pack({ betterMarkup: dec(51), bestMarkup: dec(70) }).warnings.map(factsIn)).toEqual([
      ['Essential'],
    ]);
    expect(pack({ betterMarkup: dec(10), bestMarkup: dec(80) }).warnings.map(factsIn)).toEqual([
      ['Enhanced'],
    ]);
  });

  it('credits', () => {
    expect(pack({ items: items([1, 100], [1, -5]) }).warnings).toHaveLength(1);
  });

  it('a step without a meaningful percentage has none', () => {
    const [, better] = pack({ items: items([1, 1000], [1, -1000]) }).tiers;
    expect(better.stepFromPrevious).toEqual({ amount: 25_000n, percent: null });
    const [, huge] = pack({ items: items([1, 1000], [1, '-999.99']) }).tiers;
    expect(huge.stepFromPrevious).toEqual({ amount: 25_000n, percent: null });
  });
});

describe('a warning of a markup is given only where a price is marked up', () => {
  const OWN = /^\d+ lines? that begins? with a dearer option/;
  const CREDIT = /^Credit lines are not marked up/;
  const asked = (tier: 'better' | 'best', changes: Partial<PackRequest>) => {
    const [logo, card] = items([1, 280], [1, 40]);
    return pack({ items: [logo, { ...card, tier }] as PackRequest['items'], ...changes }).warnings;
  };

  it('not for a line of a dearer option when both markups are 0', () => {
    const warnings = asked('better', { betterMarkup: dec(0), bestMarkup: dec(0) });
    expect(warnings).toEqual([expect.stringContaining('Premium (best) costs the same as Enhanced (better)')]);
  });

  it('also for a line of the better option that only the best one marks up, and never by the markup of another option', () => {
    const onlyBest = { betterMarkup: dec(0), bestMarkup: dec(38) };
    expect(asked('better', onlyBest)).toContainEqual(expect.stringMatching(OWN));
    expect(asked('best', onlyBest)).toContainEqual(expect.stringMatching(OWN));
  });

  it('not for a price that rounding leaves as it is', () => {
    const slight = { betterMarkup: dec('0.01'), bestMarkup: dec('0.01') };
    expect(asked('better', slight)).not.toContainEqual(expect.stringMatching(OWN));
  });

  it('not for a credit when both markups are 0', () => {
    const credit = { items: items([1, 100], [1, -5]), betterMarkup: dec(0), bestMarkup: dec(0) };
    expect(pack(credit).warnings).not.toContainEqual(expect.stringMatching(CREDIT));
  });
});

describe('warnings on figures that a pack has in common with a quote', () => {
  it('a step of less than 5% is hardly seen', () => {
    expect(pack({ betterMarkup: dec(10), bestMarkup: dec(12) }).warnings.map(factsIn)).toEqual([
      ['5%', 'Enhanced'],
    ]);
    expect(pack({ betterMarkup: dec(5), bestMarkup: dec(11) }).warnings).toEqual([]);
  });

  it('a deposit of the whole total, of all options or of one', () => {
    expect(pack({ depositPercent: dec(100) }).warnings).toHaveLength(1);
    expect(pack({ depositAmount: dec(20) }).warnings.map(factsIn)).toEqual([['Essential']]);
  });

  it('fractions for percents, the markups too', () => {
    expect(
      factsIn(
        pack({ taxPercent: dec('0.2'), betterMarkup: dec('0.25'), bestMarkup: dec('0.5') }).warnings[0],
      ),
    ).toEqual(['0.2%', '0.25%', '0.5%', '20%', '20', '25%', '25', '50%', '50']);
  });

  it('an option that costs less than the one before', () => {
    const own = items([1, 100], [1, -50]).map((item, index) =>
      index === 0 ? item : { ...item, tier: 'better' as const },
    );
    expect(factsIn(pack({ items: own }).warnings[0])).toEqual(['Essential']);
  });
});

describe('caveats', () => {
  const LIMIT = /California/;
  const says = (changes: Partial<PackRequest>, what: RegExp) =>
    pack(changes).caveats.some((caveat) => what.test(caveat));

  it('the limit of deposits is a tenth or 1,000 dollars, where a deposit is asked', () => {
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

  it('our own words are called suggestions that must be true, and only ours', () => {
    expect(factsIn(pack().caveats[0])).toEqual(['Enhanced', 'Premium']);
    expect(factsIn(pack({ adds: { better: ['Weekly report'] } }).caveats[0])).toEqual(['Premium']);
    expect(says({ adds: { better: ['a'], best: ['b'] } }, /Enhanced|Premium/)).toBe(false);
  });
});
