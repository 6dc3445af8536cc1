import { type ChildProcess, spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartFault } from '../platform/start-fault.ts';
import { devMnemonic } from './chain-accounts.ts';

/** An operating system and a processor, in Node.js' words. */
export type Platform = { readonly os: string; readonly cpu: string };

export const ownPlatform: Platform = { os: process.platform, cpu: process.arch };

/** A package that holds anvil for one platform, and where the program is in it. */
type ChainPackage = { readonly name: string; readonly version: string; readonly program: string };

// Every platform that anvil is packaged for.
const packaged: Readonly<Record<string, string>> = {
  'linux x64': 'linux-amd64',
  'linux arm64': 'linux-arm64',
  'darwin x64': 'darwin-amd64',
  'darwin arm64': 'darwin-arm64',
  'win32 x64': 'win32-amd64',
};

// The version of the package in package.json.
const VERSION = '1.7.1';

/** The package of a platform; null if there is none. */
export const chainPackage = ({ os, cpu }: Platform): ChainPackage | null => {
  const suffix = packaged[`${os} ${cpu}`];
  if (suffix === undefined) return null;
  const program = os === 'win32' ? 'bin/anvil.exe' : 'bin/anvil';
  return { name: `@foundry-rs/anvil-${suffix}`, version: VERSION, program };
};

/** The folder for fetched packages that are not installed. */
const fetchedFolder = fileURLToPath(new URL('../../.cache', import.meta.url));

const placeIn = (folder: string, { name, version }: ChainPackage): string =>
  join(folder, `${name.split('/')[1]}-${version}`);

const programIn = (folder: string, wanted: ChainPackage): string =>
  join(placeIn(folder, wanted), 'node_modules', wanted.name, wanted.program);

/** Where the program of a package may already be: among the installed packages, then in the folder for fetched ones. */
export const knownPrograms = (wanted: ChainPackage, folder: string = fetchedFolder): string[] => {
  const fetched = programIn(folder, wanted);
  try {
    return [createRequire(import.meta.url).resolve(`${wanted.name}/${wanted.program}`), fetched];
  } catch {
    return [fetched];
  }
};

/**
 * Runs npm: the program that runs this process, or else the one on PATH, which on Windows only a shell finds.
 * Resolves to null if it succeeds, and otherwise to what went wrong.
 */
const npm = (args: readonly string[], cwd: string): Promise<string | null> =>
  new Promise((resolve) => {
    const running = process.env.npm_execpath ?? '';
    const stdio = ['ignore', 'ignore', 'pipe'] as const;
    const child = /npm-cli\.c?js$/.test(running)
      ? spawn(process.execPath, [running, ...args], { cwd, stdio: [...stdio] })
      : spawn(['npm', ...args].join(' '), { cwd, stdio: [...stdio], shell: true });
    let said = '';
    child.stderr?.on('data', (part) => {
      said = (said + part).slice(-20_000);
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (status) =>
      resolve(status === 0 ? null : (/npm (?:error|ERR!) code (\S+)/.exec(said)?.[1] ?? `status ${status}`)),
    );
  });

// Windows returns these codes while a virus scanner reads new files, and every system does if the target exists.
const IN_THE_WAY = new Set(['EPERM', 'EACCES', 'EBUSY', 'EEXIST', 'ENOTEMPTY']);
const PATIENCE_MS = 5_000;
const PAUSE_MS = 50;

/** Moves a folder to `place`. An existing complete folder stays, because another process was faster. */
export const moveInto = async (
  place: string,
  folder: string,
  { isWhole, move = renameSync }: { isWhole: () => boolean; move?: typeof renameSync },
): Promise<void> => {
  const endMs = performance.now() + PATIENCE_MS;
  while (!isWhole())
    try {
      move(folder, place);
      return;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!IN_THE_WAY.has(code) || performance.now() > endMs) throw error;
      if (!isWhole()) rmSync(place, { recursive: true, force: true, maxRetries: 10 });
      await pause(PAUSE_MS);
    }
};

/**
 * Fetches the package of `platform` by npm into `folder` and resolves to its program. Rejects with npm's code, such as
 * ENOTFOUND without a network.
 */
const fetchProgram = async (wanted: ChainPackage, { os, cpu }: Platform, folder: string): Promise<string> => {
  mkdirSync(folder, { recursive: true });
  // The package is built elsewhere and moved into place, so that no process ever sees half of it. The package is one
  // folder deeper, because only the owner can read a folder that mkdtemp creates.
  const around = mkdtempSync(join(folder, 'fetching-'));
  const making = join(around, 'package');
  try {
    mkdirSync(making);
    // Without its own package.json, npm would install into the project around it.
    writeFileSync(join(making, 'package.json'), '{"private":true}');
    const quiet = [
      '--no-save',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--no-update-notifier',
    ];
    // Set even under `npm run --silent`, because npm's last message holds the reason.
    const heard = '--loglevel=error';
    const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--prefer-offline'];
    const wish = ['install', `${wanted.name}@${wanted.version}`, '--prefix=.', `--os=${os}`, `--cpu=${cpu}`];
    const code = await npm([...wish, ...quiet, heard, ...patience], making);
    if (code !== null) throw new Error(code);
    const program = programIn(folder, wanted);
    await moveInto(placeIn(folder, wanted), making, { isWhole: () => existsSync(program) });
    return program;
  } finally {
    rmSync(around, { recursive: true, force: true, maxRetries: 10 });
  }
};

/** Folders can also have the execute permission. */
const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};

const onPath = (env: NodeJS.ProcessEnv, { os }: Platform): string | undefined =>
  (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, os === 'win32' ? 'anvil.exe' : 'anvil'))
    .find(isProgram);

/** What an operator can do if no anvil runs on the machine. */
export const BY_HAND = 'install Foundry and put anvil on PATH or name it in ANVIL_PATH';

// npm's error codes if it reaches no registry.
const UNREACHABLE =
  /^(E?NOTFOUND|EAI_AGAIN|ECONN\w+|E(NET|HOST)UNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED)$/;

/** Why anvil is unavailable, and what to do about it. */
const whyNot = (error: unknown, id: string, folder: string): string => {
  if (error instanceof Error && 'syscall' in error && 'code' in error)
    return `${folder} cannot be written to (${error.code}): give this user write access once, or ${BY_HAND}`;
  const code = error instanceof Error ? error.message : 'unknown';
  const connect = UNREACHABLE.test(code) ? 'connect to the network once, or ' : '';
  return `npm could not fetch ${id} (${code}): ${connect}${BY_HAND}`;
};

type Search = {
  readonly platform?: Platform;
  /** The folder for fetched packages. */
  readonly folder?: string;
  /** Called with one line for everything that takes time or needs attention. */
  readonly say?: (line: string) => unknown;
};

/**
 * The anvil to run: the one that ANVIL_PATH names, else the one in an installed package, else the one in the platform's
 * package, which npm fetches once, else the one on PATH. Throws a `StartFault` that says what to do if there is none.
 */
export const findAnvil = async (
  env: NodeJS.ProcessEnv,
  {
    platform = ownPlatform,
    folder = fetchedFolder,
    say = (line) => process.stderr.write(`${line}\n`),
  }: Search = {},
): Promise<string> => {
  const named = env.ANVIL_PATH || undefined;
  if (named !== undefined && isProgram(named)) return resolve(named);
  const hint = named === undefined ? '' : ` (ANVIL_PATH is set, but there is no program at ${named})`;
  const wanted = chainPackage(platform);
  const installed = wanted === null ? undefined : knownPrograms(wanted, folder).find(isProgram);
  if (installed !== undefined) {
    if (named !== undefined) say(`The embedded chain runs ${installed}${hint}.`);
    return installed;
  }
  let why = `npm has no package of it for ${platform.os} ${platform.cpu}: ${BY_HAND}`;
  if (wanted !== null) {
    const id = `${wanted.name}@${wanted.version}`;
    say(`Downloading the embedded chain (only once): ${id}`);
    try {
      return await fetchProgram(wanted, platform, folder);
    } catch (error) {
      why = whyNot(error, id, folder);
    }
  }
  const found = onPath(env, platform);
  if (found === undefined) throw new StartFault(`The embedded chain needs anvil, and ${why}${hint}.`);
  say(`The embedded chain runs ${found}, for ${why}${hint}.`);
  return found;
};

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
  // At a free port.
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
 * Runs anvil at a free port of 127.0.0.1. It ends when this process ends, even by SIGKILL. Throws if anvil is missing,
 * does not run here, or has not started in time. `shell` null runs it without a shell.
 */
export const runAnvil = async (
  shell: string | null = existsSync(SHELL) ? SHELL : null,
): Promise<ChainProcess> => {
  const anvil = await findAnvil(process.env);
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
