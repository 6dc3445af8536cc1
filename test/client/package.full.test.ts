import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { block } from '../drift/readme.ts';
import { catalog } from '../support/app.ts';

const folder = new URL('../../packages/client/', import.meta.url);
const read = (name: string, base = folder) => readFileSync(new URL(name, base), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  version: string;
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
};
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const sources = readdirSync(new URL('src/', folder));

describe('the published package of the typed client', () => {
  it('imports only its own files and the packages of its manifest, and nothing of the server', () => {
    const imported = sources.flatMap((file) =>
      [...read(`src/${file}`).matchAll(/from '([^']+)'/g)].map(([, name]) => name as string),
    );
    const packages = imported
      .filter((name) => !name.startsWith('./'))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    expect([...new Set(packages)].toSorted()).toEqual(Object.keys(manifest.dependencies));
  });

  it('has the version of the service, and the same x402 packages as its tests', () => {
    const root = JSON.parse(read('../../package.json')) as typeof manifest;
    expect(manifest.version).toBe(root.version);
    for (const [name, version] of Object.entries(manifest.dependencies))
      expect([name, { ...root.dependencies, ...root.devDependencies }[name]]).toEqual([name, version]);
  });

  it('lists the functions with their prices in a README of at most 90 lines', () => {
    const readme = read('README.md');
    const rows = catalog.flatMap(({ name, summary, route, price }) =>
      route === null ? [] : [`| \`${camel(name)}\` | ${summary} | ${price ? `$${price.usd}` : 'free'} |`],
    );
    const table = ['| function | returns | price |', '|---|---|---|', ...rows].join('\n');
    expect(block(readme, 'prices'), `between <!-- prices --> belongs:\n${table}\n`).toBe(table);
    expect(readme.trim().split('\n').length).toBeLessThanOrEqual(90);
  });

  it('documents each of its own error codes', () => {
    const own = sources.flatMap((file) =>
      [...read(`src/${file}`).matchAll(/code: '(\w+)'/g)].map(([, code]) => code as string),
    );
    expect(own.length).toBeGreaterThan(8);
    for (const code of own) expect(read('README.md')).toContain(`\`${code}\``);
  });

  it('includes the license of the service', () => {
    expect(read('LICENSE')).toBe(read('../../LICENSE'));
  });
});
