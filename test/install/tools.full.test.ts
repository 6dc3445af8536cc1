import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toolsOf } from '../../scripts/test-needs.js';
import { needs, remedyOf } from '../../scripts/test-programs.js';
import { type PackageRegistry, startPackageRegistry } from './package-registry.ts';

type Need = (typeof needs)[number];

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('a tool', () => {
  let registry: PackageRegistry;
  let folder: string;

  beforeAll(async () => {
    registry = await startPackageRegistry([{ name: 'made-up', version: '1.0.0', files: { 'index.js': '' } }]);
  });
  afterAll(() => registry.stop());
  beforeEach(() => {
    // The path as the program will see it, even if the folder for temporary files is a link.
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tools-')));
    for (const file of ['tool.js', 'moving.js', 'node-version.js'])
      cpSync(join(root, 'scripts', file), join(folder, 'scripts', file));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    mkdirSync(join(folder, 'tools/example'), { recursive: true });
    const dependencies = { 'made-up': '1.0.0' };
    const packages = { '': { dependencies }, 'node_modules/made-up': { version: '1.0.0' } };
    const manifest = { name: 'example', private: true, dependencies };
    const lock = { name: 'example', lockfileVersion: 3, requires: true, packages };
    writeFileSync(join(folder, 'tools/example/package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'tools/example/package-lock.json'), JSON.stringify(lock));
    registry.asked.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function fetchIt(name: string, env: Record<string, string> = {}, program = 'scripts/tool.js') {
    const child = spawn(process.execPath, [program, name], {
      cwd: folder,
      env: { ...process.env, ...registry.env, ...env },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (part) => {
      stdout += part;
    });
    child.stderr.on('data', (part) => {
      stderr += part;
    });
    const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { status, stdout, stderr };
  }

  it('is fetched once, as its lock file says, and its folder is returned', async () => {
    const first = await fetchIt('example');
    expect(first).toEqual({
      status: 0,
      stdout: `${join(folder, 'tools/example')}\n`,
      stderr: 'Fetching tools/example\n',
    });
    expect(existsSync(join(folder, 'tools/example/node_modules/made-up/index.js'))).toBe(true);
    const asked = registry.asked.length;
    expect((await fetchIt('example')).stderr).toBe('');
    expect(registry.asked).toHaveLength(asked);
  });

  it('is fetched through a link to the project, too', async () => {
    const link = join(folder, 'link');
    symlinkSync(folder, link, 'junction');
    const { status, stdout } = await fetchIt('example', {}, join(link, 'scripts/tool.js'));
    expect([status, stdout]).toEqual([0, `${join(folder, 'tools/example')}\n`]);
  });

  it('is fetched by two processes at once, and complete for both', async () => {
    const told = { status: 0, stdout: `${join(folder, 'tools/example')}\n` };
    const [one, other] = await Promise.all([fetchIt('example'), fetchIt('example')]);
    expect([one, other]).toMatchObject([told, told]);
    expect(readdirSync(join(folder, 'tools/example')).sort()).toEqual([
      'node_modules',
      'package-lock.json',
      'package.json',
    ]);
  });

  it('is fetched again when its lock file has changed', async () => {
    await fetchIt('example');
    const lock = join(folder, 'tools/example/package-lock.json');
    writeFileSync(lock, `${readFileSync(lock, 'utf8')}\n`);
    expect(await fetchIt('example')).toMatchObject({ status: 0, stderr: 'Fetching tools/example\n' });
  });

  it('is reported in one sentence if it cannot be fetched, and leaves nothing behind', async () => {
    const nobody = {
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_cache: join(folder, 'empty'),
      npm_config_loglevel: 'silent',
    };
    expect(await fetchIt('example', nobody)).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'Fetching tools/example\ntools/example could not be fetched: the package registry cannot be reached (ECONNREFUSED)\n',
    });
    expect(readdirSync(join(folder, 'tools/example'))).toEqual(['package-lock.json', 'package.json']);
  });

  it('returns the list of tools if it does not exist', async () => {
    expect(await fetchIt('exampel')).toEqual({ status: 1, stdout: '', stderr: 'Name a tool: example\n' });
  });
});

describe('a program that a suite needs', () => {
  it.each([
    ['test/mcp/conformance.full.test.ts', ['conformance']],
    ['test/mcp/clients.full.test.ts', ['mcp-clients']],
    ['test/discovery/openapi.full.test.ts', ['openapi']],
    ['test/discovery/prism.full.test.ts', ['openapi']],
    ['test/discovery/listing.full.test.ts', ['x402']],
    ['test/pages/paying.browser.test.ts', ['browser']],
    ['test/operations/play-money.full.test.ts', ['mcp-clients', 'x402']],
    ['test/http/paying.test.ts', []],
    ['src/config/config.test.ts', []],
  ])('is found in %s: %j', (suite, tools) => {
    expect(toolsOf(suite).sort()).toEqual(tools);
  });

  it('is reported with the way to install it', () => {
    const [redis, chromium, nginx] = needs as [Need, Need, Need];
    expect(remedyOf(redis, 'darwin', false)).toBe('redis-server is not installed: brew install redis');
    expect(remedyOf(chromium, 'win32', false)).toBe(
      'chromium is not installed: winget install Google.Chrome',
    );
    expect(remedyOf(nginx, 'linux', true)).toBe('nginx is not installed: sudo apt-get install nginx-light');
    expect(remedyOf(nginx, 'linux', false)).toBe(
      'nginx is not installed: install it with the package manager of your system',
    );
    expect(remedyOf(redis, 'win32', false)).toBe(
      'redis-server is not installed: there is none for Windows: run the tests in WSL',
    );
  });
});
