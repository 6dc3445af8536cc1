import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = [
  'src',
  'scripts',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.islands.json',
];
// The first and the last that a build writes.
const WRITTEN = ['dist/main.js', 'dist/surfaces/pages/assets/play-money.js'];

describe('a build of what has changed', () => {
  // A checkout may lie anywhere.
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

  it('takes the place of the one before in a moment, also when two build at once', async () => {
    const now = Date.now() / 1000;
    utimesSync(join(folder, 'src/main.ts'), now, now);
    let isOver = false;
    const ended = Promise.all([build('--if-stale'), build('--if-stale')]).finally(() => {
      isOver = true;
    });
    let looks = 0;
    let gaps = 0;
    for (; !isOver; await pause(1)) {
      looks += 1;
      if (!WRITTEN.every((path) => existsSync(join(folder, path)))) gaps += 1;
    }
    expect(await ended).toEqual([0, 0]);
    expect(looks).toBeGreaterThan(100);
    // Between giving way and taking the place there may be one look for each.
    expect(gaps).toBeLessThanOrEqual(2);
    expect(readdirSync(join(folder, 'build'))).toEqual([]);
  }, 120_000);

  it('leaves the one before where it is when the sources cannot be compiled', async () => {
    const broken = join(folder, 'src/broken.ts');
    cpSync(join(root, 'README.md'), broken);
    expect(await build()).not.toBe(0);
    rmSync(broken);
    expect(WRITTEN.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
    expect(readdirSync(join(folder, 'build'))).toEqual([]);
  }, 120_000);
});
