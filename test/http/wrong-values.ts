import { beside, line, PACK, priced, QUOTE, type Row } from './wrong-request.ts';

type Wrong = readonly [
  path: string,
  name: string,
  wrong: unknown,
  code: string,
  says: string[],
  right: unknown,
];

const prices: readonly (readonly [wrong: unknown, code: string, says: string[], right: unknown])[] = [
  ['$450', 'invalid_number', ['no currency'], '450'],
  ['1,250.00', 'invalid_number', ['grouping', '1250.00'], '1250.00'],
  [0.123456789, 'too_precise', ['6 decimal places'], 0.123457],
  ['0.1234567', 'too_precise', ['6 decimal places'], '0.123457'],
  [true, 'invalid_type', ['12.5'], 12.5],
];

const ofLine: readonly Wrong[] = [
  [QUOTE, 'quantity', 0, 'out_of_range', [' 0'], 1],
  [QUOTE, 'quantity', 2_000_000, 'out_of_range', ['1000000'], 1_000_000],
  [QUOTE, 'description', 5, 'invalid_type', ['text'], '5'],
  [QUOTE, 'description', 'x'.repeat(201), 'too_long', ['200'], 'x'.repeat(200)],
  [QUOTE, 'tax_percent', 120, 'out_of_range', [' 100'], 20],
  [PACK, 'tier', 'premium', 'invalid_choice', ['good, better, best'], 'good'],
  [PACK, 'markup', 'no', 'invalid_choice', ['true'], false],
];

const ofAll: readonly Wrong[] = [
  [QUOTE, 'tax_percent', '20%', 'invalid_number', ['percent sign'], '20'],
  [QUOTE, 'tax_percent', -5, 'out_of_range', [' 0'], 0],
  [QUOTE, 'currency', 'USDC', 'invalid_currency', ['USD?'], 'USD'],
  [QUOTE, 'currency', 'US$', 'invalid_currency', ['USD, EUR or JPY'], 'USD'],
  [QUOTE, 'valid_days', '30 days', 'invalid_integer', ['1 to 365'], 30],
  [QUOTE, 'valid_days', 400, 'out_of_range', ['1 to 365'], 365],
  [QUOTE, 'prices_include_tax', 'yes', 'invalid_choice', ['true'], true],
  [PACK, 'better_adds', 5, 'invalid_type', ['["Weekly progress report"]'], ['Weekly progress report']],
  [PACK, 'better_adds', Array(11).fill('x'), 'too_many', [' 10'], Array(10).fill('x')],
  [PACK, 'better_markup_percent', 2000, 'out_of_range', [' 1000'], 1000],
  [PACK, 'round_unit_to', 0.001, 'too_precise', ['0.05, 0.5, 1 or 5'], 0.05],
  [PACK, 'best_name', 'x'.repeat(41), 'too_long', [' 40'], 'x'.repeat(40)],
];

/** Rejected values of single fields, each with the correction that its error suggests. */
export const values: readonly Row[] = [
  ...prices.map(
    ([wrong, code, says, right]): Row => [
      QUOTE,
      priced(wrong),
      [`/items/0/unit_price ${code}`],
      says,
      priced(right),
    ],
  ),
  ...ofLine.map(
    ([path, name, wrong, code, says, right]): Row => [
      path,
      line({ [name]: wrong }),
      [`/items/0/${name} ${code}`],
      says,
      line({ [name]: right }),
    ],
  ),
  ...ofAll.map(
    ([path, name, wrong, code, says, right]): Row => [
      path,
      beside({ [name]: wrong }),
      [`/${name} ${code}`],
      says,
      beside({ [name]: right }),
    ],
  ),
];
