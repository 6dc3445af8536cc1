import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { settingsTable } from '../../src/config/settings.ts';
import { problemTypes } from '../../src/surfaces/problem.ts';
import { settingsMarkdown } from '../config/settings-text.ts';
import { catalog } from '../support/app.ts';
import { block, priceTable } from './readme.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const documents = ['.', 'docs', 'docs/decisions', 'docs/reports', 'packages/client']
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
  .filter((name) => name.endsWith('.md'));
/** Documents about the present. The others are records of their day. */
const current = documents.filter((name) => !/CHANGELOG|decisions|reports/.test(name));

/** The anchors of a document's headings, as repository hosts make them, and its own anchors. */
function anchorsOf(markdown: string): readonly string[] {
  const headings = [...markdown.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/^#+ (.+)$/gm)].map(
    ([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
  );
  return [...headings, ...[...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)];
}

describe('the documentation', () => {
  const readme = read('README.md');

  it('lists every setting with its default, as the code reads it', () => {
    const settings = settingsMarkdown();
    expect(
      block(read('docs/configuration.md'), 'settings'),
      `between <!-- settings --> and <!-- /settings --> of docs/configuration.md belongs:\n${settings}\n`,
    ).toBe(settings);
  });

  it('lists every operation with its route, tool and price', () => {
    const table = priceTable(catalog);
    expect(
      block(readme, 'prices'),
      `between <!-- prices --> and <!-- /prices --> of README.md belongs:\n${table}\n`,
    ).toBe(table);
  });

  it('has the address of every page of an operation', () => {
    const paths = catalog.flatMap(({ page }) =>
      page === null || page.path.includes('{') ? [] : [page.path],
    );
    const missing = paths.filter((path) => !readme.includes(`\`${path}\``));
    expect(missing, 'README.md, "What it sells", lists the pages: add these').toEqual([]);
  });

  it('names only commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...current, '.ci/run'].flatMap((document) =>
      [...read(document).matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => ({
        document,
        name,
      })),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ name }) => !(name in scripts))).toEqual([]);
  });

  it('links only to files and headings that exist', () => {
    const links = documents.flatMap((document) =>
      [...read(document).matchAll(/\]\((?!https?:|mailto:|\/)([^)#\s]*)#?([^)\s]*)\)/g)].map(
        ([, path = '', anchor = '']) => ({ document, path, anchor }),
      ),
    );
    expect(links.length).toBeGreaterThan(100);
    const broken = links.filter(({ document, path, anchor }) => {
      const target = path === '' ? document : join(dirname(document), path);
      if (!existsSync(join(root, target))) return true;
      return anchor !== '' && !anchorsOf(read(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('indexes every decision with its title, its status and its date', () => {
    const rows = readdirSync(join(root, 'docs/decisions'))
      .filter((name) => /^\d/.test(name))
      .map((name) => {
        const [, title, status, date, more] =
          /^# (\d{4} .+)\n\n(\w+) on (\d{4}-\d\d-\d\d)(.*)\.$/m.exec(read(`docs/decisions/${name}`)) ?? [];
        const part = more?.includes('superseded') ? ', in part superseded' : '';
        return `| [${title}](${name}) | ${status}${part} | ${date} |`;
      });
    const indexed = read('docs/decisions/README.md').match(/^\| \[\d{4} .*$/gm) ?? [];
    expect(indexed.toSorted()).toEqual(rows.toSorted());
  });

  it('sets only settings that exist, in the files that operators copy', () => {
    const names = new Set<string>(settingsTable.map(({ name }) => name));
    const files = [...read('docs/deploy.md').matchAll(/```ini\n([\s\S]+?)```/g)].map(([, file = '']) => file);
    const set = files.flatMap((file) =>
      [...file.matchAll(/^ *([A-Z0-9_]+)=/gm)].map(([, name = '']) => name),
    );
    expect(set.length).toBeGreaterThan(5);
    expect(set.filter((name) => !names.has(name))).toEqual([]);
  });

  it('names only source files that exist', () => {
    const named = current.flatMap((document) =>
      [
        ...read(document).matchAll(/`((?:src|test|scripts|tools|docs|deploy|monitoring)\/[\w./-]+\.\w+)`/g),
      ].map(([, path = '']) => ({ document, path })),
    );
    expect(named.length).toBeGreaterThan(100);
    const missing = named.filter(({ path }) => !path.includes('break-even') && !existsSync(join(root, path)));
    expect(missing).toEqual([]);
  });

  it('explains every problem type that the service can answer with', () => {
    const payments = read('docs/payments.md');
    for (const { code, status } of problemTypes)
      if (status === 409 || status === 402 || status === 503) expect(payments).toContain(`\`${code}\``);
  });
});
