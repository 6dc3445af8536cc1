/** A sentence next to an answer. `place` is the list that it belongs to. */
type Note = {
  readonly place: 'warning' | 'caveat' | 'letter';
  readonly text: string;
  /** Whether the note stays when the list is too long, whatever its position. */
  readonly isKept: boolean;
};

/** A note, or null if there is no sentence. */
export const noteOf = (place: Note['place'], text: string | null, isKept = false): Note | null =>
  text === null ? null : { place, text, isKept };

/** The notes as they are in the answer, the most important first. */
export type Notes = { readonly warnings: string[]; readonly caveats: string[] };

// Readers skip longer lists.
const MOST_NOTES = 5;

/** The notes that are worth reading, from notes in the order of their importance: no duplicates, at most five. */
export function selectNotes(notes: readonly (Note | null)[]): Notes & { readonly letter: string[] } {
  const all: Note[] = [];
  // Comparing so few texts is faster than hashing them.
  for (const note of notes) if (note !== null && !all.some(({ text }) => text === note.text)) all.push(note);
  let others = MOST_NOTES - all.filter(({ isKept }) => isKept).length;
  const selected = all.filter(({ isKept }) => isKept || others-- > 0);
  const textsOf = (place: Note['place']) =>
    selected.filter((note) => note.place === place).map(({ text }) => text);
  return { warnings: textsOf('warning'), caveats: textsOf('caveat'), letter: textsOf('letter') };
}

/** Sentences in the order of their importance; null means no sentence. */
export type Sentences = readonly (string | null)[];

/** The notes of an answer whose warnings all go before its caveats. The caveat `kept` stays in a list that is too long. */
export function firstNotes(warnings: Sentences, caveats: Sentences, kept: string | null = null): Notes {
  const { letter: _, ...notes } = selectNotes([
    ...warnings.map((text) => noteOf('warning', text)),
    ...caveats.map((text) => noteOf('caveat', text, text === kept)),
  ]);
  return notes;
}

/** These sentences as one text; null if there are none. */
export const joined = (sentences: Sentences): string | null =>
  sentences.filter((text) => text !== null).join(' ') || null;
