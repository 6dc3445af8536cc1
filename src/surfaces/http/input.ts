import type { Fault } from '../../domain/result.ts';
import { pointerTo, type RawInput } from '../../exchange/validate.ts';
import type { ProblemCode } from '../problem.ts';
import type { Requested } from './listener.ts';

/** The longest request body, in bytes. */
export const MAX_BODY_BYTES = 65_536;

/** Reads a JSON body of bounded size, or none. A body that its headers already disqualify is not read. */
export async function readJson({
  header,
  body,
}: Requested): Promise<{ bytes: Uint8Array } | { refusal: ProblemCode }> {
  const length = header('content-length');
  if (Number(length) > MAX_BODY_BYTES) return { refusal: 'payload_too_large' };
  const type = header('content-type');
  // A missing body has no type. Its missing fields are reported one by one.
  const isUntyped = type === undefined && (length === undefined || length === '0');
  if (!isUntyped && !isJson(type)) return { refusal: 'unsupported_media_type' };
  const coding = header('content-encoding');
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    return { refusal: 'unsupported_media_type' };
  try {
    const bytes = await body(MAX_BODY_BYTES);
    if (bytes === null) return { refusal: 'payload_too_large' };
    return isUntyped && bytes.length > 0 ? { refusal: 'unsupported_media_type' } : { bytes };
  } catch {
    // The caller disconnected or broke the framing, so nobody will read the answer.
    return { refusal: 'invalid_input' };
  }
}

/** Reads a form of bounded size as browsers send it: its pairs in order. Other types are refused. */
export async function readForm({
  header,
  body,
}: Requested): Promise<{ pairs: readonly (readonly [string, string])[] } | { refusal: ProblemCode }> {
  if (Number(header('content-length')) > MAX_BODY_BYTES) return { refusal: 'payload_too_large' };
  const [media = ''] = (header('content-type') ?? '').split(';');
  if (media.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    return { refusal: 'unsupported_media_type' };
  try {
    const bytes = await body(MAX_BODY_BYTES);
    if (bytes === null) return { refusal: 'payload_too_large' };
    return { pairs: [...new URLSearchParams(Buffer.from(bytes).toString())] };
  } catch {
    return { refusal: 'invalid_input' };
  }
}

/** application/json, or another JSON type, in UTF-8. */
function isJson(type: string | undefined): boolean {
  if (type === undefined) return false;
  const [media = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  if (!/^application\/(?:[a-z0-9.-]+\+)?json$/.test(media)) return false;
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset);
}

/** Maximum names in a query. More is an attack and not a mistake. */
const MAX_PARAMETERS = 100;

// The body, its lists and their objects: no field is nested deeper.
const DEEPEST = 3;

/** Decodes a query string. A repeated or undecodable parameter is a fault, because the service must not choose. */
export function decodeQuery(query: string): RawInput {
  const values: Record<string, unknown> = Object.create(null);
  const faults: Fault[] = [];
  const parts = query === '' ? [] : query.split('&', MAX_PARAMETERS + 1);
  if (parts.length > MAX_PARAMETERS)
    return {
      values,
      faults: [{ pointer: '', code: 'too_many_parameters', detail: `has over ${MAX_PARAMETERS} parameters` }],
    };
  for (const part of parts) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decodeComponent(equals < 0 ? part : part.slice(0, equals));
    const value = decodeComponent(equals < 0 ? '' : part.slice(equals + 1));
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

/** The query of a request whose input is its body, as faults: ignoring it could change what is bought. */
export function strayParameters(query: string): readonly Fault[] {
  if (query === '') return [];
  const { values, faults } = decodeQuery(query);
  const stray = Object.keys(values).map((name) => ({
    pointer: pointerTo([name]),
    code: 'in_query',
    detail: 'is in the query of a POST request',
    hint: 'put it in the JSON body',
  }));
  return [...stray, ...faults.filter(({ code }) => code !== 'repeated_parameter')];
}

function decodeComponent(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** Decodes a JSON object. Anything else is a fault at the root. A missing body is an object without fields. */
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
      'send one JSON object, with names and texts in double quotes',
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return unreadable('is not a JSON object', 'send one JSON object, such as {"items":[{"unit_price":450}]}');
  return { values: value as Record<string, unknown>, faults: repeatedFields(text, DEEPEST).faults };
}

/** Where a text stops being JSON, if the parser says so. The rest of the parser's message quotes the caller. */
function placeOf(error: unknown): string {
  const position = / at position (\d{1,9})\b/.exec(error instanceof SyntaxError ? error.message : '')?.[1];
  return position === undefined ? '' : ` from character ${Number(position) + 1} on`;
}

// A byte order mark is dropped, as RFC 8259 section 8.1 allows.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The longest name of a purchase. */
export const MAX_NAME_CHARACTERS = 255;

const TOO_LONG: Fault = {
  pointer: '/idempotency-key',
  code: 'too_long',
  detail: `is longer than ${MAX_NAME_CHARACTERS} characters`,
  hint: 'send your own name for the purchase, such as a UUID',
};

/**
 * The client's own name for a purchase, from Idempotency-Key. A blank name is ignored, and a long name is a fault of
 * the input.
 */
export function named(
  raw: RawInput,
  header: string | undefined,
): { readonly raw: RawInput; readonly idempotencyKey: string | null } {
  const name = header?.trim() ?? '';
  if (name.length > MAX_NAME_CHARACTERS)
    return { raw: { ...raw, faults: [...raw.faults, TOO_LONG] }, idempotencyKey: null };
  return { raw, idempotencyKey: name === '' ? null : name };
}

const MAX_REPEATED = 100;

/** An open object or list: the current name or index, and the names of an object so far. */
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
 * Fields that a JSON text contains twice in one object: JSON.parse keeps the last value, other parsers the first,
 * so the caller must send only one. `text` is valid JSON; objects below `deepest` levels are not checked. `names` counts
 * the names of all objects, repeated or not, at every level.
 */
export function repeatedFields(text: string, deepest: number): { faults: Fault[]; names: number } {
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
      // Either a name or a value; a colon after it means that it is a name.
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

/** Where the string that opens at `start` ends: at a quote after an even number of backslashes. */
function closingQuote(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
}
