import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadDirectory } from '../../src/directory/load.ts';
import { POINTS } from '../../src/domain/stack-report-score.ts';

const docs = readFileSync(new URL('../../docs/directory.md', import.meta.url), 'utf8');

test('the points of the documentation are those of the code', () => {
  const written = [...docs.matchAll(/^\| ([+-][\d /+-]*?) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/[+-]\d+/g)?.map(Number) ?? [],
  );
  expect(written.toSorted((a, b) => a - b)).toEqual(Object.values(POINTS).toSorted((a, b) => a - b));
});

test('the documentation counts the listings', () => {
  expect(docs).toContain(`${loadDirectory().listings.length} listings of free tools`);
});
