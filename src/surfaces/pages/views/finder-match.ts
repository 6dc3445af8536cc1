/** A search; an empty text does not restrict it. */
export type ToolSearch = {
  readonly words: string;
  readonly need: string;
  readonly business: string;
  readonly kind: string;
  readonly runs: string;
  readonly country: string;
};
export type SearchName = keyof ToolSearch;
export const SEARCH_NAMES: readonly SearchName[] = ['words', 'need', 'business', 'kind', 'runs', 'country'];

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

/** Whether a tool matches a search; the page and the service use the same rule. */
export function suits(tool: Found, { words, need, business, kind, runs, country }: ToolSearch): boolean {
  const text = tool.text.toLowerCase();
  return (
    words
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word)) &&
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
