/*
 * Isolates right-to-left names inside left-to-right sentences. If HTML marks the letters of a name, its punctuation and
 * numbers stay with it, and those of the sentence keep their place. The text itself does not change.
 */

const FROM_RIGHT = '\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC';
const BEGINS_FROM_LEFT = /^[^\p{L}]*\p{Script=Latin}/u;
const RUNS_FROM_RIGHT = new RegExp(`[${FROM_RIGHT}]`, 'u');
/** Words with such a letter, without the punctuation of the sentence around them. Each word is scanned once. */
const WORD = `(?<![^\\s.,;:!?()])[^\\s.,;:!?()]*[${FROM_RIGHT}](?:\\S*[^\\s.,;:!?()])?`;
const IN_A_WORD = '[\\p{L}\\p{M}]';

/**
 * The parts of a text; every second part is a name to isolate. Known names are matched as written, others by their
 * letters. A text that starts right-to-left, or has none of these letters, is one part.
 */
export function isolatedIn(text: string, names: readonly string[]): readonly string[] {
  if (!BEGINS_FROM_LEFT.test(text) || !RUNS_FROM_RIGHT.test(text)) return [text];
  const known = names
    .filter((name) => RUNS_FROM_RIGHT.test(name))
    .sort((one, other) => other.length - one.length)
    .map((name) => `(?<!${IN_A_WORD})${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!${IN_A_WORD})`);
  return text.split(new RegExp(`(${[...known, `${WORD}(?:\\s+${WORD})*`].join('|')})`, 'u'));
}
