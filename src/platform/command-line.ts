import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ParseArgsConfig, parseArgs } from 'node:util';

// sysexits.h: wrong usage of the command.
export const EXIT_USAGE = 64;
// sysexits.h: the configuration is wrong. A supervisor should not restart what only a person can fix.
export const EXIT_CONFIG = 78;

type Options = NonNullable<ParseArgsConfig['options']>;
type Read<Own extends Options> = ReturnType<
  typeof parseArgs<{ options: Own; allowPositionals: true; args: string[] }>
>;

/**
 * Reads the options of a program like `parseArgs`. `--help` prints the usage and exits with 0. An unknown option, or an
 * unexpected word, prints one line and exits with 64.
 */
export function commandLine<const Own extends Options>(
  usage: string,
  options: Own,
  { allowPositionals = false }: { readonly allowPositionals?: boolean } = {},
): Read<Own> {
  const help = { type: 'boolean', short: 'h' } as const;
  try {
    const args = process.argv.slice(2);
    const read = parseArgs({ args, allowPositionals, options: { ...options, help } });
    if ((read.values as { help?: boolean }).help !== true) return read as unknown as Read<Own>;
    process.stdout.write(`${usage.trimEnd()}\n`);
    process.exit(0);
  } catch (error) {
    const why = error instanceof Error ? error.message.split('. ')[0] : 'The options cannot be read';
    process.stderr.write(`${why}. --help lists the options.\n`);
    process.exit(EXIT_USAGE);
  }
}

/** The optional settings file, next to package.json. */
export const ENV_FILE = fileURLToPath(new URL('../../.env', import.meta.url));

/**
 * Loads `.env` of the project, if any, or the file that an operator named. Variables of the environment take
 * precedence. Returns what is wrong with the file, or null.
 */
export function loadEnvFile(
  file: string = ENV_FILE,
  { mustExist = false }: { readonly mustExist?: boolean } = {},
): string | null {
  if (!mustExist && !existsSync(file)) return null;
  try {
    process.loadEnvFile(file);
    return null;
  } catch {
    return mustExist
      ? `The file ${file} cannot be read: it must be a readable text file of NAME=value lines.`
      : 'The file .env exists but cannot be read: it must be a readable text file of NAME=value lines.';
  }
}
