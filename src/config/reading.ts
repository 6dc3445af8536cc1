import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { distance } from '../domain/words.ts';
import { type Setting, type SettingName, settingsTable } from './settings.ts';

/** What is wrong with one setting. `detail` never repeats the value, so a key in the wrong place stays secret. */
export type Fault = {
  readonly setting: string;
  readonly detail: string;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** The fault of a value. Its detail never repeats the value. */
export class Wrong {
  readonly detail: string;
  constructor(detail: string) {
    this.detail = detail;
  }
}

export const wrong = (detail: string): Wrong => new Wrong(detail);

export type Reading = {
  /** The trimmed text of a setting, else its default; null when absent, empty, or already reported. */
  text(name: SettingName): string | null;
  /** Whether the environment itself sets the setting, regardless of the default. */
  isSet(name: SettingName): boolean;
  /** The result of `read` for the text; null if there is none, or if it is wrong. */
  value<T>(name: SettingName, read: (text: string) => T | Wrong): T | null;
  /**
   * The result of `read` for each entry of a comma-separated setting, at most `most`. Empty, repeated and wrong entries
   * are faults, and left out.
   */
  list<T>(name: SettingName, most: number, read: (entry: string, index: number) => T | Wrong): readonly T[];
  /** A whole number with a default; `least` is returned if the value is invalid. */
  whole(name: SettingName, least: number, most: number): number;
  /** The chosen word of a setting; null if absent, and the first choice if invalid. */
  choice<const T extends string>(name: SettingName, choices: readonly [T, ...T[]]): T | null;
  fault(setting: SettingName, detail: string): null;
  isFaulty(name: SettingName): boolean;
  readonly faults: readonly Fault[];
};

const LONGEST_SETTING = 8192;
const rows: readonly Setting[] = settingsTable;
const fallbacks: ReadonlyMap<string, string | null> = new Map(
  rows.map(({ name, fallback }) => [name, fallback]),
);
const files: ReadonlyMap<string, SettingName> = new Map(
  rows.flatMap(({ name, secret }) => (secret ? [[`${name}_FILE`, name as SettingName]] : [])),
);
const names: ReadonlySet<string> = new Set([...rows.map(({ name }) => name), ...files.keys()]);

const has = (env: Environment, name: string): boolean => (env[name] ?? '').trim() !== '';

/** Reads settings from an environment and collects every fault instead of stopping at the first. */
export function readingOf(env: Environment): Reading {
  const faults: Fault[] = [];
  const isFaulty = (name: SettingName) => faults.some((fault) => fault.setting === name);
  const fault = (setting: SettingName, detail: string) => {
    faults.push({ setting, detail });
    return null;
  };
  const inFiles = readFiles(env, fault);
  const ofName = (name: SettingName) => (inFiles.get(name) ?? env[name] ?? '').trim();
  const isSet = (name: SettingName) => ofName(name) !== '';

  const text = (name: SettingName): string | null => {
    if (isFaulty(name)) return null;
    const set = ofName(name) || (fallbacks.get(name) ?? null);
    if (set === null) return null;
    if (set.length > LONGEST_SETTING) return fault(name, `is longer than ${LONGEST_SETTING} characters`);
    if (/\p{Cc}/u.test(set)) return fault(name, 'contains a line break or another control character');
    return set;
  };

  const value: Reading['value'] = (name, read) => {
    const set = text(name);
    const result = set === null ? null : read(set);
    return result instanceof Wrong ? fault(name, result.detail) : result;
  };

  const list: Reading['list'] = (name, most, read) => {
    const entries =
      text(name)
        ?.split(',')
        .map((entry) => entry.trim()) ?? [];
    if (entries.length > most) fault(name, `has ${entries.length} entries; the maximum is ${most}`);
    if (entries.includes('')) fault(name, 'has an empty entry between its commas');
    if (new Set(entries).size < entries.length) fault(name, 'has the same entry twice');
    const named = entries.filter((entry) => entry !== '').slice(0, most);
    return named.flatMap((entry, index) => {
      const result = read(entry, index);
      if (!(result instanceof Wrong)) return [Object.freeze(result)];
      fault(name, `entry ${index + 1} ${result.detail}`);
      return [];
    });
  };

  const whole: Reading['whole'] = (name, least, most) =>
    value(name, (digits) => {
      const number = /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN;
      const isInRange = number >= least && number <= most;
      return isInRange ? number : wrong(`must be a whole number from ${least} to ${most}`);
    }) ?? least;

  const choice: Reading['choice'] = (name, choices) => {
    const fault = wrong(`must be one of ${choices.join(', ')}`);
    const chosen = value(name, (word) => choices.find((candidate) => candidate === word) ?? fault);
    return chosen ?? (isFaulty(name) ? choices[0] : null);
  };

  return { text, isSet, value, list, whole, choice, fault, isFaulty, faults };
}

/** Reads secrets from files: `RELAYER_KEY_FILE` names the file of `RELAYER_KEY`. */
function readFiles(env: Environment, fault: Reading['fault']): ReadonlyMap<SettingName, string> {
  const values = new Map<SettingName, string>();
  for (const [variable, name] of files) {
    if (!has(env, variable)) continue;
    if (has(env, name)) {
      fault(name, `is set together with ${variable}; keep one of the two`);
      continue;
    }
    try {
      const text = readFileSync((env[variable] ?? '').trim(), 'utf8');
      values.set(name, text);
      if (text.trim() === '') fault(name, `is missing: the file that ${variable} names is empty`);
    } catch {
      fault(name, `is missing: the file that ${variable} names cannot be read`);
    }
  }
  return values;
}

const ONE_TOKEN =
  'was removed: put its value, of 16 characters or more, into OPERATOR_TOKEN, which is for health and metrics';
const ONE_ADDRESS = 'was removed: set METRICS_ADDRESS=127.0.0.1:9464, or another address and port';
const SEVERAL = 'docs/scale.md, several instances';

/** Removed settings of earlier releases, with what to do instead. If one is set, the service does not start. */
const GONE: ReadonlyMap<string, string> = new Map([
  ['WORKERS', `was removed: run several instances behind a proxy with one REDIS_URL (${SEVERAL})`],
  ['RELAYER_KEYS', `was removed: give each instance its own key in RELAYER_KEY (${SEVERAL})`],
  [
    'MAX_OUTSTANDING_TRANSACTIONS',
    'was removed: delete it; the service learns how many pending transactions its nodes accept',
  ],
  [
    'MAX_PAYMENTS_PER_TRANSACTION',
    'was removed: delete it; each payment has its own transaction. For more sales per second, use a facilitator (docs/facilitators.md)',
  ],
  ['EMBEDDED_CHAIN_PORT', 'was removed: delete it; the embedded chain uses a free port and logs it'],
  [
    'COLD_PROBE',
    'was removed: delete it; a request without any input gets 402 with the settler cdp or payai, and 400 otherwise',
  ],
  ['REFUSED_PAYMENTS_PER_MINUTE', 'was removed: delete it; the limit is four times FREE_REQUESTS_PER_MINUTE'],
  ['RECEIPT_KEY', 'was renamed: use RECEIPT_KEYS'],
  [
    'RETIRED_RECEIPT_KEYS',
    'was removed: write its keys after the first one of RECEIPT_KEYS, separated by commas',
  ],
  [
    'PLAIN_TEXT_HOSTS',
    'was removed: delete it; without TLS the service connects only to this machine and to private networks',
  ],
  ['MCP_REGISTRY_AUTH', 'was removed: prove the domain to the MCP Registry by DNS (docs/listing.md)'],
  ['HEALTH_TOKEN', ONE_TOKEN],
  ['METRICS_TOKEN', ONE_TOKEN],
  ['METRICS_PORT', ONE_ADDRESS],
  ['METRICS_HOST', ONE_ADDRESS],
]);

/** The removed settings that an environment still has. */
export const goneSettings = (env: Environment): readonly Fault[] =>
  Object.keys(env).flatMap((setting) => {
    const detail = has(env, setting) ? GONE.get(setting) : undefined;
    return detail === undefined ? [] : [{ setting, detail }];
  });

/**
 * Variables that look like a mistyped setting: PAYTO, RPC_URL, LOG-LEVEL. An environment has many unrelated
 * variables, so only the same letters count, or a single edit of a name of at least six letters.
 */
export function mistypedSettings(env: Environment): readonly Fault[] {
  return Object.keys(env).flatMap((name) => {
    if (names.has(name) || GONE.has(name) || name.length > 40 || !has(env, name)) return [];
    const meant = rows.find((setting) => looksLike(name, setting.name))?.name;
    return meant === undefined || has(env, meant)
      ? []
      : [{ setting: meant, detail: `is not set, but ${name} is, which is not a setting` }];
  });
}

function looksLike(name: string, setting: string): boolean {
  const [typed, meant] = [letters(name), letters(setting)];
  if (meant.length < 6 || Math.abs(typed.length - meant.length) > 1) return typed === meant;
  return distance(typed, meant) <= 1;
}

function letters(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

const MASK = '[secret]';

/**
 * A value that only `reveal()` returns. Printing, logging, joining, spreading and JSON show `[secret]` or nothing, so
 * the configuration cannot leak a credential by accident.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    Object.freeze(this);
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}
