import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Operation } from '../../src/catalog/operation.ts';
import { inputSchema, type Schema } from '../../src/catalog/schema.ts';
import { type Day, parseDay } from '../../src/domain/calendar.ts';
import { requestHash, withoutForm } from '../../src/exchange/purchase.ts';
import { validate } from '../../src/exchange/validate.ts';
import { paymentRules } from '../../src/surfaces/discovery/payment-guide.ts';
import { catalog } from '../support/app.ts';

type Vector = { operation: string; input: Record<string, unknown>; digest: string };
const vectors = ['request-digests.json', 'request-digests-quotes.json'].flatMap((file): Vector[] =>
  JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), 'utf8')),
);
const today = parseDay('2026-11-21') as Day;

function digestOf(name: string, values: Record<string, unknown>): string {
  const operation = catalog.find((one) => one.name === name) as Operation;
  const validated = validate(operation, { values, faults: [] }, { today });
  if (!validated.ok) throw new Error(JSON.stringify(validated.faults));
  return requestHash(name, withoutForm(validated.input, operation.form));
}

// A payment may be presented again after an update, and is answered for the request that it was made for.
it.each(vectors)(
  '$operation $input has the digest that it had when it was first sold',
  ({ operation, input, digest }) => {
    expect(digestOf(operation, input)).toBe(digest);
  },
);

it('omitted, blank and default fields add nothing to the digest', () => {
  const input = { items: [{ unit_price: 10 }] };
  const later = {
    items: [
      { unit_price: 10, tax_percent: null, tier: 'good', tiers: ['best', 'better', 'good'], markup: true },
    ],
    discount_amount: '',
    deposit_amount: null,
    prices_include_tax: false,
    better_adds: [],
    best_adds: ' ; ',
    good_name: ' ',
    round_unit_to: null,
    better_markup_percent: 25,
    trade: '',
  };
  expect(digestOf('quote_pack', later)).toBe(digestOf('quote_pack', input));
});

it('a field that differs from its default makes another request', () => {
  const items = [{ unit_price: 10 }];
  const requests = [
    { items },
    { items: [{ unit_price: 10, tax_percent: 0 }] },
    { items: [{ unit_price: 10, markup: false }] },
    { items: [...items, { unit_price: 1 }] },
    { items: [...items, { unit_price: 1, tier: 'best' }] },
    { items: [...items, { unit_price: 1, tiers: ['good', 'best'] }] },
    { items, discount_amount: 0 },
    { items, deposit_amount: 1 },
    { items, prices_include_tax: true },
    { items, better_adds: ['a', 'b'] },
    { items, best_adds: ['a', 'b'] },
    { items, better_name: 'a' },
    { items, round_unit_to: 5 },
  ];
  expect(new Set(requests.map((request) => digestOf('quote_pack', request))).size).toBe(requests.length);
});

const NOTICE_FIELDS = inputSchema(catalog.find(({ name }) => name === 'late_fee_notice') as Operation)
  .properties as object;

it('a request that sends a default has the same digest as one that omits it, except where the documents say otherwise', () => {
  const exceptions = /\bdefault\b[^()]*\(([^)]*)\)/.exec(paymentRules.join(' '))?.[1];
  const told = exceptions?.split(' ').filter((word) => Object.hasOwn(NOTICE_FIELDS, word));
  const others = catalog
    .filter(({ price }) => price !== null)
    .flatMap((operation) => {
      const digest = (values: Record<string, unknown>) => digestOf(operation.name, values);
      const needed = Object.fromEntries(
        Object.entries(operation.example).filter(([name]) =>
          (inputSchema(operation).required as string[]).includes(name),
        ),
      );
      return Object.entries(inputSchema(operation).properties as Record<string, Schema>)
        .map(([name, field]) => [
          name,
          field.default ?? / Default: ([0-9.]+)\.$/.exec(String(field.description))?.[1],
        ])
        .filter(([name, value]) => value !== undefined && !(String(name) in needed))
        .filter(([name, value]) => digest({ ...needed, [String(name)]: value }) !== digest(needed))
        .map(([name]) => name);
    });
  expect(others).toEqual(told);
});
