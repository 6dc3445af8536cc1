import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../support/listening.ts';
import { listens, processes } from './process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('a .env file next to package.json', () => {
  const run = processes();
  let folder: string;
  let port: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'installed-'));
    cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
    cpSync(join(root, 'package.json'), join(folder, 'package.json'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    port = await freePort();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const start = (env: Record<string, string> = {}, program = 'bin/main.js') =>
    run(env, { program: join(folder, 'dist', program) });
  const local = (payTo: string) =>
    `PORT=${port}\nSETTLERS=local\nRPC_URLS=http://127.0.0.1:9\nRELAYER_KEY=0x${'11'.repeat(32)}\nPAY_TO=${payTo}\n`;

  it('is read from any working directory, and the environment takes precedence', async () => {
    writeFileSync(
      join(folder, '.env'),
      `${local('0x00000000000000000000000000000000000000aa')}LOG_LEVEL=silent\n`,
    );
    const service = start({ LOG_LEVEL: 'info' });
    await listens(service);
    expect(service.logged('listening')).toMatchObject([
      { origin: `http://127.0.0.1:${port}`, settlers: ['local'] },
    ]);
  });

  it('with a wrong setting prevents startup: one message lists all faults, and the status is 78', async () => {
    writeFileSync(join(folder, '.env'), `${local('nobody')}PUBLIC_BASE_URL=http://calc.example\n`);
    const service = start({ NODE_ENV: 'production' });
    expect(await service.ended).toBe(78);
    expect(service.written()).toMatch(/PAY_TO/);
    expect(service.written()).toMatch(/PUBLIC_BASE_URL/);
  });

  it('prevents startup if it cannot be read, because half of the settings would make another service', async () => {
    mkdirSync(join(folder, '.env'));
    for (const program of ['bin/main.js', 'bin/doctor.js']) {
      const service = start({ PORT: String(port) }, program);
      expect(await service.ended).toBe(78);
      expect(service.written()).toContain('.env');
      expect(service.written()).not.toContain(folder);
    }
  });
});
