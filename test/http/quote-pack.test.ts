import { describe, expect, it } from 'vitest';
import { proves } from '../spec/clauses.ts';
import { answerOf, faultsOf, headerJson, type Json, payingApp, problemOf } from './wire.ts';

const app = payingApp();
const pack = async (body: unknown): Promise<Json> => answerOf(await app.buyPack(body));
const GOOD = { items: [{ description: 'Garden design', quantity: 2, unit_price: 450 }] };

/** Returns the faults, which must be the same for callers with and without a payment. */
async function faults(body: unknown): Promise<string[]> {
  const told = await faultsOf(await app.post('/v1/quote-pack', body));
  expect(await faultsOf(await app.buyPack(body))).toEqual(told);
  return told;
}
const markups = ({ options }: Json) => options.map(({ markup_percent: markup }: Json) => markup);

describe('POST /v1/quote-pack', () => {
  it(
    proves(
      ['4-quote-pack', '2.5-pack', '2.5-content-type', '8-prices', '3-settled'],
      'sells three options, a deposit, a validity date, terms and a cover note for five cents',
    ),
    async () => {
      const unpaid = await app.post('/v1/quote-pack', GOOD);
      expect(await problemOf(unpaid)).toMatchObject({ status: 402, price_usd: '0.05' });
      expect(headerJson(unpaid, 'payment-required').accepts[0].amount).toBe('50000');

      const answer = await pack({
        ...GOOD,
        tax_percent: 10,
        deposit_percent: 50,
        business_name: 'Green Gardens',
      });
      expect(answer).toMatchObject({
        currency: 'USD',
        business_name: 'Green Gardens',
        issued_on: '2026-11-21',
        valid_until: '2026-12-21',
        recommended: 'better',
      });
      expect(
        answer.options.map(({ tier, total, deposit_amount: deposit }: Json) => [tier, total, deposit]),
      ).toEqual([
        ['good', 990, 495],
        ['better', 1237.5, 618.75],
        ['best', 1485, 742.5],
      ]);
      expect(answer.options.map(({ difference_from_good: more }: Json) => more)).toEqual([0, 247.5, 495]);
      expect(answer.terms.length).toBeGreaterThan(2);
      expect(answer.cover_note.body).toContain('Green Gardens');
    },
  );

  it(proves('2.2-pack-fields', 'marks up better and best as requested'), async () => {
    expect(markups(await pack(GOOD))).toEqual([0, 25, 50]);
    expect(markups(await pack({ ...GOOD, better_markup_percent: 60 }))).toEqual([0, 60, 120]);
    expect(markups(await pack({ ...GOOD, better_markup_percent: 0, best_markup_percent: 0 }))).toEqual([
      0, 0, 0,
    ]);
    expect(markups(await pack({ ...GOOD, best_markup_percent: '80' }))).toEqual([0, 25, 80]);
  });

  it('never sells a best option that costs less than the better one', async () => {
    expect(await faults({ ...GOOD, better_markup_percent: 50, best_markup_percent: 25 })).toEqual([
      '/best_markup_percent best_below_better',
    ]);
    expect(await faults({ ...GOOD, best_markup_percent: 24.999999 })).toEqual([
      '/best_markup_percent best_below_better',
    ]);
    expect(
      await faults({ items: [], better_markup_percent: 50, best_markup_percent: 25, tax_rate: 1 }),
    ).toEqual(['/items invalid_list', '/tax_rate unknown_field', '/best_markup_percent best_below_better']);
  });

  it('keeps prices below a cent exact, and credits as they are', async () => {
    const { options } = await pack({ items: [{ unit_price: 0.0088, quantity: 1000 }, { unit_price: -2 }] });
    expect(options[1].items.map(({ unit_price: price }: Json) => price)).toEqual([0.011, -2]);
    expect(options.map(({ total }: Json) => total)).toEqual([6.8, 9, 11.2]);
  });

  it('refuses the same input as the free quote, before it states a price', async () => {
    expect(await faults({})).toEqual(['/items required']);
    expect(await faults({ items: [{ unit_price: -100 }] })).toContain('/items negative_subtotal');
    expect(await faults({ ...GOOD, business_name: 'x'.repeat(121), better_markup_percent: 1001 })).toEqual([
      '/business_name too_long',
      '/better_markup_percent out_of_range',
    ]);
    expect(await faults('{"items":[{"unit_price":1}],"business_name":"A","business_name":"B"}')).toEqual([
      '/business_name repeated_field',
    ]);
    const dear = { items: [{ unit_price: 1e9, quantity: 500 }], better_markup_percent: 1000 };
    expect((await faults(dear)).join()).toContain('total_too_large');
    expect(app.orders.every(({ requirements }) => requirements.amount === '50000')).toBe(true);
  });
});
