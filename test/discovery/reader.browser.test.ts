import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchTool } from '../../scripts/tool.js';
import { catalog } from '../support/app.ts';
import { type BuiltService, startBuilt } from '../support/built-service.ts';

const chromium = process.env.CHROMIUM_PATH;

describe.skipIf(chromium === undefined)('the API reader of the built service', () => {
  const profile = mkdtempSync(join(tmpdir(), 'reader-'));
  let service: BuiltService;

  beforeAll(async () => {
    // The build takes the reader along where it is there.
    fetchTool('reference');
    spawnSync(process.execPath, ['scripts/build.js', '--if-stale']);
    service = await startBuilt();
  });
  afterAll(() => {
    service.stop();
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
        `${service.url}${path}`,
      ],
      { encoding: 'utf8', timeout: 50_000, maxBuffer: 64 * 1024 * 1024 },
    );

  it('shows every operation, asks nobody else for anything, and breaks no rule of its policy', () => {
    const { stdout: dom, stderr: said } = visit('/docs/reference');
    for (const { title, route } of catalog) if (route !== null) expect(dom).toContain(title);
    expect(said).not.toMatch(/CONSOLE/);
    const elsewhere = [...dom.matchAll(/\ssrc="(https?:[^"]*)"/g)].filter(
      ([, source]) => !source?.startsWith(service.url),
    );
    expect(elsewhere).toEqual([]);
  }, 60_000);

  it('stands beside a reference that needs no script', async () => {
    const html = await (await fetch(`${service.url}/docs`)).text();
    expect(html).toContain('href="/docs/reference"');
    expect(html).not.toMatch(/<script/);
    const policy = (await fetch(`${service.url}/docs/reference`)).headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none';.*script-src 'self'; connect-src 'self'$/);
    expect(policy).not.toContain('unsafe');
  });
});
