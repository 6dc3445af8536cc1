import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/listening.ts';
import { until } from '../support/until.ts';

const page = readFileSync(new URL('../../docs/proxy.md', import.meta.url), 'utf8');

type Configure = (folder: string, port: number, upstreams: readonly string[]) => string;
export type Nginx = {
  readonly url: string;
  /** The folder for all its files. */
  readonly folder: string;
  /** The log of nginx so far. */
  logged(): string;
  stop(): Promise<void>;
};

/**
 * nginx with the configuration of docs/proxy.md, or another one, on its own port and without the certificate, in front
 * of the instances in `upstreams` (host and port).
 */
export async function startNginx(
  upstreams: readonly string[],
  configure: Configure = configuration,
): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  // If root starts nginx, its workers run as another user and need access to their temporary files.
  chmodSync(folder, 0o755);
  const port = await freePort();
  mkdirSync(join(folder, 'logs'));
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configure(folder, port, upstreams));
  const proxy = spawn(
    process.env.NGINX_PATH ?? 'nginx',
    ['-p', folder, '-c', file, '-e', join(folder, 'error.log')],
    { stdio: 'inherit' },
  );
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok === true, 'nginx answers');
  return {
    url,
    folder,
    logged: () =>
      ['error.log', 'logs/calc.log'].map((name) => readFileSync(join(folder, name), 'utf8')).join(''),
    async stop() {
      if (proxy.exitCode === null) {
        const ended = new Promise((resolve) => proxy.once('exit', resolve));
        proxy.kill('SIGTERM');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration(folder: string, port: number, upstreams: readonly string[]): string {
  const shown = /```nginx\n([\s\S]+?)```/.exec(page)?.[1] ?? '';
  const line = (upstream: string) => `server ${upstream} max_fails=0;`;
  const servers = shown
    .replace('server 127.0.0.1:4021 max_fails=0;', upstreams.map(line).join('\n'))
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace('/var/log/nginx/', `${folder}/logs/`)
    .replaceAll(/^ *ssl_.*\n/gm, '');
  for (const upstream of upstreams)
    if (!servers.includes(line(upstream)))
      throw new Error('The page shows other upstreams than are replaced');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join('\n');
  return `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
http { ${temporary} ${servers} }`;
}
