import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isAllowed } from './licences.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

type Locked = {
  version: string;
  dev?: boolean;
  license?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  optional?: boolean;
};
const packagesOf = (lock: string): [string, Locked][] =>
  Object.entries((JSON.parse(read(lock)) as { packages: Record<string, Locked> }).packages).filter(
    ([path]) => path !== '',
  );

describe('the packages that run in production', () => {
  const shipped = packagesOf('package-lock.json').filter(([, { dev }]) => dev !== true);

  it('have only licenses of the allow list', () => {
    expect(shipped.length).toBeGreaterThan(20);
    expect(shipped.filter(([, { license }]) => !isAllowed(license))).toEqual([]);
  });

  it('are named in the bill of materials that the build writes, without any others', () => {
    const sbom = JSON.parse(read('dist/sbom.cdx.json')) as {
      bomFormat: string;
      specVersion: string;
      metadata: { component: { name: string } };
      components: { name: string; version: string; purl: string; hashes?: unknown[] }[];
    };
    expect([sbom.bomFormat, sbom.metadata.component.name]).toEqual([
      'CycloneDX',
      (JSON.parse(read('package.json')) as { name: string }).name,
    ]);
    const named = (path: string, { version }: Locked) => `${path.split('node_modules/').at(-1)}@${version}`;
    const listed = new Set(sbom.components.map(({ name, version }) => `${name}@${version}`));
    expect([...listed].filter((one) => !shipped.some(([path, of]) => named(path, of) === one))).toEqual([]);
    // npm lists an optional package only if it is installed.
    const required = shipped.filter(([, { optional }]) => !optional);
    expect(required.map(([path, of]) => named(path, of)).filter((one) => !listed.has(one))).toEqual([]);
    expect(JSON.stringify(sbom)).not.toContain('timestamp');
  });
});

describe('the installed packages', () => {
  it('have a hash unless they are for other platforms, and none has an install script that runs', () => {
    const packages = packagesOf('package-lock.json');
    const bare = packages.filter(([, { integrity, optional }]) => !integrity && !optional);
    expect(bare.map(([path]) => path)).toEqual([]);
    expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([]);
    // Tools are fetched without running install scripts.
    expect(read('.ci/run')).toContain('npm ci --ignore-scripts');
    expect(read('scripts/tool.js')).toContain("'--ignore-scripts'");
  });
});

describe('.github', () => {
  it('runs only one workflow, with actions pinned by hash and a read-only token', () => {
    const flow = read('.github/workflows/ci.yml');
    expect(flow).toContain('- run: .ci/run\n');
    expect(flow).toContain('permissions:\n  contents: read\n');
    const uses = [...flow.matchAll(/uses: (\S+)/g)].map(([, action = '']) => action);
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((action) => !/^actions\/[a-z-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
    expect(read('.ci/run')).toContain('for release in 24 26 20; do on "$release" npm test; done');
  });

  it('keeps every lock file up to date', () => {
    const bot = read('.github/dependabot.yml');
    expect(bot).toMatch(/directories:\n +- \/\n +- \/tools\/\*\n/);
    expect(bot).toContain('package-ecosystem: github-actions');
  });
});
