import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../packages/client/', import.meta.url);
const read = (name: string, base = folder) => readFileSync(new URL(name, base), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  version: string;
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
};
const sources = readdirSync(new URL('src/', folder));

describe('the package of the typed client', () => {
  it('imports its own files and what its manifest names, and nothing of the server', () => {
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

  it('is of the version of the service, with the same x402 as its tests', () => {
    const root = JSON.parse(read('../../package.json')) as typeof manifest;
    expect(manifest.version).toBe(root.version);
    for (const [name, version] of Object.entries(manifest.dependencies))
      expect([name, { ...root.dependencies, ...root.devDependencies }[name]]).toEqual([name, version]);
  });

  it('is told in ten lines', () => {
    expect(read('README.md').trim().split('\n').length).toBeLessThanOrEqual(10);
  });
});
