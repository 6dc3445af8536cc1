import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Micros,
  type Minor,
  microsNumber,
  microsText,
  minorNumber,
  minorText,
} from '../../src/domain/money.ts';
import { type Quote, type QuoteRequest, quote, quoteFormula } from '../../src/domain/quote.ts';
import { quotePack } from '../../src/domain/quote-pack.ts';
import { packInputs, quoteInputs } from './arbitraries.ts';
import { faultCodes, items, packRequest, quoteRequest, valued } from './samples.ts';

const Exact = Big();
Exact.RM = Big.roundHalfUp;
const big = (value: Micros) => new Exact(microsText(value));
const MOST = new Exact('999999999999.99');
const DIGITS: Record<string, number> = { USD: 2, JPY: 0, KWD: 3 };

/** The order of EN 16931, in an independent calculation. */
function reference(request: QuoteRequest) {
  const digits = DIGITS[request.currency] ?? 2;
  const share = (amount: Big, percent: Micros) => amount.times(big(percent)).times('0.01').round(digits);
  const lines = request.items.map(({ quantity, unitPrice }) =>
    big(quantity).times(big(unitPrice)).round(digits),
  );
  const subtotal = lines.reduce((sum, line) => sum.plus(line), new Exact(0));
  const discount = share(subtotal, request.discountPercent);
  const taxable = subtotal.minus(discount);
  const tax = share(taxable, request.taxPercent);
  const total = taxable.plus(tax);
  const deposit = share(total, request.depositPercent);
  return { digits, lines, totals: [subtotal, discount, taxable, tax, total, deposit, total.minus(deposit)] };
}

const totalsOf = ({ subtotal, discount, taxable, tax, total, deposit, balance }: Quote): Minor[] => [
  subtotal,
  discount,
  taxable,
  tax,
  total,
  deposit,
  balance,
];

function expectSame(answer: Quote, request: QuoteRequest) {
  const { digits, lines, totals } = reference(request);
  const text = (amount: Minor) => minorText(amount, digits);
  expect(answer.digits).toBe(digits);
  expect(answer.lines.map(({ lineTotal }) => text(lineTotal))).toEqual(
    lines.map((line) => plain(line, digits)),
  );
  expect(totalsOf(answer).map(text)).toEqual(totals.map((total) => plain(total, digits)));
}

/** big.js writes -0; this project never does. */
const plain = (value: Big, digits: number) => value.toFixed(digits).replace(/^-(?=[0.]*$)/, '');

describe('a quote', () => {
  it('follows the published order of steps in exact arithmetic, or is refused for a correct reason', () => {
    fc.assert(
      fc.property(quoteInputs(-1_000_000_000n), (request) => {
        const result = quote(request);
        if (result.ok) return expectSame(result.value, request);
        const { lines, totals } = reference(request);
        for (const fault of faultCodes(result)) {
          const [pointer = '', code] = fault.split(' ');
          const index = Number(pointer.split('/')[2]);
          if (code === 'negative_subtotal') expect(totals[0]?.lt(0)).toBe(true);
          else if (Number.isInteger(index)) expect(lines[index]?.abs().gt(MOST)).toBe(true);
          else expect(totals.some((total) => total.gt(MOST))).toBe(true);
        }
      }),
    );
  });

  it('is exact in JSON and has a short formula', () => {
    fc.assert(
      fc.property(quoteInputs(-1_000_000_000n), (request) => {
        const result = quote(request);
        fc.pre(result.ok);
        const { value } = result;
        for (const amount of [...totalsOf(value), ...value.lines.map(({ lineTotal }) => lineTotal)])
          expect(plain(new Exact(minorNumber(amount, value.digits)), value.digits)).toBe(
            minorText(amount, value.digits),
          );
        const { lines, ...steps } = quoteFormula(value);
        for (const text of [...lines, ...Object.values(steps)]) expect(text.length).toBeLessThanOrEqual(200);
      }),
    );
  });

  it('shows a formula that the client can repeat', () => {
    const redo = (text: string) => {
      const [left = '', right = ''] = text.split(' = ');
      const [base = '', percent = ''] = left.split(' x ');
      const exact = new Exact(base)
        .times(new Exact(percent.replace('%', '')))
        .times(percent.endsWith('%') ? '0.01' : 1);
      return { exact: exact.toFixed(), shown: right.split(', rounded to ') };
    };
    fc.assert(
      fc.property(quoteInputs(-1000n), (request) => {
        const result = quote(request);
        fc.pre(result.ok);
        const { lines, discount, tax, deposit } = quoteFormula(result.value);
        for (const text of [...lines, discount, tax, deposit]) {
          const { exact, shown } = redo(text);
          expect(new Exact(shown[0] ?? '').eq(exact)).toBe(true);
          expect(new Exact(shown.at(-1) ?? '').eq(new Exact(exact).round(result.value.digits))).toBe(true);
        }
      }),
    );
  });

  it('is refused for a hundred of the largest lines, and is never imprecise', () => {
    for (const currency of ['USD', 'JPY', 'KWD']) {
      const request = quoteRequest({ currency, items: items(...Array(100).fill([1e6, 1e9])) });
      const codes = faultCodes(quote(request));
      expect(codes).toHaveLength(101);
      expect(new Set(codes.map((each) => each.split(' ')[1]))).toEqual(new Set(['total_too_large']));
      expect(faultCodes(quotePack({ ...packRequest(), ...request }))).toEqual(codes);
    }
  });
});

describe('a pack', () => {
  it('begins with the plain quote and never gets cheaper from one option to the next', () => {
    fc.assert(
      fc.property(packInputs(-1000n), (request) => {
        const result = quotePack(request);
        fc.pre(result.ok);
        const [good, better, best] = result.value.tiers;
        expect(totalsOf(good.quote)).toEqual(totalsOf(valued(quote(request))));
        expect(good.quote.total <= better.quote.total && better.quote.total <= best.quote.total).toBe(true);
        expect(better.differenceFromGood).toBe(better.quote.total - good.quote.total);
        expect(best.differenceFromGood).toBe(
          (better.stepFromPrevious?.amount ?? 0n) + (best.stepFromPrevious?.amount ?? 0n),
        );
        expect(best.markupPercent >= better.markupPercent && best.markupPercent <= 1_000_000_000n).toBe(true);
      }),
    );
  });

  it('is exact in JSON up to the largest prices', () => {
    fc.assert(
      fc.property(packInputs(-1000n, 1_000_000_000n), (request) => {
        const result = quotePack(request);
        fc.pre(result.ok);
        for (const { quote: tier, stepFromPrevious } of result.value.tiers) {
          for (const { unitPrice } of tier.lines)
            expect(new Exact(microsNumber(unitPrice)).eq(microsText(unitPrice))).toBe(true);
          const percent = stepFromPrevious?.percent ?? null;
          if (percent !== null) expect(new Exact(microsNumber(percent)).eq(microsText(percent))).toBe(true);
          for (const amount of totalsOf(tier))
            expect(plain(new Exact(minorNumber(amount, tier.digits)), tier.digits)).toBe(
              minorText(amount, tier.digits),
            );
        }
      }),
    );
  });

  it('has the same bytes for the same request', () => {
    const text = (value: unknown) =>
      JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
    fc.assert(
      fc.property(packInputs(-1000n), (request) => {
        expect(text(quotePack({ ...request }))).toBe(text(quotePack(request)));
      }),
    );
  });
});
