/** A search; an empty text does not restrict it. */
export type ToolSearch = Readonly<typeof NO_SEARCH>;
export const NO_SEARCH = { words: '', need: '', business: '', kind: '', runs: '', country: '' };
export const SEARCH_NAMES = Object.keys(NO_SEARCH) as readonly (keyof ToolSearch)[];

/** The properties that a tool is found by. */
export type Found = {
  readonly text: string;
  readonly needs: readonly string[];
  readonly businesses: readonly string[];
  readonly kind: string;
  readonly runs: readonly string[];
  /** Countries where it cannot be used. */
  readonly closed: readonly string[];
};

const HYPHENS = /[-\u2010\u2011]/g;
// With the hyphens between their parts
const WORDS = /[\p{L}\p{N}\p{M}\-\u2010\u2011]+/gu;

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/**
 * Whether a tool matches a search; the page and the service use the same rule. Each word that is asked for begins a
 * word of the tool: "pos" is not in "disposal". Whether somebody writes "e-mail" or "email", "time-tracking" or "time
 * tracking", makes no difference.
 */
export function suits(tool: Found, { words, need, business, kind, runs, country }: ToolSearch): boolean {
  const asked = (words.match(WORDS) ?? []).map((word) => [wordsOf(word.replace(HYPHENS, '')), wordsOf(word)]);
  // With its hyphens as well, for who asks for the second half of "open-source".
  const known = words === '' ? '' : ` ${wordsOf(`${tool.text} ${tool.text.replace(HYPHENS, '')}`).join(' ')}`;
  const isThere = (some: readonly string[]): boolean =>
    some.length === 0 || known.includes(` ${some.join(' ')}`);
  return (
    asked.every((ways) => ways.some(isThere)) &&
    (need === '' || tool.needs.includes(need)) &&
    (business === '' || tool.businesses.includes(business)) &&
    (kind === '' || tool.kind === kind) &&
    (runs === '' || tool.runs.includes(runs)) &&
    (country === '' || !tool.closed.includes(country))
  );
}

/** How many there are, as a sentence. */
export const foundText = (count: number): string =>
  count === 0
    ? 'Nothing is listed that suits all of this. Ask for less, or for a need alone.'
    : `${count === 1 ? '1 tool suits' : `${count} tools suit`} what you ask for.`;
