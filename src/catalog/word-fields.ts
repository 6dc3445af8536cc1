import { type Day, parseDay } from '../domain/calendar.ts';
import { CURRENCY_CODES, currencyDigits } from '../domain/currency.ts';
import { nearest } from '../domain/nearest.ts';
import { COUNTRY_CODES } from '../domain/regions.ts';
import { cleanLine, codePoints, surelyLongerThan } from '../domain/text.ts';
import { annotate, type Decode, later, optional, required, type Wire, wrong } from './field.ts';
import { listOf } from './list-field.ts';

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

const dayWire = (about: { describe: string; title?: string; example?: string }): Wire => {
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
    return wrong(
      'invalid_choice',
      `must be one of ${allowed.join(', ')}`,
      close === null ? undefined : `did you mean ${close}?`,
    );
  };
}

export function choice<T extends string>(allowed: readonly T[], about: { describe: string; example?: T }) {
  const schema = { type: 'string', enum: [...allowed] };
  return required(choiceDecoder(allowed), annotate(about, schema));
}

export function choiceOr<T extends string>(
  allowed: readonly T[],
  about: { describe: string },
  fallback: NoInfer<T>,
) {
  const schema = { type: 'string', enum: [...allowed] };
  return optional(choiceDecoder(allowed), fallback, annotate({ ...about, fallback }, schema));
}

/** The same where an older request has no such field: undefined when absent or `fallback`. */
export function choiceLater<T extends string>(
  allowed: readonly T[],
  about: { describe: string },
  fallback: NoInfer<T>,
) {
  const schema = { type: 'string', enum: [...allowed] };
  return later(choiceDecoder(allowed), fallback, annotate({ ...about, fallback }, schema));
}

const decodeFlag: Decode<boolean> = (raw) => {
  const text = typeof raw === 'string' ? raw.trim().toLowerCase() : raw;
  if (text === true || text === 'true') return { value: true };
  if (text === false || text === 'false') return { value: false };
  return wrong('invalid_choice', 'must be true or false');
};

const flagWire = (about: { describe: string; fallback: boolean }): Wire =>
  annotate(about, { type: 'boolean' });

/** true or false; query strings spell them out. */
export const flagOr = (about: { describe: string }, fallback: boolean) =>
  optional(decodeFlag, fallback, flagWire({ ...about, fallback }));

/** The same where an older request has no such field: undefined when absent or `fallback`. */
export const flagLater = (about: { describe: string }, fallback: boolean) =>
  later(decodeFlag, fallback, flagWire({ ...about, fallback }));

type TextAbout = { describe: string; maxCodePoints: number; example?: string };

function textDecoder<F>(maxCodePoints: number, blank: F): Decode<string | F> {
  const isTooLong = surelyLongerThan(maxCodePoints);
  return (raw) => {
    if (typeof raw !== 'string') return wrong('invalid_type', 'must be text');
    const text = isTooLong(raw) ? null : cleanLine(raw);
    if (text === null || codePoints(text) > maxCodePoints)
      return wrong('too_long', `must be at most ${maxCodePoints} characters`);
    return { value: text === '' ? blank : text };
  };
}

const textWire = (about: TextAbout): Wire =>
  annotate(about, { type: 'string', maxLength: about.maxCodePoints });

/** Text on one line that must be there. */
export const text = (about: TextAbout) =>
  required(textDecoder(about.maxCodePoints, ''), { ...textWire(about), minLength: 1 });

/** Free text on one line: cleaned of control, bidi and invisible characters, never interpreted, never cut. */
export const textOr = <F>(about: TextAbout, fallback: F) =>
  optional(textDecoder(about.maxCodePoints, fallback), fallback, textWire(about));

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** Free text on several lines, each cleaned like any other line; blank ones vanish. */
export function linesOr<F>(
  about: { describe: string; maxCodePoints: number; maxLines: number },
  fallback: F,
) {
  const { maxCodePoints, maxLines } = about;
  const isTooLong = surelyLongerThan(maxCodePoints);
  const decode: Decode<readonly string[] | F> = (raw) => {
    if (typeof raw !== 'string') return wrong('invalid_type', 'must be text');
    const lines = isTooLong(raw) ? null : raw.split(LINE_BREAK).map(cleanLine).filter(Boolean);
    if (lines === null || codePoints(lines.join('')) > maxCodePoints)
      return wrong('too_long', `must be at most ${maxCodePoints} characters`);
    if (lines.length > maxLines) return wrong('too_many', `must be at most ${maxLines} lines`);
    return { value: lines.length === 0 ? fallback : lines };
  };
  const schema = { type: 'string', maxLength: maxCodePoints };
  return optional(decode, fallback, annotate({ describe: about.describe }, schema));
}

/** Words separated by commas, or a list of them, also as its JSON text; repeats are dropped. */
export function words(about: { describe: string; maxWords: number; maxCodePoints: number; example: string }) {
  const { maxWords, maxCodePoints } = about;
  const isTooLong = surelyLongerThan(maxCodePoints);
  const decode: Decode<readonly string[]> = (raw) => {
    const parts = listOf(raw) ?? (typeof raw === 'string' ? raw.split(',') : raw);
    if (!Array.isArray(parts) || parts.some((part) => typeof part !== 'string'))
      return wrong('invalid_type', 'must be words separated by commas');
    const tooLong = wrong('too_long', `must be words of at most ${maxCodePoints} characters`);
    if (parts.some(isTooLong)) return tooLong;
    const list = [...new Set(parts.map(cleanLine).filter((word) => word !== ''))];
    if (list.length > maxWords) return wrong('too_many', `must be at most ${maxWords} words`);
    if (list.some((word) => codePoints(word) > maxCodePoints)) return tooLong;
    return { value: list };
  };
  const pattern = `^[^,]{0,${maxCodePoints}}(,[^,]{0,${maxCodePoints}}){0,${maxWords - 1}}$`;
  const schema = { type: 'string', pattern, maxLength: maxWords * (maxCodePoints + 1) };
  return optional<readonly string[], readonly string[]>(decode, [], annotate(about, schema));
}

type PhrasesAbout = { describe: string; maxPhrases: number; maxCodePoints: number; example: string };

/**
 * Sentences of a caller's own as a list, or as text with semicolons between them, for forms; undefined when absent or
 * empty. They hold commas, so that no comma parts them.
 */
export function phrases(about: PhrasesAbout) {
  const { describe, maxPhrases, maxCodePoints, example } = about;
  const isTooLong = surelyLongerThan(maxCodePoints);
  const decode: Decode<readonly string[] | undefined> = (raw) => {
    const given = listOf(raw) ?? (typeof raw === 'string' ? raw.split(';', maxPhrases + 2) : [raw]);
    const parts = given.filter((part) => typeof part === 'string');
    if (parts.length < given.length)
      return wrong('invalid_type', 'must be a list of texts', `for example ["${example}"]`);
    const tooLong = wrong('too_long', `must be texts of at most ${maxCodePoints} characters`);
    const tooMany = wrong('too_many', `must be at most ${maxPhrases} texts`);
    if (parts.length > maxPhrases + 1) return tooMany;
    if (parts.some(isTooLong)) return tooLong;
    const list = parts.map(cleanLine).filter((part) => part !== '');
    if (list.length > maxPhrases) return tooMany;
    if (list.some((part) => codePoints(part) > maxCodePoints)) return tooLong;
    return { value: list.length === 0 ? undefined : list };
  };
  const item = { type: 'string', maxLength: maxCodePoints };
  const schema = { type: 'array', items: item, maxItems: maxPhrases };
  return optional(decode, undefined, annotate({ describe, example: [example] }, schema));
}

/** What a document with room for the list of codes may put the list in the place of. */
export const CURRENCY_PATTERN = '^[A-Za-z]{3}$';
export const COUNTRY_PATTERN = '^[A-Za-z]{2}$';

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
  const schema = { type: 'string', pattern: CURRENCY_PATTERN, maxLength: 3 };
  return optional(decode, fallback, annotate({ ...about, fallback: fallback ?? undefined }, schema));
}

/**
 * An ISO 3166-1 alpha-2 code in any letter case; output in upper case, nothing when it is left out: what is not there
 * is no part of a request's digest.
 */
export function countryOr(about: { describe: string; example?: string }) {
  const decode: Decode<string> = (raw) => {
    const code = typeof raw === 'string' ? raw.trim().toUpperCase() : '';
    if (COUNTRY_CODES.includes(code)) return { value: code };
    const hint = code === 'UK' ? 'did you mean GB?' : undefined;
    return wrong(
      'invalid_country',
      'must be an ISO 3166-1 alpha-2 country code, such as US, GB, DE or IN',
      hint,
    );
  };
  const schema = { type: 'string', pattern: COUNTRY_PATTERN, maxLength: 2 };
  return optional<string, undefined>(decode, undefined, annotate(about, schema));
}
