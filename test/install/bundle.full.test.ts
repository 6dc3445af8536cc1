import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listens, processes, type ServiceProcess } from '../operations/process.ts';
import { signals } from '../support/here.ts';
import { freePort } from '../support/listening.ts';
import { UNSETTLED } from '../support/unsettled.ts';
import { isAllowed } from './licences.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const BUNDLE = join(root, 'dist/bundle');
const MOST_BYTES = 6_000_000;

const real = {
  ...UNSETTLED,
  RECEIPT_KEYS: `0x${'2b'.repeat(32)}`,
};

type Licensed = { license?: { id?: string }; expression?: string };
type Sbom = { components: { name: string; version: string; licenses?: Licensed[] }[] };

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('the bundle', () => {
  // The bundle runs outside the project, under a name with unusual characters, because a checkout may be anywhere.
  const folder = mkdtempSync(join(tmpdir(), 'bundle 100% #1 é '));
  const run = processes();
  beforeAll(() => cpSync(BUNDLE, folder, { recursive: true }));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const program = (name: string): string => join(folder, `dist/bin/${name}.js`);
  const start = async (options: object = {}): Promise<ServiceProcess> => {
    const env = { ...real, PORT: String(await freePort()), PUBLIC_BASE_URL: 'https://calc.example' };
    const service = run(env, options);
    await listens(service);
    return service;
  };
  const end = (name: string, env: Record<string, string>, ...args: string[]) =>
    spawnSync(process.execPath, [program(name), ...args], {
      encoding: 'utf8',
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
    });

  it('is at most 6 MB', () => {
    const bytes = filesOf(BUNDLE).reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('has .env.example, which its messages about settings refer to', () => {
    expect(readFileSync(join(BUNDLE, '.env.example'), 'utf8')).toBe(
      readFileSync(join(root, '.env.example'), 'utf8'),
    );
    expect(end('main', { SETTLERS: 'local' }).stderr).toContain('.env.example');
  });

  it('has no node_modules', () => {
    const files = filesOf(BUNDLE);
    expect(files.filter((file) => /[\\/]node_modules[\\/]/.test(file))).toEqual([]);
  });

  it('answers every document, page and call like the build from which it was made', async () => {
    const [bundled, plain] = [
      await start({ program: program('main') }),
      await start({ program: join(root, 'dist/bin/main.js') }),
    ];
    const sitemap = await (await fetch(`${plain.url}/sitemap.xml`)).text();
    const pages = [...sitemap.matchAll(/<loc>https:\/\/calc\.example([^<]*)<\/loc>/g)].map(
      ([, path]) => path,
    );
    expect(pages.length).toBeGreaterThan(20);
    const islands = readdirSync(join(root, 'dist/surfaces/pages/assets/islands'))
      .filter((file) => file.endsWith('.js'))
      .map((file) => `/islands/${file}`);
    expect(islands.length).toBeGreaterThan(5);
    const documents = ['/openapi.json', '/llms.txt', '/.well-known/did.json', '/og.png', ...islands];
    const calls = [
      '/v1/late-fee?amount=100&due_date=2026-09-01&paid_date=2026-11-21',
      '/v1/late-fee',
      '/v1/tools?limit=5',
    ];
    const paid = [
      '/v1/stack-report?business_type=freelancer&country=US',
      '/v1/late-fee-notice?amount=1',
      '/nowhere',
    ];
    const paths = [...pages.slice(0, 40), ...documents, ...calls, ...paid];
    const answer = async ({ url }: ServiceProcess, path: string) => {
      const response = await fetch(`${url}${path}`);
      const { date: _date, 'x-request-id': _id, ...headers } = Object.fromEntries(response.headers);
      for (const name of Object.keys(headers))
        if (/^ratelimit|^x-ratelimit|^retry-after/.test(name)) delete headers[name];
      return { status: response.status, headers, body: await response.text() };
    };
    // A challenge contains the second in which it was made, and a problem contains the request ID.
    const steady = (text: string) => text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id');
    for (const path of paths) {
      const [ours, theirs] = [await answer(bundled, path ?? '/'), await answer(plain, path ?? '/')];
      expect([path, { ...ours, body: steady(ours.body) }]).toEqual([
        path,
        { ...theirs, body: steady(theirs.body) },
      ]);
    }
  }, 300_000);

  it('reports that the embedded chain is missing, at startup with status 78 and in the doctor', async () => {
    const said =
      'The embedded play-money chain is not in the bundle: set SETTLERS, PAY_TO and the settings that they require, or run npm start in the project itself.';
    const started = end('main', { PORT: String(await freePort()) });
    expect([started.status, started.stderr]).toEqual([78, `${said}\n`]);
    const examined = end('doctor', { PORT: String(await freePort()) });
    expect([examined.status, examined.stdout]).toEqual([1, expect.stringContaining(said.slice(0, -1))]);
  });

  it('reads .env next to its package.json', () => {
    writeFileSync(join(folder, '.env'), 'PORT=wrong\n');
    const { status, stderr } = end('main', real);
    rmSync(join(folder, '.env'));
    expect([status, stderr]).toEqual([78, expect.stringContaining('PORT')]);
  });

  it("has the operators' commands", () => {
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts: object };
    expect(Object.keys(scripts)).toEqual(['start', 'doctor', 'purchases']);
    const doctor = end('doctor', { ...real, PORT: '4021' });
    expect([doctor.status, doctor.stdout]).toEqual([1, expect.stringMatching(/^ok {4}Settings: all valid/m)]);
    expect(end('purchases', real).status).toBe(64);
  });

  it.skipIf(signals.areMissing)(signals.named('drains when npm start is told to stop'), async () => {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn('npm', ['start'], {
      cwd: folder,
      env: { PATH, HOME, ...real, PORT: String(await freePort()) },
    });
    let said = '';
    child.stdout.on('data', (part: Buffer) => {
      const wasUp = said.includes('"listening"');
      said += part;
      if (!wasUp && said.includes('"listening"')) child.kill('SIGTERM');
    });
    const status = await new Promise((resolve) => child.once('close', resolve));
    expect([status, said]).toEqual([0, expect.stringMatching(/"event":"stopped".*"complete":true/)]);
  });

  it('lists its third-party software with allowed licenses and their texts, and nothing that only development needs', () => {
    const { components } = JSON.parse(readFileSync(join(BUNDLE, 'sbom.cdx.json'), 'utf8')) as Sbom;
    const texts = readFileSync(join(BUNDLE, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; dev?: boolean }>;
    };
    expect(components.length).toBeGreaterThan(8);
    for (const { name, version, licenses } of components) {
      const [first] = licenses ?? [];
      expect([name, isAllowed(first?.license?.id ?? first?.expression)]).toEqual([name, true]);
      expect(texts).toContain(`${name} ${version} (`);
      const locked = packages[`node_modules/${name}`];
      expect([name, locked?.dev]).toEqual([name, undefined]);
    }
  });
});
