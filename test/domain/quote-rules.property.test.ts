import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Micros, type Minor, microsText, minorText } from '../../src/domain/money.ts';
import type { PackItem, PackRequest, TierName } from '../../src/domain/pack-options.ts';
import {
  priceFromCost,
  type Quote,
  type QuoteRequest,
  quote,
  quoteFormula,
  taxRows,
} from '../../src/domain/quote.ts';
import { quotePack } from '../../src/domain/quote-pack.ts';
import { decimals, richPackInputs, richQuoteInputs } from './arbitraries.ts';
import { faultCodes } from './samples.ts';

const Exact = Big();
Exact.RM = Big.roundHalfUp;
// Enough decimals to distinguish a non-terminating quotient from half a cent.
Exact.DP = 30;
const big = (value: Micros) => new Exact(microsText(value));
const sum = (values: readonly Big[]) => values.reduce((total, value) => total.plus(value), new Exact(0));
const DIGITS: Record<string, number> = { USD: 2, JPY: 0, KWD: 3 };

/** The rules for rates, amounts, line discounts, two taxes and rounded totals, in an independent calculation. */
function reference(request: QuoteRequest) {
  const digits = DIGITS[request.currency] ?? 2;
  const second = request.secondTax === undefined ? null : microsText(request.secondTax.percent);
  const lines = request.items.map(({ quantity, unitPrice, taxPercent, discountPercent }) => {
    const whole = big(quantity).times(big(unitPrice)).round(digits);
    const off = discountPercent === undefined ? new Exact(0) : percentOf(whole, big(discountPercent), digits);
    const rate = microsText(taxPercent ?? request.taxPercent);
    return { total: whole.minus(off), rate, isBoth: taxPercent === undefined && second !== null };
  });
  const kinds = [...new Set(lines.map(({ rate, isBoth }) => `${rate} ${isBoth}`))].sort((a, b) => {
    const [one, other] = [a, b].map((kind) => Number(kind.split(' ')[0])) as [number, number];
    return other - one || (a < b ? 1 : -1);
  });
  const sums = kinds.map((kind) =>
    sum(lines.filter(({ rate, isBoth }) => `${rate} ${isBoth}` === kind).map(({ total }) => total)),
  );
  const subtotal = sum(sums);
  const discounts = discountsOf(sums, subtotal, request, digits);
  const groups = kinds.map((kind, index) => {
    const [rate = '', both] = kind.split(' ');
    const other = both === 'true' ? new Exact(second ?? 0) : new Exact(0);
    const rest = (sums[index] as Big).minus(discounts[index] as Big);
    const base = request.pricesIncludeTax ? new Exact(rate).plus(other).plus(100) : new Exact(100);
    const [tax, secondTax] = [new Exact(rate), other].map((each) =>
      rest.times(each).div(base).round(digits),
    ) as [Big, Big];
    const taxable = request.pricesIncludeTax ? rest.minus(tax).minus(secondTax) : rest;
    return { rate, discount: discounts[index] as Big, taxable, tax, secondTax };
  });
  const taxable = sum(groups.map((group) => group.taxable));
  const tax = sum(groups.map((group) => group.tax.plus(group.secondTax)));
  const step = request.roundTotalTo === undefined ? new Exact(10).pow(-digits) : big(request.roundTotalTo);
  const toStep = (value: Big) => value.div(step).round(0).times(step);
  const unrounded = taxable.plus(tax);
  const total = toStep(unrounded);
  const deposit =
    request.depositAmount !== undefined
      ? big(request.depositAmount)
      : toStep(total.times(big(request.depositPercent)).div(100));
  const discount = sum(discounts);
  return {
    digits,
    lines,
    groups,
    subtotal,
    discount,
    taxable,
    tax,
    unrounded,
    rounding: total.minus(unrounded),
    total,
    deposit,
    balance: total.minus(deposit),
  };
}

const percentOf = (whole: Big, percent: Big, digits: number): Big =>
  whole.times(percent).div(100).round(digits);

function discountsOf(sums: readonly Big[], subtotal: Big, request: QuoteRequest, digits: number): Big[] {
  const { discountAmount, discountPercent } = request;
  if (discountAmount === undefined)
    return sums.map((each) => each.times(big(discountPercent)).div(100).round(digits));
  const given = big(discountAmount);
  if (subtotal.eq(0)) return sums.map((_, index) => (index === 0 ? given : new Exact(0)));
  const shares = sums.map((each) => given.times(each).div(subtotal).round(digits));
  const left = given.minus(sum(shares));
  const largest = sums.findIndex((each) => sums.every((other) => each.gte(other)));
  return shares.map((share, index) => (index === largest ? share.plus(left) : share));
}

/** big.js writes -0; this project never does. */
const plain = (value: Big, digits: number) => value.toFixed(digits).replace(/^-(?=[0.]*$)/, '');

const FORMULAS = ['subtotal', 'discount', 'taxable', 'tax', 'total', 'deposit', 'balance'] as const;
const FIGURES = [...FORMULAS, 'rounding'] as const;

function expectSame(answer: Quote, request: QuoteRequest) {
  const expected = reference(request);
  const { digits } = expected;
  const text = (amount: Minor) => minorText(amount, digits);
  expect(FIGURES.map((figure) => text(answer[figure]))).toEqual(
    FIGURES.map((figure) => plain(expected[figure], digits)),
  );
  expect(
    answer.groups.map(({ taxPercent, discount, taxable, tax, secondTax }) => [
      microsText(taxPercent),
      ...[discount, taxable, tax, secondTax].map(text),
    ]),
  ).toEqual(
    expected.groups.map(({ rate, discount, taxable, tax, secondTax }) => [
      rate,
      ...[discount, taxable, tax, secondTax].map((value) => plain(value, digits)),
    ]),
  );
  expectEndings(answer);
}

/** Every formula ends with the figure that it explains. */
function expectEndings(answer: Quote) {
  const { lines, groups, ...steps } = quoteFormula(answer);
  const text = (amount: Minor) => minorText(amount, answer.digits);
  const ends = [
    ...FORMULAS.map((figure) => [steps[figure], text(answer[figure])]),
    ...taxRows(answer).map(({ tax }, index) => [groups[index], text(tax)]),
    ...answer.lines.map(({ lineTotal }, index) => [lines[index], text(lineTotal)]),
  ] as [string, string][];
  expect(ends.filter(([step, figure]) => !step.endsWith(` ${figure}`))).toEqual([]);
  const all = [...lines, ...groups, ...Object.values(steps)];
  expect(Math.max(...all.map((step) => step.length))).toBeLessThanOrEqual(200);
}

/** Expects that the reason for a rejection is true. */
function expectTrue(code: string, request: QuoteRequest) {
  const { subtotal, discount, unrounded, total, deposit } = reference(request);
  const isTrue = {
    '/items negative_subtotal': subtotal.lt(0),
    '/items negative_total': unrounded.lt(0),
    '/discount_amount out_of_range': request.discountAmount !== undefined && discount.gt(subtotal),
    '/deposit_amount out_of_range': request.depositAmount !== undefined && deposit.gt(total),
  }[code];
  expect([code, isTrue]).toEqual([code, true]);
}

describe('a quote with tax rates on its lines, discounts given as amounts and prices that include tax', () => {
  it('follows the published rule in exact arithmetic, or is refused for a correct reason', () => {
    let answered = 0;
    fc.assert(
      fc.property(richQuoteInputs, (request) => {
        const result = quote(request);
        if (!result.ok) for (const code of faultCodes(result)) expectTrue(code, request);
        else {
          answered += 1;
          expectSame(result.value, request);
        }
      }),
    );
    expect(answered).toBeGreaterThan(200);
  }, 900_000);

  it('adds up for each rate and in total, and does not depend on the order of its lines', () => {
    fc.assert(
      fc.property(richQuoteInputs, (request) => {
        const result = quote(request);
        fc.pre(result.ok);
        const { groups, lines, subtotal, discount, taxable, tax, rounding, total, deposit, balance } =
          result.value;
        const over = (part: 'subtotal' | 'discount' | 'taxable' | 'tax' | 'secondTax') =>
          groups.reduce((whole, group) => whole + group[part], 0n);
        expect(lines.reduce((whole, { lineTotal }) => whole + lineTotal, 0n)).toBe(subtotal);
        expect([
          over('subtotal'),
          over('discount'),
          over('taxable'),
          over('tax') + over('secondTax'),
        ]).toEqual([subtotal, discount, taxable, tax]);
        expect(taxable + tax + rounding).toBe(total);
        expect(deposit + balance).toBe(total);
        if (request.pricesIncludeTax) expect(total - rounding).toBe(subtotal - discount);
        const reversed = quote({ ...request, items: [...request.items].reverse() });
        expect(reversed.ok && FIGURES.map((figure) => reversed.value[figure])).toEqual(
          FIGURES.map((figure) => result.value[figure]),
        );
      }),
    );
  });
});

describe('a price that is calculated from a cost', () => {
  const costs = fc.record({
    cost: decimals(0n, 100_000n),
    currency: fc.constantFrom('USD', 'JPY', 'KWD'),
    margin: decimals(0n, 99n),
    markup: decimals(0n, 1000n),
  });

  it('has the margin as a share of the price, or the markup as a share of the cost', () => {
    fc.assert(
      fc.property(costs, ({ cost, currency, margin, markup }) => {
        const own = microsText(cost).split('.')[1]?.length ?? 0;
        const decimals = Math.max(own, DIGITS[currency] ?? 2);
        const price = (value: Big) => value.round(decimals).toFixed();
        expect(microsText(priceFromCost(cost, { marginPercent: margin }, currency))).toBe(
          price(
            big(cost)
              .times(100)
              .div(new Exact(100).minus(big(margin))),
          ),
        );
        expect(microsText(priceFromCost(cost, { markupPercent: markup }, currency))).toBe(
          price(big(cost).times(big(markup).plus(100)).div(100)),
        );
      }),
    );
  });
});

describe('a pack whose options differ', () => {
  const LADDER = ['good', 'better', 'best'];

  /** The price of an option, in an independent calculation. */
  function priceOf(item: PackItem, markup: Micros, currency: string, step: Micros | undefined): string {
    const own = microsText(item.unitPrice).split('.')[1]?.length ?? 0;
    const price = big(item.unitPrice);
    if (item.unitPrice <= 0n || item.markup === false || markup === 0n) return price.toFixed();
    const raised = price
      .times(big(markup).plus(100))
      .div(100)
      .round(Math.max(own, DIGITS[currency] ?? 2));
    if (step === undefined) return raised.toFixed();
    const stepped = raised.div(big(step)).round(0).times(big(step));
    return (stepped.lt(price) ? price : stepped).toFixed();
  }

  /** The markup of an option, in an independent calculation: 0, better, best. */
  function markupOf({ items, adds, betterMarkup, bestMarkup }: PackRequest, reach: number): string {
    if (reach === 0) return '0';
    const isOwn = items.some(({ tier, tiers }) => tier || tiers) || Boolean(adds?.better || adds?.best);
    const isDefault = big(betterMarkup).eq(25) && bestMarkup === null;
    const better = isOwn && isDefault ? new Exact(0) : big(betterMarkup);
    if (reach === 1) return better.toFixed();
    if (bestMarkup !== null) return big(bestMarkup).toFixed();
    return better.times(2).gt(1000) ? '1000' : better.times(2).toFixed();
  }

  it('has three quotes with the lines and prices of each option', () => {
    let answered = 0;
    fc.assert(
      fc.property(richPackInputs, (request) => {
        const result = quotePack(request);
        if (!result.ok) {
          for (const code of faultCodes(result)) expectTruePack(code);
          return;
        }
        answered += 1;
        result.value.tiers.forEach(({ quote: option, markupPercent, positions }, reach) => {
          const items = request.items.filter(({ tier = 'good', tiers }) =>
            tiers === undefined ? LADDER.indexOf(tier) <= reach : tiers.includes(LADDER[reach] as TierName),
          );
          expect(microsText(markupPercent)).toBe(markupOf(request, reach));
          expect(option.lines.map(({ unitPrice }) => microsText(unitPrice))).toEqual(
            items.map((item) => priceOf(item, markupPercent, request.currency, request.roundUnitTo)),
          );
          expect(positions.map((position) => request.items[position]?.description)).toEqual(
            option.lines.map(({ description }) => description),
          );
          const marked = items.map((item, index) => ({
            ...item,
            unitPrice: option.lines[index]?.unitPrice as Micros,
          }));
          expectSame(option, { ...request, items: marked });
        });
        function expectTruePack(code: string) {
          expect(code).toMatch(
            /^\/items (negative_subtotal|negative_total|no_good_line|no_line)$|^\/(discount|deposit)_amount out_of_range$/,
          );
        }
      }),
    );
    expect(answered).toBeGreaterThan(200);
  }, 900_000);

  it('has at most five notes, and no note twice', () => {
    fc.assert(
      fc.property(richPackInputs, (request) => {
        const result = quotePack(request);
        fc.pre(result.ok);
        const { warnings, caveats } = result.value;
        const said = [...warnings, ...caveats];
        expect(said.length).toBeLessThanOrEqual(5);
        expect(new Set(said).size).toBe(said.length);
      }),
    );
  });
});
