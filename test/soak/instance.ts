import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { builtProgram } from '../support/built-program.ts';
import { freePort } from '../support/listening.ts';

export type Signal = 'SIGKILL' | 'SIGTERM';

/** A process of the service, on a port that does not change when it restarts. */
export type Instance = {
  readonly name: string;
  readonly url: string;
  /** What it logged since the first start, newest last. */
  readonly lines: readonly string[];
  start(): Promise<void>;
  /** Resolves once the process is gone. */
  end(signal: Signal): Promise<void>;
  /** Stops it and starts it again after a while, one restart after another. */
  restart(signal: Signal, downMs: number): Promise<void>;
};

const main = builtProgram('main');
const MOST_LINES = 50_000;
const START_MS = 60_000;

export async function instanceOf(name: string, settings: Record<string, string>): Promise<Instance> {
  if (!existsSync(main)) throw new Error('dist/bin/main.js is missing: run `npm run build` first');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const lines: string[] = [];
  let child: ChildProcess | null = null;
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'development',
    PORT: `${port}`,
    PUBLIC_BASE_URL: url,
    ...settings,
  };

  const start = () =>
    new Promise<void>((resolve, reject) => {
      const started = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      child = started;
      const timer = setTimeout(() => reject(new Error(`${name} did not listen in time`)), START_MS);
      started.once('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`${name} ended with ${code} before it listened`));
      });
      started.stdout?.setEncoding('utf8').on('data', (text: string) => {
        lines.push(...text.split('\n').filter((line) => line !== ''));
        if (lines.length > MOST_LINES) lines.splice(0, lines.length - MOST_LINES);
        if (!text.includes('"listening"')) return;
        clearTimeout(timer);
        resolve();
      });
    });

  const end = (signal: Signal) =>
    new Promise<void>((resolve) => {
      const ended = child;
      child = null;
      if (ended === null || ended.exitCode !== null || ended.signalCode !== null) return resolve();
      ended.once('exit', () => resolve());
      ended.kill(signal);
    });

  let turn: Promise<void> = Promise.resolve();
  const restart = (signal: Signal, downMs: number) => {
    turn = turn.then(async () => {
      await end(signal);
      await new Promise((resolve) => setTimeout(resolve, downMs));
      await start();
    });
    return turn;
  };
  return { name, url, lines, start, end, restart };
}
