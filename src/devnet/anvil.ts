import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { StartFault } from '../start-fault.ts';
import {
  chainPackage,
  fetchedFolder,
  fetchProgram,
  knownPrograms,
  ownPlatform,
  type Platform,
} from './chain-package.ts';

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const onPath = (env: NodeJS.ProcessEnv, { os }: Platform): string | undefined =>
  (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, os === 'win32' ? 'anvil.exe' : 'anvil'))
    .find(isExecutable);

const BY_HAND = 'install Foundry and put anvil on PATH or name it in ANVIL_PATH';

type Search = {
  readonly platform?: Platform;
  /** Where a package is fetched to, and looked for. */
  readonly folder?: string;
  /** Is told in a line what takes time or needs attention. */
  readonly say?: (line: string) => void;
};

/**
 * The anvil to run: the installed package's, else the one that ANVIL_PATH names, else that of the platform's package,
 * fetched once by npm, else the one on PATH. Throws a `StartFault` that says what to do when there is none.
 */
export const findAnvil = async (
  env: NodeJS.ProcessEnv,
  { platform = ownPlatform, folder = fetchedFolder, say = sayOnError }: Search = {},
): Promise<string> => {
  const wanted = chainPackage(platform);
  const installed = wanted === null ? undefined : knownPrograms(wanted, folder).find(isExecutable);
  if (installed !== undefined) return installed;
  const named = env.ANVIL_PATH || undefined;
  if (named !== undefined && isExecutable(named)) return named;
  const hint = named === undefined ? '' : ` (ANVIL_PATH is set, but there is no program at ${named})`;
  let why = `there is no package of it for ${platform.os} ${platform.cpu}: ${BY_HAND}`;
  if (wanted !== null) {
    const id = `${wanted.name}@${wanted.version}`;
    say(`Fetching the embedded chain, once: ${id}`);
    try {
      return await fetchProgram(wanted, platform, folder);
    } catch (error) {
      const code = error instanceof Error ? error.message : 'unknown';
      why = `npm could not fetch ${id} (${code}): connect to the network once, or ${BY_HAND}`;
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
