/** A sentence next to an answer. `place` is the list that it belongs to. A smaller `rank` is more important. */
export type Note = {
  readonly place: 'warning' | 'caveat' | 'letter';
  readonly rank: number;
  readonly text: string;
  /** Whether the note goes before all other notes, whatever their rank. */
  readonly isKept?: boolean;
};

/** A note, or null if there is no sentence. */
export const noteOf = (place: Note['place'], rank: number, text: string | null): Note | null =>
  text === null ? null : { place, rank, text };

// Readers skip longer lists.
const MOST_NOTES = 5;

/** The notes of an answer that are worth reading: the most important first, without duplicates, at most five. */
export function selectNotes(notes: readonly (Note | null)[]): readonly Note[] {
  const ranked: Note[] = [];
  // Comparing so few texts is faster than hashing them.
  for (const note of notes.filter((one) => one !== null).sort((one, other) => one.rank - other.rank))
    if (!ranked.some(({ text }) => text === note.text)) ranked.push(note);
  const kept = ranked.filter(({ isKept }) => isKept);
  const others = ranked.filter(({ isKept }) => !isKept).slice(0, MOST_NOTES - kept.length);
  return ranked.filter((note) => kept.includes(note) || others.includes(note));
}

/** The notes as they are in the answer, the most important first. */
export type Notes = { readonly warnings: string[]; readonly caveats: string[] };
/** Sentences in the order of their importance; null means no sentence. */
export type Sentences = readonly (string | null)[];

/** The notes of an answer whose warnings all go before its caveats. */
export function firstNotes(warnings: Sentences, caveats: Sentences): Notes {
  const notes = selectNotes([
    ...warnings.map((text) => noteOf('warning', 0, text)),
    ...caveats.map((text) => noteOf('caveat', 1, text)),
  ]);
  return { warnings: textsOf(notes, 'warning'), caveats: textsOf(notes, 'caveat') };
}

/** Several notes as one, in order, with the place and rank of the first; null if there are none. */
export function joined(notes: readonly (Note | null)[]): Note | null {
  const [first, ...rest] = notes.filter((note) => note !== null);
  if (first === undefined) return null;
  const all = [first, ...rest];
  return {
    ...first,
    text: all.map(({ text }) => text).join(' '),
    isKept: all.some(({ isKept }) => isKept),
  };
}

/** The sentences of one list. */
export const textsOf = (notes: readonly Note[], place: Note['place']): string[] =>
  notes.filter((note) => note.place === place).map(({ text }) => text);
