import { describe, expect, it } from 'vitest';
import { factsIn } from '../support/facts.ts';
import { app, beside, isRepaired, line, one, PACK, priced, QUOTE, type Row } from './wrong-request.ts';
import { values } from './wrong-values.ts';

const between: Row[] = [
  [
    QUOTE,
    beside({ discount_percent: 5, discount_amount: 10 }),
    ['/discount_amount percent_and_amount'],
    ['one'],
    beside({ discount_amount: 10 }),
  ],
  [
    PACK,
    beside({ deposit_percent: 50, deposit_amount: 100 }),
    ['/deposit_amount percent_and_amount'],
    ['one'],
    beside({ deposit_percent: 50 }),
  ],
  [
    QUOTE,
    beside({ discount_amount: 500 }),
    ['/discount_amount out_of_range'],
    ['450.00'],
    beside({ discount_amount: 450 }),
  ],
  [
    PACK,
    beside({ deposit_amount: 1000 }),
    ['/deposit_amount out_of_range'],
    ['450.00'],
    beside({ deposit_amount: 450 }),
  ],
  [
    QUOTE,
    beside({ discount_amount: 10.555 }),
    ['/discount_amount too_precise'],
    ['2 decimal places'],
    beside({ discount_amount: 10.56 }),
  ],
  [
    QUOTE,
    beside({ deposit_amount: 10.5, currency: 'JPY' }),
    ['/deposit_amount too_precise'],
    ['decimal places'],
    beside({ deposit_amount: 11, currency: 'JPY' }),
  ],
  [QUOTE, priced(-100), ['/items negative_subtotal'], ['negative'], { items: [one, { unit_price: -100 }] }],
  [
    QUOTE,
    {
      items: [
        { unit_price: 100, tax_percent: 0 },
        { unit_price: -100, tax_percent: 20 },
      ],
    },
    ['/items negative_total'],
    ['tax_percent'],
    {
      items: [
        { unit_price: 100, tax_percent: 0 },
        { unit_price: -100, tax_percent: 0 },
      ],
    },
  ],
  [
    QUOTE,
    { items: [{ unit_price: 1e9, quantity: 1001 }] },
    ['/items/0 total_too_large', '/items total_too_large'],
    ['split'],
    { items: [{ unit_price: 1e9, quantity: 900 }] },
  ],
  [
    PACK,
    beside({ best_markup_percent: 20 }),
    ['/best_markup_percent best_below_better'],
    ['20', '25'],
    beside({ best_markup_percent: 20, better_markup_percent: 20 }),
  ],
  [PACK, line({ tier: 'better' }), ['/items no_good_line'], ['tier'], line({})],
  [
    PACK,
    beside({ better_name: 'Pro', best_name: 'pro' }),
    ['/best_name same_name'],
    ['name'],
    beside({ better_name: 'Pro', best_name: 'Pro Max' }),
  ],
];

const bodies: Row[] = [
  [QUOTE, {}, ['/items required'], ['1 to 100'], beside({})],
  [QUOTE, { items: one }, ['/items invalid_list'], ['1 to 100'], beside({})],
  [QUOTE, { items: [] }, ['/items invalid_list'], ['1 to 100'], beside({})],
  [QUOTE, { items: [450] }, ['/items/0 invalid_type'], ['object'], beside({})],
  [QUOTE, '{"items":[{"unit_price":450}],}', [' invalid_json'], ['31'], beside({})],
  [QUOTE, [one], [' invalid_json'], ['{"items":[{"unit_price":450}]}'], beside({})],
  [
    QUOTE,
    '{"items":[{"unit_price":450}],"tax_percent":0,"tax_percent":20}',
    ['/tax_percent repeated_field'],
    ['once'],
    beside({ tax_percent: 20 }),
  ],
];

const rows = [...values, ...between, ...bodies];

describe('a wrong value', () => {
  it.each(rows)('can be corrected from its error alone: %s %j', (...row) => isRepaired(row));
});

describe('a likely slip', () => {
  it.each([
    [QUOTE, beside({ tax_percent: 0.08 }), ['0.08%', '8%', '8']],
    [QUOTE, beside({ tax_percent: 0.0825 }), ['0.0825%', '8.25%', '8.25']],
    [QUOTE, line({ tax_percent: 0.2 }), ['0.2%', '20%', '20']],
    [
      QUOTE,
      beside({ discount_percent: 0.05, deposit_percent: 0.5 }),
      ['0.05%', '5%', '5', '0.5%', '50%', '50'],
    ],
    [QUOTE, beside({ discount_percent: 75 }), ['75%']],
  ])('is answered with a warning: %s %j', async (path, body, facts) => {
    const answer = (await (await app.post(path, body)).json()) as { warnings: string[] };
    expect(factsIn(answer.warnings[0])).toEqual(facts);
  });
});
