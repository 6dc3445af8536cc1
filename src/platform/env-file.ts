import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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
