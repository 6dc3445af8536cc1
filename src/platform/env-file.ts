import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where settings may stand: beside package.json. */
export const ENV_FILE = fileURLToPath(new URL('../../.env', import.meta.url));

/**
 * Adds the settings of `.env` in the project's folder to the environment, where there is such a file; what the
 * environment itself sets stays. Returns what is wrong with the file, null when nothing is.
 */
export function loadEnvFile(file: string = ENV_FILE): string | null {
  if (!existsSync(file)) return null;
  try {
    process.loadEnvFile(file);
    return null;
  } catch {
    return 'The file .env is there but cannot be read: a readable text file of NAME=value lines is needed.';
  }
}
