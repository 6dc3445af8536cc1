import { type Day, parseDay } from '../domain/calendar.ts';
import { CURRENCY_CODES, currencyDigits } from '../domain/currency.ts';
import { type Micros, micros, microsNumber, microsText, numberMicros } from '../domain/money.ts';
import { nearest } from '../domain/nearest.ts';
import { COUNTRY_CODES } from '../domain/regions.ts';
import { cleanLine, isLongerThan, surelyLongerThan } from '../domain/text.ts';
import {
  type About,
  addIssues,
  type Decode,
  type Decoded,
  decodeFields,
  type Field,
  type Fields,
  field,
  type Issue,
  invalid,
  isAbsent,
  type Meant,
  objectSchema,
  type ValuesOf,
} from './field.ts';

// Six decimal places are kept exactly. A binary float such as 0.30000000000000004 is read as the nearest decimal. If
// rounding would change a number by more than this share of its value, it has too many decimal places.
const FLOAT_NOISE = 1e-9;
const DECIMAL_TEXT = /^[0-9]+(?:\.[0-9]+)?$/;
const SIGNED_DECIMAL_TEXT = /^-?[0-9]+(?:\.[0-9]+)?$/;
const SIX_DECIMALS = /^-?[0-9]+(?:\.[0-9]{1,6})?$/;
const MAX_DECIMAL_CHARACTERS = 40;

type DecimalAbout<Default> = About<Default> & {
  readonly min: string;
  readonly max: string;
  /** true: `min` itself is out of range. */
  readonly aboveMin?: boolean;
};

type Fallback<Default> = Default extends number ? Micros : Default;

/** An exact decimal with at most six decimal places, sent as a number or as plain text; decoded to millionths. */
export function decimal<Default extends number | null | undefined = never>(about: DecimalAbout<Default>) {
  const { min, max, aboveMin = false } = about;
  const low = micros(min) as Micros;
  const high = micros(max) as Micros;
  const isSigned = low < 0n;
  const range = `must be ${aboveMin ? 'more than' : 'at least'} ${microsText(low)} and at most ${microsText(high)}`;
  const decode: Decode<Micros> = (raw) => {
    const read = typeof raw === 'number' ? decimalOfNumber(raw) : decimalOfText(raw, isSigned);
    if ('issues' in read) return read;
    const { value } = read;
    const isInRange = value <= high && (aboveMin ? value > low : value >= low);
    return isInRange ? read : invalid('out_of_range', range);
  };
  // Some model vendors reject exclusiveMinimum, so the schema states the smallest allowed value as a minimum: the bound
  // plus a millionth.
  const minimum = microsNumber((low + (aboveMin ? 1n : 0n)) as Micros);
  const schema = { type: 'number', minimum, maximum: Number(max) };
  const { default: given } = about;
  const fallback = typeof given === 'number' ? micros(String(given)) : given;
  return field(decode, schema, about, fallback as Fallback<Default>);
}

function decimalOfNumber(raw: number): Decoded<Micros> {
  const exact = numberMicros(raw);
  if (exact !== null) return { value: exact };
  // No field allows more than 1e12, and toFixed writes exponents from 1e21 on.
  if (!Number.isFinite(raw)) return invalid('invalid_number', 'must be a finite number');
  if (Math.abs(raw) > 1e12) return invalid('out_of_range', 'is too large');
  // Above a few billion, a double cannot hold six decimal places; its shortest text is what the caller wrote.
  const shortest = String(raw);
  const text = SIX_DECIMALS.test(shortest) ? shortest : raw.toFixed(6);
  return Math.abs(Number(text) - raw) > FLOAT_NOISE * Math.abs(raw)
    ? TOO_PRECISE
    : { value: micros(text) as Micros };
}

const TOO_PRECISE = invalid(
  'too_precise',
  'has more than 6 decimal places',
  'round it to at most 6 decimal places',
);

function decimalOfText(raw: unknown, isSigned: boolean): Decoded<Micros> {
  if (typeof raw !== 'string')
    return invalid('invalid_type', 'must be a number', 'send a number such as 12.5');
  const text = raw.trim();
  if (text.length > MAX_DECIMAL_CHARACTERS || !(isSigned ? SIGNED_DECIMAL_TEXT : DECIMAL_TEXT).test(text))
    return invalid(
      'invalid_number',
      `must be a plain decimal number${isSigned ? '' : ' without a sign'}`,
      'send digits with an optional decimal point, such as 1250.00; no currency or percent sign, grouping, exponent or spaces',
    );
  const value = micros(text);
  return value === null ? TOO_PRECISE : { value };
}

type IntegerAbout<Default> = About<Default> & { readonly min: number; readonly max: number };

/** A whole number between two bounds. */
export function integer<Default extends number | null | undefined = never>(about: IntegerAbout<Default>) {
  const { min, max } = about;
  const decode: Decode<number> = (raw) => {
    const isText = typeof raw === 'string' && /^[0-9]{1,9}$/.test(raw.trim());
    const number = isText ? Number(raw) : raw;
    if (typeof number !== 'number' || !Number.isInteger(number))
      return invalid('invalid_integer', `must be a whole number from ${min} to ${max}`);
    return number < min || number > max
      ? invalid('out_of_range', `must be from ${min} to ${max}`)
      : { value: number };
  };
  return field(decode, { type: 'integer', minimum: min, maximum: max }, about);
}

/** The schema of a day, which a document may show once for all fields. */
export const DAY_SCHEMA = {
  type: 'string',
  format: 'date',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
  maxLength: 10,
} as const;

/** A real calendar day, YYYY-MM-DD. */
export function day<Default extends null | undefined = never>(about: About<Default>) {
  const decode: Decode<Day> = (raw) => {
    if (typeof raw !== 'string')
      return invalid('invalid_type', 'must be a date string', 'YYYY-MM-DD, such as 2026-09-01');
    const text = raw.trim();
    const value = parseDay(text);
    if (value !== null) return { value };
    return /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)
      ? invalid('invalid_date', `${text} is not a calendar day from 1970-01-01 to 9999-12-31`)
      : invalid('invalid_date', 'must be a date in the form YYYY-MM-DD', 'such as 2026-09-01');
  };
  return field(decode, DAY_SCHEMA, about);
}

/** Optional days: a list, or text with commas between them. undefined when absent or empty. */
export function days(about: About<never> & { readonly max: number }) {
  const one = day({ describe: about.describe });
  const decode: Decode<readonly Day[] | undefined> = (raw) => {
    const given = listOf(raw) ?? (typeof raw === 'string' ? raw.split(/[,;]/, about.max + 2) : [raw]);
    const sent = given.filter((part) => !isAbsent(part));
    if (sent.length > about.max) return invalid('too_many', `must be at most ${about.max} days`);
    const found: Day[] = [];
    const issues: Issue[] = [];
    for (const [index, part] of sent.entries()) {
      const read = one.decode(part);
      if ('issues' in read) addIssues(issues, index, read.issues);
      else found.push(read.value);
    }
    return issues.length > 0 ? { issues } : { value: found.length === 0 ? undefined : found };
  };
  return field(decode, { type: 'string', maxLength: about.max * 12 }, { ...about, default: undefined });
}

/** One of a short list of lower-case words. */
export function choice<const Word extends string, Default extends Word | undefined = never>(
  allowed: readonly Word[],
  about: About<Default>,
) {
  const set = new Set<string>(allowed);
  const decode: Decode<Word> = (raw) => {
    const text = typeof raw === 'string' ? raw.trim() : raw;
    if (typeof text === 'string' && set.has(text)) return { value: text as Word };
    const close = typeof text === 'string' ? nearest(text, allowed) : null;
    const hint = close === null ? undefined : `did you mean ${close}?`;
    return invalid('invalid_choice', `must be one of ${allowed.join(', ')}`, hint);
  };
  return field(decode, { type: 'string', enum: [...allowed] }, about);
}

/**
 * Some of a short list of words: a list, its JSON text, or text with commas. Decoded in the order of `allowed`, without
 * duplicates; undefined if absent or if all are named.
 */
export function choices<const Word extends string>(allowed: readonly Word[], about: About<never>) {
  const isAllowed = (word: unknown): word is Word => (allowed as readonly unknown[]).includes(word);
  const decode: Decode<readonly Word[] | undefined> = (raw) => {
    const parts = listOf(raw) ?? (typeof raw === 'string' ? raw.split(',') : [raw]);
    const words = parts
      .map((part) => (typeof part === 'string' ? part.trim() : part))
      .filter((part) => part !== '');
    const wrong = words.find((word) => !isAllowed(word));
    const close = typeof wrong === 'string' ? nearest(wrong, allowed) : null;
    if (wrong !== undefined)
      return invalid(
        'invalid_choice',
        `must be a list of ${allowed.join(', ')}`,
        close === null ? `such as ["${allowed[0]}"]` : `did you mean ${close}?`,
      );
    const found = allowed.filter((word) => words.includes(word));
    return { value: [0, allowed.length].includes(found.length) ? undefined : found };
  };
  const items = { type: 'string', enum: [...allowed] };
  const schema = { type: 'array', items, maxItems: allowed.length };
  return field(decode, schema, { ...about, default: undefined });
}

/** true or false, or the same as text, as in query strings. */
export function flag<Default extends boolean = never>(about: About<Default>) {
  const decode: Decode<boolean> = (raw) => {
    const text = typeof raw === 'string' ? raw.trim().toLowerCase() : raw;
    if (text === true || text === 'true') return { value: true };
    if (text === false || text === 'false') return { value: false };
    return invalid('invalid_choice', 'must be true or false');
  };
  return field(decode, { type: 'boolean' }, about);
}

type TextAbout<Default> = About<Default> & { readonly maxCodePoints: number };

/** Text on one line. Control, bidi and invisible characters are removed; nothing is interpreted or cut. */
export function text<Default extends string | null | undefined = never>(
  about: TextAbout<Default>,
): Field<string | NoInfer<Default>> {
  const { maxCodePoints } = about;
  const isTooLong = surelyLongerThan(maxCodePoints);
  const isRequired = !('default' in about);
  const blank = isRequired ? '' : (about.default as Default);
  const decode: Decode<string | Default> = (raw) => {
    if (typeof raw !== 'string') return invalid('invalid_type', 'must be text');
    const line = isTooLong(raw) ? null : cleanLine(raw);
    if (line === null || isLongerThan(line, maxCodePoints))
      return invalid('too_long', `must be at most ${maxCodePoints} characters`);
    return { value: line === '' ? blank : line };
  };
  const made = field(decode, { type: 'string', maxLength: maxCodePoints }, about);
  return isRequired ? { ...made, schema: { ...made.schema, minLength: 1 } } : made;
}

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/**
 * Optional text on several lines, each cleaned like a single line. Blank lines are dropped; undefined if nothing is
 * left.
 */
export function lines(about: TextAbout<never> & { readonly maxLines: number }) {
  const { maxCodePoints, maxLines } = about;
  const isTooLong = surelyLongerThan(maxCodePoints);
  const decode: Decode<readonly string[] | undefined> = (raw) => {
    if (typeof raw !== 'string') return invalid('invalid_type', 'must be text');
    const found = isTooLong(raw) ? null : raw.split(LINE_BREAK).map(cleanLine).filter(Boolean);
    if (found === null || isLongerThan(found.join(''), maxCodePoints))
      return invalid('too_long', `must be at most ${maxCodePoints} characters`);
    if (found.length > maxLines) return invalid('too_many', `must be at most ${maxLines} lines`);
    return { value: found.length === 0 ? undefined : found };
  };
  return field(decode, { type: 'string', maxLength: maxCodePoints }, { ...about, default: undefined });
}

type WordsAbout = TextAbout<never> & { readonly maxWords: number; readonly example: string };

/** Words separated by commas, or a list of them, also as JSON text. Duplicates are dropped. */
export function words(about: WordsAbout) {
  const { maxWords, maxCodePoints } = about;
  const isTooLong = surelyLongerThan(maxCodePoints);
  const decode: Decode<readonly string[]> = (raw) => {
    const parts = listOf(raw) ?? (typeof raw === 'string' ? raw.split(',') : raw);
    if (!Array.isArray(parts) || parts.some((part) => typeof part !== 'string'))
      return invalid('invalid_type', 'must be words separated by commas');
    const tooLong = invalid('too_long', `must be words of at most ${maxCodePoints} characters each`);
    if (parts.some(isTooLong)) return tooLong;
    const found = new Set<string>();
    // Duplicates are dropped first, so a few words that are repeated thousands of times take little time. The loop also
    // ends early if there are tens of thousands of different words.
    for (const part of new Set<string>(parts)) {
      const word = cleanLine(part);
      if (word !== '') found.add(word);
      if (found.size > maxWords) return invalid('too_many', `must be at most ${maxWords} words`);
    }
    if ([...found].some((word) => isLongerThan(word, maxCodePoints))) return tooLong;
    return { value: [...found] };
  };
  const pattern = `^[^,]{0,${maxCodePoints}}(,[^,]{0,${maxCodePoints}}){0,${maxWords - 1}}$`;
  const schema = { type: 'string', pattern, maxLength: maxWords * (maxCodePoints + 1) };
  return field(decode, schema, { ...about, default: undefined }, [] as readonly string[]);
}

type PhrasesAbout = TextAbout<never> & { readonly maxPhrases: number; readonly example: string };

/**
 * The caller's own sentences: a list, or text with semicolons between them, as forms send it. Commas do not separate
 * them, since sentences contain commas. undefined when absent or empty.
 */
export function phrases(about: PhrasesAbout) {
  const { maxPhrases, maxCodePoints, example } = about;
  const isTooLong = surelyLongerThan(maxCodePoints);
  const decode: Decode<readonly string[] | undefined> = (raw) => {
    const given = listOf(raw) ?? (typeof raw === 'string' ? raw.split(';', maxPhrases + 2) : [raw]);
    const parts = given.filter((part) => typeof part === 'string');
    if (parts.length < given.length)
      return invalid('invalid_type', 'must be a list of texts', `for example ["${example}"]`);
    const tooLong = invalid('too_long', `must be texts of at most ${maxCodePoints} characters each`);
    const tooMany = invalid('too_many', `must be at most ${maxPhrases} texts`);
    if (parts.length > maxPhrases + 1) return tooMany;
    if (parts.some(isTooLong)) return tooLong;
    const found = parts.map(cleanLine).filter((part) => part !== '');
    if (found.length > maxPhrases) return tooMany;
    if (found.some((part) => isLongerThan(part, maxCodePoints))) return tooLong;
    return { value: found.length === 0 ? undefined : found };
  };
  const items = { type: 'string', maxLength: maxCodePoints };
  const schema = { type: 'array', items, maxItems: maxPhrases };
  return field(decode, schema, { ...about, example: [example], default: undefined });
}

/** Patterns that a document may replace with the whole list of codes. */
export const CURRENCY_PATTERN = '^[A-Za-z]{3}$';
export const COUNTRY_PATTERN = '^[A-Za-z]{2}$';

/** An ISO 4217 code in any letter case; decoded to upper case. */
export function currency<Default extends string | null = never>(about: About<Default>) {
  const decode: Decode<string> = (raw) => {
    const code = upperCase(raw);
    if (/^[A-Z]{3}$/.test(code) && currencyDigits(code) !== null) return { value: code };
    const close = /^USD[A-Z]$/.test(code) ? 'USD' : nearest(code, CURRENCY_CODES);
    const hint = close === null ? undefined : `did you mean ${close}?`;
    return invalid('invalid_currency', 'must be an ISO 4217 currency code, such as USD, EUR or JPY', hint);
  };
  const schema = { type: 'string', pattern: CURRENCY_PATTERN, maxLength: 3 };
  return field(decode, schema, about);
}

/** An optional ISO 3166-1 alpha-2 code in any letter case; decoded to upper case. */
export function country(about: About<never>) {
  const decode: Decode<string> = (raw) => {
    const code = upperCase(raw);
    if (COUNTRY_CODES.includes(code)) return { value: code };
    const hint = code === 'UK' ? 'did you mean GB?' : undefined;
    return invalid(
      'invalid_country',
      'must be an ISO 3166-1 alpha-2 country code, such as US, GB, DE or IN',
      hint,
    );
  };
  const schema = { type: 'string', pattern: COUNTRY_PATTERN, maxLength: 2 };
  return field(decode, schema, { ...about, default: undefined });
}

/** A code in upper case; '' if the value is not text. */
export const upperCase = (raw: unknown): string => (typeof raw === 'string' ? raw.trim().toUpperCase() : '');

type ListAbout<Item extends Fields> = {
  readonly describe: string;
  readonly min: number;
  readonly max: number;
  readonly meant?: Meant;
  /** Issues that concern several fields of an object. Invalid fields are missing from `item`. */
  readonly between?: (item: Partial<ValuesOf<Item>>) => readonly Issue[];
  /** An object that is valid by itself, for programs that make a first call from the schema. */
  readonly example?: Readonly<Record<string, unknown>>;
};

/** A required list of objects. The JSON text of a list is accepted too, since models send it. */
export function list<Item extends Fields>(item: Item, about: ListAbout<Item>): Field<ValuesOf<Item>[]> {
  const { describe, min, max, meant = {}, between, example } = about;
  const expected = `must be a list of ${min} to ${max} objects`;
  const decode: Decode<ValuesOf<Item>[]> = (raw) => {
    if (isAbsent(raw)) return invalid('required', 'is required', expected);
    const sent = listOf(raw);
    if (sent === undefined || sent.length < min || sent.length > max)
      return invalid('invalid_list', expected);
    const found: ValuesOf<Item>[] = [];
    const issues: Issue[] = [];
    for (const [index, value] of sent.entries()) {
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      const read = isObject
        ? decodeFields(item, value as Readonly<Record<string, unknown>>, meant)
        : { values: {}, ...invalid('invalid_type', 'must be an object') };
      found.push(read.values as ValuesOf<Item>);
      if (isObject)
        addIssues(issues, index, missedBy(read.issues, between?.(read.values as Partial<ValuesOf<Item>>)));
      addIssues(issues, index, read.issues);
    }
    return issues.length === 0 ? { value: found } : { issues };
  };
  const schema = {
    type: 'array',
    description: describe,
    minItems: min,
    maxItems: max,
    items: objectSchema(item),
    ...(example !== undefined && { examples: [[example]] }),
  };
  return { isRequired: true, schema, decode };
}

/** The cross-field issues, without issues of fields that already have one. */
function missedBy(issues: readonly Issue[], between: readonly Issue[] = []): readonly Issue[] {
  const known = new Set(issues.map(({ path }) => path[0]));
  return between.filter(({ path }) => !known.has(path[0]));
}

type RowsAbout = {
  readonly describe: string;
  readonly example: string;
  readonly max: number;
  /** The fields of the object in a row of text; null if the row cannot be read. */
  readonly read: (row: string) => Readonly<Record<string, unknown>> | null;
};

const MOST_ROW_CHARACTERS = 120;

/**
 * An optional list that fits a query: rows of text with semicolons between them, or a list of objects. undefined when
 * absent or empty.
 */
export function rows<Item extends Fields>(item: Item, about: RowsAbout): Field<ValuesOf<Item>[] | undefined> {
  const { example, max, read } = about;
  const inner = list(item, { describe: '', min: 1, max });
  const maxLength = max * MOST_ROW_CHARACTERS;
  const decode: Decode<ValuesOf<Item>[] | undefined> = (raw) => {
    if (typeof raw === 'string' && raw.length > maxLength)
      return invalid('too_long', `must be at most ${maxLength} characters`);
    const isText = typeof raw === 'string' && listOf(raw) === undefined;
    const sent = isText ? raw.split(';').map(cleanLine).filter(Boolean).map(read) : listOf(raw);
    if (sent?.length === 0) return { value: undefined };
    const unread = sent?.indexOf(null) ?? -1;
    if (unread >= 0)
      return invalid(
        'unreadable',
        `has a part that cannot be read: part ${unread + 1}`,
        `write it like ${example}`,
      );
    return inner.decode(sent ?? raw);
  };
  const schema = { type: 'string', maxLength };
  return field(decode, schema, { ...about, default: undefined });
}

/** The list itself, or the list in a JSON text. */
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
