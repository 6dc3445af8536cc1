import { describe, expect, it } from 'vitest';
import { proves } from '../spec/clauses.ts';
import { faults, items, post, quote } from './quoting.ts';
import { problemOf } from './wire.ts';

describe('the items of a quote', () => {
  it.each([
    ['no items', {}, 'required'],
    ['null', { items: null }, 'required'],
    ['blank text', { items: ' ' }, 'required'],
    ['an empty list', { items: [] }, 'invalid_list'],
    ['a list of 101', { items: Array(101).fill({ unit_price: 1 }) }, 'invalid_list'],
    ['an object', { items: { unit_price: 1 } }, 'invalid_list'],
    ['a number', { items: 5 }, 'invalid_list'],
  ])('cannot be %s', async (_what, body, code) => {
    expect(await faults(body)).toEqual([`/items ${code}`]);
  });

  it('may number up to a hundred', async () => {
    expect((await quote({ items: Array(100).fill({ unit_price: 0.01 }) })).total).toBe(1);
  });

  it('may be credits if something remains to be paid', async () => {
    expect((await quote({ items: items([1, 100], [1, -100]) })).total).toBe(0);
    expect(await faults({ items: items([1, -100]) })).toEqual(['/items negative_subtotal']);
    expect(await faults({ items: items([1, 100], [1, -100.01]), tax_percent: 101 })).toEqual([
      '/tax_percent out_of_range',
      '/items negative_subtotal',
    ]);
  });

  it('add up to no more than a JSON number holds exactly', async () => {
    expect(await faults({ items: items([1_000_000, 1e9]) })).toContain('/items total_too_large');
    expect((await quote({ items: items([999.999999, 1e9]) })).total).toBe(999_999_999_000);
  });

  it('have descriptions of at most 200 visible characters', async () => {
    const described = (description: unknown) => ({ items: [{ unit_price: 1, description }] });
    expect((await quote(described(' A\n<b>{{x}}</b>\u202e '))).items[0].description).toBe('A <b>{{x}}</b>');
    expect(await faults(described('x'.repeat(201)))).toEqual(['/items/0/description too_long']);
    expect(await faults(described(5))).toEqual(['/items/0/description invalid_type']);
  });
});

describe('the names in a body', () => {
  it("get no special treatment, even if an object's prototype has them", async () => {
    expect(
      await faults(
        '{"items":[{"unit_price":1,"__proto__":{"quantity":9}}],"__proto__":{"x":1},"constructor":{}}',
      ),
    ).toEqual(['/items/0/__proto__ unknown_field', '/__proto__ unknown_field', '/constructor unknown_field']);
    expect((await quote({ items: [{ unit_price: 1 }] })).items[0].quantity).toBe(1);
  });

  it(
    proves('2.2-pack-fields', 'are ignored here if only the pack has them, whatever their values'),
    async () => {
      const extra = { business_name: 5, better_markup_percent: 'x', best_markup_percent: -1 };
      expect((await quote({ items: items([1, 10]), ...extra })).total).toBe(10);
    },
  );
});

describe('a body', () => {
  it('may be nested deeply, and gets an error that names the faults of its first levels', async () => {
    expect(await faults(`{"items":${'['.repeat(32_000)}${']'.repeat(32_000)}}`)).toEqual([
      '/items/0 invalid_type',
    ]);
    expect(await faults(`${'{"items":['.repeat(5_000)}${']}'.repeat(5_000)}`)).toEqual([
      '/items/0/unit_price required',
      '/items/0/items unknown_field',
    ]);
  });
});

describe('the faults of a body', () => {
  it('are all reported at once, including those between fields', async () => {
    expect(
      await faults({
        items: [{ quantity: 0, unit_price: '10 USD' }, { quantity: 1 }, { unit_price: 1, price: 2 }],
        tax_percent: 'x',
        valid_days: 1.5,
        currency: 'US',
        tax_rate: 20,
      }),
    ).toEqual([
      '/items/0/quantity out_of_range',
      '/items/0/unit_price invalid_number',
      '/items/1/unit_price required',
      '/items/2/price unknown_field',
      '/tax_percent invalid_number',
      '/valid_days invalid_integer',
      '/currency invalid_currency',
      '/tax_rate unknown_field',
    ]);
  });

  it('are listed up to a hundred and then counted, as for a hundred items with three faults each', async () => {
    const response = await post({ items: Array(100).fill({ quantity: 0, unit_price: 'x', cost: 1 }) });
    const length = Number((await response.clone().text()).length);
    expect(length).toBeLessThan(40_000);
    const { errors, detail } = await problemOf(response);
    expect(errors?.length).toBe(101);
    expect(errors?.at(-1)).toEqual({ pointer: '', code: 'more_faults', detail: 'has 200 more faults' });
    expect(detail).toMatch(/; and over 97 more\. Nothing was charged\.$/);
  });
});
