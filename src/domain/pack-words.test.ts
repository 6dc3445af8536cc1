import { describe, expect, it } from 'vitest';
import { dec, items, packRequest, valued } from '../../test/domain/samples.ts';
import { factsIn, inOrder } from '../../test/support/facts.ts';
import type { PackRequest } from './pack-options.ts';
import { quotePack } from './quote-pack.ts';

const pack = (changes: Partial<PackRequest> = {}) => valued(quotePack(packRequest(changes)));

const worked: Partial<PackRequest> = {
  items: items([3, '33.33'], ['1.5', 80], [1, '19.99']),
  discountPercent: dec(5),
  taxPercent: dec('8.25'),
  depositPercent: dec(25),
};

describe('inclusions are cumulative and parallel', () => {
  const asked: Partial<PackRequest> = {
    ...worked,
    adds: { better: ['A plan'], best: ['A visit'] },
    bestMarkup: dec(50),
  };
  const { tiers } = pack(asked);

  it('each option has everything of the cheaper one', () => {
    tiers.forEach(({ includes, adds }, index) => {
      expect(includes).toEqual([...(tiers[index - 1]?.includes ?? []), ...adds]);
    });
    expect(tiers[2].includes).toEqual(['Item 1', 'Item 2', 'Item 3', 'A plan', 'A visit']);
  });

  it('the options promise only what the caller has said', () => {
    const plain = pack(worked);
    expect(plain.tiers.map(({ adds, addsSource }) => [adds.length, addsSource])).toEqual([
      [3, 'lines'],
      [0, 'none'],
      [0, 'none'],
    ]);
    expect(JSON.stringify([plain.coverNote, plain.terms])).not.toMatch(/priority|check|visit|contact/i);
  });

  it('one pack cannot change the next', () => {
    const first = pack(asked);
    first.tiers[0].includes.push('x');
    first.tiers[2].adds.length = 0;
    expect(pack(asked).tiers).toEqual(tiers);
  });
});

it('a complete pack repeats its figures in terms and cover note', () => {
  const { terms, coverNote, warnings, tiers } = pack({ ...worked, businessName: 'Bright Studio' });
  expect(tiers.map(({ tier, label }) => `${tier}: ${label}`)).toEqual([
    'good: Essential',
    'better: Enhanced',
    'best: Premium',
  ]);
  expect(tiers.map(({ summary }) => factsIn(summary))).toEqual([[], ['Essential'], ['Enhanced']]);
  expect(terms.map(({ title, text }) => [title, ...factsIn(text)])).toEqual([
    ['Validity', 'December 21, 2026'],
    ['Acceptance'],
    ['Deposit', '25%', '$61.70', 'Essential', '$77.12', 'Enhanced', '$92.55', 'Premium'],
    ['Balance'],
    ['Scope'],
    ['Changes'],
    ['Schedule'],
    ['Discount', '5%'],
    ['Taxes', '8.25%'],
    ['Cancellation and disputes'],
  ]);
  expect(factsIn(coverNote.subject)).toEqual(['Bright', 'Studio', 'December 21, 2026']);
  const { body } = coverNote;
  expect(body).toContain('\n\nEssential: $246.79\nEnhanced: $308.48\nPremium: $370.20\n\n');
  expect(body).toContain(':\n- Item 1\n- Item 2\n- Item 3\n\n');
  expect(body).toMatch(inOrder('5%', '8.25%', '25%', 'Enhanced', '$77.12', 'December 21, 2026'));
  expect(body.endsWith(',\nBright Studio')).toBe(true);
  expect(warnings).toEqual([]);
});

it('a pack without deposit, tax or name does not mention them', () => {
  const { terms, coverNote, caveats } = pack();
  const term = (title: string) => terms.find((each) => each.title === title)?.text;
  expect(['Deposit', 'Balance', 'Taxes'].map((title) => factsIn(term(title)))).toEqual([[], [], []]);
  expect(term('Schedule')).not.toContain('deposit');
  expect(factsIn(coverNote.subject)).toEqual(['December 21, 2026']);
  expect(factsIn(coverNote.body.split('\n\n').at(-3))).toEqual(['December 21, 2026']);
  expect(coverNote.body.split('\n\n').at(-1)).not.toMatch(/[,\n]/);
  expect(caveats.join()).not.toContain('deposit');
});

describe('a pack paid in full at once, or not at all, says so', () => {
  const words = (changes: Partial<PackRequest>) => {
    const { terms, coverNote } = pack(changes);
    const term = (title: string) => terms.find((each) => each.title === title)?.text;
    return { term, body: coverNote.body };
  };

  it('a deposit of 100% leaves no balance', () => {
    const { term, body } = words({ depositPercent: dec(100) });
    expect(factsIn(term('Deposit'))).toEqual([
      '$20.00',
      'Essential',
      '$25.00',
      'Enhanced',
      '$30.00',
      'Premium',
    ]);
    const rest = words({ depositPercent: dec(30) }).term;
    expect(term('Balance')).not.toBe(rest('Balance'));
    expect(term('Schedule')).toContain('payment');
    expect(rest('Schedule')).toContain('deposit');
    expect(body).toMatch(inOrder('Enhanced', '$25.00'));
  });

  it.each([
    ['a discount of 100%', { discountPercent: dec(100) }],
    ['prices of 0', { items: items([1, 0]) }],
  ])('%s asks for no deposit and no total', (_, changes) => {
    const { term, body } = words({ ...changes, depositPercent: dec(30), taxPercent: dec(8) });
    expect(term('Deposit')).toBe(words({}).term('Deposit'));
    expect(factsIn(term('Balance'))).toEqual(['0']);
    expect(term('Schedule')).toBe(words({}).term('Schedule'));
    expect(body).not.toMatch(/deposit|tax/);
  });

  it('a credit that reduces only the cheapest option to 0 keeps the deposit of the others', () => {
    const { term, body } = words({ items: items([1, 100], [1, -100]), depositPercent: dec(30) });
    expect(term('Deposit')).toMatch(inOrder('$0.00', 'Essential', '$7.50', 'Enhanced', '$15.00', 'Premium'));
    expect(term('Balance')).toBe(words({ depositPercent: dec(30) }).term('Balance'));
    expect(body).toMatch(inOrder('Enhanced', '$7.50'));
  });
});

describe('the cover note is short and literal', () => {
  it('a name that does not fit the subject is dropped, never cut', () => {
    const businessName = `${'Long name '.repeat(12)}`.trim();
    const { subject, body } = pack({ businessName }).coverNote;
    expect(factsIn(subject)).toEqual(['December 21, 2026']);
    expect(body.endsWith(`,\n${businessName}`)).toBe(true);
  });

  it('a name takes precedence over the last day in the subject', () => {
    const { subject } = pack({ businessName: "Joe's Plumbing LLC" }).coverNote;
    expect(subject).toContain("Joe's Plumbing LLC");
    expect(subject).not.toContain('2026');
  });

  it('a name is one line and not a template', () => {
    const { subject, body } = pack({ businessName: '$& {{x}}\r\nBcc: a@b.c' }).coverNote;
    expect(subject).toContain(' $& {{x}} Bcc: a@b.c');
    expect(body.endsWith(',\n$& {{x}} Bcc: a@b.c')).toBe(true);
  });

  it.each([
    {},
    { depositPercent: dec(20) },
    { depositPercent: dec(20), taxPercent: dec(8), currency: 'CHF' },
    { taxPercent: dec(8) },
    { depositPercent: dec(100) },
    { discountPercent: dec(100) },
  ])('has 70 to 110 words: %o', (changes) => {
    const words = pack(changes).coverNote.body.split(/\s+/).length;
    expect(words).toBeGreaterThanOrEqual(70);
    expect(words).toBeLessThanOrEqual(110);
  });
});
