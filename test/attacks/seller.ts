import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/listening.ts';

/** A process of the built service, on a port that stays the same after a restart. */
export type Seller = {
  readonly url: string;
  /** The output of the service since the first start. */
  readonly lines: readonly string[];
  start(): Promise<void>;
  end(signal?: NodeJS.Signals): Promise<void>;
  /** When the service began to listen, in milliseconds of performance.now(). */
  startedMs(): number;
  isAlive(): boolean;
  /** How the service ended unexpectedly; null while it is running. */
  died(): string | null;
};

export type SellerOptions = {
  /** How far the clock of the service is ahead of this machine's clock. */
  readonly aheadSeconds?: number;
};

const main = fileURLToPath(new URL('../../dist/bin/main.js', import.meta.url));
const START_MS = 60_000;
const MOST_LINES = 20_000;

/** A module that shifts the clock of the process that loads it. */
const clock = (seconds: number): string =>
  `data:text/javascript,${encodeURIComponent(`
    const Own = Date;
    const ms = ${seconds * 1000};
    globalThis.Date = class extends Own {
      constructor(...given) { if (given.length > 0) super(...given); else super(Own.now() + ms); }
      static now() { return Own.now() + ms; }
    };`)}`;

export async function createSeller(
  settings: Record<string, string>,
  { aheadSeconds = 0 }: SellerOptions = {},
): Promise<Seller> {
  if (!existsSync(main)) throw new Error('dist/bin/main.js is missing: run `npm run build` first');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const lines: string[] = [];
  let child: ChildProcess | null = null;
  let death: string | null = null;
  let startedMs = 0;
  const words = ['--import', clock(aheadSeconds), main];
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'development',
    PORT: `${port}`,
    PUBLIC_BASE_URL: url,
    ...settings,
  };

  const start = () =>
    new Promise<void>((resolve, reject) => {
      const started = spawn(process.execPath, words, { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
      child = started;
      const timer = setTimeout(
        () => reject(new Error(`no listening: ${lines.slice(-5).join(' ')}`)),
        START_MS,
      );
      started.once('exit', (code, signal) => {
        clearTimeout(timer);
        if (child === started) death = `the process ended with ${signal ?? code}`;
        reject(new Error(`the service ended with ${signal ?? code}: ${lines.slice(-5).join(' ')}`));
      });
      const hear = (text: string) => {
        lines.push(...text.split('\n').filter((line) => line !== ''));
        if (lines.length > MOST_LINES) lines.splice(0, lines.length - MOST_LINES);
        if (!text.includes('"listening"')) return;
        clearTimeout(timer);
        startedMs = performance.now();
        resolve();
      };
      started.stdout?.setEncoding('utf8').on('data', hear);
      started.stderr?.setEncoding('utf8').on('data', hear);
    });

  const end = (signal: NodeJS.Signals = 'SIGKILL') =>
    new Promise<void>((resolve) => {
      const ended = child;
      child = null;
      if (ended === null || ended.exitCode !== null || ended.signalCode !== null) return resolve();
      ended.once('exit', () => resolve());
      ended.kill(signal);
    });

  const isAlive = () => child !== null && child.exitCode === null && child.signalCode === null;
  return {
    url,
    lines,
    start,
    end,
    startedMs: () => startedMs,
    isAlive,
    died: () => death,
  };
}
