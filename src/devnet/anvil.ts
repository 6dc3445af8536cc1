import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { StartFault } from '../platform/start-fault.ts';
import {
  chainPackage,
  fetchedFolder,
  fetchProgram,
  knownPrograms,
  ownPlatform,
  type Platform,
} from './chain-package.ts';

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
  readonly say?: (line: string) => void;
};

/**
 * The anvil to run: the one that ANVIL_PATH names, else the installed package's, else that of the platform's package,
 * which npm fetches once, else the one on PATH. Throws a `StartFault` that says what to do if there is none.
 */
export const findAnvil = async (
  env: NodeJS.ProcessEnv,
  { platform = ownPlatform, folder = fetchedFolder, say = sayOnError }: Search = {},
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

function sayOnError(line: string): void {
  process.stderr.write(`${line}\n`);
}
