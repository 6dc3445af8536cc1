import { describe, it } from 'vitest';
import { beside, isRepaired, line, one, PACK, priced, QUOTE, type Row } from './wrong-request.ts';

type Misnamed = readonly [
  path: string,
  name: string,
  value: unknown,
  says: string[],
  right: Readonly<Record<string, unknown>>,
];

const names: readonly Misnamed[] = [
  [QUOTE, 'tax_rate', 20, ['tax_percent'], { tax_percent: 20 }],
  [QUOTE, 'vat', 20, ['tax_percent'], { tax_percent: 20 }],
  [QUOTE, 'discount', 5, ['discount_amount'], { discount_amount: 5 }],
  [QUOTE, 'discount', 10, ['discount_percent'], { discount_percent: 10 }],
  [QUOTE, 'deposit', 200, ['deposit_amount'], { deposit_amount: 200 }],
  [PACK, 'deposit', 50, ['deposit_percent'], { deposit_percent: 50 }],
  [QUOTE, 'validUntil', '2026-12-31', ['valid_days'], { valid_days: 40 }],
  [PACK, 'valid_until', '2026-12-31', ['valid_days'], { valid_days: 40 }],
  [QUOTE, 'tax_included', true, ['prices_include_tax', 'true'], { prices_include_tax: true }],
  [QUOTE, 'tax_amount', 90, ['tax_percent'], { tax_percent: 20 }],
  [QUOTE, 'customer_name', 'Ann', ['leave'], {}],
  [PACK, 'markup', 30, ['better_markup_percent'], { better_markup_percent: 30 }],
  [PACK, 'company', 'A', ['business_name'], { business_name: 'A' }],
  [
    PACK,
    'option_names',
    ['A', 'B', 'C'],
    ['better_name'],
    { good_name: 'A', better_name: 'B', best_name: 'C' },
  ],
  [PACK, 'good_adds', ['x'], ['leave'], {}],
  [QUOTE, 'Currency', 'EUR', ['currency?'], { currency: 'EUR' }],
];

const lineNames: readonly Misnamed[] = [
  [QUOTE, 'tax', 20, ['tax_percent', 'line'], { tax_percent: 20 }],
  [QUOTE, 'name', 'Lawn', ['description'], { description: 'Lawn' }],
  [QUOTE, 'qty', 2, ['quantity'], { quantity: 2 }],
  [QUOTE, 'hours', 2, ['quantity'], { quantity: 2 }],
  [QUOTE, 'total', 450, ['leave'], {}],
  [QUOTE, 'taxable', false, ['tax_percent 0'], { tax_percent: 0 }],
  [QUOTE, 'discount', 10, ['discount_percent'], { discount_percent: 10 }],
  [QUOTE, 'tier', 'good', ['leave'], {}],
  [QUOTE, 'markup', false, ['leave'], {}],
];

/** Names for the price of a line, which is then missing. */
const priceNames = [
  ['rate', 'unit_price'],
  ['amount', 'unit_price'],
  ['unitPrice', 'unit_price?'],
  ['price', 'unit_price'],
] as const;

const rows: readonly Row[] = [
  ...names.map(
    ([path, name, value, says, right]): Row => [
      path,
      beside({ [name]: value }),
      [`/${name} unknown_field`],
      says,
      beside(right),
    ],
  ),
  ...lineNames.map(
    ([path, name, value, says, right]): Row => [
      path,
      line({ [name]: value }),
      [`/items/0/${name} unknown_field`],
      says,
      line(right),
    ],
  ),
  ...priceNames.map(
    ([name, says]): Row => [
      QUOTE,
      { items: [{ [name]: 75 }] },
      ['/items/0/unit_price required', `/items/0/${name} unknown_field`],
      [says],
      priced(75),
    ],
  ),
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
    priced(450),
  ],
  [
    QUOTE,
    line({ currency: 'EUR' }),
    ['/items/0/currency unknown_field'],
    ['currency at the top level'],
    beside({ currency: 'EUR' }),
  ],
  [PACK, line({ markup_percent: 0 }), ['/items/0/unit_cost price_and_cost'], ['unit_cost'], line({})],
  [
    PACK,
    { items: [one, { ...one, option: 'best' }] },
    ['/items/1/option unknown_field'],
    ['tier', 'good, better or best'],
    { items: [one, { ...one, tier: 'best' }] },
  ],
];

describe('a wrong name', () => {
  it.each(rows)('can be corrected from its error alone: %s %j', (...row) => isRepaired(row));
});
