import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanLine, codePoints, daysText, surelyLongerThan } from './text.ts';

describe('a name', () => {
  it.each([
    ['A\r\nBcc: x@y.z', 'A Bcc: x@y.z'],
    ['a\u000Ab\u000Bc\u000Cd\u000De\u001Cf\u001Dg\u001Eh\u0085i\u2028j\u2029k', 'a b c d e f g h i j k'],
    ['  Acme \t Ltd  ', 'Acme Ltd'],
    ['Acme\u00A0\u2003Ltd', 'Acme Ltd'],
    ['Acme\u0000Ltd', 'Acme Ltd'],
    ['\u202Egnp.exe', 'gnp.exe'],
    ['\u2066Acme\u2069', 'Acme'],
    ['Ac\u200Bme\uFEFF', 'Acme'],
    ['A\u200DB\u200Cc', 'ABc'],
    ['Acme\u{E0001}\u{E0041}\u{E0042}\u{E007F}', 'Acme'],
    ['Acme\u{E0100}\u{E01EF}\uFE00', 'Acme'],
    ['Ac\u00ADme', 'Acme'],
    ['\u3164\u115F\u2800', ''],
    ['A\u3164\u200Dא', 'Aא'],
    ['Acme \u200B Ltd', 'Acme Ltd'],
    ['\uD800Acme\uDFFF', 'Acme'],
    ['Acme\uE000\u{F0000}\uFFFE', 'Acme'],
    ['e\u0301', '\u00E9'],
    ['e\u200B\u0301', '\u00E9'],
    [' \n\t ', ''],
    ['', ''],
  ])('becomes one visible line if it is %j', (text, expected) => {
    expect(cleanLine(text)).toBe(expected);
  });

  it.each([
    'Acme Ltd',
    "O'Neill & Søn <b> $& $1 {{x}} `y` %s",
    'شركة الأمل',
    'می\u200Cخواهم', // Persian needs its non-joiner
    'क्\u200Dष', // and Devanagari its joiner
    '株式会社山田',
    '葛\u{E0100}城', // a registered variant of a character in a family name
    '👩\u200D🔬 Labs',
    '❤\uFE0F\u200D🔥',
    '👍🏽 1\uFE0F\u20E3',
    'שלום',
  ])('keeps %s', (text) => {
    expect(cleanLine(text)).toBe(text.normalize('NFC'));
  });
});

it('the length of a text is counted in code points', () => {
  expect(codePoints('')).toBe(0);
  expect(codePoints('abc')).toBe(3);
  expect(codePoints('👍🏽')).toBe(2);
  expect(codePoints('é')).toBe(1);
});

it('a single day is written in the singular', () => {
  expect([0, 1, 2, 17, 1204, 2_932_896].map(daysText)).toEqual([
    '0 days',
    '1 day',
    '2 days',
    '17 days',
    '1,204 days',
    '2,932,896 days',
  ]);
});

describe('a text whose length is compared with a limit', () => {
  const isSurelyLonger = surelyLongerThan(10);

  it('is certainly too long with four times as many code units, or with more marks in a row than any letter has', () => {
    expect(isSurelyLonger('x'.repeat(41))).toBe(true);
    expect(isSurelyLonger(`a${'\u0316\u0301'.repeat(7)}`)).toBe(true);
    for (const text of [
      'x'.repeat(40),
      `a${'\u0301'.repeat(13)}`,
      `a${'\u034f'.repeat(30)}`,
      'e\u0301'.repeat(20),
    ])
      expect([text, isSurelyLonger(text)]).toEqual([text, false]);
  });

  it('is over the limit whenever the quick check says so', () => {
    const mark = fc.constantFrom('\u0301', '\u0313', '\u0345', '\u0316', '\u0302');
    const around = fc.array(fc.constantFrom('a', 'α', '\u0301', '\u034f', '\ufe0f', ' '), { maxLength: 6 });
    fc.assert(
      fc.property(
        around,
        fc.array(mark, { minLength: 14, maxLength: 24 }),
        around,
        (before, marks, after) => {
          const text = [...before, ...marks, ...after].join('');
          expect(isSurelyLonger(text)).toBe(true);
          expect(codePoints(cleanLine(text))).toBeGreaterThan(10);
        },
      ),
    );
  });
});
