import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/listening.ts';

/** A process of the built service, on a port that stays the same after a restart. */
export type Seller = {
  readonly url: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  /** The output of the service since the first start. */
  readonly lines: readonly string[];
  start(): Promise<void>;
  end(signal?: NodeJS.Signals): Promise<void>;
  /** When the service began to listen, in milliseconds of performance.now(). */
  startedMs(): number;
  isAlive(): boolean;
  /** Sets the clock of the service ahead by LEAP_SECONDS. */
  leap(): void;
  /** How the service ended unexpectedly; null while it is running. */
  died(): string | null;
  /** The memory of the service in MB; 0 if the system does not report it. */
  residentMb(): number;
  /** Time on the processor so far, in milliseconds. */
  processorMs(): number;
};

export type SellerOptions = {
  /** How far the clock of the service is ahead of ours. */
  readonly aheadSeconds?: number;
  readonly heapMb?: number;
};

const main = fileURLToPath(new URL('../../dist/bin/main.js', import.meta.url));
const START_MS = 30_000;
const CLOCK_TICK_MS = 10;
const MOST_LINES = 20_000;

/** The size of one leap. */
export const LEAP_SECONDS = 200;

/** A module that shifts the clock of the process that loads it first, and again at each SIGUSR2. */
const clock = (seconds: number): string =>
  `data:text/javascript,${encodeURIComponent(`
    const Own = Date;
    let ms = ${seconds * 1000};
    process.on('SIGUSR2', () => { ms += ${LEAP_SECONDS * 1000}; });
    globalThis.Date = class extends Own {
      constructor(...given) { if (given.length > 0) super(...given); else super(Own.now() + ms); }
      static now() { return Own.now() + ms; }
    };`)}`;

export async function createSeller(
  settings: Record<string, string>,
  { aheadSeconds = 0, heapMb }: SellerOptions = {},
): Promise<Seller> {
  if (!existsSync(main)) throw new Error('dist/bin/main.js is missing: run `npm run build` first');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const lines: string[] = [];
  let child: ChildProcess | null = null;
  let death: string | null = null;
  let startedMs = 0;
  const words = [
    '--import',
    clock(aheadSeconds),
    ...(heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`]),
    main,
  ];
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
    port,
    settings,
    lines,
    start,
    end,
    startedMs: () => startedMs,
    isAlive,
    leap: () => void child?.kill('SIGUSR2'),
    died: () => death,
    residentMb: () => (isAlive() ? residentMb(child?.pid) : 0),
    processorMs: () => (isAlive() ? processorMs(child?.pid) : 0),
  };
}

/** Returns the result of a start with these settings, within ten seconds. */
export const endOf = (settings: Record<string, string>): Promise<{ status: number | null; text: string }> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, NODE_ENV: 'development', ...settings };
    const started = spawn(process.execPath, [main], { env, cwd: '/', timeout: 10_000 });
    let text = '';
    for (const stream of [started.stdout, started.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
    started.once('close', (status) => resolve({ status, text }));
  });

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const residentMb = (pid: number | undefined): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024);

/** User and system time are words 14 and 15. The second word is in brackets and may contain spaces. */
function processorMs(pid: number | undefined): number {
  const words = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  return (Number(words[11] ?? 0) + Number(words[12] ?? 0)) * CLOCK_TICK_MS;
}
