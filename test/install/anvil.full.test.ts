import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findAnvil, moveInto, type Platform } from '../../src/devnet/anvil.ts';
import { StartFault } from '../../src/platform/start-fault.ts';
import { type PackageRegistry, startPackageRegistry } from './package-registry.ts';

const VERSION = '1.7.1';
const NOWHERE = { PATH: '/nowhere' };
const BY_HAND = 'install Foundry and put anvil on PATH or name it in ANVIL_PATH';
const here = `${process.platform} ${process.arch}`;

// Node.js's name of a platform, the name of its package, and the program in it.
const platforms: readonly [os: string, cpu: string, name: string, program: string][] = [
  ['linux', 'x64', '@foundry-rs/anvil-linux-amd64', 'anvil'],
  ['linux', 'arm64', '@foundry-rs/anvil-linux-arm64', 'anvil'],
  ['darwin', 'x64', '@foundry-rs/anvil-darwin-amd64', 'anvil'],
  ['darwin', 'arm64', '@foundry-rs/anvil-darwin-arm64', 'anvil'],
  ['win32', 'x64', '@foundry-rs/anvil-win32-amd64', 'anvil.exe'],
];
const others = platforms.filter(([os, cpu]) => `${os} ${cpu}` !== here);

describe('the anvil program on a machine without its package', () => {
  let folder: string;
  let registry: PackageRegistry;
  let said: string[];

  beforeAll(async () => {
    registry = await startPackageRegistry(
      platforms.map(([os, cpu, name, program]) => ({
        name,
        version: VERSION,
        files: {
          'package.json': JSON.stringify({ name, version: VERSION, os: [os], cpu: [cpu] }),
          [`bin/${program}`]: `anvil of ${name}`,
        },
      })),
    );
  });
  afterAll(() => registry.stop());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'anvil-'));
    said = [];
    registry.asked.length = 0;
    for (const [name, value] of Object.entries(registry.env)) vi.stubEnv(name, value);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  const find = (platform: Platform, env: NodeJS.ProcessEnv = NOWHERE) =>
    findAnvil(env, { platform, folder, say: (line) => said.push(line) });

  /** A program with this name in its own folder. */
  function program(name: string): { file: string; around: string } {
    const around = join(folder, 'by-hand');
    mkdirSync(around, { recursive: true });
    writeFileSync(join(around, name), '');
    chmodSync(join(around, name), 0o755);
    return { file: join(around, name), around };
  }

  it.each(others)(
    'is fetched for %s %s as %s by npm with one line of output, and is kept',
    async (os, cpu, name, program) => {
      const found = await find({ os, cpu });
      expect(readFileSync(found, 'utf8')).toBe(`anvil of ${name}`);
      expect(found.endsWith(program)).toBe(true);
      // The service may run as another user, who must be able to read the file.
      const place = join(folder, found.slice(folder.length + 1).split(/[\\/]/)[0] as string);
      if (process.platform !== 'win32') expect(statSync(place).mode & 0o055).toBe(0o055 & ~process.umask());
      expect(said).toEqual([`Downloading the embedded chain (only once): ${name}@${VERSION}`]);
      expect(registry.asked).toEqual([name, `${name}/-/made-${VERSION}.tgz`]);
      expect(await find({ os, cpu })).toBe(found);
      expect(said).toHaveLength(1);
      expect(registry.asked).toHaveLength(2);
    },
  );

  const [os, cpu, name] = others[0] as (typeof platforms)[number];
  const failure = async (platform: Platform, env?: NodeJS.ProcessEnv) =>
    find(platform, env).then(
      () => null,
      (error) => error as Error,
    );

  it('fails with one sentence if the registry cannot be reached', async () => {
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9');
    const fault = await failure({ os, cpu });
    expect(fault).toBeInstanceOf(StartFault);
    expect(fault?.message).toBe(
      `The embedded chain needs anvil, and npm could not fetch ${name}@${VERSION} (ECONNREFUSED): connect to the network once, or ${BY_HAND}.`,
    );
  });

  it('fails with one sentence, without asking npm, on a platform that has no package', async () => {
    expect(await failure({ os: 'freebsd', cpu: 'x64' })).toEqual(
      new StartFault(
        `The embedded chain needs anvil, and npm has no package of it for freebsd x64: ${BY_HAND}.`,
      ),
    );
    expect(registry.asked).toEqual([]);
  });

  it('is the program that ANVIL_PATH names, and nothing is requested', async () => {
    const { file } = program('named');
    expect(await find({ os, cpu }, { ...NOWHERE, ANVIL_PATH: file })).toBe(file);
    expect([said, registry.asked]).toEqual([[], []]);
  });

  it('is the program that ANVIL_PATH names, even if the package was already fetched', async () => {
    await find({ os, cpu });
    const { file } = program('named');
    expect(await find({ os, cpu }, { ...NOWHERE, ANVIL_PATH: file })).toBe(file);
  });

  it.each([
    ['nothing', (around: string) => join(around, 'missing')],
    ['a folder', (around: string) => around],
  ])('is the packaged program if ANVIL_PATH names %s, and a line says so', async (_what, pathOf) => {
    const packaged = await find({ os, cpu });
    const path = pathOf(program('named').around);
    expect(await find({ os, cpu }, { ...NOWHERE, ANVIL_PATH: path })).toBe(packaged);
    expect(said.slice(1)).toEqual([
      `The embedded chain runs ${packaged} (ANVIL_PATH is set, but there is no program at ${path}).`,
    ]);
  });

  it('fails with one sentence if its directory cannot be created', async () => {
    writeFileSync(join(folder, 'file'), '');
    const inFile = join(folder, 'file/cache');
    const fault = await findAnvil(NOWHERE, { platform: { os, cpu }, folder: inFile, say: () => {} }).then(
      () => null,
      (error) => error as Error,
    );
    expect(fault).toBeInstanceOf(StartFault);
    expect(fault?.message).toMatch(
      /^The embedded chain needs anvil, and .* cannot be written to \(E[A-Z]+\): /,
    );
    expect(fault?.message.endsWith(`: give this user write access once, or ${BY_HAND}.`)).toBe(true);
    expect(registry.asked).toEqual([]);
  });

  it('fails with one sentence if the registry does not have the package', async () => {
    vi.stubEnv('npm_config_registry', `${registry.env.npm_config_registry}/nothing-here/`);
    const fault = await failure({ os, cpu });
    expect(fault?.message).toBe(
      `The embedded chain needs anvil, and npm could not fetch ${name}@${VERSION} (E404): ${BY_HAND}.`,
    );
  });

  it('is complete for two processes that fetch it at once', async () => {
    const [one, other] = await Promise.all([find({ os, cpu }), find({ os, cpu })]);
    expect([one, readFileSync(one, 'utf8')]).toEqual([other, `anvil of ${name}`]);
  });

  it('is reported as missing if ANVIL_PATH names no file', async () => {
    const fault = await failure({ os: 'freebsd', cpu: 'x64' }, { ...NOWHERE, ANVIL_PATH: '/nowhere/anvil' });
    expect(fault?.message).toMatch(/ \(ANVIL_PATH is set, but there is no program at \/nowhere\/anvil\)\.$/);
  });

  it('is the program on PATH if npm cannot fetch the package, and a line says why', async () => {
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9');
    const { file, around } = program(os === 'win32' ? 'anvil.exe' : 'anvil');
    expect(await find({ os, cpu }, { PATH: around })).toBe(file);
    expect(said[1]).toMatch(
      new RegExp(`^The embedded chain runs .*, for npm could not fetch ${name}@.*ECONNREFUSED`),
    );
  });

  it('is fetched in the version that package.json pins', () => {
    const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      optionalDependencies: object;
    };
    const chains = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('@foundry-rs/'));
    expect(chains.map(([, version]) => version)).toEqual([VERSION]);
  });
});

describe('a directory that is moved into place', () => {
  let around: string;
  let made: string;
  let place: string;
  const isWhole = () => existsSync(join(place, 'program'));

  beforeEach(() => {
    around = mkdtempSync(join(tmpdir(), 'moved-'));
    made = join(around, 'made');
    place = join(around, 'place');
    mkdirSync(made);
    writeFileSync(join(made, 'program'), 'ours');
  });
  afterEach(() => rmSync(around, { recursive: true }));

  it('replaces an incomplete one', async () => {
    mkdirSync(place);
    writeFileSync(join(place, 'half'), '');
    await moveInto(place, made, { isWhole });
    expect([readFileSync(join(place, 'program'), 'utf8'), existsSync(join(place, 'half'))]).toEqual([
      'ours',
      false,
    ]);
  });

  it('leaves a complete one in place', async () => {
    mkdirSync(place);
    writeFileSync(join(place, 'program'), 'theirs');
    await moveInto(place, made, { isWhole });
    expect(readFileSync(join(place, 'program'), 'utf8')).toBe('theirs');
  });

  it.each(['EPERM', 'EACCES', 'EBUSY'])(
    'waits while a scanner reads its files, which Windows reports as %s',
    async (code) => {
      let tries = 0;
      const move = (from: string, to: string) => {
        tries += 1;
        if (tries < 4) throw Object.assign(new Error(code), { code });
        renameSync(from, to);
      };
      await moveInto(place, made, { isWhole, move: move as typeof renameSync });
      expect([tries, isWhole()]).toEqual([4, true]);
    },
  );

  it('does not wait if it cannot be moved for another reason', async () => {
    await expect(moveInto(join(around, 'no/such'), made, { isWhole: () => false })).rejects.toThrow('ENOENT');
  });
});
