import { describe, expect, it } from 'vitest';
import { dec, items, packRequest, valued } from '../../test/domain/samples.ts';
import type { PackRequest } from './pack-request.ts';
import { quotePack } from './quote-pack.ts';

const pack = (changes: Partial<PackRequest> = {}) => valued(quotePack(packRequest(changes)));

describe('warnings speak of this pack', () => {
  it('equal prices', () => {
    expect(pack({ betterMarkup: dec(0) }).warnings).toEqual([
      'Enhanced (better) costs the same as Essential (good): options at one price give no reason to choose. Check the better markup, the prices and the discount.',
      'Premium (best) costs the same as Enhanced (better): options at one price give no reason to choose. Check the best markup, the prices and the discount.',
    ]);
    expect(pack({ discountPercent: dec(100) }).warnings).toEqual([
      'The total is 0: check the prices, the credits and the discount if you expected one.',
    ]);
  });

  it('a gap of more than half', () => {
    expect(pack({ betterMarkup: dec(50), bestMarkup: dec(100) }).warnings).toEqual([]);
    expect(pack({ betterMarkup: dec(51), bestMarkup: dec(70) }).warnings).toEqual([
      'Enhanced (better) costs more than one and a half times Essential (good): a gap this wide often makes clients choose the cheaper option. Consider smaller steps.',
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
    expect(pack({ betterMarkup: dec(10), bestMarkup: dec(12) }).warnings).toEqual([
      'Premium (best) costs less than 5% more than Enhanced (better): with a step this small clients often see no difference. Check the best markup.',
    ]);
    expect(pack({ betterMarkup: dec(5), bestMarkup: dec(11) }).warnings).toEqual([]);
  });

  it('a deposit of the whole total, of all options or of one', () => {
    expect(pack({ depositPercent: dec(100) }).warnings).toEqual([
      'The deposit is the whole total, so no balance is left to pay.',
    ]);
    expect(pack({ depositAmount: dec(20) }).warnings).toEqual([
      'The deposit is the whole total of Essential, so no balance is left to pay there.',
    ]);
  });

  it('fractions for percents, the markups too', () => {
    expect(
      pack({ taxPercent: dec('0.2'), betterMarkup: dec('0.25'), bestMarkup: dec('0.5') }).warnings[0],
    ).toBe(
      'The tax is 0.2%, the better markup 0.25% and the best markup 0.5%: for 20% send 20, for 25% send 25, for 50% send 50.',
    );
  });

  it('an option that costs less than the one before', () => {
    const own = items([1, 100], [1, -50]).map((item, index) =>
      index === 0 ? item : { ...item, tier: 'better' as const },
    );
    expect(pack({ items: own }).warnings[0]).toBe(
      'Enhanced (better) costs less than Essential (good): check the lines that begin with it, which take off more than they add.',
    );
  });
});

describe('caveats', () => {
  const LIMIT = 'Some places limit deposits';
  const says = (changes: Partial<PackRequest>, start: string) =>
    pack(changes).caveats.some((caveat) => caveat.startsWith(start));

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
    expect(pack().caveats[0]).toBe(
      'The additions of Enhanced and Premium are suggestions of ours: each must be true before you send the pack. Keep what you will really do, or send words of your own.',
    );
    expect(pack({ adds: { better: ['Weekly report'] } }).caveats[0]).toMatch(/^The additions of Premium are/);
    expect(says({ adds: { better: ['a'], best: ['b'] } }, 'The additions')).toBe(false);
  });
});
