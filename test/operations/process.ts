import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { procFiles } from '../support/here.ts';
import { until } from '../support/until.ts';

/** The service as an operator runs it: the built program in its own process. */
export type ServiceProcess = {
  readonly child: ChildProcess;
  readonly url: string;
  /** The output of the process so far. */
  written(): string;
  /** The log lines of one event, parsed. */
  logged(event: string): Record<string, unknown>[];
  /** The exit status of the process, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
};

/** Runs built programs, and stops what a test leaves running. */
export function processes(): (
  env: Record<string, string>,
  options?: { program?: string; node?: string[]; args?: string[] },
) => ServiceProcess {
  const running = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL');
    running.clear();
  });
  return (env, { program = builtProgram('main'), node = [], args = [] } = {}) => {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, [...node, program, ...args], {
      cwd: '/',
      env: { PATH, HOME, NODE_ENV: 'development', ...env },
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
        // The last line may not be complete yet.
        .slice(0, -1)
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line.event === event);
    return { child, url: `http://127.0.0.1:${env.PORT}`, written: () => written, logged, ended };
  };
}

export const listens = (service: ServiceProcess, limitMs?: number): Promise<void> =>
  until(() => service.logged('listening').length > 0, 'listening', limitMs).catch((error: Error) => {
    throw new Error(`${error.message}\n${service.written()}`);
  });

/** Arguments of Node.js that set a program's clock back by this many days. */
export const clockBehind = (days: number): string[] => [
  '--import',
  `data:text/javascript,${encodeURIComponent(`
    const Real = Date;
    const now = () => Real.now() - ${days} * 86_400_000;
    globalThis.Date = class extends Real {
      constructor(...given) { given.length === 0 ? super(now()) : super(...given); }
      static now() { return now(); }
    };`)}`,
];

/** The present memory of a process; NaN if `procFiles` are missing. */
export const bytesOf = ({ child }: ServiceProcess): number =>
  procFiles.areMissing
    ? Number.NaN
    : Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024;
