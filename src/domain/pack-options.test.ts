import { describe, expect, it } from 'vitest';
import { dec, faultCodes, faultsOf, items, packRequest, valued } from '../../test/domain/samples.ts';
import { microsText, minorText } from './money.ts';
import type { PackItem, PackRequest } from './pack-request.ts';
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

describe('what is passed on at cost costs the same in every option', () => {
  it('a permit is not marked up', () => {
    const asked = [line('Deck', 1000), line('City permit fee (at cost)', 350, { markup: false })];
    expect(prices({ items: asked })).toEqual([
      ['1000', '350'],
      ['1250', '350'],
      ['1500', '350'],
    ]);
  });

  it('nothing is said of markups where nothing is marked up', () => {
    const asked = [line('Laptop Model X', 1299, { markup: false })];
    expect(pack({ items: asked }).caveats.join()).not.toContain('A markup is applied');
    expect(pack().caveats.join()).toContain('A markup is applied');
  });
});

describe('a line may begin with a dearer option', () => {
  const asked = [
    line('Deck', 1000),
    line('Lights', 200, { tier: 'better', markup: false }),
    line('Bench', 100, { tier: 'best' }),
  ];

  it('and is in the ones above', () => {
    const { tiers } = pack({ items: asked });
    expect(
      tiers.map(({ quote }) =>
        quote.lines.map(({ description, unitPrice }) => `${description} ${microsText(unitPrice)}`),
      ),
    ).toEqual([['Deck 1000'], ['Deck 1250', 'Lights 200'], ['Deck 1500', 'Lights 200', 'Bench 150']]);
    expect(tiers.map(({ quote }) => minorText(quote.total, 2))).toEqual(['1000.00', '1450.00', '1850.00']);
    expect(tiers.map(({ positions }) => positions)).toEqual([[0], [0, 1], [0, 1, 2]]);
  });

  it('which is then what the option adds, instead of suggestions of ours', () => {
    const { tiers, caveats } = pack({ items: asked });
    expect(tiers.map(({ adds, addsSource }) => [adds, addsSource])).toEqual([
      [['All work and items listed for this option'], 'lines'],
      [['Lights'], 'lines'],
      [['Bench'], 'lines'],
    ]);
    expect(caveats.join()).not.toContain('suggestions');
  });

  it('that it is still marked up there is pointed out', () => {
    expect(pack({ items: asked }).warnings).toContain(
      '1 line that begins with a dearer option is marked up there: switch its markup off if its price is final.',
    );
  });

  it('but some line has to be in the plainest option', () => {
    expect(faultsOf(quotePack(packRequest({ items: [line('Lights', 200, { tier: 'better' })] })))).toEqual([
      {
        pointer: '/items',
        code: 'no_good_line',
        detail: 'has no line that the good option begins with',
        hint: 'leave tier out of the lines that every option has',
      },
    ]);
  });

  it('a fault names the line as the caller counts it', () => {
    const huge = { ...line('Bench', '1e9'.replace('1e9', '1000000000')), quantity: dec(1_000_000) };
    expect(
      faultCodes(
        quotePack(packRequest({ items: [asked[1] as PackItem, line('Deck', 1), { ...huge, tier: 'best' }] })),
      ),
    ).toContain('/items/2 total_too_large');
  });
});

describe('the caller may say what the options are', () => {
  it('in words of their own, which take the place of ours everywhere', () => {
    const { tiers, coverNote, terms } = pack({
      labels: { good: 'Basic', better: 'Plus', best: 'Pro' },
      adds: { better: ['Weekly report, in writing'], best: ['Free changes for a month'] },
      depositPercent: dec(5),
    });
    expect(tiers.map(({ label, includes, addsSource }) => [label, includes.slice(1), addsSource])).toEqual([
      ['Basic', [], 'lines'],
      ['Plus', ['Weekly report, in writing'], 'given'],
      ['Pro', ['Weekly report, in writing', 'Free changes for a month'], 'given'],
    ]);
    expect(coverNote.body).toContain(
      'We recommend Plus. It has everything in Basic, and adds:\n- Weekly report, in writing\n\nInclusions and terms',
    );
    expect(terms.find(({ title }) => title === 'Deposit')?.text).toContain('$1.00 for Basic, $1.25 for Plus');
    expect(JSON.stringify([tiers.map(({ summary }) => summary), coverNote, terms])).not.toMatch(
      /Essential|Enhanced|Premium|follow-up|Priority/,
    );
  });

  it('together with the lines that an option begins with; many are counted in the note', () => {
    const { tiers, coverNote } = pack({
      items: [line('Deck', 1000), line('Lights', 200, { tier: 'better' })],
      adds: { better: ['a', 'b', 'c', 'd', 'e'] },
    });
    expect(tiers[1].adds).toEqual(['Lights', 'a', 'b', 'c', 'd', 'e']);
    expect(coverNote.body).toContain('- Lights\n- a\n- b\n- c\n- and 2 more\n\n');
  });

  it('no two options may share a name, for the client answers with it', () => {
    const faults = (labels: PackRequest['labels']) =>
      quotePack(packRequest(labels === undefined ? {} : { labels }));
    expect(faultCodes(faults({ better: 'Pro', best: 'pro' }))).toEqual(['/best_name same_name']);
    expect(faultCodes(faults({ good: 'Premium' }))).toEqual(['/good_name same_name']);
    expect(faults({ good: 'Premium', best: 'Top' }).ok).toBe(true);
  });
});

describe('marked-up prices may be rounded to a step', () => {
  it.each([
    ['5', '15.63', ['15.63', '20', '25']],
    ['1', '15.63', ['15.63', '20', '23']],
    ['0.05', '15.63', ['15.63', '19.55', '23.45']],
    ['100', '15.63', ['15.63', '15.63', '15.63']],
  ])('of %s: %s', (step, price, expected) => {
    expect(prices({ items: items([1, price]), roundUnitTo: dec(step) }).flat()).toEqual(expected);
  });

  it('of less than a hundredth are refused', () => {
    expect(faultCodes(quotePack(packRequest({ roundUnitTo: dec('0.005') })))).toEqual([
      '/round_unit_to too_precise',
    ]);
  });

  it('never below the price they come from, and not where nothing is marked up', () => {
    const asked = [line('a', '15.63', { markup: false }), line('b', '-2.22')];
    expect(prices({ items: [line('c', 100), ...asked], roundUnitTo: dec(5) })).toEqual([
      ['100', '15.63', '-2.22'],
      ['125', '15.63', '-2.22'],
      ['150', '15.63', '-2.22'],
    ]);
  });
});

describe('the words of a pack fit its figures', () => {
  const words = (changes: Partial<PackRequest>) => {
    const { terms, coverNote } = pack(changes);
    return {
      body: coverNote.body,
      term: (title: string) => terms.find((each) => each.title === title)?.text,
    };
  };

  it('three ways to have it done, never the same work thrice', () => {
    const { body } = words({});
    expect(body).toContain('Here are three ways to have this done');
    expect(body).not.toMatch(/same work|upgrade/);
  });

  it('a discount is named in the note and the terms', () => {
    expect(words({ discountPercent: dec(5) }).body).toContain(
      'The totals include a discount of 5%. No tax is included. No deposit',
    );
    expect(words({ discountAmount: dec(5) }).body).toContain(
      'The totals include a discount of $5.00. No tax is included.',
    );
    expect(words({ discountPercent: dec(5) }).term('Discount')).toBe('Each total includes a discount of 5%.');
    expect(words({}).term('Discount')).toBeUndefined();
  });

  it('a discount comes off before tax is worked out, also where the prices include it', () => {
    for (const pricesIncludeTax of [undefined, true] as const)
      expect(words({ discountPercent: dec(5), taxPercent: dec(20), pricesIncludeTax }).term('Discount')).toBe(
        'Each total includes a discount of 5%, taken off before tax is worked out.',
      );
  });

  it('a deposit as a sum of money is one for all options', () => {
    const { body, term } = words({ depositAmount: dec(8) });
    expect(body).toContain('A deposit of $8.00 books the work, whichever option you choose.');
    expect(term('Deposit')).toBe(
      'A deposit of $8.00 is payable on acceptance, whichever option you choose. It counts towards the total.',
    );
  });

  it('every rate of the tax is named', () => {
    const asked = [
      line('a', 100, { taxPercent: dec(5) }),
      line('b', 100),
      line('c', 1, { taxPercent: dec(0) }),
    ];
    expect(words({ items: asked, taxPercent: dec(20) }).body).toContain(
      'The totals include tax at 20% or 5% on the lines that bear it.',
    );
    expect(words({ items: asked, taxPercent: dec(20) }).term('Taxes')).toMatch(
      /^Each total includes tax at 20% or 5% on the lines that bear it\./,
    );
  });

  it('nothing is said of tax or a deposit where nothing is payable', () => {
    const { term } = words({ discountPercent: dec(100), taxPercent: dec(20), depositPercent: dec(50) });
    expect(term('Taxes')).toBe('The total of each option is 0, so no tax is due.');
    expect(term('Deposit')).toBe('No deposit is required.');
  });

  it('a cancellation leaves the rights that the law gives', () => {
    expect(words({}).term('Cancellation and disputes')).toContain('Rights that the law gives you');
  });

  it('terms are terms, not inclusions, and no inclusion takes the place of another', () => {
    const { tiers } = pack();
    for (const text of tiers[2].includes)
      expect(text).not.toMatch(/priced and approved|Dates agreed with you|instead of/);
  });
});
