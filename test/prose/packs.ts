import { minorText } from '../../src/domain/money.ts';
import type { PackItem, PackRequest } from '../../src/domain/pack-options.ts';
import { quotePack } from '../../src/domain/quote-pack.ts';
import { dec, items, packRequest, valued } from '../domain/samples.ts';

const line = (description: string, unitPrice: string | number, more: Partial<PackItem> = {}): PackItem => ({
  description,
  quantity: dec(1),
  unitPrice: dec(unitPrice),
  ...more,
});
const taxed = (...rates: number[]) =>
  rates.map((rate) => line(`At ${rate}%`, 1000, { taxPercent: dec(rate) }));

const WORKED = {
  items: items([3, '33.33'], ['1.5', 80], [1, '19.99']),
  discountPercent: dec(5),
  taxPercent: dec('8.25'),
  depositPercent: dec(25),
};
const DETAILS: NonNullable<PackRequest['details']> = {
  clientName: 'Jo Smith',
  job: 'your kitchen at 4 Elm Road',
  quoteNumber: 'Q-118',
  start: 'week of 5 January 2027',
  paymentStages: ['40% when the units are delivered', 'the rest on completion'],
  exclusions: ['Skip hire', 'Decorating'],
  warranty: 'Two years on our work',
};
const ADDS = { adds: { better: ['A plan'], best: ['A visit'] }, bestMarkup: dec(50) };
const LIGHTS = [line('Deck', 1000), line('Lights', 200, { tier: 'better', markup: false })];
const KITCHEN = [
  line('Fitting', 900),
  line('Laminate worktop', 570, { tiers: ['good'] }),
  line('Quartz worktop', 1860, { tiers: ['better', 'best'] }),
  line('Boiling tap', 700, { tier: 'best' }),
];
const STAFF = { description: 'Staff', unitPrice: dec(28), unit: 'hour' };
const SECOND_TAX = { taxName: 'GST', secondTax: { percent: dec('9.975'), name: 'QST' }, taxPercent: dec(5) };

/** Packs whose words depend on what was asked. */
const CASES: Readonly<Record<string, Partial<PackRequest>>> = {
  plain: {},
  'with all figures': { ...WORKED, businessName: 'Bright Studio' },
  'with additions': { ...WORKED, ...ADDS },
  'that recommends the best': { ...ADDS, recommended: 'best', depositPercent: dec(10) },
  'that recommends the cheapest': { ...ADDS, recommended: 'good' },
  'that recommends none': { ...ADDS, recommended: 'none', depositPercent: dec(10) },
  'with details': { details: DETAILS, depositPercent: dec(10) },
  'with details and no deposit': { details: DETAILS },
  'with a single payment': {
    details: { paymentStages: ['The balance on the day'] },
    depositPercent: dec(10),
  },
  'for a known day': { details: { job: 'your wedding on 20 March 2027', start: 'on 15 January 2027' } },
  'for a day named in the job': { details: { job: 'the party on December 12' } },
  'that starts after acceptance': { details: { start: 'three weeks after you accept', job: '3 Marsh Road' } },
  'for a job that cannot begin a sentence': { details: { job: 'New web site' } },
  'with terms of the owner': {
    details: { extraTerms: ['Flowers may be swapped by season', 'Travel is included.'] },
  },
  'with prices per month': { details: { pricePer: 'month' } },
  'in pounds with tax': { currency: 'GBP', taxPercent: dec(5) },
  'in dollars with tax': { currency: 'USD', taxPercent: dec(5) },
  'with a named tax': { currency: 'CAD', taxPercent: dec(5), taxName: 'HST' },
  'with two taxes': SECOND_TAX,
  'with two taxes and a line without tax': { ...SECOND_TAX, items: [...items([1, 100]), ...taxed(0)] },
  'with a line without tax': { items: taxed(20, 0) },
  'with three rates': { items: taxed(5, 20, 10) },
  'with more rates than a sentence holds': { items: taxed(25, 20, 10, 5, 2, 0) },
  'with tax only in the best option': {
    items: [...taxed(0), { ...taxed(20)[0], tier: 'best' } as PackItem],
    pricesIncludeTax: true,
  },
  'with a discount before included tax': {
    discountPercent: dec(5),
    taxPercent: dec(20),
    pricesIncludeTax: true,
  },
  'with sums for discount and deposit': { discountAmount: dec(5), depositAmount: dec(8) },
  'paid in full at once': { depositPercent: dec(100) },
  'with nothing to pay': { discountPercent: dec(100), depositPercent: dec(30), taxPercent: dec(8) },
  'with nothing to pay in the cheapest option': {
    items: items([1, 100], [1, -100]),
    depositPercent: dec(30),
  },
  'with a line of the better option': { items: LIGHTS, ...ADDS },
  'with lines that replace others': { items: KITCHEN },
  'with lists that replace others': {
    items: [
      line('Laminate', 90, { tiers: ['good'] }),
      line('Quartz', 300, { tiers: ['better', 'best'] }),
      line('Sink', 380, { tiers: ['good', 'better'] }),
      line('Undermount sink', 1450, { tiers: ['best'] }),
      line('Lights', 420, { tiers: ['best'] }),
    ],
  },
  'with another quantity': {
    items: [
      { ...STAFF, quantity: dec(12), tiers: ['good'] },
      { ...STAFF, quantity: dec(24), tiers: ['better', 'best'] },
    ],
  },
  'with units and a discount of a line': {
    currency: 'NZD',
    items: [
      {
        description: 'Plants',
        unitPrice: dec(14),
        quantity: dec(60),
        unit: 'piece',
        discountPercent: dec(10),
      },
      { description: 'Translation', unitPrice: dec(1), quantity: dec(18437), unit: 'word' },
      { description: 'Support', unitPrice: dec(260), quantity: dec(1), unit: 'month' },
    ],
  },
  'with many additions': {
    items: LIGHTS,
    adds: { better: [...'abcdefghijkl'], best: ['m'] },
    bestMarkup: dec(50),
  },
  'with its own names': {
    ...{ labels: { good: 'Basic', better: 'Plus', best: 'Pro' }, depositPercent: dec(5) },
    ...{ adds: { better: ['Weekly report, in writing'], best: ['Free changes for a month'] } },
    ...{ betterMarkup: dec(25), bestMarkup: dec(50) },
  },
  'from a long name': { businessName: 'Long name '.repeat(12).trim() },
  'from a name with a year to spare': { businessName: "Joe's Plumbing LLC" },
  'from a hostile name': { businessName: '$& {{x}}\r\nBcc: a@b.c' },
};

/** A pack in readable form. */
function shown(name: string, changes: Partial<PackRequest>): string {
  const { tiers, terms, coverNote, missing, warnings, caveats } = valued(quotePack(packRequest(changes)));
  const options = tiers.map(
    ({ label, quote, summary, adds, addsSource, replaces, includes }) =>
      `${label}, ${minorText(quote.total, quote.digits)}: ${summary}\n  adds (${addsSource}): ${adds.join('; ')}\n  instead of: ${replaces.join('; ')}\n  includes: ${includes.join('; ')}`,
  );
  return [
    `=== a pack ${name}`,
    ...options,
    '---',
    `Subject: ${coverNote.subject}\n\n${coverNote.body}`,
    '---',
    ...terms.map(({ title, text }) => `${title}: ${text}`),
    ...[...missing, ...warnings, ...caveats].map((note) => `note: ${note}`),
  ].join('\n');
}

/** Quote packs in readable form. */
export const packs = (): string[] => Object.entries(CASES).map(([name, changes]) => shown(name, changes));
