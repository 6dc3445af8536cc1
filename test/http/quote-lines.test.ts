import { describe, expect, it } from 'vitest';
import { pack } from './quote-inputs.ts';
import { faults, post, quote } from './quoting.ts';
import { type Json, problemOf } from './wire.ts';

describe('POST /v1/quote with inputs for each line', () => {
  it('deducts the discount of a line first, and shows it', async () => {
    const items = [
      { description: 'Painting', quantity: 8, unit: 'hour', unit_price: 45, discount_percent: 12.5 },
      { description: 'Paint', unit_price: 100 },
    ];
    const answer = await quote({ items, discount_percent: 10 });
    expect(answer).toMatchObject({ subtotal: 415, discount_amount: 41.5, total: 373.5 });
    expect(answer.items).toMatchObject([
      { unit: 'hour', line_total: 315, discount_percent: 12.5, discount_amount: 45 },
      { line_total: 100 },
    ]);
    expect(answer.formula.lines[0]).toBe('8 x 45.00 = 360.00, less 12.5% (45.00) = 315.00');
    expect(Object.keys(answer.items[1])).not.toContain('discount_amount');
  });

  it('calculates a price from a cost, with a margin or a markup', async () => {
    const items = [
      { unit_cost: 70, margin_percent: 30 },
      { unit_cost: 70, markup_percent: 30 },
    ];
    const answer = await quote({ items });
    expect(answer.items.map(({ unit_price, unit_cost }: Json) => [unit_price, unit_cost])).toEqual([
      [100, 70],
      [91, 70],
    ]);
  });

  it('refuses a price that it cannot calculate, together with every other fault', async () => {
    expect(
      await faults({
        items: [
          {},
          { unit_price: 1, unit_cost: 1 },
          { unit_cost: 1 },
          { margin_percent: 5 },
          { unit_cost: 1, margin_percent: 5, markup_percent: 5 },
          { unit_price: 'x', quantity: 0 },
        ],
        tax_rate: 1,
      }),
    ).toEqual([
      '/items/0/unit_price required',
      '/items/1/unit_cost price_and_cost',
      '/items/2/unit_cost price_and_cost',
      '/items/3/unit_cost price_and_cost',
      '/items/4/unit_cost price_and_cost',
      '/items/5/quantity out_of_range',
      '/items/5/unit_price invalid_number',
      '/tax_rate unknown_field',
    ]);
  });
});

describe('POST /v1/quote with two taxes or rounding for cash', () => {
  it('adds two taxes on the same sums, each under its name', async () => {
    const answer = await quote({
      items: [{ unit_price: 200 }, { description: 'Book', unit_price: 50, tax_percent: 5 }],
      currency: 'CAD',
      tax_percent: 5,
      tax_name: 'GST',
      second_tax_percent: 9.975,
      second_tax_name: 'QST',
    });
    expect(answer).toMatchObject({ taxable_amount: 250, tax_amount: 32.45, total: 282.45 });
    expect(
      answer.tax_breakdown.map(({ tax_name, tax_percent, taxable_amount, tax_amount }: Json) => [
        tax_name,
        tax_percent,
        taxable_amount,
        tax_amount,
      ]),
    ).toEqual([
      ['GST', 5, 200, 10],
      ['QST', 9.975, 200, 19.95],
      ['GST', 5, 50, 2.5],
    ]);
    expect(answer.items.map(({ second_tax_percent: second }: Json) => second)).toEqual([9.975, 0]);
  });

  it('calculates two taxes from prices that include them', async () => {
    const answer = await quote({
      items: [{ unit_price: 118 }],
      currency: 'INR',
      tax_percent: 9,
      second_tax_percent: 9,
      prices_include_tax: true,
    });
    expect(answer).toMatchObject({ taxable_amount: 100, tax_amount: 18, total: 118 });
  });

  it('rounds the total to the smallest coin, and the deposit with it', async () => {
    const answer = await quote({
      items: [{ unit_price: 99.99 }],
      currency: 'CHF',
      tax_percent: 8.1,
      deposit_percent: 33,
      round_total_to: 0.05,
    });
    expect(answer).toMatchObject({
      tax_amount: 8.1,
      rounding_amount: 0.01,
      total: 108.1,
      deposit_amount: 35.65,
    });
    expect(answer.formula.total).toBe('99.99 + 8.10 + 0.01 of rounding = 108.10');
    expect(await faults({ items: [{ unit_price: 1 }], currency: 'JPY', round_total_to: 0.5 })).toEqual([
      '/round_total_to too_precise',
    ]);
  });

  it('answers a request without these fields as it did before', async () => {
    const answer = await quote({ items: [{ unit_price: 10 }], tax_percent: 5 });
    expect(Object.keys(answer.items[0])).toEqual(
      'description quantity unit_price line_total tax_percent'.split(' '),
    );
    expect(Object.keys(answer)).not.toContain('rounding_amount');
    expect(Object.keys(answer.tax_breakdown[0])).not.toContain('tax_name');
  });
});

describe('POST /v1/quote-pack with the same inputs in every option', () => {
  it('accepts line discounts, costs, a second tax and a rounded total', async () => {
    const { options } = await pack({
      items: [
        { description: 'Fitting', unit_cost: 70, margin_percent: 30, discount_percent: 10 },
        { description: 'Quartz', unit_price: 50.02, tiers: ['better', 'best'] },
        { description: 'Tap', unit_price: 20, tiers: ['best'] },
      ],
      currency: 'CAD',
      tax_percent: 5,
      second_tax_percent: 9.975,
      second_tax_name: 'QST',
      round_total_to: 0.05,
    });
    expect(options.map(({ subtotal, tax_amount, total }: Json) => [subtotal, tax_amount, total])).toEqual([
      [90, 13.48, 103.5],
      [140.02, 20.97, 161],
      [160.02, 23.96, 184],
    ]);
  });
});

const hintsOf = async (body: unknown) =>
  ((await problemOf(await post(body))).errors ?? []).map(({ hint }: Json) => hint);

describe('an input under a name that callers use instead of ours', () => {
  it.each([
    [{ items: [{ unit_price: 1, uom: 'h' }] }, 'unit'],
    [{ items: [{ unit_price: 1, tax_name: 'VAT' }] }, 'tax_name at the top level'],
    [{ items: [{ unit_price: 1, discount_amount: 1 }] }, 'discount_percent'],
    [{ items: [{ cost: 1 }] }, 'unit_cost'],
    [{ items: [{ unit_price: 1 }], amount_paid: 5 }, 'deposit_amount'],
    [{ items: [{ unit_price: 1 }], cash_rounding: 0.05 }, 'round_total_to'],
    [{ items: [{ unit_price: 1 }], tax_label: 'VAT' }, 'tax_name'],
  ])('gets a hint to the right field: %j', async (body, field) => {
    expect(JSON.stringify(await hintsOf(body))).toContain(field);
  });
});
