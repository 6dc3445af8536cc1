import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asWritten, formValues, rawValues, valuesQuery } from './form-values.ts';

const pairs = (query: string) => new URLSearchParams(query);

describe('the values of a form', () => {
  it('are strings by name, and rows of lists in order', () => {
    const written = formValues(pairs('amount=5&items.name=a&items.price=1&items.name=b&items.price=2&rate='));
    expect(written).toEqual({
      fields: { amount: '5', rate: '' },
      lists: {
        items: [
          { name: 'a', price: '1' },
          { name: 'b', price: '2' },
        ],
      },
    });
    expect(rawValues(written)).toEqual({ amount: '5', items: written.lists.items });
  });

  it('omit empty rows and fields', () => {
    const written = formValues(
      pairs('amount=+&items.name=&items.price=+&items.name=b&items.price=&items.name=&items.price='),
    );
    expect(rawValues(written)).toEqual({ items: [{ name: 'b' }] });
    expect(rawValues(formValues(pairs('items.name=&items.price=')))).toEqual({});
  });

  it('have only names that the form has', () => {
    const isKnown = (name: string) => name === 'amount';
    expect(formValues(pairs('amount=5&utm_source=mail&__proto__=x&constructor.a=1'), isKnown)).toEqual({
      fields: { amount: '5' },
      lists: {},
    });
  });

  it('may be named like members of a prototype', () => {
    const written = formValues(pairs('__proto__=x&__proto__.polluted=1&constructor=y'));
    expect(rawValues(written)).toMatchObject({ constructor: 'y' });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('are the same in the part of a link after the #', () => {
    const text = fc.string({ minLength: 1, maxLength: 20 }).filter((value) => value.trim() !== '');
    const row = fc.record({ name: text, price: text });
    fc.assert(
      fc.property(fc.record({ amount: text, due: text }), fc.array(row, { maxLength: 5 }), (fields, rows) => {
        const values = { fields, lists: rows.length === 0 ? {} : { items: rows } };
        expect(formValues(pairs(valuesQuery(values)))).toEqual(values);
      }),
    );
  });
});

describe('an API input that is converted for a form', () => {
  it('has only strings', () => {
    expect(asWritten({ amount: 1250.5, free_only: true, items: [{ name: 'a', price: 2 }] })).toEqual({
      fields: { amount: '1250.5', free_only: 'true' },
      lists: { items: [{ name: 'a', price: '2' }] },
    });
  });
});
