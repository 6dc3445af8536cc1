import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { MAX_PAYMENT_CHARACTERS } from '../../src/payments/x402/payment.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const page = read('docs/operations.md');

/** What stands in backquotes in the first column of the table under a heading. */
const firstColumn = (heading: string): string[] => {
  const section = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
  );
};

describe('docs/operations.md', () => {
  it('explains every event that is ever logged, and no other', () => {
    const source = readdirSync(`${root}src`, { recursive: true })
      .map(String)
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      .map((file) => read(`src/${file}`))
      .join('\n');
    const emitted = [...source.matchAll(/\blog(?:\.\w+|\[[^\]]*\])+\(\s*'([a-z_]+)'/g)].map(
      ([, event = '']) => event,
    );
    expect(emitted.length).toBeGreaterThan(10);
    expect(firstColumn('Logs').sort()).toEqual([...new Set(emitted)].sort());
  });

  it('explains every reason that health can give, and no other', () => {
    const health = read('src/health/health.ts');
    const own = [...health.matchAll(/\['([a-z]+_[a-z_]+)'\]/g)].map(([, word = '']) => word);
    const union = /export type SettlerFault =([^;]+);/.exec(read('src/payments/settler-watch.ts'))?.[1] ?? '';
    const settlers = [...union.matchAll(/'([a-z_]+)'/g)].map(([, word = '']) => word);
    expect([own.length, settlers.length]).toEqual([5, 17]);
    const told = firstColumn('Health').map((word) => word.replace(/^(<settler>)?_/, ''));
    expect(told.sort()).toEqual([...own, ...settlers, 'low_balance'].sort());
  });

  it('names the limits of the code', () => {
    expect(page).toContain(MAX_PAYMENT_CHARACTERS.toLocaleString('en-US'));
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...page.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    for (const [, path = ''] of page.matchAll(/\]\((?!https?:)([^)#]+)/g))
      expect(() => read(`docs/${path}`), path).not.toThrow();
  });
});
