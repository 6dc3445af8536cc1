import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsIn } from '../../../test/support/facts.ts';
import { decodeBody, decodeQuery } from './input.ts';

const body = (text: string | readonly number[]) =>
  decodeBody(typeof text === 'string' ? Buffer.from(text) : Uint8Array.from(text));
const faultsOf = ({ faults }: { faults: readonly { pointer: string; code: string }[] }) =>
  faults.map(({ pointer, code }) => `${pointer} ${code}`);

describe('a query', () => {
  it('is read as names and texts', () => {
    expect(decodeQuery('a=1&b=x%20y+z&c=&d&e=f=g')).toEqual({
      values: { a: '1', b: 'x y z', c: '', d: '', e: 'f=g' },
      faults: [],
    });
    expect(decodeQuery('').values).toEqual({});
    expect(decodeQuery('&&a=1&').values).toEqual({ a: '1' });
  });

  it('keeps an encoded plus sign, and reads a plus as a space', () => {
    expect(decodeQuery('a=+5&b=%2B5').values).toEqual({ a: ' 5', b: '+5' });
  });

  it('is refused if a name occurs twice', () => {
    expect(faultsOf(decodeQuery('amount=100&amount=200&amount=300'))).toEqual(['/amount repeated_parameter']);
    expect(faultsOf(decodeQuery('amount=&amount=200'))).toEqual(['/amount repeated_parameter']);
    expect(faultsOf(decodeQuery('amount=1&%61mount=2'))).toEqual(['/amount repeated_parameter']);
    expect(faultsOf(decodeQuery('amount=1&Amount=2'))).toEqual([]);
  });

  it.each(['%', '%z', '%zz', '%ff', '%C0%AF', '%ED%A0%80', '%E2%82', '5%'])(
    'with %s is rejected as invalid percent-encoded UTF-8',
    (text) => {
      expect(faultsOf(decodeQuery(`amount=${text}&rate=2`))).toEqual(['/amount invalid_encoding']);
      expect(faultsOf(decodeQuery(`${text}=5`))).toEqual([' invalid_encoding']);
    },
  );

  it('may contain a name that every object inherits', () => {
    const { values, faults } = decodeQuery('__proto__=1&constructor=2&toString=3&hasOwnProperty=4');
    expect(faults).toEqual([]);
    expect(Object.entries(values)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
      ['toString', '3'],
      ['hasOwnProperty', '4'],
    ]);
  });

  it('has at most a hundred parameters', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&');
    expect(decodeQuery(many(100)).faults).toEqual([]);
    expect(faultsOf(decodeQuery(many(101)))).toEqual([' too_many_parameters']);
    expect(faultsOf(decodeQuery('&'.repeat(16_000)))).toEqual([' too_many_parameters']);
  });

  it('is read back as URLSearchParams writes it', () => {
    const pairs = fc.dictionary(
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      {
        maxKeys: 20,
      },
    );
    fc.assert(
      fc.property(pairs, (values) => {
        const read = decodeQuery(new URLSearchParams(Object.entries(values)).toString());
        expect(read.faults).toEqual([]);
        expect({ ...read.values }).toEqual({ ...values });
      }),
    );
  });

  it('is read as URLSearchParams reads it, or has a named fault', () => {
    const soup = fc.string({ unit: fc.constantFrom('%', '&', '=', '+', 'a', '2', 'F', '\u00e9', '[', ']') });
    fc.assert(
      fc.property(soup, (text) => {
        const { values, faults } = decodeQuery(text);
        if (faults.length === 0) expect({ ...values }).toEqual(Object.fromEntries(new URLSearchParams(text)));
        for (const { code } of faults) expect(['invalid_encoding', 'repeated_parameter']).toContain(code);
      }),
    );
  });
});

describe('a body', () => {
  it('must be a JSON object', () => {
    expect(body('{"a":1,"b":[true,null]}')).toEqual({ values: { a: 1, b: [true, null] }, faults: [] });
  });

  it('may be missing, and is then read as an object without fields', () => {
    expect(body('')).toEqual({ values: {}, faults: [] });
  });

  it('may begin with a byte order mark', () => {
    expect(body([0xef, 0xbb, 0xbf, 0x7b, 0x7d])).toEqual({ values: {}, faults: [] });
  });

  it.each([
    '{',
    '{"a":1,}',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":+1}',
    '{"a":0x1}',
    '{"a":01}',
    '{} {}',
    '\u0000',
    ' ',
  ])('is not JSON if it is %j', (text) => {
    expect(body(text).faults).toEqual([
      {
        pointer: '',
        code: 'invalid_json',
        detail: expect.stringMatching(/^is not JSON in UTF-8( .*\b\d+\b.*)?$/),
        hint: expect.stringContaining('JSON'),
      },
    ]);
  });

  it('gets an error with the position of the syntax error if the parser knows it, without quoting the body', () => {
    expect(factsIn(body('{"secret":1,}').faults[0]?.detail)).toEqual(['JSON', 'UTF-8', '13']);
  });

  it.each([
    ['a lone continuation byte', [0x7b, 0x22, 0x80, 0x22, 0x3a, 0x31, 0x7d]],
    ['an overlong slash', [0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]],
    ['an encoded surrogate', [0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('with %s is not UTF-8', (_what, bytes) => {
    expect(faultsOf(body(bytes))).toEqual([' invalid_json']);
  });

  it.each(['[]', '[{"items":[]}]', '"x"', '5', 'null', 'true'])('is not an object if it is %s', (text) => {
    expect(body(text).faults).toMatchObject([{ code: 'invalid_json', detail: 'is not a JSON object' }]);
  });

  it('may be nested as deep as its bytes allow', () => {
    const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
    expect(faultsOf(body(`{"items":${deep('[', ']', 32_000)}}`))).toEqual([]);
    expect(faultsOf(body(`{"a":${deep('{"a":', '}', 10_000).replace('{"a":}', '{}')}}`))).toEqual([]);
    expect(faultsOf(body(deep('[', ']', 32_000)))).toEqual([' invalid_json']);
  });
});

describe('a field given twice in a body', () => {
  it.each([
    ['{"tax_percent":0,"tax_percent":20}', ['/tax_percent']],
    ['{"a":1,"b":2,"a":3,"a":4}', ['/a']],
    ['{"tax_percent":0,"tax\\u005fpercent":20}', ['/tax_percent']],
    ['{"items":[{"unit_price":1},{"unit_price":1,"quantity":2,"unit_price":3}]}', ['/items/1/unit_price']],
    ['{"items":[[1,2],{"a":{"x":1,"x":2},"b":1,"b":2}]}', ['/items/1/b']],
    ['{"__proto__":1,"__proto__":2}', ['/__proto__']],
    ['{"a":[],"a":{}}', ['/a']],
    ['{"":1,"":2}', ['/']],
    [' { "a" : 1 , "a" : 2 } ', ['/a']],
  ])('is found in %s, and is a fault', (text, pointers) => {
    expect(faultsOf(body(text))).toEqual(pointers.map((pointer) => `${pointer} repeated_field`));
  });

  it.each([
    '{"a":{"x":1},"b":{"x":2}}',
    '{"items":[{"a":1},{"a":2}]}',
    '{"a":"{\\"a\\":1,\\"a\\":2}","b":"a\\\\","c":"\\",\\"a\\":1"}',
    '{"a":"a","b":"a"}',
    '{"a":1,"A":2}',
    '{"a":["b","b"]}',
    '{}',
  ])('is not found in %s', (text) => {
    expect(body(text).faults).toEqual([]);
  });

  it('is found every time, and reported at most a hundred times', () => {
    const twice = Array.from({ length: 150 }, (_, index) => `"k${index}":1,"k${index}":2`).join(',');
    expect(body(`{${twice}}`).faults.length).toBe(100);
  });

  it('is never reported for the output of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (value) => {
        expect(body(JSON.stringify(value)).faults).toEqual([]);
      }),
    );
  });
});
