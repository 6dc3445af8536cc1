import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { MAX_PAYMENT_CHARACTERS } from '../../src/payments/x402/payment.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const monitor = read('docs/monitor.md');

/** The text in backquotes in the first column of the table under a heading. */
const firstColumn = (heading: string): string[] => {
  const section = monitor.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
  );
};

describe('docs/monitor.md', () => {
  it('explains exactly the events that are logged', () => {
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

  it('explains exactly the reasons that health can give', () => {
    const health = read('src/health/health.ts');
    const own = [...health.matchAll(/\['([a-z]+_[a-z_]+)'\]/g)].map(([, word = '']) => word);
    const union = /export type SettlerFault =([^;]+);/.exec(read('src/payments/settler-watch.ts'))?.[1] ?? '';
    const settlers = [...union.matchAll(/'([a-z_]+)'/g)].map(([, word = '']) => word);
    expect([own.length, settlers.length]).toEqual([4, 17]);
    const explained = firstColumn('Incidents').map((word) => word.replace(/^(<settler>)?_/, ''));
    expect(explained.sort()).toEqual([...own, ...settlers, 'low_balance', 'unasked'].sort());
  });
});

it('docs/proxy.md names the size of a payment that the code accepts', () => {
  expect(read('docs/proxy.md')).toContain(MAX_PAYMENT_CHARACTERS.toLocaleString('en-US'));
});
