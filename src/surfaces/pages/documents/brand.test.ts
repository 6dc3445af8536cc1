import { describe, expect, it } from 'vitest';
import { ACCENTS, brandOf, isLogo, logoIn, logoQuery } from './brand.ts';

const PNG = `data:image/png;base64,${'A'.repeat(40)}==`;

describe('the look of a document from a link', () => {
  it('accepts a small picture, and the name of a color', () => {
    expect(logoIn(`a=1${logoQuery(PNG)}`)).toBe(PNG);
    for (const [accent] of ACCENTS) expect(brandOf({ accent })).toEqual({ accent });
  });

  it.each([
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
  ])('refuses %s as a logo', (text) => {
    expect(isLogo(text)).toBe(false);
    expect(logoIn(logoQuery(text).slice(1))).toBe('');
  });

  it('refuses other colors, and values that are not text', () => {
    expect(brandOf({ accent: 'pink"' })).toEqual({});
    expect(brandOf({ accent: 'toString' })).toEqual({});
    expect(brandOf({ logo: [PNG], accent: {} } as never)).toEqual({});
  });
});
