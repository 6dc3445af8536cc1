import { CURRENCY_CODES } from '../../domain/currency.ts';

/*
 * Numbers as people write them, parsed by one rule: `1,250`, `1.250,00`, `1 250,50`, `1'250`, `£1,250`, `1.5 %`,
 * `12,5`. An ambiguous number is not guessed: the form asks. The result is plain text for the API, digit for digit, so
 * nothing is rounded here.
 */

export type NumberKind = {
  /** The bounds that the API sets. */
  readonly min: number;
  readonly max: number;
  /** false: whole numbers only. */
  readonly hasDecimals: boolean;
};

/** The separator of thousands in the visitor's language; null if the language is unknown. */
export type Grouping = ',' | '.' | ' ' | '’' | null;

/** The unit next to the digits: a percent sign, days, or the currencies that a sign may mean; null without a unit. */
export type Unit = 'percent' | 'days' | readonly string[] | null;

export type ReadNumber =
  | { readonly kind: 'blank' }
  | {
      readonly kind: 'number';
      /** In the notation of the API: "-1250.5" */
      readonly plain: string;
      readonly unit: Unit;
    }
  /** The two numbers that the text could mean, as plain texts. */
  | { readonly kind: 'ambiguous'; readonly choices: readonly [string, string] }
  | { readonly kind: 'unreadable' };

const UNREADABLE: ReadNumber = { kind: 'unreadable' };
const LONGEST = 40;

/** Parses a user's text as a number. */
export function readNumber(written: string, kind: NumberKind, grouping: Grouping): ReadNumber {
  const text = written
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  if (text === '') return { kind: 'blank' };
  const parts = text.length > LONGEST ? null : partsOf(withCents(asciiDigits(text)));
  if (parts === null) return UNREADABLE;
  const { sign, digits, unit } = parts;
  const all = candidates(digits).map((plain) => `${sign}${plain}`);
  const [first, second] = all.filter((plain) => isPossible(plain, kind));
  if (first === undefined) {
    // The number is outside the bounds of the field, which the API will report.
    const plain = all.find((one) => !one.includes('.')) ?? all[0];
    return plain === undefined ? UNREADABLE : { kind: 'number', plain, unit };
  }
  if (second === undefined) return { kind: 'number', plain: first, unit };
  // The character that separates thousands in the visitor's language.
  const mark = /[.,]/.exec(digits)?.[0];
  return mark !== undefined && mark === grouping
    ? { kind: 'number', plain: second, unit }
    : { kind: 'ambiguous', choices: [first, second] };
}

const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6];

/** Arabic, Persian, Devanagari and Bengali digits and marks as ASCII. */
const asciiDigits = (text: string): string =>
  text
    .replace(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0;
      const zero = ZEROS.find((start) => code >= start && code < start + 10);
      return zero === undefined ? digit : String(code - zero);
    })
    .replaceAll('٫', '.')
    .replaceAll('٬', ' ');

/** Replaces a dash for missing cents, as in `1.250,- €`, `1 250:-` and `Rs. 1,25,000/-`, with zero cents. */
const withCents = (text: string): string =>
  text.replace(/(?<=\d) ?([.,:/])[-−–—]{1,2}(?!\d)/, (_, mark: string) =>
    mark === ',' || (mark !== '.' && /\.\d{3}\D/.test(text)) ? ',00' : '.00',
  );

const WORDS = 'percent|per cent|days?|quid|pounds?|euros?|dollars?|bucks?';
const UNIT = String.raw`(?:%|${WORDS}|\p{Sc}|\p{L}{1,3}\.|[\p{L}\p{Sc}]{1,4})`;
const WRITTEN = new RegExp(
  String.raw`^(?<before>[-−–+]?) ?(?<lead>${UNIT})? ?(?<inside>[-−–+]?) ?(?<digits>[.,]?\d[\d.,'’ ]*?)(?: ?(?<tail>${UNIT}))?$`,
  'ui',
);

type Parts = { readonly sign: string; readonly digits: string; readonly unit: Unit };

/** "-£1,250" as its sign, its digits with their marks, and its unit; null for any other text. */
function partsOf(text: string): Parts | null {
  const { before = '', lead, inside = '', digits = '', tail } = WRITTEN.exec(text)?.groups ?? {};
  if (digits === '' || (before !== '' && inside !== '')) return null;
  const units = [lead, tail].flatMap((one) => (one === undefined ? [] : [unitOf(one)]));
  const [unit = null, other = unit] = units;
  // "US$ 5 EUR" is not a single amount, but "£5 quid" is.
  if (units.includes(null) || !isSame(unit, other)) return null;
  const minus = `${before}${inside}`;
  return { sign: minus === '' || minus === '+' ? '' : '-', digits: digits.trim(), unit };
}

const isSame = (one: Unit, other: Unit): boolean =>
  Array.isArray(one) && Array.isArray(other) ? one.some((code) => other.includes(code)) : one === other;

// In everyday use, one sign may stand for several currencies.
const SIGNS: Readonly<Record<string, string>> = {
  $: 'USD CAD AUD NZD MXN SGD HKD TWD BRL ARS CLP COP UYU XCD',
  us$: 'USD',
  ca$: 'CAD',
  c$: 'CAD',
  a$: 'AUD',
  au$: 'AUD',
  nz$: 'NZD',
  hk$: 'HKD',
  s$: 'SGD',
  mx$: 'MXN',
  nt$: 'TWD',
  r$: 'BRL',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY CNY',
  '₹': 'INR',
  '₩': 'KRW',
  '₪': 'ILS',
  '₱': 'PHP',
  '₫': 'VND',
  '₦': 'NGN',
  '₺': 'TRY',
  '₴': 'UAH',
  '₽': 'RUB',
  zł: 'PLN',
  kč: 'CZK',
  ft: 'HUF',
  lei: 'RON',
  kr: 'SEK NOK DKK ISK',
  fr: 'CHF',
  sfr: 'CHF',
  r: 'ZAR',
  rs: 'INR PKR LKR NPR',
  quid: 'GBP',
  pound: 'GBP',
  euro: 'EUR',
  dollar: 'USD CAD AUD NZD SGD HKD TWD',
  buck: 'USD CAD AUD NZD',
};

/** The meaning of a sign or a code; null if it is neither. */
function unitOf(written: string): Unit {
  if (/^(?:%|per ?cent)$/i.test(written)) return 'percent';
  if (/^days?$/i.test(written)) return 'days';
  const word = written
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^(pound|euro|dollar|buck)s$/, '$1');
  if (Object.hasOwn(SIGNS, word)) return SIGNS[word]?.split(' ') ?? null;
  const code = word.toUpperCase();
  return CURRENCY_CODES.includes(code) ? [code] : null;
}

/**
 * The possible values of digits with separators, without their sign. Readings with decimal places come first. Empty if
 * there are none.
 */
function candidates(digits: string): readonly string[] {
  // Spaces and apostrophes appear only between thousands.
  const marks = digits.replace(/[\d]/g, '').replace(/[ '’]/g, '');
  const last = marks.at(-1);
  // "12 50" may be 12.50.
  if (/^\d+ \d{2}$/.test(digits)) return [digits.replace(' ', '.'), digits.replace(' ', '')];
  if (last === undefined) return grouped(digits, "[ '’]");
  const other = last === ',' ? '.' : ',';
  const isLastOnce = marks.indexOf(last) === marks.length - 1;
  const between = `[ '’${marks.includes(other) ? other : ''}]`;
  const withDecimals = isLastOnce ? decimalText(digits, last, between) : [];
  // Repeated separators only delimit groups of three digits (or groups of two before them, as in India).
  const isGrouping = !marks.includes(other) && !/[ '’]/.test(digits);
  return [...withDecimals, ...(isGrouping ? grouped(digits, `[${last}]`) : [])];
}

function decimalText(digits: string, mark: string, between: string): readonly string[] {
  const [whole = '', fraction = ''] = digits.split(mark);
  if (!/^\d*$/.test(fraction)) return [];
  return (whole === '' ? ['0'] : grouped(whole, between)).map((text) =>
    fraction === '' ? text : `${text}.${fraction}`,
  );
}

function grouped(text: string, mark: string): readonly string[] {
  const isWhole = new RegExp(
    `^\\d+$|^\\d{1,3}(?:(${mark})\\d{3})(?:\\1\\d{3})*$|^[1-9]\\d?(?:,\\d{2})+,\\d{3}$`,
  );
  if (!isWhole.test(text)) return [];
  // The comma in "0,125" cannot separate thousands.
  if (/^0.*\D/.test(text)) return [];
  return [text.replace(/\D/g, '').replace(/^0+(?=\d)/, '')];
}

const isPossible = (plain: string, { min, max, hasDecimals }: NumberKind): boolean =>
  (hasDecimals || !plain.includes('.')) && Number(plain) >= min && Number(plain) <= max;

/** A plain number in a notation that every form reads as the same number, in any language. */
export const unmistakable = (plain: string): string =>
  /^-?[1-9]\d{0,2}\.\d{3}$/.test(plain) ? `${plain}0` : plain;

/**
 * A language if Intl knows it; null for other values from browsers, such as the "C" of a machine without a language
 * setting.
 */
export function knownLanguage(language: string | undefined): string | null {
  try {
    // Intl replaces an unknown language with the language of the machine.
    return language === undefined ? null : (Intl.NumberFormat.supportedLocalesOf(language)[0] ?? null);
  } catch {
    return null;
  }
}

/** The thousands separator of a language; null if it uses none or another one. */
export function groupingOf(language: string | undefined): Grouping {
  const known = knownLanguage(language);
  if (known === null) return null;
  const parts = new Intl.NumberFormat(known, { numberingSystem: 'latn' }).formatToParts(1_234_567);
  const mark = parts.find(({ type }) => type === 'group')?.value ?? '';
  if (mark === ',' || mark === '.') return mark;
  return /^\s$/.test(mark) ? ' ' : mark === '’' ? '’' : null;
}
