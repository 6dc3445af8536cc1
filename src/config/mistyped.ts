import type { Environment, Fault } from './reading.ts';
import type { SettingName } from './settings.ts';
import { settingsTable } from './settings.ts';

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
      : [{ setting: meant, detail: ignored(name) }];
  });
}

function ignored(name: string): string {
  return `is not set, but ${name} is, which is not a setting`;
}

function looksLike(name: string, setting: SettingName): boolean {
  const [typed, meant] = [letters(name), letters(setting)];
  return typed === meant || (meant.length >= 6 && oneEditApart(typed, meant));
}

function letters(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

function oneEditApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  const swapped = `${restA[1] ?? ''}${restA[0] ?? ''}${restA.slice(2)}`;
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    swapped === restB
  );
}
