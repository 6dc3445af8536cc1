import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = 'src scripts package.json tsconfig.json tsconfig.build.json tsconfig.islands.json'.split(' ');
// The first and the last file of a build, and one from the middle.
const WRITTEN = [
  'dist/bin/main.js',
  'dist/surfaces/pages/assets/islands/islands.json',
  'dist/bundle/package.json',
];

/** On systems with such rights, a service may run as another user than the one that built it. */
const isForOthers = (path: string): boolean =>
  process.platform === 'win32' || (statSync(path).mode & 0o005) === (0o005 & ~process.umask());

describe('a build of the changed files', () => {
  // The name of the folder has unusual characters, because a checkout may be anywhere.
  const folder = mkdtempSync(join(tmpdir(), 'Büro 100% #1 (a & b) '));

  beforeAll(() => {
    for (const path of [...SOURCES, 'dist'])
      cpSync(join(root, path), join(folder, path), { recursive: true, preserveTimestamps: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const build = (...args: string[]): Promise<number | null> => {
    const child = spawn(process.execPath, ['scripts/build.js', ...args], { cwd: folder, stdio: 'ignore' });
    return new Promise((resolve) => child.once('close', resolve));
  };

  it('replaces the previous build as a whole, not file by file, even if two builds run at once', async () => {
    const now = Date.now() / 1000;
    utimesSync(join(folder, 'src/bin/main.ts'), now, now);
    let isOver = false;
    const ended = Promise.all([build('--if-stale'), build('--if-stale')]).finally(() => {
      isOver = true;
    });
    let looks = 0;
    let missing = 0;
    for (; !isOver; await pause(1)) {
      looks += 1;
      if (!WRITTEN.every((path) => existsSync(join(folder, path)))) missing += 1;
    }
    expect(await ended).toEqual([0, 0]);
    // If a build filled the folder in place, most checks would find a file missing.
    expect(missing).toBeLessThan(looks / 10);
    expect(readdirSync(join(folder, 'build'))).toEqual([]);
    expect(isForOthers(join(folder, 'dist'))).toBe(true);
  }, 300_000);

  it('is reported in one sentence if it fails', async () => {
    // A file takes the name of the folder, so the build must fail.
    rmSync(join(folder, 'build'), { recursive: true });
    writeFileSync(join(folder, 'build'), '');
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build.js'], {
      cwd: folder,
      encoding: 'utf8',
    });
    rmSync(join(folder, 'build'));
    expect([status, stderr]).toEqual([
      1,
      'The folder of the project cannot be written to (EEXIST): run npm run build as its owner.\n',
    ]);
  });

  it('names the fault of a listing, and keeps the previous build', () => {
    const [listing = ''] = readdirSync(join(folder, 'src/directory/listings'));
    const place = join(folder, 'src/directory/listings', listing);
    const right = readFileSync(place, 'utf8');
    writeFileSync(place, JSON.stringify({ ...(JSON.parse(right) as object), id: 'another' }));
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build.js'], {
      cwd: folder,
      encoding: 'utf8',
    });
    writeFileSync(place, right);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`listings/${listing} /id: another belongs in listings/another.json`),
    ]);
    expect(WRITTEN.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
    expect(readdirSync(join(folder, 'build'))).toEqual([]);
  }, 300_000);

  it('keeps the previous build if the sources cannot be compiled', async () => {
    const broken = join(folder, 'src/broken.ts');
    cpSync(join(root, 'README.md'), broken);
    expect(await build()).not.toBe(0);
    rmSync(broken);
    expect(WRITTEN.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
    expect(readdirSync(join(folder, 'build'))).toEqual([]);
  }, 300_000);
});
