import { createHash } from 'node:crypto';

/** SHA-256 in hex of an operation's name and its validated input, defaults filled in: HTTP and MCP twins hash alike. */
export function requestHash(operationName: string, input: unknown): string {
  return digest(`${operationName}\n${JSON.stringify(canonical(input))}`);
}

/** What is bought: the input without the field that only shapes its answer. */
export function bought(input: unknown, form: string | null): unknown {
  if (form === null || typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== form));
}

/** SHA-256 of a text in hex. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Keys sorted, bigints spelled apart from strings: equal inputs have equal text. */
function canonical(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: String(value) };
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, canonical(part)]),
  );
}
