// Tests check the facts in a sentence, not its words. Only test/vectors/letters.txt and prose.txt contain the words.

const MONTH = 'January|February|March|April|May|June|July|August|September|October|November|December';
const FACT = new RegExp(
  [
    `(?:${MONTH}) \\d{1,2}, \\d{4}`,
    `\\d{1,2} (?:${MONTH})(?: \\d{4})?`,
    '\\d{4}-\\d{2}-\\d{2}',
    '-?(?:\\b[A-Z]{2,3} ?)?[$£€¥]?-?\\d[\\d,]*(?:\\.\\d+)?%?',
    '/?\\b[a-z]+(?:_[a-z]+)+\\b',
    // The pattern for a name is a word with a capital letter inside a sentence.
    '(?<=[^.?!:\\s] |\\()[A-Z][A-Za-z]*',
  ].join('|'),
  'g',
);

/** The days, amounts, percentages, numbers, field names and other names in a sentence, in order. */
export const factsIn = (text: string | undefined): string[] =>
  (text?.match(FACT) ?? []).map((fact) => fact.replace(/,$/, ''));

/**
 * Matches a text with these parts on one line in this order, with any words between them; '\n' is the end of a line.
 */
export const inOrder = (...parts: readonly string[]): RegExp =>
  new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^\\n]*'));
