import fc from 'fast-check';
import { build } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';
import { islandOptions } from '../../scripts/islands.js';
import type { Validated } from '../../src/exchange/validate.ts';
import * as service from './reckonings.ts';

let page: typeof service;

beforeAll(async () => {
  // The page scripts are bundled in the same way as in scripts/build.js.
  const { output } = await build({
    input: 'test/pages/reckonings.ts',
    ...islandOptions,
    output: { format: 'esm' },
    write: false,
  });
  page = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
});

const anything = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '1250',
    '0',
    '1.5',
    '-3',
    '1,5',
    '2026-11-04',
    '2026-02-30',
    'GB',
    'EUR',
    'flat',
    'true',
  ),
  fc.double(),
  fc.string(),
  fc.constantFrom(null, undefined, true, [], {}, [1], '[{"unit_price":1}]'),
);
const named = (names: readonly string[]) =>
  fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), anything, { noNullPrototype: true });
const good = fc.record(
  {
    amount: fc.integer({ min: 1, max: 1_000_000 }).map(String),
    due_date: fc.constantFrom('2026-11-04', '2025-02-28', '2026-12-31'),
  },
  { noNullPrototype: true },
);
const item = named(['description', 'quantity', 'unit_price', 'tax_percent', 'qty']);

/** Hints are for programs; a page explains errors in its own words and contains no hints. */
const unhinted = (outcome: unknown): unknown => {
  const { validated, ...rest } = outcome as { validated: Validated };
  if (validated.ok) return outcome;
  return {
    ...rest,
    validated: { ok: false, faults: validated.faults.map(({ hint: _, ...fault }) => fault) },
  };
};

describe('a page and the service', () => {
  it('give the same answer for any input of a late fee', () => {
    const names = service.fieldNames('late_fee');
    const written = fc.tuple(named([...names, 'tone', 'date']), fc.option(good, { nil: {} }));
    fc.assert(
      fc.property(written, ([some, valid]) => {
        const values = { ...some, ...valid };
        expect(unhinted(page.outcomeOf('late_fee', values))).toEqual(
          unhinted(service.outcomeOf('late_fee', values)),
        );
      }),
    );
  });

  it('give the same result for any input of a quote', () => {
    const names = service.fieldNames('quote_totals');
    const price = fc.record({ unit_price: fc.integer({ min: -5, max: 9_999 }).map(String) });
    const lines = fc.oneof(
      fc.array(fc.tuple(item, price).map(([some, valid]) => ({ ...some, ...valid }))),
      fc.array(price),
      fc.array(fc.oneof(item, anything)),
      anything,
    );
    fc.assert(
      fc.property(named([...names, 'business_name', 'lines']), lines, (some, items) => {
        const values = { ...some, items };
        expect(unhinted(page.outcomeOf('quote_totals', values))).toEqual(
          unhinted(service.outcomeOf('quote_totals', values)),
        );
      }),
    );
  });

  it('show the same for any text', () => {
    const hostile = fc.oneof(fc.string(), fc.constantFrom('<b>"&\'</b>', '</svg><script>'));
    const line = fc.record({
      description: hostile,
      quantity: fc.constant('2'),
      unit_price: fc.constant('4.5'),
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (items) => {
        const shown = page.shownOf('quote_totals', { items, tax_percent: '20' });
        expect(shown).toBe(service.shownOf('quote_totals', { items, tax_percent: '20' }));
        expect(shown).not.toContain('<script');
      }),
      { numRuns: 200 },
    );
    for (const more of [
      {},
      { grace_days: '5' },
      { rate_type: 'flat', rate: '40', currency: 'EUR' },
      { jurisdiction: 'GB', currency: 'GBP' },
    ]) {
      const values = { amount: '1250', due_date: '2026-11-04', ...more };
      expect(page.shownOf('late_fee', values)).toBe(service.shownOf('late_fee', values));
      expect(page.shownOf('late_fee', values)).toContain('<dl class="figures">');
    }
  });

  it('are compared here with some inputs that have an answer and some that have errors', () => {
    const values = { amount: '1250', due_date: '2026-11-04', paid_date: '2026-11-21' };
    expect(page.outcomeOf('late_fee', values)).toMatchObject({ answer: { body: { late_fee: 10.63 } } });
    expect(page.outcomeOf('quote_totals', { items: [{ unit_price: '5' }] })).toMatchObject({
      answer: { body: { total: 5 } },
    });
    expect(page.outcomeOf('quote_totals', { items: [{ price: '5' }] })).toMatchObject({
      validated: {
        faults: [{ pointer: '/items/0/unit_price' }, { pointer: '/items/0/price', code: 'unknown_field' }],
      },
    });
  });
});
