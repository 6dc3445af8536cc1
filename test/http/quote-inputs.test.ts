import { describe, expect, it } from 'vitest';
import { catalog } from '../support/app.ts';
import { british, pack } from './quote-inputs.ts';
import { app, quote } from './quoting.ts';
import { faultsOf, type Json } from './wire.ts';

const faults = async (body: unknown) => faultsOf(await app.post('/v1/quote', body));

describe('POST /v1/quote', () => {
  it('taxes each line at its own rate, and shows the total of each rate', async () => {
    const answer = await quote({ ...british, discount_amount: 50 });
    expect(answer).toMatchObject({
      subtotal: 1233.5,
      discount_amount: 50,
      discount_percent: null,
      taxable_amount: 1183.5,
      tax_percent: 20,
      tax_amount: 182.94,
      total: 1366.44,
      tax_breakdown: [
        {
          tax_percent: 20,
          subtotal: 900,
          discount_amount: 36.49,
          taxable_amount: 863.51,
          tax_amount: 172.7,
          formatted: '£172.70',
          formula: '863.51 x 20% = 172.702, rounded to 172.70',
        },
        { tax_percent: 5, subtotal: 213.5, discount_amount: 8.65, taxable_amount: 204.85, tax_amount: 10.24 },
        { tax_percent: 0, subtotal: 120, discount_amount: 4.86, taxable_amount: 115.14, tax_amount: 0 },
      ],
    });
    expect(answer.items.map(({ tax_percent: rate }: Json) => rate)).toEqual([20, 5, 0]);
  });

  it('accepts a discount and a deposit as money, and returns them as applied', async () => {
    expect(
      await quote({ items: [{ unit_price: 100 }], discount_amount: '12.50', deposit_amount: 30 }),
    ).toMatchObject({
      discount_amount: 12.5,
      discount_percent: null,
      deposit_amount: 30,
      deposit_percent: null,
      total: 87.5,
      balance_due: 57.5,
      formula: { discount_amount: 'given = 12.50', deposit_amount: 'given = 30.00' },
    });
    expect(await quote({ items: [{ unit_price: 100 }], discount_amount: 0 })).toMatchObject({
      discount_amount: 0,
      discount_percent: null,
      deposit_percent: 0,
    });
  });

  it('accepts an unused percentage next to an amount', async () => {
    const items = [{ unit_price: 100 }];
    expect((await quote({ items, discount_percent: 0, discount_amount: 5 })).total).toBe(95);
    expect(await faults({ items, discount_percent: 5, discount_amount: 0 })).toEqual([
      '/discount_amount percent_and_amount',
    ]);
  });

  it('calculates the tax from prices that include it', async () => {
    expect(
      await quote({ items: [{ unit_price: 1620 }], tax_percent: 8.5, prices_include_tax: true }),
    ).toMatchObject({ taxable_amount: 1493.09, tax_amount: 126.91, total: 1620, prices_include_tax: true });
    expect((await quote({ items: [{ unit_price: 1620 }] })).prices_include_tax).toBe(false);
  });

  it('reports an invalid amount together with every other fault', async () => {
    expect(
      await faults({
        items: [{ unit_price: 'x' }],
        discount_percent: 5,
        discount_amount: 5,
        deposit_amount: -1,
        currency: 'XX',
      }),
    ).toEqual([
      '/items/0/unit_price invalid_number',
      '/deposit_amount out_of_range',
      '/currency invalid_currency',
      '/discount_amount percent_and_amount',
    ]);
    // The number of decimals in an unknown currency is unknown.
    expect(await faults({ items: [{ unit_price: 9 }], discount_amount: 1.234, currency: 'KWDD' })).toEqual([
      '/currency invalid_currency',
    ]);
  });
});

const words = (text: string) => text.trim().split(/\s+/);
const QUOTE_FIELDS = words(`
  currency items subtotal discount_percent discount_amount taxable_amount tax_percent tax_amount total
  deposit_percent deposit_amount balance_due issued_on valid_days valid_until formatted formula
  warnings caveats
`);
const PACK_FIELDS = words(`
  currency business_name issued_on valid_days valid_until discount_percent tax_percent deposit_percent
  recommended options terms cover_note warnings caveats
`);
const OPTION_FIELDS = words(`
  tier label markup_percent summary includes adds items subtotal discount_amount taxable_amount
  tax_amount total deposit_amount balance_due difference_from_good step_from_previous
`);

describe('the fields of earlier releases', () => {
  it('are still in every answer, as in release 1.0.0', async () => {
    const named = (name: string) => catalog.find((operation) => operation.name === name)?.example;
    const free = await quote(named('quote_totals'));
    expect(Object.keys(free)).toEqual(expect.arrayContaining(QUOTE_FIELDS));
    const paid = await pack(named('quote_pack'));
    expect(Object.keys(paid)).toEqual(expect.arrayContaining(PACK_FIELDS));
    expect(Object.keys(paid.options[0])).toEqual(expect.arrayContaining(OPTION_FIELDS));
    expect(paid.options.map(({ total }: Json) => total)).toEqual([1288.18, 1610.11, 1932.48]);
  });
});
