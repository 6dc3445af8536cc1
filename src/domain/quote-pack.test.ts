import { describe, expect, it } from 'vitest';
import {
  dec,
  faultCodes,
  faultsOf,
  items,
  packRequest,
  quoteRequest,
  valued,
} from '../../test/domain/samples.ts';
import { inOrder } from '../../test/support/facts.ts';
import { minorText } from './money.ts';
import type { PackRequest } from './pack-options.ts';
import type { PackTier } from './pack-words.ts';
import { quote } from './quote.ts';
import { quotePack } from './quote-pack.ts';

const pack = (changes: Partial<PackRequest> = {}) => valued(quotePack(packRequest(changes)));
const money = ({ quote: { subtotal, discount, taxable, tax, total, deposit, balance, digits } }: PackTier) =>
  [subtotal, discount, taxable, tax, total, deposit, balance]
    .map((amount) => minorText(amount, digits))
    .join(' ');
const prices = (changes: Partial<PackRequest>) =>
  pack(changes).tiers.map(({ quote: { lines } }) => lines.map(({ unitPrice }) => unitPrice));

const worked: Partial<PackRequest> = {
  items: items([3, '33.33'], ['1.5', 80], [1, '19.99']),
  discountPercent: dec(5),
  taxPercent: dec('8.25'),
  depositPercent: dec(25),
};

it('a pack prices three options by the same formula', () => {
  expect(pack(worked).tiers.map(money)).toEqual([
    '239.98 12.00 227.98 18.81 246.79 61.70 185.09',
    '299.97 15.00 284.97 23.51 308.48 77.12 231.36',
    '359.99 18.00 341.99 28.21 370.20 92.55 277.65',
  ]);
});

it('a pack has the plain quote as its good option', () => {
  const [good] = pack(worked).tiers;
  const { request: _, ...plain } = valued(quote(quoteRequest(worked)));
  expect(good.quote).toMatchObject(plain);
  expect(good.differenceFromGood).toBe(0n);
  expect(good.stepFromPrevious).toBeNull();
});

it('a pack shows what each step costs', () => {
  const [, better, best] = pack(worked).tiers;
  expect([better.differenceFromGood, best.differenceFromGood]).toEqual([6_169n, 12_341n]);
  expect(better.stepFromPrevious).toEqual({ amount: 6_169n, percent: dec(25) });
  expect(best.stepFromPrevious).toEqual({ amount: 6_172n, percent: dec('20.01') });
});

describe('a markup', () => {
  it.each([
    ['USD', '0.0088', '0.011', '0.0132'],
    ['USD', '33.33', '41.66', '50'],
    ['JPY', '1980', '2475', '2970'],
    ['JPY', '3', '4', '5'],
    ['KWD', '1.2345', '1.5431', '1.8518'],
    ['USD', '10', '12.5', '15'],
    ['USD', '0', '0', '0'],
    ['USD', '-25', '-25', '-25'],
  ])(
    'raises each unit price, rounded to its own decimal places: %s %s becomes %s and %s',
    (currency, good, better, best) => {
      const credited = items([100, 1000], [1, good]);
      expect(prices({ currency, items: credited }).map(([, price]) => price)).toEqual([
        dec(good),
        dec(better),
        dec(best),
      ]);
    },
  );

  it('never gives a price more digits than a JSON number keeps', () => {
    const [, better, best] = prices({
      items: items(['0.000001', '999999999.123456']),
      betterMarkup: dec('0.000001'),
      bestMarkup: dec(1000),
    });
    expect(better).toEqual([dec('1000000009.12346')]);
    expect(best).toEqual([dec('10999999990.358')]);
  });
});

describe('the markups of a pack', () => {
  it('default to twice the better markup for the best option, up to 1000%', () => {
    expect(pack({ betterMarkup: dec(60) }).tiers[2].markupPercent).toBe(dec(120));
    expect(pack({ betterMarkup: dec(600) }).tiers[2].markupPercent).toBe(dec(1000));
    expect(pack({ betterMarkup: dec(1000) }).tiers[2].markupPercent).toBe(dec(1000));
  });

  it('are refused together with every other fault if the best markup is below the better one', () => {
    expect(faultsOf(quotePack(packRequest({ betterMarkup: dec(50), bestMarkup: dec(25) })))).toEqual([
      {
        pointer: '/best_markup_percent',
        code: 'best_below_better',
        detail: expect.stringMatching(inOrder('25', '50')),
        hint: expect.stringMatching(inOrder('50', 'better_markup_percent', '25')),
      },
    ]);
    expect(
      faultCodes(
        quotePack(packRequest({ betterMarkup: dec(50), bestMarkup: dec(25), items: items([1, -100]) })),
      ),
    ).toEqual(['/best_markup_percent best_below_better', '/items negative_subtotal']);
  });

  it('are mentioned in the fault of a single marked-up option, and a fault of several options is reported only once', () => {
    expect(faultCodes(quotePack(packRequest({ items: items([1e6, 1e9]) })))).toEqual([
      '/items/0 total_too_large',
      '/items total_too_large',
    ]);
    const hints = faultsOf(quotePack(packRequest({ items: items([900, 1e9]) }))).map(({ hint }) => hint);
    expect(hints).toEqual([expect.stringContaining('markup'), expect.stringContaining('markup')]);
  });
});
