import type { Setting, SettingName } from './settings.ts';
import { settingsTable } from './settings.ts';

/**
 * What is wrong with one setting. `detail` never repeats the value: a key pasted into the wrong place stays hidden.
 */
export type Fault = {
  readonly setting: string;
  readonly detail: string;
};

export type Environment = Readonly<Record<string, string | undefined>>;

export type Reading = {
  /** The trimmed text of a setting, else its default; null when absent, empty, or already reported. */
  text(name: SettingName): string | null;
  /** Whether the environment itself sets it, regardless of its default. */
  isSet(name: SettingName): boolean;
  /**
   * The entries of a comma-separated setting, at most `most`; empty entries, repetitions and what `wrong` says of one
   * are faults.
   */
  list(name: SettingName, most: number, wrong?: (entry: string) => string | null): readonly string[];
  /** A setting with a default; `least` is returned when it is invalid. */
  whole(name: SettingName, least: number, most: number): number;
  /** A setting with a default; the first choice is returned when it is invalid. */
  choice<const T extends string>(name: SettingName, choices: readonly [T, ...T[]]): T;
  fault(setting: SettingName, detail: string): null;
  isFaulty(name: SettingName): boolean;
  readonly faults: readonly Fault[];
};

const LONGEST_SETTING = 8192;
const fallbacks: ReadonlyMap<string, string | null> = new Map(
  settingsTable.map((setting: Setting) => [setting.name, setting.fallback]),
);

/** Reads settings from an environment and collects every fault instead of stopping at the first. */
export function readingOf(env: Environment): Reading {
  const faults: Fault[] = [];
  const isFaulty = (name: SettingName) => faults.some((fault) => fault.setting === name);
  const fault = (setting: SettingName, detail: string) => {
    faults.push({ setting, detail });
    return null;
  };
  const isSet = (name: SettingName) => (env[name] ?? '').trim() !== '';

  const text = (name: SettingName): string | null => {
    if (isFaulty(name)) return null;
    const set = (env[name] ?? '').trim() || (fallbacks.get(name) ?? null);
    if (set === null) return null;
    if (set.length > LONGEST_SETTING) return fault(name, `is longer than ${LONGEST_SETTING} characters`);
    if (/\p{Cc}/u.test(set)) return fault(name, 'contains a line break or another control character');
    return set;
  };

  const list: Reading['list'] = (name, most, wrong) => {
    const entries =
      text(name)
        ?.split(',')
        .map((entry) => entry.trim()) ?? [];
    if (entries.length > most) fault(name, `has ${entries.length} entries; at most ${most} are read`);
    if (entries.includes('')) fault(name, 'has an empty entry between its commas');
    if (new Set(entries).size < entries.length) fault(name, 'has the same entry twice');
    const read = entries.filter((entry) => entry !== '').slice(0, most);
    for (const [index, entry] of read.entries()) {
      const detail = wrong?.(entry) ?? null;
      if (detail !== null) fault(name, `entry ${index + 1} ${detail}`);
    }
    return read;
  };

  const whole = (name: SettingName, least: number, most: number): number => {
    const digits = text(name) ?? '';
    const value = /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN;
    if (value >= least && value <= most) return value;
    if (!isFaulty(name)) fault(name, `must be a whole number from ${least} to ${most}`);
    return least;
  };

  const choice = <const T extends string>(name: SettingName, choices: readonly [T, ...T[]]): T => {
    const word = text(name);
    const chosen = choices.find((candidate) => candidate === word);
    if (chosen === undefined && !isFaulty(name)) fault(name, `must be one of ${choices.join(', ')}`);
    return chosen ?? choices[0];
  };

  return { text, isSet, list, whole, choice, fault, isFaulty, faults };
}
