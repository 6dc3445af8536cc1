import type { Fault } from '../../domain/result.ts';
import { pointerTo, type RawInput } from '../../exchange/validate.ts';
import { repeatedFields } from './repeated-fields.ts';

/** Names that a caller may write at most; more is no mistake but an attack. */
const MAX_PARAMETERS = 100;

// The body, its lists and their objects: deeper down no field of ours lives.
const DEEPEST = 3;

/** Decodes a query string; a repeated or undecodable parameter is a fault, not a choice of ours. */
export function decodeQuery(query: string): RawInput {
  const values: Record<string, unknown> = Object.create(null);
  const faults: Fault[] = [];
  const parts = query === '' ? [] : query.split('&', MAX_PARAMETERS + 1);
  if (parts.length > MAX_PARAMETERS)
    return {
      values,
      faults: [{ pointer: '', code: 'too_many_parameters', detail: `has over ${MAX_PARAMETERS} parameters` }],
    };
  const isEncoded = query.includes('%') || query.includes('+');
  for (const part of parts) {
    if (part === '') continue;
    const [name, value] = decodePair(part, isEncoded);
    if (name === null || value === null)
      faults.push({
        pointer: name === null ? '' : pointerTo([name]),
        code: 'invalid_encoding',
        detail: 'is not valid percent-encoded UTF-8',
      });
    else if (name in values) {
      const fault = {
        pointer: pointerTo([name]),
        code: 'repeated_parameter',
        detail: 'is given more than once',
      };
      if (!faults.some(({ pointer, code }) => pointer === fault.pointer && code === fault.code))
        faults.push(fault);
    } else values[name] = value;
  }
  return { values, faults };
}

/** What stands in the query of a request whose input is its body: to leave it out could change what is bought. */
export function strayParameters(query: string): readonly Fault[] {
  if (query === '') return [];
  const { values, faults } = decodeQuery(query);
  const stray = Object.keys(values).map((name) => ({
    pointer: pointerTo([name]),
    code: 'in_query',
    detail: 'is in the query of a POST',
    hint: 'put it into the JSON body',
  }));
  return [...stray, ...faults.filter(({ code }) => code !== 'repeated_parameter')];
}

function decodePair(part: string, isEncoded: boolean): [string | null, string | null] {
  const equals = part.indexOf('=');
  const [name, value] = equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
  return isEncoded ? [decodeComponent(name), decodeComponent(value)] : [name, value];
}

function decodeComponent(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}

/** Decodes a JSON object; anything else is a fault at the root. No body at all is an object without fields. */
export function decodeBody(bytes: Uint8Array): RawInput {
  if (bytes.length === 0) return { values: {}, faults: [] };
  const unreadable = (detail: string, hint: string): RawInput => ({
    values: {},
    faults: [{ pointer: '', code: 'invalid_json', detail, hint }],
  });
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch (error) {
    return unreadable(
      `is not JSON in UTF-8${placeOf(error)}`,
      'send one JSON object, names and texts in double quotes',
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return unreadable('is not a JSON object', 'send one JSON object, such as {"items":[{"unit_price":450}]}');
  return { values: value as Record<string, unknown>, faults: repeatedFields(text, value, DEEPEST).faults };
}

/** Where a text stops being JSON, as far as the parser says; the rest of what it says quotes the caller. */
function placeOf(error: unknown): string {
  const position = / at position (\d{1,9})\b/.exec(error instanceof SyntaxError ? error.message : '')?.[1];
  return position === undefined ? '' : ` from character ${Number(position) + 1} on`;
}

// A byte order mark is dropped, as RFC 8259 section 8.1 allows.
const utf8 = new TextDecoder('utf-8', { fatal: true });
