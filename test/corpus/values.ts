import type { Random } from '../soak/random.ts';

/** Named raw values of a request, in their order. */
export type Values = Record<string, unknown>;

const ODD_TEXTS = [
  '',
  ' ',
  ...'0 -0 +5'.split(' '),
  ' 5 ',
  ...'1e3 0x10 1,000 $5 NaN -1 1.0000001 0.0000001'.split(' '),
  '9'.repeat(41),
  ...'1000000000000 2026-02-29 2026-2-9 1969-12-31 10000-01-01'.split(' '),
  ' 2026-05-05 ',
  'true',
  'null',
  'US Dollar',
  // ISO 4217 for no currency
  'XXX',
  'usd ',
  ...'UK __proto__ constructor'.split(' '),
  '\u202eabc',
  '\u{e0041}x',
  'e\u0301e\u0301',
  'x'.repeat(400),
  '\u0301'.repeat(300),
  '[{"unit_price":5}]',
  '\'"<b>&amp;',
  'Caf\u00e9 \u{1f44d}\u200d\n two',
] as const;
const ODD_NUMBERS = [0, -0, -1, 0.1 + 0.2, 1e-7, 1e12, 1e21, 1e300, 19.995, 2 ** 53, 1.0000005, 33.333333];
const ODD_VALUES = [null, true, false, [], {}, [[]], [null], { a: 1 }] as const;
const ODD_NAMES = 'tax_rate clientName amuont date as_of currency_code Amount __proto__ toString'.split(' ');

/** Values that are wrong in some way, or nearly wrong. */
export function odd(random: Random): unknown {
  if (random.chance(0.55)) return random.pick(ODD_TEXTS);
  return random.chance(0.6) ? random.pick(ODD_NUMBERS) : random.pick(ODD_VALUES);
}

const dayOf = (random: Random): string =>
  new Date(Date.UTC(random.whole(2019, 2028), random.whole(0, 11), random.whole(1, 31)))
    .toISOString()
    .slice(0, 10);

/** A decimal in the notations of people and programs. */
function figure(random: Random, most: number): string | number {
  const whole = random.whole(0, most);
  const decimals = random.pick([0, 0, 1, 2, 2, 2, 3, 6]);
  const text =
    decimals === 0
      ? String(whole)
      : `${whole}.${String(random.whole(0, 10 ** decimals - 1)).padStart(decimals, '0')}`;
  return random.chance(0.5) ? text : Number(text);
}

const CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY', 'KWD', 'CHF', 'usd', 'INR', 'XOF'];
const WORDS = [
  'Garden design',
  'Plants',
  'L\u00e4rche 3 m',
  'Stra\u00dfe',
  'Item  two',
  '\u4e09\u6708',
  'Acme Ltd',
  'a,b;c',
];

/** Sets a field in this many of a hundred requests. */
function some(values: Values, random: Random, percent: number, name: string, make: () => unknown): void {
  if (random.chance(percent / 100)) values[name] = make();
}

export function lateFee(random: Random): Values {
  const values: Values = { amount: figure(random, 100_000), due_date: dayOf(random) };
  const type = random.pick(['monthly_percent', 'annual_percent', 'daily_percent', 'flat']);
  some(values, random, 60, 'paid_date', () => dayOf(random));
  some(values, random, 70, 'rate', () => figure(random, type === 'daily_percent' ? 9 : 40));
  some(values, random, 50, 'rate_type', () => type);
  some(values, random, 25, 'grace_days', () => random.whole(0, 60));
  some(values, random, 35, 'currency', () => random.pick(CURRENCIES));
  some(values, random, 10, 'min_fee', () => random.whole(0, 50));
  some(values, random, 10, 'max_fee', () => random.whole(20, 5_000));
  if (random.chance(0.12))
    Object.assign(
      values,
      random.pick([
        { jurisdiction: 'GB', currency: 'GBP' },
        { jurisdiction: 'EU', currency: 'EUR' },
        { jurisdiction: 'eu', currency: 'EUR', reference_rate: '2.15' },
      ]),
    );
  return values;
}

export function notice(random: Random): Values {
  const values = lateFee(random);
  some(values, random, 60, 'tone', () => random.pick(['polite', 'firm', 'final']));
  some(values, random, 60, 'client_name', () => random.pick(WORDS));
  some(values, random, 50, 'business_name', () => random.pick(WORDS));
  some(values, random, 40, 'invoice_number', () => `INV-${random.whole(1, 9_999)}`);
  some(values, random, 15, 'payment_details', () => 'IBAN DE00\nBIC X');
  some(values, random, 15, 'pay_within_days', () => random.whole(1, 60));
  return values;
}

export function quote(random: Random): Values {
  const lines = random.pick([1, 1, 2, 3, 5, 8, 20, 40]);
  const items = Array.from({ length: lines }, () => {
    const item: Values = { unit_price: figure(random, 2_000) };
    some(item, random, 70, 'description', () => random.pick(WORDS));
    some(item, random, 60, 'quantity', () => random.pick([1, 2, 0.25, '1.5', 7, 12.333333]));
    some(item, random, 20, 'tax_percent', () => random.pick([0, 7, '19', 8.25]));
    some(item, random, 4, 'unit_price', () => -random.whole(1, 40));
    return item;
  });
  const values: Values = { items: random.chance(0.03) ? JSON.stringify(items) : items };
  some(values, random, 50, 'tax_percent', () => figure(random, 25));
  some(values, random, 40, 'discount_percent', () => figure(random, 30));
  some(values, random, 40, 'deposit_percent', () => figure(random, 60));
  some(values, random, 8, 'discount_amount', () => random.whole(0, 20));
  some(values, random, 8, 'deposit_amount', () => random.whole(0, 20));
  some(values, random, 15, 'prices_include_tax', () => random.pick([true, false, 'true']));
  some(values, random, 30, 'valid_days', () => random.whole(1, 365));
  some(values, random, 50, 'currency', () => random.pick(CURRENCIES));
  some(values, random, 5, 'business_name', () => 'Green Gardens');
  return values;
}

export function pack(random: Random): Values {
  const values = quote(random);
  some(values, random, 50, 'business_name', () => random.pick(WORDS));
  some(values, random, 30, 'better_markup_percent', () => figure(random, 50));
  some(values, random, 20, 'best_markup_percent', () => random.whole(50, 120));
  some(values, random, 20, 'better_adds', () => random.pick(['a; b', ['Weekly report', 'x']]));
  some(values, random, 20, 'round_unit_to', () => random.pick([0.05, 1, '5']));
  if (Array.isArray(values.items) && random.chance(0.3))
    for (const item of values.items) {
      some(item, random, 30, 'tier', () => random.pick(['good', 'better', 'best']));
      some(item, random, 30, 'markup', () => random.pick([true, false, 'false']));
    }
  return values;
}

export function tools(random: Random): Values {
  const values: Values = {};
  some(values, random, 60, 'category', () =>
    random.pick(['invoicing', 'e_signature', 'backup', 'crm', 'Accounting', 'nonsense']),
  );
  some(values, random, 30, 'country', () => random.pick(['GB', 'US', 'de', 'IN', 'UK']));
  some(values, random, 40, 'limit', () => random.whole(1, 30));
  some(values, random, 20, 'offset', () => random.whole(0, 60));
  return values;
}

export function report(random: Random): Values {
  const values: Values = {
    business_type: random.pick(['trades', 'service', 'retail', 'nonprofit', 'creator']),
  };
  some(values, random, 40, 'needs', () =>
    random.pick(['e_signature,backup', 'invoicing', 'crm, backup', 'nothing_known']),
  );
  some(values, random, 50, 'team_size', () => random.whole(1, 80));
  some(values, random, 40, 'free_only', () => random.pick(['true', 'false']));
  some(values, random, 40, 'country', () => random.pick(['GB', 'US', 'DE']));
  some(values, random, 10, 'format', () => random.pick(['json', 'markdown']));
  return values;
}

/** The same values with one to three fields changed, omitted or added. */
export function spoilt(values: Values, random: Random): Values {
  const changed: Values = { ...values };
  for (let left = random.whole(1, 3); left > 0; left -= 1) {
    const name = random.pick(Object.keys(changed).concat('amount'));
    if (random.chance(0.15)) delete changed[name];
    else if (random.chance(0.2)) changed[random.pick(ODD_NAMES)] = odd(random);
    else if (Array.isArray(changed[name]) && random.chance(0.7))
      changed[name] = spoiltItems(changed[name], random);
    else changed[name] = odd(random);
  }
  return changed;
}

function spoiltItems(items: readonly unknown[], random: Random): unknown[] {
  const at = random.whole(0, items.length - 1);
  return items.map((item, index) => {
    if (index !== at) return item;
    if (random.chance(0.1)) return odd(random);
    const name = random.pick(['description', 'quantity', 'unit_price', 'tax_percent', 'price', 'currency']);
    return { ...(item as Values), [name]: odd(random) };
  });
}
