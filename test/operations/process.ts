import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The service as an operator runs it: the built program in a process of its own. */
export type ServiceProcess = {
  readonly child: ChildProcess;
  readonly url: string;
  /** Everything it has written so far. */
  written(): string;
  /** The log lines of one event, parsed. */
  logged(event: string): Record<string, unknown>[];
  /** Its exit status, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
};

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Runs built programs, and ends what a test leaves running. */
export function processes(): (
  env: Record<string, string>,
  options?: { program?: string; node?: string[] },
) => ServiceProcess {
  const running = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL');
    running.clear();
  });
  return (env, { program = `${root}dist/main.js`, node = [] } = {}) => {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, [...node, program], {
      cwd: '/',
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    let written = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        written += chunk;
      });
    const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
      child.once('close', (status, signal) => {
        running.delete(child);
        resolve(signal ?? status);
      }),
    );
    const logged = (event: string) =>
      written
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line.event === event);
    return { child, url: `http://127.0.0.1:${env.PORT}`, written: () => written, logged, ended };
  };
}

/** Waits until something is so, for ten seconds at most. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 10_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Not within ten seconds: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const listens = (service: ServiceProcess): Promise<void> =>
  until(() => service.logged('listening').length > 0, `listening\n${service.written()}`);
