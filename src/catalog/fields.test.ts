import { describe, expect, it, vi } from 'vitest';
import { type Field, later } from './field.ts';
import { choice, currency, day, decimal, flag, integer, list, text, words } from './fields.ts';

/** Decodes a raw value with a field, and returns the output or the code of the fault. */
function read({ decode }: Field<unknown>, raw: unknown): unknown {
  const decoded = decode(raw);
  return 'value' in decoded ? decoded.value : decoded.issues.map(({ code }) => code).join();
}

const price = decimal({ describe: 'Price.', min: '-1000000000', max: '1000000000' });
const amount = decimal({ describe: 'Amount.', min: '0.01', max: '1000000000' });

const quantity = decimal({
  describe: 'How many.',
  min: '0',
  aboveMin: true,
  max: '1000000',
  default: 1,
});

describe('a decimal field', () => {
  it.each([
    ['5', 5_000_000n],
    [' 5 ', 5_000_000n],
    ['1250.00', 1_250_000_000n],
    ['0.01', 10_000n],
    ['000005', 5_000_000n],
    ['1000000000', 1_000_000_000_000_000n],
    [5, 5_000_000n],
    [0.1 + 0.2, 300_000n],
    [1e3, 1_000_000_000n],
    [0.30000000000000004, 300_000n],
    [19.990000000000002, 19_990_000n],
  ])('reads %j exactly', (raw, micros) => {
    expect(read(amount, raw)).toBe(micros);
  });

  it.each([
    [999999999999.99, 999_999_999_999_990_000n],
    [499999999999.98, 499_999_999_999_980_000n],
    [-68719476736.07, -68_719_476_736_070_000n],
  ])('reads %d as written, even if a double cannot hold six decimal places', (raw, micros) => {
    const any = decimal({ describe: 'A sum.', min: '-999999999999.99', max: '999999999999.99' });
    expect(read(any, raw)).toBe(micros);
  });

  it.each(['+5', '-5', '1e3'])('rejects %j', (raw) => {
    expect(read(amount, raw)).toBe('invalid_number');
  });

  it('rejects a value that is neither a number nor a string', () => {
    for (const raw of [true, [], [5], {}, { valueOf: 5 }]) expect(read(amount, raw)).toBe('invalid_type');
  });

  it.each<[string, readonly unknown[]]>([
    ['out_of_range', ['0', '0.009999', '1000000000.01', '9'.repeat(40), 0, -0, -5, 1e13, Number.MAX_VALUE]],
    ['invalid_number', [Number.POSITIVE_INFINITY, Number.NaN]],
    ['too_precise', ['1.0000001', 1.0000001, 1.0000004, 1.0000015, 0.123456789, 0.0000004]],
  ])('refuses with %s: %j', (code, raws) => {
    for (const raw of raws) expect([raw, read(amount, raw)]).toEqual([raw, code]);
  });

  it('may be negative only if it allows credits', () => {
    expect(read(price, '-5')).toBe(-5_000_000n);
    expect(read(price, -5.25)).toBe(-5_250_000n);
    expect(read(price, '+5')).toBe('invalid_number');
    expect(read(price, '-1000000001')).toBe('out_of_range');
  });

  it('refuses its lower bound if that bound is excluded', () => {
    expect(read(quantity, 0)).toBe('out_of_range');
    expect(read(quantity, 0.0000001)).toBe('too_precise');
    expect(read(quantity, 0.000001)).toBe(1n);
  });
});

describe('a field without a value', () => {
  it.each([undefined, null, '', '   ', '\t\n'])(
    '(%j) is a fault if the field is required, and otherwise gets the default',
    (raw) => {
      expect(read(amount, raw)).toBe('required');
      expect(read(quantity, raw)).toBe(1_000_000n);
      expect(read(day({ describe: 'Day.', default: null }), raw)).toBeNull();
      expect(read(text({ describe: 'Name.', maxCodePoints: 5, default: null }), raw)).toBeNull();
    },
  );
});

describe('a whole-number field', () => {
  const days = integer({ describe: 'Days.', min: 0, max: 365, default: 30 });

  it.each([
    [0, 0],
    [365, 365],
    ['14', 14],
    [' 14 ', 14],
    ['007', 7],
    [14.0, 14],
  ])('reads %j', (raw, days_) => {
    expect(read(days, raw)).toBe(days_);
  });

  it.each([1.5, '1.5', '1e2', '0x1', '-1', 'x', true, [5], Number.NaN, '9'.repeat(10)])(
    'rejects %j',
    (raw) => {
      expect(read(days, raw)).toBe('invalid_integer');
    },
  );

  it.each([-1, 366, '366', 1e9])('refuses %j as out of range', (raw) => {
    expect(read(days, raw)).toBe('out_of_range');
  });
});

describe('a date field', () => {
  const field = day({ describe: 'Day.', default: null });

  it('accepts calendar days from 1970 on', () => {
    expect(read(field, '1970-01-01')).toBe(0);
    expect(read(field, ' 2026-11-21 ')).toBe(20_778);
    expect(read(field, '2024-02-29')).toBe(19_782);
    expect(read(field, '9999-12-31')).toBe(2_932_896);
  });

  it.each(['2026-02-29', '1969-12-31', '2026-1-5', 'today', '2026-01-05\u0000'])('rejects %j', (raw) => {
    expect(read(field, raw)).toBe('invalid_date');
  });

  it('refuses a value that is not a string', () => {
    expect(read(field, 20_260_105)).toBe('invalid_type');
  });
});

describe('a field with fixed choices', () => {
  const tone = choice(['polite', 'firm', 'final'], { describe: 'Tone.', default: 'polite' });

  it('accepts a choice only in its exact spelling', () => {
    expect(read(tone, ' firm ')).toBe('firm');
    for (const raw of ['Firm', 'FIRM', 'firmly', 'toString', '__proto__', 5, true, ['firm'], {}])
      expect(read(tone, raw)).toBe('invalid_choice');
  });

  it('also accepts true and false as text if it is a flag', () => {
    const yes = flag({ describe: 'Flag.', default: false });
    expect([true, 'true', ' TRUE ', false, 'false', null].map((raw) => read(yes, raw))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    for (const raw of [1, 0, 'yes', '1', [], {}]) expect(read(yes, raw)).toBe('invalid_choice');
  });
});

describe('a free-text field', () => {
  const name = text({ describe: 'Name.', maxCodePoints: 5, default: null });

  it('is reduced to one visible line', () => {
    expect(read(name, ' A\r\nB\tC ')).toBe('A B C');
    expect(read(name, 'a\u202eb\u200bc')).toBe('abc');
    expect(read(name, '\u200b\u202e')).toBeNull();
  });

  it('is measured in characters and never truncated', () => {
    expect(read(name, '👍👍👍👍👍')).toBe('👍👍👍👍👍');
    expect(read(name, '👍👍👍👍👍👍')).toBe('too_long');
    expect(read(name, 'abcdef')).toBe('too_long');
    expect(read(name, `abc${'\u200b'.repeat(17)}`)).toBe('abc');
  });

  it('is refused before it is cleaned if it is flooded with invisible characters', () => {
    expect(read(name, `abc${'\u200b'.repeat(18)}`)).toBe('too_long');
    // Composing combining marks takes quadratic time, so it may happen only once for each word.
    const composing = vi.spyOn(String.prototype, 'normalize');
    const code = read(name, '\u0301\u0316'.repeat(1_000_000));
    const composed = composing.mock.calls.length;
    composing.mockRestore();
    expect([code, composed]).toEqual(['too_long', 0]);
  });

  it('must be a string', () => {
    for (const raw of [5, true, ['a'], { a: 1 }]) expect(read(name, raw)).toBe('invalid_type');
  });
});

describe('a word-list field', () => {
  const needs = words({ describe: 'Needs.', maxWords: 3, maxCodePoints: 5, example: 'a,b' });

  it('may be sent as comma-separated text or as a list, and counts each word once', () => {
    expect(read(needs, ' a, b,,a ,c')).toEqual(['a', 'b', 'c']);
    expect(read(needs, ['a', 'b', 'a'])).toEqual(['a', 'b']);
    expect(read(needs, '["a", "b"]')).toEqual(['a', 'b']);
    expect(read(needs, `${'a,'.repeat(5_000)}b`)).toEqual(['a', 'b']);
    expect([read(needs, ''), read(needs, ' , ,'), read(needs, [])]).toEqual([[], [], []]);
  });

  it('cleans each word once, and stops at the allowed number', () => {
    const composing = vi.spyOn(String.prototype, 'normalize');
    const composed = (raw: string) => {
      composing.mockClear();
      return [read(needs, raw), composing.mock.calls.length];
    };
    const repeated = composed(Array(20_000).fill('\u00e9').join());
    const different = composed(Array.from({ length: 20_000 }, (_, index) => `\u00e9${index % 9_999}`).join());
    composing.mockRestore();
    expect([repeated, different]).toEqual([
      [['\u00e9'], 1],
      ['too_many', 4],
    ]);
  });

  it('refuses too many words, words that are too long, and values that are not strings', () => {
    expect(read(needs, 'a,b,c,d')).toBe('too_many');
    expect(read(needs, 'abcdef')).toBe('too_long');
    expect(read(needs, ['a', '\u0301\u0316'.repeat(1_000_000)])).toBe('too_long');
    for (const raw of [5, true, {}, ['a', 5], [['a']]]) expect(read(needs, raw)).toBe('invalid_type');
  });
});

describe('a currency field', () => {
  const code = currency({ describe: 'Currency.', default: 'USD' });

  it('accepts an ISO 4217 code in any letter case', () => {
    expect(read(code, 'eur')).toBe('EUR');
    expect(read(code, ' jpy ')).toBe('JPY');
  });

  it.each(['USDC', 'US', 'EURO', '$', '€', 'XXZ', 'ABC', 840, ['USD'], '__proto__'])('rejects %j', (raw) => {
    expect(read(code, raw)).toBe('invalid_currency');
  });
});

describe('a list field', () => {
  const items = list({ price }, { describe: 'Items.', min: 1, max: 3 });

  it('may be sent as a JSON string', () => {
    expect(read(items, '[{"price":1}]')).toEqual([{ price: 1_000_000n }]);
  });

  it.each(['[', '[1,', '{"price":1}', 'x', 5, {}, [], [{}, {}, {}, {}], { length: 2 }])(
    'rejects %j',
    (raw) => {
      expect(read(items, raw)).toBe('invalid_list');
    },
  );

  it('reports the faults of every item with its position', () => {
    expect(items.decode([{ price: 'x' }, 5, { price: 1, cost: 2 }])).toMatchObject({
      issues: [
        { path: [0, 'price'], code: 'invalid_number' },
        { path: [1], detail: 'must be an object' },
        { path: [2, 'cost'], code: 'unknown_field' },
      ],
    });
  });
});

describe('a field that was added in a later release', () => {
  const markup = later(flag({ describe: 'Markup.', default: true }));

  it('decodes to undefined if it is absent or repeats its default', () => {
    expect([undefined, '', true, 'TRUE'].map((raw) => read(markup, raw))).toEqual(Array(4).fill(undefined));
    expect([read(markup, false), read(markup, 'no')]).toEqual([false, 'invalid_choice']);
    expect(markup.schema).toMatchObject({ type: 'boolean', default: true });
  });
});
