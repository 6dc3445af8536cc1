/**
 * A sentence beside an answer. `place` is the list it stands in; a smaller `rank` is more important.
 */
export type Note = {
  readonly place: 'warning' | 'caveat' | 'letter';
  readonly rank: number;
  readonly text: string;
};

// Nobody reads a sixth.
const MOST_NOTES = 5;

/** The notes of one answer that are worth reading: the important ones first, none twice, five at most. */
export function worthReading(notes: readonly (Note | null)[]): readonly Note[] {
  const known = new Set<string>();
  return notes
    .filter((note) => note !== null)
    .toSorted((one, other) => one.rank - other.rank)
    .filter(({ text }) => !known.has(text) && known.add(text))
    .slice(0, MOST_NOTES);
}

/** The sentences of one list. */
export const textsOf = (notes: readonly Note[], place: Note['place']): string[] =>
  notes.filter((note) => note.place === place).map(({ text }) => text);
