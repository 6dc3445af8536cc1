import { describe, expect, it } from 'vitest';
import { catalog } from '../../../test/support/app.ts';
import type { Operation } from '../../catalog/operation.ts';
import { formOf } from './form-fields.ts';
import { readWritten } from './form-reading.ts';
import { formValues } from './form-values.ts';

const named = (path: string) => formOf(catalog.find(({ page }) => page?.path === path) as Operation);
const lateFee = named('/late-invoice');
const quote = named('/quote');
const read = (form: typeof quote, query: string) =>
  readWritten(form, formValues(new URLSearchParams(query)), ',');

describe('form text that is sent to the API', () => {
  it('has plain numbers, and the currency of a sign', () => {
    expect(read(lateFee, 'amount=£1,250.50&rate=1.5%25&client_name=1,250')).toMatchObject({
      values: {
        fields: { amount: '1250.50', rate: '1.5', client_name: '1,250', currency: 'GBP' },
        lists: {},
      },
      faults: [],
    });
  });

  it('is converted in the same way in rows', () => {
    const { values, faults } = read(
      quote,
      'items.description=12,5&items.quantity=1.250,00&items.unit_price=€7,25',
    );
    expect(values.lists.items).toEqual([{ description: '12,5', quantity: '1250.00', unit_price: '7.25' }]);
    expect(values.fields.currency).toBe('EUR');
    expect(faults).toEqual([]);
  });

  it('may contain the word "days" only in fields that count days', () => {
    expect(read(quote, 'items.unit_price=5&valid_days=7 days').values.fields.valid_days).toBe('7');
    expect(read(quote, 'items.unit_price=5 days').faults).toMatchObject([
      { pointer: '/items/0/unit_price', detail: 'is not a number of days' },
    ]);
  });

  it('keeps plain text digit for digit', () => {
    const plain = '?amount=1250.5&rate=0.125&grace_days=10';
    expect(read(lateFee, plain).values.fields).toEqual({ amount: '1250.5', rate: '0.125', grace_days: '10' });
  });

  it.each([
    ['amount=1.250', '/amount', /\b1\.25 or 1250\b.*\?$/],
    ['amount=twelve', '/amount', /\b1250\.00$/],
    ['amount=-5', '/amount', /\bminus\b/],
    ['amount=5%25', '/amount', /\bsum\b.*\bpercentage\b/],
    ['currency=USD&amount=£5', '/amount', /\bcurrency\b.*\bUSD\b/],
    ['rate=£40', '/rate', /\bpercentage\b.*£40\b/],
    ['rate_type=flat&rate=40%25', '/rate', /\bsum\b.*\bpercentage\b/],
    ['rate_type=flat', '/rate', /\bfee\b/],
    ['rate_type=annual_percent', '/rate', /\bpercent\b/],
  ])('causes a question about %s', (query, pointer, detail) => {
    const { values, faults } = read(lateFee, query);
    expect(faults).toMatchObject([{ pointer, detail: expect.stringMatching(detail) }]);
    expect(values.fields[pointer.slice(1)]).toBeUndefined();
  });

  it('causes an error if a percentage is entered as a quantity', () => {
    expect(read(quote, 'items.unit_price=1&items.quantity=50%25').faults).toMatchObject([
      { detail: expect.stringMatching(/\bnumber\b.*\bpercentage\b/) },
    ]);
  });

  it('causes questions that name a line by its number', () => {
    expect(read(quote, 'items.unit_price=1&items.unit_price=1.250').faults).toMatchObject([
      { pointer: '/items/1/unit_price' },
    ]);
  });

  it.each([
    ['items.unit_price=€10&items.unit_price=$10', '/items/1/unit_price', 'EUR'],
    ['items.unit_price=10&items.unit_price=£10&items.unit_price=10+kr', '/items/2/unit_price', 'GBP'],
    ['items.unit_price=€10&deposit_amount=£5', '/deposit_amount', 'EUR'],
  ])('is rejected if a quote has two currencies: %s', (query, pointer, currency) => {
    const { values, faults } = read(quote, query);
    expect(faults).toMatchObject([{ pointer, detail: expect.stringContaining('currency') }]);
    expect(values.fields.currency).toBe(currency);
  });

  it.each([
    ['items.unit_price=$10&items.unit_price=CA$5', 'CAD'],
    ['items.unit_price=10+kr&items.unit_price=20+NOK&items.unit_price=5', 'NOK'],
  ])('has the only currency that fits all signs: %s', (query, currency) => {
    const { values, faults } = read(quote, query);
    expect(faults).toEqual([]);
    expect(values.fields.currency).toBe(currency);
  });

  it('may have a sign that fits the chosen currency', () => {
    expect(read(lateFee, 'currency=CAD&amount=$5')).toMatchObject({
      values: { fields: { amount: '5', currency: 'CAD' } },
      faults: [],
    });
  });
});
