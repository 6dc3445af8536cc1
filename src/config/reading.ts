import type { Setting, SettingName } from './settings.ts';
import { settingsTable } from './settings.ts';

/** What is wrong with one setting. `detail` never repeats the value: a key pasted into the wrong place stays unseen. */
export interface Fault {
  readonly setting: string;
  readonly detail: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Reading {
  /** The trimmed text of a setting, else its default; null when absent, empty, or already reported as unreadable. */
  text(name: SettingName): string | null;
  /** Whether the environment itself sets it, whatever its default. */
  given(name: SettingName): boolean;
  /** The entries of a comma-separated setting, at most `most`; empty entries and repetitions are faults. */
  list(name: SettingName, most: number): readonly string[];
  /** A setting that has a default; `least` stands in when it is faulty. */
  whole(name: SettingName, least: number, most: number): number;
  /** A setting that has a default; the first choice stands in when it is faulty. */
  choice<const T extends string>(name: SettingName, choices: readonly [T, ...T[]]): T;
  fault(setting: SettingName, detail: string): null;
  faulty(name: SettingName): boolean;
  readonly faults: readonly Fault[];
}

const longestSetting = 8192;
const fallbacks: ReadonlyMap<string, string | null> = new Map(
  settingsTable.map((setting: Setting) => [setting.name, setting.fallback]),
);

/** Reads settings from an environment and gathers every fault instead of stopping at the first. */
export function readingOf(env: Environment): Reading {
  const faults: Fault[] = [];
  const faulty = (name: SettingName) => faults.some((fault) => fault.setting === name);
  const fault = (setting: SettingName, detail: string) => {
    faults.push({ setting, detail });
    return null;
  };
  const given = (name: SettingName) => (env[name] ?? '').trim() !== '';

  const text = (name: SettingName): string | null => {
    if (faulty(name)) return null;
    const set = (env[name] ?? '').trim() || (fallbacks.get(name) ?? null);
    if (set === null) return null;
    if (set.length > longestSetting) return fault(name, `is longer than ${longestSetting} characters`);
    if (/\p{Cc}/u.test(set)) return fault(name, 'contains a line break or another control character');
    return set;
  };

  const list = (name: SettingName, most: number): readonly string[] => {
    const entries =
      text(name)
        ?.split(',')
        .map((entry) => entry.trim()) ?? [];
    if (entries.length > most) fault(name, `has ${entries.length} entries; at most ${most} are read`);
    if (entries.includes('')) fault(name, 'has an empty entry between its commas');
    if (new Set(entries).size < entries.length) fault(name, 'has the same entry twice');
    return entries.filter((entry) => entry !== '').slice(0, most);
  };

  const whole = (name: SettingName, least: number, most: number): number => {
    const digits = text(name) ?? '';
    const value = /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN;
    if (value >= least && value <= most) return value;
    if (!faulty(name)) fault(name, `must be a whole number from ${least} to ${most}`);
    return least;
  };

  const choice = <const T extends string>(name: SettingName, choices: readonly [T, ...T[]]): T => {
    const word = text(name);
    const chosen = choices.find((candidate) => candidate === word);
    if (chosen === undefined && !faulty(name)) fault(name, `must be one of ${choices.join(', ')}`);
    return chosen ?? choices[0];
  };

  return { text, given, list, whole, choice, fault, faulty, faults };
}
