import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/listening.ts';
import { until } from '../support/until.ts';

const FILE = fileURLToPath(new URL('../../deploy/Caddyfile', import.meta.url));
const program = process.env.CADDY_PATH ?? 'caddy';

export type Caddy = {
  readonly url: string;
  /** The folder for all its files, including its log. */
  readonly home: string;
  /** How many times it has found an instance (host and port) healthy or unhealthy since it started. */
  found(how: 'up' | 'down', instance: string): number;
  stop(): Promise<void>;
};

/** Returns the settings for a Caddy as old as the one in Debian 12, as deploy/Caddyfile explains. */
function ofItsAge(): Record<string, string> {
  const { stdout = '' } = spawnSync(program, ['version'], { encoding: 'utf8' });
  const [, minor = 0, patch = 0] = (/2\.(\d+)\.(\d+)/.exec(stdout) ?? []).map(Number);
  return minor * 100 + patch < 604 ? { BUFFER_BODIES: 'buffer_requests' } : {};
}

/** Runs Caddy's check of deploy/Caddyfile; returns its status and its output. */
export function validated(env: Record<string, string> = ofItsAge()) {
  const { status, stdout, stderr } = spawnSync(
    program,
    ['validate', '--config', FILE, '--adapter', 'caddyfile'],
    { encoding: 'utf8', env: { ...process.env, DOMAIN: 'calc.example', ...env } },
  );
  return { status, said: `${stdout}${stderr}` };
}

/** Caddy with deploy/Caddyfile, without a certificate, in front of the instances in `upstreams`. */
export async function startCaddy(upstreams: readonly string[]): Promise<Caddy> {
  const home = mkdtempSync(join(tmpdir(), 'caddy-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const said = openSync(join(home, 'said.log'), 'a');
  const child = spawn(program, ['run', '--config', FILE, '--adapter', 'caddyfile'], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      DOMAIN: url,
      UPSTREAMS: upstreams.join(' '),
      CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
      ...ofItsAge(),
    },
    stdio: ['ignore', said, said],
  });
  closeSync(said);
  await until(async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok === true, 'Caddy answers');
  return {
    url,
    home,
    found: (how, instance) =>
      readFileSync(join(home, 'said.log'), 'utf8')
        .split('\n')
        .filter(
          (line) =>
            line.includes('health_checker.active') &&
            line.includes(`"host":"${instance}"`) &&
            line.includes('"msg":"host is up"') === (how === 'up'),
        ).length,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.kill('SIGTERM')) await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
