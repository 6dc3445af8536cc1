import { parseDay } from '../../../domain/calendar.ts';
import { BLANK, type Letterhead } from './sheet.ts';

/*
 * What an owner adds to a document, in a link that holds the document: behind the #, as all that was written is. No
 * form has names that begin like these.
 */

const PREFIX = 'paper.';
const ISSUED_ON = `${PREFIX}issued_on`;
const NAMES = Object.keys(BLANK) as (keyof Letterhead)[];

export type OnPaper = {
  readonly letterhead: Letterhead;
  /** The day that a shared document is of, YYYY-MM-DD; null where it is still written. */
  readonly issuedOn: string | null;
};

/** The pairs of a link that a form is meant to have. */
export const withoutPaper = (query: string): URLSearchParams =>
  new URLSearchParams([...new URLSearchParams(query)].filter(([name]) => !name.startsWith(PREFIX)));

/** What a link says of a document. */
export function paperIn(query: string): OnPaper {
  const pairs = new URLSearchParams(query);
  const day = pairs.get(ISSUED_ON) ?? '';
  const letterhead = Object.fromEntries(NAMES.map((name) => [name, pairs.get(PREFIX + name) ?? '']));
  return { letterhead: letterhead as Letterhead, issuedOn: parseDay(day) === null ? null : day };
}

/** The same as the part of a link; nothing where nothing was added. */
export function paperQuery({ letterhead, issuedOn }: OnPaper): string {
  const pairs = new URLSearchParams(
    NAMES.filter((name) => letterhead[name].trim() !== '').map((name): [string, string] => [
      PREFIX + name,
      letterhead[name],
    ]),
  );
  if (issuedOn !== null) pairs.set(ISSUED_ON, issuedOn);
  return pairs.toString();
}
