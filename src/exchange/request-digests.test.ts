import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Operation } from '../catalog/operation.ts';
import { type Day, parseDay } from '../domain/calendar.ts';
import quote from '../operations/quote.ts';
import quotePack from '../operations/quote-pack.ts';
import { requestHash } from './purchase.ts';
import { validate } from './validate.ts';

type Vector = { operation: string; input: Record<string, unknown>; digest: string };

const vectors = JSON.parse(
  readFileSync(new URL('../../test/vectors/request-digests-quotes.json', import.meta.url), 'utf8'),
) as Vector[];
const today = parseDay('2026-11-21') as Day;
const operations: Record<string, unknown> = { quote_totals: quote, quote_pack: quotePack };

function digestOf(name: string, values: Record<string, unknown>): string {
  const validated = validate(operations[name] as Operation, { values, faults: [] }, { today });
  if (!validated.ok) throw new Error(JSON.stringify(validated.faults));
  return requestHash(name, validated.input);
}

// A payment may be presented again after an update, and is answered for the request that it was made for.
it.each(vectors)('$operation of release 1.0.0 keeps its digest $digest', ({ operation, input, digest }) => {
  expect(digestOf(operation, input)).toBe(digest);
});

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
