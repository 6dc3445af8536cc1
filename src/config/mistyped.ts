import { distance } from '../domain/nearest.ts';
import type { Environment, Fault } from './reading.ts';
import type { SettingName } from './settings.ts';
import { settingsTable } from './settings.ts';

/** Settings of earlier releases that are gone, with what to do instead. Set, one stops the start. */
const GONE: ReadonlyMap<string, string> = new Map([
  [
    'WORKERS',
    'is gone: run several instances behind a proxy with one REDIS_URL (docs/operations.md, several instances)',
  ],
  [
    'RELAYER_KEYS',
    'is gone: give each instance one key of its own in RELAYER_KEY (docs/operations.md, several instances)',
  ],
  [
    'MAX_OUTSTANDING_TRANSACTIONS',
    'is gone: remove it; the service learns how many transactions its nodes keep pending',
  ],
  [
    'MAX_PAYMENTS_PER_TRANSACTION',
    'is gone: remove it; each payment has a transaction of its own. For more sales a second use a facilitator (docs/facilitators.md)',
  ],
]);

/** The settings of earlier releases that an environment still has. */
export const goneSettings = (env: Environment): readonly Fault[] =>
  Object.keys(env).flatMap((setting) => {
    const detail = (env[setting] ?? '').trim() === '' ? undefined : GONE.get(setting);
    return detail === undefined ? [] : [{ setting, detail }];
  });

const names: ReadonlySet<string> = new Set(settingsTable.map(({ name }) => name));

/**
 * Variables that look like a mistyped setting: PAYTO, RPC_URL, LOG-LEVEL. An environment has many unrelated
 * variables, so only the same letters count, or a single edit of a name of at least six letters.
 */
export function mistypedSettings(env: Environment): readonly Fault[] {
  return Object.keys(env).flatMap((name) => {
    if (names.has(name) || name.length > 40 || (env[name] ?? '').trim() === '') return [];
    const meant = settingsTable.find((setting) => looksLike(name, setting.name))?.name;
    return meant === undefined || (env[meant] ?? '').trim() !== ''
      ? []
      : [{ setting: meant, detail: `is not set, but ${name} is, which is not a setting` }];
  });
}

function looksLike(name: string, setting: SettingName): boolean {
  const [typed, meant] = [letters(name), letters(setting)];
  if (meant.length < 6 || Math.abs(typed.length - meant.length) > 1) return typed === meant;
  return distance(typed, meant) <= 1;
}

function letters(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '');
}
