import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { StartFault } from '../platform/start-fault.ts';
import { devMnemonic } from './chain-accounts.ts';

/** An operating system and a processor, in Node.js' words. */
export type Platform = { readonly os: string; readonly cpu: string };

// Every platform that anvil is packaged for. npm installs the package of its machine.
const PACKAGES: Readonly<Record<string, string>> = {
  'linux x64': '@foundry-rs/anvil-linux-amd64',
  'linux arm64': '@foundry-rs/anvil-linux-arm64',
  'darwin x64': '@foundry-rs/anvil-darwin-amd64',
  'darwin arm64': '@foundry-rs/anvil-darwin-arm64',
  'win32 x64': '@foundry-rs/anvil-win32-amd64',
};

/** What an operator can do if no anvil runs on the machine. */
const BY_HAND = 'install Foundry and put anvil on PATH or name it in ANVIL_PATH';

type Search = {
  readonly platform?: Platform;
  /** Called with one line if another program than the named one runs. */
  readonly say?: (line: string) => unknown;
};

/**
 * The anvil to run: the one that ANVIL_PATH names, else the one in an installed package, else the one on PATH. Throws a
 * `StartFault` that says what to do if there is none.
 */
export function findAnvil(
  env: NodeJS.ProcessEnv,
  {
    platform = { os: process.platform, cpu: process.arch },
    say = (line) => process.stderr.write(`${line}\n`),
  }: Search = {},
): string {
  const named = env.ANVIL_PATH || undefined;
  if (named !== undefined && isProgram(named)) return resolve(named);
  const hint = named === undefined ? '' : ` (ANVIL_PATH is set, but there is no program at ${named})`;
  const program = platform.os === 'win32' ? 'anvil.exe' : 'anvil';
  const id = PACKAGES[`${platform.os} ${platform.cpu}`];
  const onPath = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const found = [
    ...(id === undefined ? [] : installedFile(`${id}/bin/${program}`)),
    ...onPath.map((folder) => join(folder, program)),
  ].find(isProgram);
  if (found === undefined) {
    const why =
      id === undefined
        ? `npm has no package of it for ${platform.os} ${platform.cpu}: ${BY_HAND}`
        : `its package ${id} is not installed: run npm ci, or ${BY_HAND}`;
    throw new StartFault(`The embedded chain needs anvil, and ${why}${hint}.`);
  }
  if (named !== undefined) say(`The embedded chain runs ${found}${hint}.`);
  return found;
}

/** A file of an installed package, as a list; empty if it is not installed. */
function installedFile(path: string): readonly string[] {
  try {
    return [createRequire(import.meta.url).resolve(path)];
  } catch {
    return [];
  }
}

/** Folders can also have the execute permission. */
function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * The shell becomes anvil and leaves a process behind that reads our pipe. However this process ends, the pipe closes,
 * and the reading process kills anvil. After a line on the pipe, the reading process exits without a kill.
 */
const launcher = '{ read -r _ <&3 || kill -9 $$; } & exec "$@" 3<&-';

/** Without a shell, this Node.js process stays next to anvil, and kills anvil when its own input ends. */
const keeper = `
const [anvil, ...args] = process.argv.slice(1);
const giveUp = ({ message }) => process.stderr.write(message, () => process.exit(127));
process.on('uncaughtException', giveUp);
const child = require('node:child_process').spawn(anvil, args, {
  stdio: ['ignore', 'inherit', 'inherit'],
  windowsHide: true,
});
const end = () => child.kill('SIGKILL');
process.on('SIGTERM', end);
process.stdin.on('end', end).on('error', end).resume();
child.on('error', giveUp);
child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code)));
`;

const SHELL = '/bin/sh';

const launch = (anvil: string, shell: string | null): ChildProcess => {
  const [command, args] =
    shell === null
      ? [process.execPath, ['--eval', keeper, '--', anvil]]
      : [shell, ['-c', launcher, 'sh', anvil]];
  return spawn(command, [...args, ...ANVIL_ARGUMENTS], {
    // Anvil gets its own session, because Ctrl-C must reach only the service, which settles pending purchases before
    // it stops.
    detached: true,
    windowsHide: true,
    stdio: shell === null ? ['pipe', 'pipe', 'pipe'] : ['ignore', 'pipe', 'pipe', 'pipe'],
    // Without our settings and secrets, and without settings of anvil.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' },
  });
};

/**
 * The pipe whose end stops anvil. With a shell, this pipe is not stdin, because Node closes stdin when the child exits,
 * before the dismissal can be written.
 */
const leash = (child: ChildProcess): Socket | null =>
  (child.stdin ?? child.stdio[3] ?? null) as Socket | null;

const ANVIL_ARGUMENTS = [
  // On a free port.
  ['--host', '127.0.0.1', '--port', '0', '--no-cors'],
  ['--chain-id', '8453', '--mnemonic', devMnemonic, '--accounts', '11'],
  // About the base fee of Base: 0.005 gwei.
  ['--block-base-fee-per-gas', '5000000'],
  // Past states would fill memory and then the disk. Blocks, receipts and logs are kept.
  ['--prune-history', '16'],
].flat();

/** `crashed` is false if the chain was stopped on purpose; `detail` says how it ended. */
export type ChainEnd = { crashed: boolean; detail: string };

export type ChainProcess = {
  pid: number;
  port: number;
  /** Resolves, never rejects, once anvil is gone. */
  closed: Promise<ChainEnd>;
  stop(): Promise<void>;
};

// Some systems scan a new program before they let it run.
const BOOT_LIMIT_MS = 30_000;

const listening = /^Listening on 127\.0\.0\.1:(\d+)\s/m;

const readPort = (child: ChildProcess, closed: Promise<ChainEnd>): Promise<number> =>
  new Promise((resolve, reject) => {
    const late = () => reject(new Error(`not listening within ${BOOT_LIMIT_MS} ms`));
    const timer = setTimeout(late, BOOT_LIMIT_MS);
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (printed.length < 20_000) printed += text;
      const port = listening.exec(printed)?.[1];
      if (!port) return;
      clearTimeout(timer);
      child.stdout?.removeAllListeners('data').resume();
      resolve(Number(port));
    });
    closed.then(({ detail }) => {
      clearTimeout(timer);
      reject(new Error(detail));
    }, reject);
  });

const watchEnd = (child: ChildProcess): { closed: Promise<ChainEnd>; expectEnd(): void } => {
  let expected = false;
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-2_000);
  });
  const closed = new Promise<ChainEnd>((resolve) => {
    const end = (how: string) =>
      resolve({ crashed: !expected, detail: [how, complaints.trim()].filter(Boolean).join(': ') });
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => {
      leash(child)?.end('over\n');
      // Anvil's last output may still be in the pipe, which closes once the reader is dismissed.
      child.once('close', () => end(signal ? `ended by ${signal}` : `ended with status ${code}`));
    });
  });
  return { closed, expectEnd: () => (expected = true) };
};

/** `unref` lets this process end while anvil runs, so the chain never keeps it alive. */
const hold = (child: ChildProcess, how: 'ref' | 'unref'): void => {
  child[how]();
  for (const stream of child.stdio) (stream as Socket | null)?.[how]();
};

/**
 * Runs anvil on a free port of 127.0.0.1. It ends when this process ends, even by SIGKILL. Throws if anvil is missing,
 * does not run here, or has not started in time. `shell` null runs it without a shell.
 */
export const runAnvil = async (
  shell: string | null = existsSync(SHELL) ? SHELL : null,
): Promise<ChainProcess> => {
  const anvil = findAnvil(process.env);
  const child = launch(anvil, shell);
  // Writing to a reader that is gone is not an error.
  leash(child)?.on('error', () => {});
  const { closed, expectEnd } = watchEnd(child);
  const stop = async () => {
    expectEnd();
    hold(child, 'ref');
    // Anvil stores nothing on disk, so it needs no orderly shutdown.
    if (shell === null) leash(child)?.destroy();
    else child.kill('SIGKILL');
    await closed;
  };
  try {
    const listeningPort = await readPort(child, closed);
    hold(child, 'unref');
    return { pid: child.pid ?? 0, port: listeningPort, closed, stop };
  } catch (error) {
    await stop();
    const why = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : 'no reason given';
    throw new StartFault(
      `The embedded chain needs anvil, and ${anvil} does not run here (${why}): ${BY_HAND}.`,
    );
  }
};
