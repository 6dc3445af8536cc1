import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../support/app.ts';
import { freePort } from '../support/listening.ts';

const chromium = process.env.CHROMIUM_PATH;
const main = new URL('../../dist/main.js', import.meta.url).pathname;

describe.skipIf(chromium === undefined)('the API reader of the built service', () => {
  const profile = mkdtempSync(join(tmpdir(), 'reader-'));
  let service: ChildProcess;
  let url = '';

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    service = spawn(process.execPath, [main], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        SETTLERS: 'local',
        // Port 9 is that of the discard protocol: nothing listens there, and nothing here is settled.
        RPC_URLS: 'http://127.0.0.1:9',
        RELAYER_KEY: `0x${'11'.repeat(32)}`,
        PAY_TO: '0x00000000000000000000000000000000000000aa',
      },
    });
    await new Promise<void>((resolve, reject) => {
      service.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
      service.stdout?.on('data', (part: Buffer) => {
        if (part.toString().includes('"listening"')) resolve();
      });
    });
  });
  afterAll(() => {
    service.removeAllListeners('exit').kill('SIGKILL');
    rmSync(profile, { recursive: true, force: true });
  });

  const visit = (path: string) =>
    spawnSync(
      chromium ?? '',
      [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        `--user-data-dir=${profile}`,
        '--virtual-time-budget=10000',
        '--enable-logging=stderr',
        '--dump-dom',
        `${url}${path}`,
      ],
      { encoding: 'utf8', timeout: 50_000, maxBuffer: 64 * 1024 * 1024 },
    );

  it('shows every operation, asks nobody else for anything, and breaks no rule of its policy', () => {
    const { stdout: dom, stderr: said } = visit('/docs/reference');
    for (const { title, route } of catalog) if (route !== null) expect(dom).toContain(title);
    expect(said).not.toMatch(/CONSOLE/);
    const elsewhere = [...dom.matchAll(/\ssrc="(https?:[^"]*)"/g)].filter(
      ([, source]) => !source?.startsWith(url),
    );
    expect(elsewhere).toEqual([]);
  }, 60_000);

  it('stands beside a reference that needs no script', async () => {
    const html = await (await fetch(`${url}/docs`)).text();
    expect(html).toContain('href="/docs/reference"');
    expect(html).not.toMatch(/<script/);
    const policy = (await fetch(`${url}/docs/reference`)).headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none';.*script-src 'self'; connect-src 'self'$/);
    expect(policy).not.toContain('unsafe');
  });
});
