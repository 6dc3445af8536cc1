import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { price, read } from '../../test/catalog/read-field.ts';
import { list } from './list-field.ts';
import { choiceOr, currencyOr, dayOr, flagOr, textOr, words } from './word-fields.ts';

describe('a day', () => {
  const day = dayOr({ describe: 'Day.' }, null);

  it('is a day since 1970', () => {
    expect(read(day, '1970-01-01')).toBe(0);
    expect(read(day, ' 2026-11-21 ')).toBe(20_778);
    expect(read(day, '2024-02-29')).toBe(19_782);
    expect(read(day, '9999-12-31')).toBe(2_932_896);
  });

  it.each([
    '2026-02-29',
    '2025-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '1969-12-31',
    '0000-01-01',
    '2026-1-5',
    '20260105',
    '2026-W01-1',
    '2026-001',
    '+002026-01-05',
    '2026-01-05T00:00:00Z',
    '2026/01/05',
    '05.01.2026',
    'today',
    '２０２６-01-05',
    '2026-01-05\u0000',
  ])('is never %j', (raw) => {
    expect(read(day, raw)).toBe('invalid_date');
  });

  it('is text', () => {
    expect(read(day, 20_260_105)).toBe('invalid_type');
  });
});

describe('words of a list', () => {
  const tone = choiceOr(['polite', 'firm', 'final'], { describe: 'Tone.' }, 'polite');

  it('are spelled exactly', () => {
    expect(read(tone, ' firm ')).toBe('firm');
    for (const raw of ['Firm', 'FIRM', 'firmly', 'toString', '__proto__', 5, true, ['firm'], {}])
      expect(read(tone, raw)).toBe('invalid_choice');
  });

  it('true and false are words too', () => {
    const flag = flagOr({ describe: 'Flag.' }, false);
    expect([true, 'true', ' TRUE ', false, 'false', null].map((raw) => read(flag, raw))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    for (const raw of [1, 0, 'yes', '1', [], {}]) expect(read(flag, raw)).toBe('invalid_choice');
  });
});

describe('free text', () => {
  const name = textOr({ describe: 'Name.', maxCodePoints: 5 }, null);

  it('is one visible line', () => {
    expect(read(name, ' A\r\nB\tC ')).toBe('A B C');
    expect(read(name, 'a\u202eb\u200bc')).toBe('abc');
    expect(read(name, '\u200b\u202e')).toBeNull();
  });

  it('is counted in characters and never cut', () => {
    expect(read(name, '👍👍👍👍👍')).toBe('👍👍👍👍👍');
    expect(read(name, '👍👍👍👍👍👍')).toBe('too_long');
    expect(read(name, 'abcdef')).toBe('too_long');
    expect(read(name, `abc${'\u200b'.repeat(17)}`)).toBe('abc');
  });

  it('with a flood of characters that are not shown is refused before it is cleaned', () => {
    expect(read(name, `abc${'\u200b'.repeat(18)}`)).toBe('too_long');
    // Composing marks takes quadratic time.
    const composing = vi.spyOn(String.prototype, 'normalize');
    const code = read(name, '\u0301\u0316'.repeat(1_000_000));
    const composed = composing.mock.calls.length;
    composing.mockRestore();
    expect([code, composed]).toEqual(['too_long', 0]);
  });

  it('is text', () => {
    for (const raw of [5, true, ['a'], { a: 1 }]) expect(read(name, raw)).toBe('invalid_type');
  });
});

describe('words', () => {
  const needs = words({ describe: 'Needs.', maxWords: 3, maxCodePoints: 5, example: 'a,b' });

  it('are separated by commas or listed, each once', () => {
    expect(read(needs, ' a, b,,a ,c')).toEqual(['a', 'b', 'c']);
    expect(read(needs, ['a', 'b', 'a'])).toEqual(['a', 'b']);
    expect(read(needs, '["a", "b"]')).toEqual(['a', 'b']);
    expect(read(needs, `${'a,'.repeat(5_000)}b`)).toEqual(['a', 'b']);
    expect([read(needs, ''), read(needs, ' , ,'), read(needs, [])]).toEqual([[], [], []]);
  });

  it('are cleaned once each, and no more of them than may be given', () => {
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

  it('are few, short and text', () => {
    expect(read(needs, 'a,b,c,d')).toBe('too_many');
    expect(read(needs, 'abcdef')).toBe('too_long');
    expect(read(needs, ['a', '\u0301\u0316'.repeat(1_000_000)])).toBe('too_long');
    for (const raw of [5, true, {}, ['a', 5], [['a']]]) expect(read(needs, raw)).toBe('invalid_type');
  });
});

describe('a currency', () => {
  const currency = currencyOr({ describe: 'Currency.' }, 'USD');

  it('is an ISO 4217 code in any case', () => {
    expect(read(currency, 'eur')).toBe('EUR');
    expect(read(currency, ' jpy ')).toBe('JPY');
  });

  it.each(['USDC', 'US', 'EURO', '$', '€', 'XXZ', 'ABC', 840, ['USD'], '__proto__'])('is never %j', (raw) => {
    expect(read(currency, raw)).toBe('invalid_currency');
  });
});

describe('a list', () => {
  const items = list(z.strictObject({ price }), { describe: 'Items.', min: 1, max: 3 });

  it('may come as its JSON text', () => {
    expect(read(items, '[{"price":1}]')).toEqual([{ price: 1_000_000n }]);
  });

  it.each(['[', '[1,', '{"price":1}', 'x', 5, {}, [], [{}, {}, {}, {}], { length: 2 }])(
    'is never %j',
    (raw) => {
      expect(read(items, raw)).toBe('invalid_list');
    },
  );

  it('reports the faults of every item, each with its place', () => {
    const parsed = z.object({ items }).safeParse({ items: [{ price: 'x' }, 5, { price: 1, cost: 2 }] });
    expect(parsed.error?.issues).toMatchObject([
      { path: ['items', 0, 'price'], params: { code: 'invalid_number' } },
      { path: ['items', 1], message: 'must be an object' },
      { path: ['items', 2], keys: ['cost'], params: { known: ['price'] } },
    ]);
  });
});
