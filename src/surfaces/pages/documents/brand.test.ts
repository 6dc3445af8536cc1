import { describe, expect, it } from 'vitest';
import { ACCENTS, brandOf, isLogo, logoIn, logoQuery } from './brand.ts';

const dataOf = (type: string, hex: string): string =>
  `data:image/${type};base64,${Buffer.from(hex, 'hex').toString('base64')}`;

const pngOf = (width: string, height: string): string =>
  dataOf('png', `89504e470d0a1a0a0000000d49484452${width}${height}0806000000`);
const PNG = pngOf('00000168', '00000090');

/** The first bytes of pictures of 16 by 16 pixels, and of 16,000 by 16,000. */
const HEADERS: readonly (readonly [string, small: string, huge: string])[] = [
  ['PNG', pngOf('00000010', '00000010'), pngOf('00003e80', '00003e80')],
  ...[
    ['lossy WebP', '56503820 00000000 000000 9d012a', '10001000', '803e803e'],
    ['lossless WebP', '5650384c 00000000 2f', '0fc00300', '7fbe9f0f'],
    ['extended WebP', '56503858 0a000000 10000000', '0f00000f0000', '7f3e007f3e00'],
  ].map(([name = '', head = '', small = '', huge = '']) => {
    const webp = (size: string) =>
      dataOf('webp', `524946460000000057454250${head.replaceAll(' ', '')}${size}`);
    return [name, webp(small), webp(huge)] as const;
  }),
  [
    'JPEG',
    dataOf('jpeg', 'ffd8ffe000040000ffc20011080010001003'),
    dataOf('jpeg', 'ffd8ffe000040000ffc20011083e803e8003'),
  ],
];

describe('the logo and the color that a document link carries', () => {
  it('may be a small picture and the name of a color', () => {
    expect(logoIn(`a=1${logoQuery(PNG)}`)).toBe(PNG);
    for (const [accent] of ACCENTS) expect(brandOf({ accent })).toEqual({ accent });
  });

  it.each(HEADERS)(
    'may be a small %s, but not one with more pixels than a phone can hold',
    (_, small, huge) => {
      expect(isLogo(small)).toBe(true);
      expect(isLogo(huge)).toBe(false);
    },
  );

  it.each([
    `data:image/png;base64,${'A'.repeat(40)}==`,
    PNG.slice(0, 40),
    dataOf('png', '47494638396110001000'),
    dataOf('jpeg', `ffd8${'ffe00002'.repeat(40)}`),
    'data:image/svg+xml;base64,PHN2Zz4=',
    'data:image/gif;base64,R0lGODlh',
    'data:text/html;base64,PHNjcmlwdD4=',
    'data:image/png,abc',
    'data:image/png;charset=utf-8;base64,AAAA',
    'data:image/png;base64,AA"onerror=alert(1)',
    'https://evil.example/logo.png',
    'javascript:alert(1)',
    ' data:image/png;base64,AAAA',
    'data:image/png;base64,AAAA\n',
    `data:image/png;base64,${'A'.repeat(8_192)}`,
    '',
  ])('must not include the logo %s', (text) => {
    expect(isLogo(text)).toBe(false);
    expect(logoIn(logoQuery(text).slice(1))).toBe('');
  });

  it('must not include other colors, or values that are not text', () => {
    expect(brandOf({ accent: 'pink"' })).toEqual({});
    expect(brandOf({ accent: 'toString' })).toEqual({});
    expect(brandOf({ logo: [PNG], accent: {} } as never)).toEqual({});
  });
});
