import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { problemTypes } from '../../src/surfaces/problem.ts';
import { settingsMarkdown } from '../config/settings-text.ts';
import { catalog } from '../support/app.ts';
import { block, priceTable } from './readme.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('what the documents say', () => {
  const readme = read('README.md');

  it('lists every setting with its default, as the code reads it', () => {
    expect(block(readme, 'settings')).toBe(settingsMarkdown());
  });

  it('lists every operation with its route, tool and price', () => {
    const table = priceTable(catalog);
    expect(
      block(readme, 'prices'),
      `between <!-- prices --> and <!-- /prices --> of README.md belongs:\n${table}\n`,
    ).toBe(table);
  });

  it('names every page of an operation', () => {
    const paths = catalog.flatMap(({ page }) =>
      page === null || page.path.includes('{') ? [] : [page.path],
    );
    const missing = paths.filter((path) => !readme.includes(`\`${path}\``));
    expect(missing, 'README.md, "Owners of small businesses", lists the pages: add these').toEqual([]);
  });

  it('names only commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const documents = [readme, read('CONTRIBUTING.md'), read('.ci/run')].join('\n');
    const named = [...documents.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(
      ([, name]) => name as string,
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('links only to files that exist', () => {
    for (const document of ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'])
      for (const [, path = ''] of read(document).matchAll(/\]\((?!https?:)([^)#]+)/g))
        expect(
          () => read(path.endsWith('decisions') ? `${path}/0001-cold-probe.md` : path),
          `${document}: ${path}`,
        ).not.toThrow();
  });

  it('names only sources that exist', () => {
    for (const document of ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'SECURITY.md'])
      for (const [, path = ''] of read(document).matchAll(
        /`((?:src|test|scripts|tools|docs)\/[\w./-]+\.\w+)`/g,
      ))
        if (!path.includes('break-even')) expect(() => read(path), `${document}: ${path}`).not.toThrow();
  });

  it('explains every problem type that the service can answer with', () => {
    const payments = read('docs/payments.md');
    for (const { code, status } of problemTypes)
      if (status === 409 || status === 402 || status === 503) expect(payments).toContain(`\`${code}\``);
  });
});
