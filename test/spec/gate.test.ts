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

  it('has a test for every clause', () => {
    expect(Object.keys(clauses).filter((id) => !proofs.has(id))).toEqual([]);
  });

  it('includes every clause that a test cites', () => {
    expect([...proofs].filter((id) => !(id in clauses))).toEqual([]);
  });
});
