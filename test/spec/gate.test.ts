import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { clauses } from './clauses.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The ids that tests cite, read from their source: a citation in a skipped test does not count. */
function cited(): Set<string> {
  const ids = new Set<string>();
  for (const folder of ['src', 'test'])
    for (const entry of readdirSync(join(root, folder), { recursive: true }) as string[]) {
      if (!/\.test\.tsx?$/.test(entry) || entry.endsWith('gate.test.ts')) continue;
      const source = readFileSync(join(root, folder, entry), 'utf8');
      for (const [, list = ''] of source.matchAll(/\b(?:it|test)\(\s*proves\(\s*(\[[^\]]*\]|'[^']*')/g))
        for (const [, id = ''] of list.matchAll(/'([^']+)'/g)) ids.add(id);
    }
  return ids;
}

describe('the specification as data', () => {
  const proofs = cited();

  it('names every clause once', () => {
    const ids = clauses.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('has a test for every clause that is said to be proven', () => {
    expect(clauses.filter(({ id, state }) => state === 'proven' && !proofs.has(id))).toEqual([]);
  });

  it('says proven of every clause that a test cites', () => {
    expect(clauses.filter(({ id, state }) => state !== 'proven' && proofs.has(id))).toEqual([]);
  });

  it('knows every clause that a test cites', () => {
    const known = new Set<string>(clauses.map(({ id }) => id));
    expect([...proofs].filter((id) => !known.has(id))).toEqual([]);
  });
});
