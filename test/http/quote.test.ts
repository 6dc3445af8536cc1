import { describe, expect, it } from 'vitest';
import { proves } from '../spec/clauses.ts';
import { NOON, testApp } from '../support/app.ts';
import { faults, items, lines, post, quote } from './quoting.ts';
import { answerOf, type Json } from './wire.ts';

const figures = (answer: Json) => [
  answer.subtotal,
  answer.discount_amount,
  answer.taxable_amount,
  answer.tax_amount,
  answer.total,
  answer.deposit_amount,
  answer.balance_due,
];

describe('POST /v1/quote', () => {
  it(
    proves(
      ['4-quote', '2.5-free', '2.2-percents', '2.2-items'],
      'returns totals, free and without a credential',
    ),
    async () => {
      const answer = await quote({
        items: items([0.5, 19.99], [3, 100], [1, -25]),
        discount_percent: 10,
        tax_percent: 8.875,
        deposit_percent: 33.3333,
      });
      expect(lines(answer)).toEqual([10, 300, -25]);
      expect(figures(answer)).toEqual([285, 28.5, 256.5, 22.76, 279.26, 93.09, 186.17]);
      expect(lines(await quote({ items: items([1, 1.005], [1, 2.675]) }))).toEqual([1.01, 2.68]);
      // The tax is on the rounded lines, once on their sum.
      expect((await quote({ items: items([1, 82.6446]), tax_percent: 21 })).total).toBe(99.99);
      const many = items(...Array(10).fill([1, 0.14]));
      expect((await quote({ items: many, tax_percent: 10 })).tax_amount).toBe(0.14);
    },
  );

  it(
    proves(
      ['2.2-item-fields', '2.2-validity', '2.2-currency'],
      'needs only items with a unit price; the rest has its default',
    ),
    async () => {
      const answer = await quote({ items: [{ unit_price: 10 }] });
      expect(answer).toMatchObject({
        currency: 'USD',
        items: [{ description: 'Item 1', quantity: 1, unit_price: 10, line_total: 10 }],
        total: 10,
        discount_percent: 0,
        tax_percent: 0,
        deposit_percent: 0,
        issued_on: '2026-11-21',
        valid_days: 30,
        valid_until: '2026-12-21',
      });
      expect(answer.formatted.total).toBe('$10.00');
    },
  );

  it('calculates in the smallest unit of the currency', async () => {
    const yen = await quote({
      items: items([2, 1980], [1.5, 333]),
      currency: 'JPY',
      discount_percent: 7.5,
      tax_percent: 10,
      deposit_percent: 30,
    });
    expect(lines(yen)).toEqual([3960, 500]);
    expect(figures(yen)).toEqual([4460, 335, 4125, 413, 4538, 1361, 3177]);
    const dinar = await quote({
      items: items([3, 1.2345], [0.25, 10]),
      currency: 'kwd',
      discount_percent: 1,
      tax_percent: 5,
      deposit_percent: 10,
    });
    expect(lines(dinar)).toEqual([3.704, 2.5]);
    expect(figures(dinar)).toEqual([6.204, 0.062, 6.142, 0.307, 6.449, 0.645, 5.804]);
    for (const currency of ['HUF', 'IDR', 'COP'])
      expect((await quote({ items: items([1, 0.555]), currency })).total).toBe(0.56);
  });

  it('returns zero, without a minus sign, for a discount of 100%', async () => {
    const response = await post({
      items: items([3, 9.99]),
      discount_percent: 100,
      tax_percent: 8,
      deposit_percent: 50,
    });
    const text = await response.text();
    expect(text).not.toMatch(/[:[\s"]-0/);
    expect(figures(JSON.parse(text))).toEqual([29.97, 29.97, 0, 0, 0, 0, 0]);
  });

  it('returns a validity date after the end of February', async () => {
    const now = () => Date.UTC(2028, 0, 31, 12);
    const late = testApp({ now });
    const answer = await answerOf(await late.post('/v1/quote', { items: items([1, 1]) }));
    expect([answer.issued_on, answer.valid_until]).toEqual(['2028-01-31', '2028-03-01']);
  });

  it('uses the current day in UTC', async () => {
    for (const [ms, day] of [
      [NOON + 12 * 3_600_000 - 1, '2026-11-21'],
      [NOON + 12 * 3_600_000, '2026-11-22'],
    ] as const) {
      const answer = await answerOf(
        await testApp({ now: () => ms }).post('/v1/quote', { items: items([1, 1]) }),
      );
      expect(answer.issued_on).toBe(day);
    }
  });
});

describe('the numbers in a body', () => {
  it('are corrected if a float made them slightly wrong', async () => {
    const answer = await quote(
      '{"items":[{"quantity":0.30000000000000004,"unit_price":19.990000000000002}]}',
    );
    expect(answer.items[0]).toMatchObject({ quantity: 0.3, unit_price: 19.99, line_total: 6 });
  });

  it('may be written as JSON numbers or as text', async () => {
    const answer = await quote(
      '{"items":[{"quantity":2e0,"unit_price":1.5E+1},{"unit_price":"10.50"}],"tax_percent":"10"}',
    );
    expect(lines(answer)).toEqual([30, 10.5]);
    expect(answer.tax_amount).toBe(4.05);
  });

  it.each([
    ['invalid_number', ['"1,000"', '"+5"', '"1e3"', '"0x10"', '"NaN"', '"５"', '"$5"', '1e400']],
    ['out_of_range', ['1e12', '-1e10']],
    ['too_precise', ['"0.0000001"']],
    ['invalid_type', ['true', '[5]', '{"value":5}']],
    ['required', ['""', 'null']],
  ])('are refused with %s as a unit price: %j', async (code, texts) => {
    for (const text of texts)
      expect(await faults(`{"items":[{"unit_price":${text}}]}`)).toEqual([`/items/0/unit_price ${code}`]);
  });

  it('have their default if they are null, blank or absent', async () => {
    const blank = {
      tax_percent: null,
      discount_percent: '',
      deposit_percent: ' ',
      valid_days: null,
      currency: null,
    };
    const answer = await quote({ items: [{ unit_price: 10, quantity: null, description: null }], ...blank });
    expect(answer).toEqual(await quote({ items: [{ unit_price: 10 }] }));
  });
});
