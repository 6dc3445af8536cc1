import type { Fault } from '../../domain/result.ts';
import { pointerTo } from '../../exchange/validate.ts';

// The body, its lists and their objects: deeper down no field of ours lives.
const DEEPEST = 3;
const MAX_REPEATED = 100;

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** An open object or list: where it is, and the names or the index it has come to. */
type Level = { name: string | number; names: Set<string> | null };

/**
 * Fields that a JSON text gives twice in one object: JSON.parse keeps the last, other readers the first, so the
 * caller must say which one counts. `text` is known to be valid JSON.
 */
export function repeatedFields(text: string): Fault[] {
  const pointers = new Set<string>();
  const levels: Level[] = [];
  let depth = 0;
  let latest = '';
  for (const [token] of text.matchAll(TOKENS)) {
    const level = depth <= DEEPEST ? levels[depth - 1] : undefined;
    if (token === '{' || token === '[') {
      depth += 1;
      if (depth <= DEEPEST)
        levels[depth - 1] = token === '{' ? { name: '', names: new Set() } : { name: 0, names: null };
    } else if (token === '}' || token === ']') depth -= 1;
    else if (token === ',') {
      if (typeof level?.name === 'number') level.name += 1;
    } else if (token !== ':') latest = token;
    else if (level?.names) {
      const name = JSON.parse(latest) as string;
      level.name = name;
      if (level.names.has(name) && pointers.size < MAX_REPEATED)
        pointers.add(pointerTo(levels.slice(0, depth).map((open) => open.name)));
      level.names.add(name);
    }
  }
  return [...pointers].map((pointer) => ({
    pointer,
    code: 'repeated_field',
    detail: 'is given more than once',
  }));
}
