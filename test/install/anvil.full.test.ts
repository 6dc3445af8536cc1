import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findAnvil, type Platform } from '../../src/devnet/anvil.ts';
import { StartFault } from '../../src/platform/start-fault.ts';

const NOWHERE = { PATH: '/nowhere' };
const BY_HAND = 'install Foundry and put anvil on PATH or name it in ANVIL_PATH';
// A platform whose package is not installed here.
const [OTHER, PACKAGE] =
  process.platform === 'darwin'
    ? [{ os: 'linux', cpu: 'arm64' }, '@foundry-rs/anvil-linux-arm64']
    : [{ os: 'darwin', cpu: 'arm64' }, '@foundry-rs/anvil-darwin-arm64'];

describe('the anvil program', () => {
  let folder: string;
  let file: string;
  let said: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'anvil-'));
    file = join(folder, 'anvil');
    writeFileSync(file, '');
    chmodSync(file, 0o755);
    said = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const find = (platform: Platform, env: NodeJS.ProcessEnv = NOWHERE) =>
    findAnvil(env, { platform, say: (line) => said.push(line) });

  it.each([
    [OTHER, `its package ${PACKAGE} is not installed: run npm ci, or ${BY_HAND}`],
    [{ os: 'freebsd', cpu: 'x64' }, `npm has no package of it for freebsd x64: ${BY_HAND}`],
  ])('that is not on the machine is reported with one sentence for %o', (platform, why) => {
    expect(() => find(platform)).toThrow(new StartFault(`The embedded chain needs anvil, and ${why}.`));
    expect(() => find(platform, { ...NOWHERE, ANVIL_PATH: '/nowhere/anvil' })).toThrow(
      `${why} (ANVIL_PATH is set, but there is no program at /nowhere/anvil).`,
    );
  });

  it('is the one that ANVIL_PATH names', () => {
    expect(find(OTHER, { PATH: folder, ANVIL_PATH: file })).toBe(file);
    expect(said).toEqual([]);
  });

  it.each([
    ['nothing', () => join(folder, 'missing')],
    ['a folder', () => folder],
  ])('is another one if ANVIL_PATH names %s, and a line says so', (_what, pathOf) => {
    const path = pathOf();
    expect(find(OTHER, { PATH: folder, ANVIL_PATH: path })).toBe(file);
    expect(said).toEqual([
      `The embedded chain runs ${file} (ANVIL_PATH is set, but there is no program at ${path}).`,
    ]);
  });

  it('is the one on PATH if its package is not installed', () => {
    expect(find(OTHER, { PATH: folder })).toBe(file);
    expect(said).toEqual([]);
  });

  it('has one version on every platform, and npm installs the package of its machine', () => {
    const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    const names = Object.keys(optionalDependencies).filter((name) => name.startsWith('@foundry-rs/'));
    expect(names).toHaveLength(5);
    expect(new Set(names.map((name) => optionalDependencies[name])).size).toBe(1);
    for (const name of names)
      expect(packages[`node_modules/${name}`]).toMatchObject({
        version: optionalDependencies[name],
        optional: true,
        os: [expect.any(String)],
        cpu: [expect.any(String)],
      });
  });
});
