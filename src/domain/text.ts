// Letters and marks of scripts that need joiners (Persian, Devanagari...); never Latin, where a joiner only hides text.
const JOINING = String.raw`(?!\p{Default_Ignorable_Code_Point})[\p{Lo}\p{M}]`;
const PICTURE = String.raw`\p{Extended_Pictographic}`;

// Invisible characters can carry instructions that people do not see (tags, variation selectors) or reverse text
// (bidi). Three kinds are kept because they change the display: a joiner inside such a script or an emoji, and one
// variation selector after an emoji, a keycap base or an ideograph.
const JOINER_IN_PLACE = String.raw`(?<=${JOINING}|${PICTURE}\uFE0F?|\p{Emoji_Modifier})[\u200C\u200D](?=${JOINING}|${PICTURE})`;
const SELECTOR_IN_PLACE = String.raw`(?<=${PICTURE}|[0-9#*])\uFE0F|(?<=\p{Script=Han})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`;
const UNSEEN = String.raw`[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}]`;
// Most characters are visible. Checking that is faster than checking the position of a joiner.
const INVISIBLE = new RegExp(`(?=${UNSEEN})(?!${JOINER_IN_PLACE}|${SELECTOR_IN_PLACE}).`, 'gsu');

// Every Unicode line break, control and space, including the braille blank that looks like a space.
const BLANKS = /[\p{Cc}\p{Z}\s\u2800]+/gu;

// Fast check without the Unicode tables: most names need no cleaning.
const CLEAN_ASCII = /^(?:[!-~]| (?! |$))+$/;

/**
 * One visible line: line breaks, controls and blanks become single spaces; bidi, zero-width, tag, private-use and
 * broken characters are removed; NFC; trimmed. Nothing is interpreted or escaped. Cleaning twice changes nothing.
 */
export function cleanLine(text: string): string {
  if (CLEAN_ASCII.test(text) && !text.startsWith(' ')) return text;
  const composed = text.normalize('NFC');
  const line = composed.replace(INVISIBLE, '').replace(BLANKS, ' ').trim();
  // Composing marks takes quadratic time, so this step is skipped if decomposition changed nothing.
  return line === composed ? line : line.normalize('NFC');
}

// Composition turns at most four code points into one, so four UTF-16 units count as one character here.
const MOST_INTO_ONE = 4;

/**
 * Returns a function that checks whether a text is certainly longer than `maxCodePoints` after cleaning. It does not
 * clean the text. It looks at the size, and for more combining marks in a row than any letter has, which are expensive
 * to compose.
 */
export function surelyLongerThan(maxCodePoints: number): (text: string) => boolean {
  const marks = new RegExp(
    String.raw`(?:(?!\p{Default_Ignorable_Code_Point})\p{M}){${maxCodePoints + MOST_INTO_ONE}}`,
    'u',
  );
  return (text) =>
    text.length > maxCodePoints * MOST_INTO_ONE || (text.length > maxCodePoints && marks.test(text));
}

/** Whether a text has more than `most` code points. It never has more code points than UTF-16 units. */
export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && codePoints(text) > most;

/** Length as a person counts it, not in UTF-16 units. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** '1 day', '17 days', '1,204 days' */
export function daysText(days: number): string {
  return days === 1 ? '1 day' : `${String(days).replace(/\B(?=(?:[0-9]{3})+$)/g, ',')} days`;
}

/** 'about 20 minutes', 'about 2 hours' */
export const minutesText = (minutes: number): string =>
  minutes < 90 ? `about ${minutes} minutes` : `about ${Math.round(minutes / 30) / 2} hours`;

/** 'A', 'A and B', 'A, B and C' */
export function listed(names: readonly string[], word: 'and' | 'or' = 'and'): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${word} ${last}`;
}

const ODD_PLURALS: Readonly<Record<string, string>> = {
  foot: 'feet',
  each: 'each',
  box: 'boxes',
  inch: 'inches',
};

/** '60 pieces', '40 m2', '1 hour', '60'. Only an English word has a plural, not an abbreviation. */
export function countedText(count: string, unit: string | undefined): string {
  if (unit === undefined) return count;
  const isWord = count !== '1' && /^[a-z]{3,}$/.test(unit) && /[aeiou]/.test(unit) && !unit.endsWith('s');
  return `${count} ${isWord ? (ODD_PLURALS[unit] ?? `${unit}s`) : unit}`;
}

/** ' per m2'; empty without a unit. */
export const perUnit = (unit: string | undefined): string =>
  unit === undefined || unit === 'each' ? '' : ` per ${unit}`;
