import { describe, expect, test } from 'vitest';
import { codingFor, isKnown, preferredType } from './reply.ts';

const TYPES = ['text/html', 'text/markdown'];

describe('the coding of an answer', () => {
  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['identity', 'identity'],
    ['deflate, zstd', 'identity'],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', 'identity'],
    ['br;q=nonsense', 'identity'],
  ])('for Accept-Encoding: %s is %s', (header, coding) => {
    expect(codingFor(header)).toBe(coding);
  });
});

describe('the format of a page', () => {
  test.each([
    [undefined, 'text/html'],
    ['*/*', 'text/html'],
    ['text/*', 'text/html'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['text/markdown', 'text/markdown'],
    ['text/markdown, text/html;q=0.9, */*;q=0.1', 'text/markdown'],
    ['text/markdown, text/html, */*', 'text/markdown'],
    ['text/html, text/markdown', 'text/html'],
    ['text/markdown;q=0.5, */*', 'text/html'],
    ['text/markdown;q=0, */*;q=0.1', 'text/html'],
    ['text/markdown;variant=CommonMark', 'text/markdown'],
    ['application/json', 'text/html'],
    [',;,', 'text/html'],
  ])('for Accept: %s is %s', (header, type) => {
    expect(TYPES[preferredType(header, TYPES)]).toBe(type);
  });
});

describe('the version in If-None-Match', () => {
  const etag = '"abc"';
  test.each(['"abc"', 'W/"abc"', '"x", "abc"', '"x" , W/"abc"', '*'])(
    'matches if the header is %s',
    (header) => {
      expect(isKnown(header, etag)).toBe(true);
    },
  );
  test.each([undefined, '', '"x"', 'abc', '"abcd"', '"x", "y"'])(
    'does not match if the header is %s',
    (header) => {
      expect(isKnown(header, etag)).toBe(false);
    },
  );
});

describe('a header with many parts', () => {
  const behind = (parts: number, last: string) => `${'x,'.repeat(parts)}${last}`;

  test('is read up to the first forty parts of Accept', () => {
    const chosen = [39, 40].map((parts) => preferredType(behind(parts, 'text/markdown'), TYPES));
    expect(chosen).toEqual([1, 0]);
  });

  test('is read up to the first forty parts of Accept-Encoding', () => {
    expect([codingFor(behind(39, 'gzip')), codingFor(behind(40, 'gzip'))]).toEqual(['gzip', 'identity']);
  });

  test('is read up to the first forty parts of If-None-Match', () => {
    expect([isKnown(behind(39, '"a"'), '"a"'), isKnown(behind(40, '"a"'), '"a"')]).toEqual([true, false]);
  });
});
