import type { Fault } from '../../domain/result.ts';
import { pointerTo } from '../../exchange/validate.ts';

const MAX_REPEATED = 100;

/** An open object or list: the name or the index it has come to, and an object's names so far. */
type Level = { at: string | number; names: Set<string> | null };

const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Fields that a JSON text gives twice in one object: JSON.parse keeps the last, other readers the first, so the
 * caller must say which one counts. `value` is what JSON.parse made of `text`; objects below `deepest` levels are not looked
 * at. `names` counts the names of all objects, repeated or not, however deep.
 */
export function repeatedFields(
  text: string,
  value: unknown,
  deepest: number,
): { faults: Fault[]; names: number } {
  const parsed = namesIn(value, MOST_LEVELS_COUNTED);
  if (parsed === colonsIn(text)) return { faults: [], names: parsed };
  const pointers = new Set<string>();
  const levels: Level[] = [];
  let depth = 0;
  let latest = '';
  let names = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const level = depth <= deepest ? levels[depth - 1] : undefined;
    if (unit === QUOTE) {
      const end = closingQuote(text, index);
      // A name or a value: which of them is known when a colon follows.
      if (typeof level?.at === 'string') latest = text.slice(index, end + 1);
      index = end;
    } else if (unit === COLON) {
      names += 1;
      if (level === undefined) continue;
      const name = latest.includes('\\') ? (JSON.parse(latest) as string) : latest.slice(1, -1);
      level.at = name;
      level.names ??= new Set();
      if (level.names.has(name) && pointers.size < MAX_REPEATED)
        pointers.add(pointerTo(levels.slice(0, depth).map(({ at }) => at)));
      level.names.add(name);
    } else if (unit === COMMA) {
      if (typeof level?.at === 'number') level.at += 1;
    } else if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
      depth += 1;
      if (depth <= deepest) levels[depth - 1] = { at: unit === OPEN_LIST ? 0 : '', names: null };
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) depth -= 1;
  }
  const faults = [...pointers].map((pointer) => ({
    pointer,
    code: 'repeated_field',
    detail: 'is given more than once',
  }));
  return { faults, names };
}

// Each name has its colon: where a text has no more of them than its value has names, none is given twice.
const MOST_LEVELS_COUNTED = 8;

function colonsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count += 1;
  return count;
}

/** The names of all objects in a value; NaN where it is nested deeper than so many levels. */
function namesIn(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (levels === 0) return Number.NaN;
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : parts.length;
  for (const part of parts) if (typeof part === 'object') count += namesIn(part, levels - 1);
  return count;
}

/** Where the text that opens at `start` ends: at a quote with an even number of backslashes before it. */
function closingQuote(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
}
