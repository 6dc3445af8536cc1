import { z } from 'zod';
import { type Day, parseDay } from '../domain/calendar.ts';
import { CURRENCY_CODES, currencyDigits } from '../domain/currency.ts';
import { type Micros, micros, microsNumber, microsText } from '../domain/money.ts';
import { nearest } from '../domain/nearest.ts';
import { cleanLine, codePoints } from '../domain/text.ts';
import { render } from './schema.ts';

/** JSON Schema of a field on each wire: `json` for bodies and tool arguments, `query` for URL parameters. */
export type Wire = { readonly json: JsonSchema; readonly query: JsonSchema };
export type JsonSchema = { readonly [keyword: string]: unknown };

/** What a decoder reports: a stable code, a sentence, and what to change. */
type Wrong = { code: string; detail: string; hint?: string };
/** What an issue of zod carries beyond its message; `known` are the names where an unknown one was found. */
export type IssueParams = { code?: string; hint?: string; known?: readonly string[] };
type Decoded<T> = { value: T } | { wrong: Wrong };
type Decode<T> = (raw: unknown) => Decoded<T>;

/** Absent in every spelling a caller may use: no key, null, an empty or blank string. */
export const isAbsent = (raw: unknown): boolean =>
  raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '');

const wrong = (code: string, detail: string, hint?: string): { wrong: Wrong } => ({
  wrong: hint === undefined ? { code, detail } : { code, detail, hint },
});

/** Reports a fault to zod; the undefined that stands in lets later checks skip the field. */
function report(context: z.RefinementCtx, { code, detail, hint }: Wrong): void {
  context.addIssue({ code: 'custom', message: detail, params: { code, hint } });
}

/** A field that must be there. */
export function required<T>(decode: Decode<T>, wire: Wire) {
  return z
    .unknown()
    .transform((raw, context): T => {
      const decoded = isAbsent(raw) ? wrong('required', 'is required', exampleHint(wire)) : decode(raw);
      if ('value' in decoded) return decoded.value;
      report(context, decoded.wrong);
      return undefined as T;
    })
    .meta({ wire });
}

/** A field with a fallback; an absent one never fails. */
export function optional<T, F>(decode: Decode<T>, fallback: F, wire: Wire) {
  return z
    .unknown()
    .optional()
    .transform((raw, context): T | F => {
      if (isAbsent(raw)) return fallback;
      const decoded = decode(raw);
      if ('value' in decoded) return decoded.value;
      report(context, decoded.wrong);
      return undefined as T;
    })
    .meta({ wire });
}

const exampleHint = (wire: Wire): string | undefined => {
  const example = (wire.query.examples ?? wire.json.examples) as readonly unknown[] | undefined;
  return example?.[0] === undefined ? undefined : `for example ${JSON.stringify(example[0])}`;
};

/** JSON Schema annotations for both wires; `default` and `examples` are shown as each wire spells them. */
function annotate(
  about: { describe: string; example?: unknown; fallback?: unknown },
  json: JsonSchema,
  query: JsonSchema,
): Wire {
  const shown = (spell: (value: unknown) => unknown) => ({
    ...(about.fallback !== undefined && { default: spell(about.fallback) }),
    ...(about.example !== undefined && { examples: [spell(about.example)] }),
  });
  return {
    json: { ...json, description: about.describe, ...shown((value) => value) },
    query: { ...query, description: about.describe, ...shown((value) => String(value)) },
  };
}

export type DecimalBounds = {
  readonly describe: string;
  readonly min: string;
  readonly max: string;
  /** true: `min` itself is refused. */
  readonly aboveMin?: boolean;
  readonly example?: number;
};

// Six decimals are kept exactly; binary floats such as 0.30000000000000004 mean the decimal they print near.
const DECIMAL_TEXT = /^[0-9]+(?:\.[0-9]+)?$/;
const SIGNED_DECIMAL_TEXT = /^-?[0-9]+(?:\.[0-9]+)?$/;
const MAX_DECIMAL_CHARACTERS = 40;

function decimalDecoder({ min, max, aboveMin = false }: DecimalBounds): Decode<Micros> {
  const low = micros(min) as Micros;
  const high = micros(max) as Micros;
  const signed = low < 0n;
  const range = `must be ${aboveMin ? 'more than' : 'at least'} ${microsText(low)} and at most ${microsText(high)}`;
  return (raw) => {
    const read = typeof raw === 'number' ? fromNumber(raw) : fromText(raw, signed);
    if ('wrong' in read) return read;
    const { value } = read;
    if (value < low || value > high || (aboveMin && value === low)) return wrong('out_of_range', range);
    return read;
  };
}

function fromNumber(raw: number): Decoded<Micros> {
  // Beyond 1e12 no bound of ours holds, and toFixed would turn to exponents at 1e21.
  if (!Number.isFinite(raw)) return wrong('invalid_number', 'must be a finite number');
  if (Math.abs(raw) > 1e12) return wrong('out_of_range', 'is too large');
  return { value: micros(raw.toFixed(6)) as Micros };
}

function fromText(raw: unknown, signed: boolean): Decoded<Micros> {
  if (typeof raw !== 'string') return wrong('invalid_type', 'must be a number', 'send a number such as 12.5');
  const text = raw.trim();
  if (text.length > MAX_DECIMAL_CHARACTERS || !(signed ? SIGNED_DECIMAL_TEXT : DECIMAL_TEXT).test(text))
    return wrong(
      'invalid_number',
      `must be a plain decimal number${signed ? '' : ' without a sign'}`,
      'digits with an optional point, such as 1250.00; no currency sign, grouping, exponent or spaces',
    );
  const value = micros(text);
  return value === null ? wrong('too_precise', 'has more than 6 decimals') : { value };
}

const decimalWire = (bounds: DecimalBounds, fallback?: number): Wire => {
  const { describe, example, min, max, aboveMin } = bounds;
  const low = microsNumber(micros(min) as Micros);
  return annotate(
    { describe, example, fallback },
    { type: 'number', [aboveMin ? 'exclusiveMinimum' : 'minimum']: low, maximum: Number(max) },
    {
      type: 'string',
      pattern: low < 0 ? '^-?[0-9]+(\\.[0-9]{1,6})?$' : '^[0-9]+(\\.[0-9]{1,6})?$',
      maxLength: MAX_DECIMAL_CHARACTERS,
    },
  );
};

/** An exact decimal with at most six decimals, as a number or a plain decimal string; output in millionths. */
export const decimal = (bounds: DecimalBounds) => required(decimalDecoder(bounds), decimalWire(bounds));
export const decimalOr = <F extends number | null>(bounds: DecimalBounds, fallback: F) =>
  optional<Micros, F extends null ? null : Micros>(
    decimalDecoder(bounds),
    (fallback === null ? null : micros(String(fallback))) as F extends null ? null : Micros,
    decimalWire(bounds, fallback ?? undefined),
  );

/** A whole number between two bounds, or the fallback when absent. */
export function integerOr<F extends number | null>(
  { describe, min, max, example }: { describe: string; min: number; max: number; example?: number },
  fallback: F,
) {
  const decode: Decode<number> = (raw) => {
    const number =
      typeof raw === 'number'
        ? raw
        : typeof raw === 'string' && /^[0-9]{1,9}$/.test(raw.trim())
          ? Number(raw)
          : Number.NaN;
    if (!Number.isInteger(number))
      return wrong('invalid_integer', `must be a whole number from ${min} to ${max}`);
    return number < min || number > max
      ? wrong('out_of_range', `must be from ${min} to ${max}`)
      : { value: number };
  };
  const wire = annotate(
    { describe, example, fallback: fallback ?? undefined },
    { type: 'integer', minimum: min, maximum: max },
    { type: 'string', pattern: '^[0-9]{1,9}$', maxLength: 9 },
  );
  return optional(decode, fallback, wire);
}

const decodeDay: Decode<Day> = (raw) => {
  if (typeof raw !== 'string')
    return wrong('invalid_type', 'must be a date string', 'YYYY-MM-DD, such as 2026-09-01');
  const text = raw.trim();
  const value = parseDay(text);
  if (value !== null) return { value };
  return /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)
    ? wrong('invalid_date', `${text} is not a day of the calendar from 1970-01-01 to 9999-12-31`)
    : wrong('invalid_date', 'must be a date as YYYY-MM-DD', 'such as 2026-09-01');
};

const dayWire = (describe: string, example?: string): Wire => {
  const schema = { type: 'string', format: 'date', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', maxLength: 10 };
  return annotate({ describe, example }, schema, schema);
};

/** A real calendar day, YYYY-MM-DD. */
export const day = (about: { describe: string; example: string }) =>
  required(decodeDay, dayWire(about.describe, about.example));
export const dayOr = <F>(about: { describe: string }, fallback: F) =>
  optional(decodeDay, fallback, dayWire(about.describe));

/** One of a short list of lower-case words. */
export function choiceDecoder<T extends string>(allowed: readonly T[]): Decode<T> {
  const set = new Set<string>(allowed);
  return (raw) => {
    const text = typeof raw === 'string' ? raw.trim() : raw;
    if (typeof text === 'string' && set.has(text)) return { value: text as T };
    const close = typeof text === 'string' ? nearest(text, allowed) : null;
    return wrong(
      'invalid_choice',
      `must be one of ${allowed.join(', ')}`,
      close === null ? undefined : `did you mean ${close}?`,
    );
  };
}

export function choice<T extends string>(allowed: readonly T[], about: { describe: string; example?: T }) {
  const schema = { type: 'string', enum: [...allowed] };
  return required(choiceDecoder(allowed), annotate(about, schema, schema));
}

export function choiceOr<T extends string>(
  allowed: readonly T[],
  about: { describe: string },
  fallback: NoInfer<T>,
) {
  const schema = { type: 'string', enum: [...allowed] };
  return optional(choiceDecoder(allowed), fallback, annotate({ ...about, fallback }, schema, schema));
}

/** true or false; query strings spell them out. */
export function flagOr(about: { describe: string }, fallback: boolean) {
  const decode: Decode<boolean> = (raw) => {
    const text = typeof raw === 'string' ? raw.trim().toLowerCase() : raw;
    if (text === true || text === 'true') return { value: true };
    if (text === false || text === 'false') return { value: false };
    return wrong('invalid_choice', 'must be true or false');
  };
  const wire = annotate(
    { ...about, fallback },
    { type: 'boolean' },
    { type: 'string', enum: ['true', 'false'] },
  );
  return optional(decode, fallback, wire);
}

// Characters that are not shown may take some room, but normalizing a flood of combining marks takes quadratic time.
const MAX_UNITS_PER_CHARACTER = 4;

type TextAbout = { describe: string; maxCodePoints: number; example?: string };

const textDecoder =
  <F>(maxCodePoints: number, blank: F): Decode<string | F> =>
  (raw) => {
    if (typeof raw !== 'string') return wrong('invalid_type', 'must be text');
    const text = raw.length > maxCodePoints * MAX_UNITS_PER_CHARACTER ? null : cleanLine(raw);
    if (text === null || codePoints(text) > maxCodePoints)
      return wrong('too_long', `must be at most ${maxCodePoints} characters`);
    return { value: text === '' ? blank : text };
  };

const textWire = (about: TextAbout): Wire => {
  const schema = { type: 'string', maxLength: about.maxCodePoints };
  return annotate(about, schema, schema);
};

/** Text on one line that must be there. */
export const text = (about: TextAbout) => required(textDecoder(about.maxCodePoints, ''), textWire(about));

/** Free text on one line: cleaned of control, bidi and invisible characters, never interpreted, never cut. */
export const textOr = <F>(about: TextAbout, fallback: F) =>
  optional(textDecoder(about.maxCodePoints, fallback), fallback, textWire(about));

/** Words separated by commas, or a list of them; repeats are dropped. */
export function words(about: { describe: string; maxWords: number; maxCodePoints: number; example: string }) {
  const { maxWords, maxCodePoints } = about;
  const decode: Decode<readonly string[]> = (raw) => {
    const parts = typeof raw === 'string' ? raw.split(',') : raw;
    if (!Array.isArray(parts) || parts.some((part) => typeof part !== 'string'))
      return wrong('invalid_type', 'must be words separated by commas');
    const tooLong = wrong('too_long', `must be words of at most ${maxCodePoints} characters`);
    if (parts.some((part) => part.length > maxCodePoints * MAX_UNITS_PER_CHARACTER)) return tooLong;
    const list = [...new Set(parts.map(cleanLine).filter((word) => word !== ''))];
    if (list.length > maxWords) return wrong('too_many', `must be at most ${maxWords} words`);
    if (list.some((word) => codePoints(word) > maxCodePoints)) return tooLong;
    return { value: list };
  };
  const schema = { type: 'string', maxLength: maxWords * (maxCodePoints + 1) };
  return optional<readonly string[], readonly string[]>(decode, [], annotate(about, schema, schema));
}

/** An ISO 4217 code in any letter case; output in upper case. */
export function currencyOr<F extends string | null>(about: { describe: string }, fallback: F) {
  const decode: Decode<string> = (raw) => {
    const code = typeof raw === 'string' ? raw.trim().toUpperCase() : '';
    if (/^[A-Z]{3}$/.test(code) && currencyDigits(code) !== null) return { value: code };
    const close = /^USD[A-Z]$/.test(code) ? 'USD' : nearest(code, CURRENCY_CODES);
    return wrong(
      'invalid_currency',
      'must be an ISO 4217 currency code, such as USD, EUR or JPY',
      close === null ? undefined : `did you mean ${close}?`,
    );
  };
  const schema = { type: 'string', pattern: '^[A-Za-z]{3}$', maxLength: 3 };
  return optional(decode, fallback, annotate({ ...about, fallback: fallback ?? undefined }, schema, schema));
}

/** A list of objects; a JSON text of the list is taken as the list, for models send such. Every item's faults are reported. */
export function list<Item extends z.ZodObject>(
  item: Item,
  about: { describe: string; min: number; max: number },
) {
  const { describe, min, max } = about;
  const wire = {
    type: 'array',
    description: describe,
    minItems: min,
    maxItems: max,
    items: render(item, 'input', 'json'),
  };
  return z
    .unknown()
    .transform((raw, context): z.output<Item>[] => {
      const values = isAbsent(raw) ? undefined : listOf(raw);
      if (values === undefined || values.length < min || values.length > max) {
        const detail = `must be a list of ${min} to ${max} objects`;
        report(
          context,
          isAbsent(raw)
            ? { code: 'required', detail: 'is required', hint: detail }
            : { code: 'invalid_list', detail },
        );
        return undefined as unknown as z.output<Item>[];
      }
      const parsed = z.array(item).safeParse(values);
      if (parsed.success) return parsed.data;
      for (const issue of parsed.error.issues) {
        const params: IssueParams | undefined =
          issue.code === 'unrecognized_keys' ? { known: Object.keys(item.shape) } : undefined;
        const message = issue.code === 'invalid_type' ? 'must be an object' : issue.message;
        context.issues.push({ ...issue, message, ...(params && { params }), input: raw } as never);
      }
      return undefined as unknown as z.output<Item>[];
    })
    .meta({ wire: { json: wire, query: wire } });
}

function listOf(raw: unknown): unknown[] | undefined {
  if (Array.isArray(raw)) return raw;
  if (typeof raw !== 'string' || !raw.trimStart().startsWith('[')) return undefined;
  try {
    const parsed: unknown = JSON.parse(raw);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
