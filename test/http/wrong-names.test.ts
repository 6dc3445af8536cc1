import { describe, expect, it } from 'vitest';
import { beside, isRepaired, line, one, PACK, priced, QUOTE, type Row } from './wrong-request.ts';

const names: Row[] = [
  [
    QUOTE,
    beside({ tax_rate: 20 }),
    ['/tax_rate unknown_field'],
    ['tax_percent'],
    beside({ tax_percent: 20 }),
  ],
  [QUOTE, beside({ vat: 20 }), ['/vat unknown_field'], ['tax_percent'], beside({ tax_percent: 20 })],
  [
    QUOTE,
    beside({ discount: 5 }),
    ['/discount unknown_field'],
    ['discount_amount'],
    beside({ discount_amount: 5 }),
  ],
  [
    QUOTE,
    beside({ discount: 10 }),
    ['/discount unknown_field'],
    ['discount_percent'],
    beside({ discount_percent: 10 }),
  ],
  [
    QUOTE,
    beside({ deposit: 200 }),
    ['/deposit unknown_field'],
    ['deposit_amount'],
    beside({ deposit_amount: 200 }),
  ],
  [
    PACK,
    beside({ deposit: 50 }),
    ['/deposit unknown_field'],
    ['deposit_percent'],
    beside({ deposit_percent: 50 }),
  ],
  [
    QUOTE,
    beside({ validUntil: '2026-12-31' }),
    ['/validUntil unknown_field'],
    ['valid_days'],
    beside({ valid_days: 40 }),
  ],
  [
    PACK,
    beside({ valid_until: '2026-12-31' }),
    ['/valid_until unknown_field'],
    ['valid_days'],
    beside({ valid_days: 40 }),
  ],
  [
    QUOTE,
    beside({ tax_included: true }),
    ['/tax_included unknown_field'],
    ['prices_include_tax', 'true'],
    beside({ prices_include_tax: true }),
  ],
  [
    QUOTE,
    beside({ tax_amount: 90 }),
    ['/tax_amount unknown_field'],
    ['tax_percent'],
    beside({ tax_percent: 20 }),
  ],
  [QUOTE, beside({ customer_name: 'Ann' }), ['/customer_name unknown_field'], ['leave'], beside({})],
  [
    QUOTE,
    { line_items: [one] },
    ['/items required', '/line_items unknown_field'],
    ['items', 'list'],
    beside({}),
  ],
  [
    QUOTE,
    { unit_price: 450 },
    ['/items required', '/unit_price unknown_field'],
    ['{"items":[{"unit_price":450}]}'],
    { items: [{ unit_price: 450 }] },
  ],
  [
    PACK,
    beside({ markup: 30 }),
    ['/markup unknown_field'],
    ['better_markup_percent'],
    beside({ better_markup_percent: 30 }),
  ],
  [
    PACK,
    beside({ company: 'A' }),
    ['/company unknown_field'],
    ['business_name'],
    beside({ business_name: 'A' }),
  ],
  [
    PACK,
    beside({ option_names: ['A', 'B', 'C'] }),
    ['/option_names unknown_field'],
    ['better_name'],
    beside({ good_name: 'A', better_name: 'B', best_name: 'C' }),
  ],
  [PACK, beside({ good_adds: ['x'] }), ['/good_adds unknown_field'], ['leave'], beside({})],
  [
    QUOTE,
    beside({ Currency: 'EUR' }),
    ['/Currency unknown_field'],
    ['currency?'],
    beside({ currency: 'EUR' }),
  ],
];

const lineNames: Row[] = [
  [
    QUOTE,
    line({ tax: 20 }),
    ['/items/0/tax unknown_field'],
    ['tax_percent', 'line'],
    line({ tax_percent: 20 }),
  ],
  [
    QUOTE,
    { items: [{ rate: 75 }] },
    ['/items/0/unit_price required', '/items/0/rate unknown_field'],
    ['unit_price'],
    priced(75),
  ],
  [
    QUOTE,
    { items: [{ amount: 75 }] },
    ['/items/0/unit_price required', '/items/0/amount unknown_field'],
    ['unit_price'],
    priced(75),
  ],
  [
    QUOTE,
    { items: [{ unitPrice: 75 }] },
    ['/items/0/unit_price required', '/items/0/unitPrice unknown_field'],
    ['unit_price?'],
    priced(75),
  ],
  [
    QUOTE,
    { items: [{ price: 75 }] },
    ['/items/0/unit_price required', '/items/0/price unknown_field'],
    ['unit_price'],
    priced(75),
  ],
  [
    QUOTE,
    line({ name: 'Lawn' }),
    ['/items/0/name unknown_field'],
    ['description'],
    line({ description: 'Lawn' }),
  ],
  [QUOTE, line({ qty: 2 }), ['/items/0/qty unknown_field'], ['quantity'], line({ quantity: 2 })],
  [QUOTE, line({ hours: 2 }), ['/items/0/hours unknown_field'], ['quantity'], line({ quantity: 2 })],
  [QUOTE, line({ total: 450 }), ['/items/0/total unknown_field'], ['leave'], line({})],
  [
    QUOTE,
    line({ taxable: false }),
    ['/items/0/taxable unknown_field'],
    ['tax_percent 0'],
    line({ tax_percent: 0 }),
  ],
  [
    QUOTE,
    line({ discount: 10 }),
    ['/items/0/discount unknown_field'],
    ['discount_percent'],
    line({ discount_percent: 10 }),
  ],
  [
    QUOTE,
    line({ currency: 'EUR' }),
    ['/items/0/currency unknown_field'],
    ['currency at the top level'],
    beside({ currency: 'EUR' }),
  ],
  [QUOTE, line({ tier: 'good' }), ['/items/0/tier unknown_field'], ['leave'], line({})],
  [QUOTE, line({ markup: false }), ['/items/0/markup unknown_field'], ['leave'], line({})],
  [PACK, line({ markup_percent: 0 }), ['/items/0/unit_cost price_and_cost'], ['unit_cost'], line({})],
  [
    PACK,
    { items: [one, { ...one, option: 'best' }] },
    ['/items/1/option unknown_field'],
    ['tier', 'good, better or best'],
    { items: [one, { ...one, tier: 'best' }] },
  ],
];

const rows = [...names, ...lineNames];

describe('a wrong name can be corrected from its error alone', () => {
  it('in at least twenty known cases', () => {
    expect(rows.length).toBeGreaterThanOrEqual(20);
  });

  it.each(rows)('as in %s %j', (...row) => isRepaired(row));
});
