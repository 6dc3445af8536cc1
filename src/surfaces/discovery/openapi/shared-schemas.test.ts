import { expect, test } from 'vitest';
import { shareSchemas } from './components.ts';

const words = (description: string) => ({ type: 'string', description: description.padEnd(120, '.') });
const place = { type: 'object', properties: { street: words('Street'), town: words('Town') } };

test('a schema that occurs twice becomes a component named after its field', () => {
  const { Order, Place } = shareSchemas({
    Order: {
      type: 'object',
      properties: {
        place: { ...place, description: 'Where it goes.' },
        sender: { ...place, description: 'Where it comes from.' },
      },
    },
  });
  expect(Place).toEqual(place);
  expect(Order?.properties).toEqual({
    place: { $ref: '#/components/schemas/Place', description: 'Where it goes.' },
    sender: { $ref: '#/components/schemas/Place', description: 'Where it comes from.' },
  });
});

test('a part of a shared schema does not become a component itself', () => {
  const made = shareSchemas({
    A: { properties: { place } },
    B: { properties: { place, b: { type: 'null' } } },
  });
  expect(Object.keys(made)).toEqual(['A', 'B', 'Place']);
});

test('a schema that is already a component is referred to by its name', () => {
  const made = shareSchemas({ Address: place, Order: { properties: { to: place } } });
  expect(made.Order?.properties?.to).toEqual({ $ref: '#/components/schemas/Address' });
  expect(made.Address).toEqual(place);
});

test('if fields of the same name have two different schemas, each schema gets its own name', () => {
  const [first, second] = [words('First'), words('Second')];
  const made = shareSchemas({
    A: { properties: { note: first, other: { properties: { note: second } } } },
    B: { properties: { note: first, other: { properties: { note: second, b: { type: 'null' } } } } },
  });
  expect([made.Note, made.Note2]).toEqual([first, second]);
});

test('a schema that is short or occurs once stays inline', () => {
  const short = { type: 'string', description: 'Short.' };
  const given = { A: { properties: { short, long: words('Long') } }, B: { properties: { short } } };
  expect(shareSchemas(given)).toEqual(given);
});

test('fields that two answers have in common are a component that both extend, and inputs stay whole', () => {
  const names = Array.from({ length: 20 }, (_, index) => `field${index}`);
  const field = { type: 'string', description: 'Short.' };
  const common = Object.fromEntries(names.map((name) => [name, field]));
  const first = { type: 'object', properties: { ...common, x: field }, required: ['field0', 'x'] };
  const second = { type: 'object', properties: { ...common, y: field }, required: ['field0', 'field1'] };
  const closed = { ...first, additionalProperties: false };
  const made = shareSchemas({
    First: first,
    Order: { properties: { second: { ...second, description: 'It.' } } },
    closed,
  });
  const { field1, ...base } = common;
  expect(made).toEqual({
    First: {
      allOf: [
        { $ref: '#/components/schemas/SecondBase' },
        { type: 'object', properties: { field1, x: field }, required: ['x'] },
      ],
    },
    Order: {
      properties: {
        second: {
          description: 'It.',
          allOf: [
            { $ref: '#/components/schemas/SecondBase' },
            { type: 'object', properties: { field1, y: field }, required: ['field1'] },
          ],
        },
      },
    },
    closed,
    SecondBase: { type: 'object', properties: base, required: ['field0'] },
  });
});

test('two answers extend the same component even if they list its fields in another order', () => {
  const field = { type: 'string', description: 'Short.'.padEnd(400, '.') };
  const first = { type: 'object', properties: { a: field, b: field, x: { type: 'null' } } };
  const second = { type: 'object', properties: { b: field, a: field, y: { type: 'null' } } };
  const made = shareSchemas({ First: first, Second: second });
  expect([made.First?.allOf, made.Second?.allOf]).toEqual([
    [{ $ref: '#/components/schemas/SecondBase' }, { type: 'object', properties: { x: { type: 'null' } } }],
    [{ $ref: '#/components/schemas/SecondBase' }, { type: 'object', properties: { y: { type: 'null' } } }],
  ]);
});
