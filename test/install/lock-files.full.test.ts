import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Locked = {
  readonly os?: readonly string[] | string;
  readonly cpu?: readonly string[] | string;
  readonly libc?: readonly string[];
  readonly deprecated?: string;
  readonly version: string;
  readonly optionalDependencies?: object;
  readonly peerDependencies?: object;
};
type Lock = { readonly packages: Readonly<Record<string, Locked>> };

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const folder = new URL('../../tools/', import.meta.url);
// An earlier checkout may have left the folder of a removed tool with what that tool had fetched.
const tools = readdirSync(folder).filter((name) => existsSync(new URL(`${name}/package.json`, folder)));
const packagesOf = (folder: string) => (JSON.parse(read(`${folder}package-lock.json`)) as Lock).packages;

const fits = (wanted: readonly string[] | string | undefined, own: string) =>
  wanted === undefined || [wanted].flat().includes(own);

/** What `npm ci` installs on a platform. */
const installedOn = (os: string, cpu: string): string[] =>
  Object.entries(packagesOf(''))
    .filter(([path]) => path !== '')
    .filter(([, locked]) => fits(locked.os, os) && fits(locked.cpu, cpu) && fits(locked.libc, 'glibc'))
    .map(([path]) => path);

describe('the first install', () => {
  it.each([
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['darwin', 'arm64'],
    ['darwin', 'x64'],
    ['win32', 'x64'],
  ])('has at most 250 packages on %s %s', (os, cpu) => {
    expect(installedOn(os, cpu).length).toBeLessThanOrEqual(250);
    expect(installedOn(os, cpu).length).toBeGreaterThan(80);
  });

  it('includes nothing that only a tool needs', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, object>;
    const own = new Set(Object.keys({ ...dependencies, ...devDependencies }));
    for (const tool of tools) {
      const manifest = JSON.parse(read(`tools/${tool}/package.json`)) as Record<string, object>;
      const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
      expect(names.length).toBeGreaterThan(0);
      // A package of the tool may need one that the project also has, and npm then installs it next to the package.
      const locked = Object.values(packagesOf(`tools/${tool}/`));
      const peers = new Set(locked.flatMap(({ peerDependencies = {} }) => Object.keys(peerDependencies)));
      expect(names.filter((name) => own.has(name) && !peers.has(name))).toEqual([]);
    }
  });

  it('includes nothing that its author has deprecated', () => {
    const deprecated = Object.entries(packagesOf('')).filter(([, locked]) => locked.deprecated !== undefined);
    expect(deprecated.map(([path]) => path)).toEqual([]);
  });
});

describe.each(['', ...tools.map((tool) => `tools/${tool}/`)])('%spackage-lock.json', (folder) => {
  it('locks every optional package, so that npm ci installs everywhere', () => {
    const packages = packagesOf(folder);
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('does not name a package registry', () => {
    expect(read(`${folder}package-lock.json`)).not.toContain('"resolved"');
  });

  it('locks exactly the versions that the manifest names', () => {
    const manifest = JSON.parse(read(`${folder}package.json`)) as Record<string, Record<string, string>>;
    const wanted = {
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    };
    const packages = packagesOf(folder);
    for (const [name, version] of Object.entries(wanted))
      expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, version.split('@').at(-1)]);
  });
});
