import { type Day, parseDay } from '../domain/calendar.ts';
import { CURRENCY_CODES, currencyDigits } from '../domain/currency.ts';
import { nearest } from '../domain/nearest.ts';
import { COUNTRY_CODES } from '../domain/regions.ts';
import { cleanLine, isLongerThan, surelyLongerThan } from '../domain/text.ts';
import { annotate, type Decode, fieldError, later, optional, required, type WireSchema } from './field.ts';
import { listOf } from './list-field.ts';

const decodeDay: Decode<Day> = (raw) => {
  if (typeof raw !== 'string')
    return fieldError('invalid_type', 'must be a date string', 'YYYY-MM-DD, such as 2026-09-01');
  const text = raw.trim();
  const value = parseDay(text);
  if (value !== null) return { value };
  return /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)
    ? fieldError('invalid_date', `${text} is not a day of the calendar from 1970-01-01 to 9999-12-31`)
    : fieldError('invalid_date', 'must be a date as YYYY-MM-DD', 'such as 2026-09-01');
};

const dayWire = (about: { describe: string; title?: string; example?: string }): WireSchema => {
  const schema = { type: 'string', format: 'date', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', maxLength: 10 };
  return annotate(about, schema);
};

/** A real calendar day, YYYY-MM-DD. */
export const day = (about: { describe: string; example: string }) => required(decodeDay, dayWire(about));
export const dayOr = <F>(about: { describe: string; title?: string }, fallback: F) =>
  optional(decodeDay, fallback, dayWire(about));

/** One of a short list of lower-case words. */
function choiceDecoder<T extends string>(allowed: readonly T[]): Decode<T> {
  const set = new Set<string>(allowed);
  return (raw) => {
    const text = typeof raw === 'string' ? raw.trim() : raw;
    if (typeof text === 'string' && set.has(text)) return { value: text as T };
    const close = typeof text === 'string' ? nearest(text, allowed) : null;
    return fieldError(
      'invalid_choice',
      `must be one of ${allowed.join(', ')}`,
      close === null ? undefined : `did you mean ${close}?`,
    );
  };
}

const choiceWire = (allowed: readonly string[], about: Parameters<typeof annotate>[0]): WireSchema =>
  annotate(about, { type: 'string', enum: [...allowed] });

export function choice<T extends string>(allowed: readonly T[], about: { describe: string; example?: T }) {
  return required(choiceDecoder(allowed), choiceWire(allowed, about));
}

export function choiceOr<T extends string>(
  allowed: readonly T[],
  about: { describe: string },
  fallback: NoInfer<T>,
) {
  return optional(choiceDecoder(allowed), fallback, choiceWire(allowed, { ...about, fallback }));
}

/** The same for a field that was added later: undefined when absent or equal to `fallback`. */
export function choiceLater<T extends string>(
  allowed: readonly T[],
  about: { describe: string },
  fallback: NoInfer<T>,
) {
  return later(choiceDecoder(allowed), fallback, choiceWire(allowed, { ...about, fallback }));
}

const decodeFlag: Decode<boolean> = (raw) => {
  const text = typeof raw === 'string' ? raw.trim().toLowerCase() : raw;
  if (text === true || text === 'true') return { value: true };
  if (text === false || text === 'false') return { value: false };
  return fieldError('invalid_choice', 'must be true or false');
};

const flagWire = (about: { describe: string; fallback: boolean }): WireSchema =>
  annotate(about, { type: 'boolean' });

/** true or false, also as text, as query strings have it. */
export const flagOr = (about: { describe: string }, fallback: boolean) =>
  optional(decodeFlag, fallback, flagWire({ ...about, fallback }));

/** The same for a field that was added later: undefined when absent or equal to `fallback`. */
export const flagLater = (about: { describe: string }, fallback: boolean) =>
  later(decodeFlag, fallback, flagWire({ ...about, fallback }));

type TextAbout = { describe: string; maxCodePoints: number; example?: string };

function textDecoder<F>(maxCodePoints: number, blank: F): Decode<string | F> {
  const isTooLong = surelyLongerThan(maxCodePoints);
  return (raw) => {
    if (typeof raw !== 'string') return fieldError('invalid_type', 'must be text');
    const text = isTooLong(raw) ? null : cleanLine(raw);
    if (text === null || isLongerThan(text, maxCodePoints))
      return fieldError('too_long', `must be at most ${maxCodePoints} characters`);
    return { value: text === '' ? blank : text };
  };
}

const textWire = (about: TextAbout): WireSchema =>
  annotate(about, { type: 'string', maxLength: about.maxCodePoints });

/** Required text on one line. */
export const text = (about: TextAbout) =>
  required(textDecoder(about.maxCodePoints, ''), { ...textWire(about), minLength: 1 });

/** Optional text on one line. Control, bidi and invisible characters are removed; nothing is interpreted or cut. */
export const textOr = <F>(about: TextAbout, fallback: F) =>
  optional(textDecoder(about.maxCodePoints, fallback), fallback, textWire(about));

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** Optional text on several lines, each cleaned like a single line; blank lines are dropped. */
export function linesOr<F>(
  about: { describe: string; maxCodePoints: number; maxLines: number },
  fallback: F,
) {
  const { maxCodePoints, maxLines } = about;
  const isTooLong = surelyLongerThan(maxCodePoints);
  const decode: Decode<readonly string[] | F> = (raw) => {
    if (typeof raw !== 'string') return fieldError('invalid_type', 'must be text');
    const lines = isTooLong(raw) ? null : raw.split(LINE_BREAK).map(cleanLine).filter(Boolean);
    if (lines === null || isLongerThan(lines.join(''), maxCodePoints))
      return fieldError('too_long', `must be at most ${maxCodePoints} characters`);
    if (lines.length > maxLines) return fieldError('too_many', `must be at most ${maxLines} lines`);
    return { value: lines.length === 0 ? fallback : lines };
  };
  const schema = { type: 'string', maxLength: maxCodePoints };
  return optional(decode, fallback, annotate({ describe: about.describe }, schema));
}

/** Words separated by commas, or a list of them, also as JSON text; duplicates are dropped. */
export function words(about: { describe: string; maxWords: number; maxCodePoints: number; example: string }) {
  const { maxWords, maxCodePoints } = about;
  const isTooLong = surelyLongerThan(maxCodePoints);
  const decode: Decode<readonly string[]> = (raw) => {
    const parts = listOf(raw) ?? (typeof raw === 'string' ? raw.split(',') : raw);
    if (!Array.isArray(parts) || parts.some((part) => typeof part !== 'string'))
      return fieldError('invalid_type', 'must be words separated by commas');
    const tooLong = fieldError('too_long', `must be words of at most ${maxCodePoints} characters`);
    if (parts.some(isTooLong)) return tooLong;
    const list = new Set<string>();
    // A body has room for tens of thousands of words, which are few words repeated or too many.
    for (const part of new Set<string>(parts)) {
      const word = cleanLine(part);
      if (word !== '') list.add(word);
      if (list.size > maxWords) return fieldError('too_many', `must be at most ${maxWords} words`);
    }
    if ([...list].some((word) => isLongerThan(word, maxCodePoints))) return tooLong;
    return { value: [...list] };
  };
  const pattern = `^[^,]{0,${maxCodePoints}}(,[^,]{0,${maxCodePoints}}){0,${maxWords - 1}}$`;
  const schema = { type: 'string', pattern, maxLength: maxWords * (maxCodePoints + 1) };
  return optional<readonly string[], readonly string[]>(decode, [], annotate(about, schema));
}

type PhrasesAbout = { describe: string; maxPhrases: number; maxCodePoints: number; example: string };

/**
 * The caller's own sentences: a list, or text with semicolons between them, as forms send it. Commas do not separate
 * them, since sentences contain commas. undefined when absent or empty.
 */
export function phrases(about: PhrasesAbout) {
  const { describe, maxPhrases, maxCodePoints, example } = about;
  const isTooLong = surelyLongerThan(maxCodePoints);
  const decode: Decode<readonly string[] | undefined> = (raw) => {
    const given = listOf(raw) ?? (typeof raw === 'string' ? raw.split(';', maxPhrases + 2) : [raw]);
    const parts = given.filter((part) => typeof part === 'string');
    if (parts.length < given.length)
      return fieldError('invalid_type', 'must be a list of texts', `for example ["${example}"]`);
    const tooLong = fieldError('too_long', `must be texts of at most ${maxCodePoints} characters`);
    const tooMany = fieldError('too_many', `must be at most ${maxPhrases} texts`);
    if (parts.length > maxPhrases + 1) return tooMany;
    if (parts.some(isTooLong)) return tooLong;
    const list = parts.map(cleanLine).filter((part) => part !== '');
    if (list.length > maxPhrases) return tooMany;
    if (list.some((part) => isLongerThan(part, maxCodePoints))) return tooLong;
    return { value: list.length === 0 ? undefined : list };
  };
  const item = { type: 'string', maxLength: maxCodePoints };
  const schema = { type: 'array', items: item, maxItems: maxPhrases };
  return optional(decode, undefined, annotate({ describe, example: [example] }, schema));
}

/** Patterns that a document may replace by the whole list of codes. */
export const CURRENCY_PATTERN = '^[A-Za-z]{3}$';
export const COUNTRY_PATTERN = '^[A-Za-z]{2}$';

/** An ISO 4217 code in any letter case; output in upper case. */
export function currencyOr<F extends string | null>(about: { describe: string }, fallback: F) {
  const decode: Decode<string> = (raw) => {
    const code = typeof raw === 'string' ? raw.trim().toUpperCase() : '';
    if (/^[A-Z]{3}$/.test(code) && currencyDigits(code) !== null) return { value: code };
    const close = /^USD[A-Z]$/.test(code) ? 'USD' : nearest(code, CURRENCY_CODES);
    return fieldError(
      'invalid_currency',
      'must be an ISO 4217 currency code, such as USD, EUR or JPY',
      close === null ? undefined : `did you mean ${close}?`,
    );
  };
  const schema = { type: 'string', pattern: CURRENCY_PATTERN, maxLength: 3 };
  return optional(decode, fallback, annotate({ ...about, fallback: fallback ?? undefined }, schema));
}

/**
 * An ISO 3166-1 alpha-2 code in any letter case; output in upper case. undefined when absent, which adds nothing to a
 * request's digest.
 */
export function countryOr(about: { describe: string; example?: string }) {
  const decode: Decode<string> = (raw) => {
    const code = typeof raw === 'string' ? raw.trim().toUpperCase() : '';
    if (COUNTRY_CODES.includes(code)) return { value: code };
    const hint = code === 'UK' ? 'did you mean GB?' : undefined;
    return fieldError(
      'invalid_country',
      'must be an ISO 3166-1 alpha-2 country code, such as US, GB, DE or IN',
      hint,
    );
  };
  const schema = { type: 'string', pattern: COUNTRY_PATTERN, maxLength: 2 };
  return optional<string, undefined>(decode, undefined, annotate(about, schema));
}
