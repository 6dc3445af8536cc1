import { parseDay } from '../../../domain/calendar.ts';

/** What an owner adds to a document; it stays in the browser and is in no request. */
export type Letterhead = Readonly<typeof BLANK> & {
  /** What the dearer options of a pack add, line by line; where it is absent, what was suggested. */
  readonly better?: string;
  readonly best?: string;
};

export const BLANK = {
  /** Name of the business. */
  business: '',
  /** Address, phone and whatever else stands below the name, line by line. */
  contact: '',
  /** Name and address of the client, line by line. */
  client: '',
  /** Number of the document. */
  number: '',
  /** What it is for, in a line. */
  about: '',
  /** Terms or a note of the owner's own, line by line. */
  note: '',
  /** What the tax is called where the owner works. */
  tax: '',
};

/** A letterhead for this business; an address is not put below the name of another one. */
export const inNameOf = (business: string, letterhead: Letterhead): Letterhead =>
  ['', plain(business)].includes(plain(letterhead.business)) || business === ''
    ? letterhead
    : { ...letterhead, contact: '' };

const plain = (name: string): string => name.trim().replace(/\s+/g, ' ');

/*
 * The letterhead in a link that holds the document: behind the #, like the values of the form, whose names never begin
 * with the prefix.
 */

const PREFIX = 'paper.';
const ISSUED_ON = `${PREFIX}issued_on`;
const NAMES = Object.keys(BLANK) as (keyof typeof BLANK)[];

export type OnPaper = {
  readonly letterhead: Letterhead;
  /** The day that a shared document is of, YYYY-MM-DD; null where it is still written. */
  readonly issuedOn: string | null;
};

/** The pairs of a link that a form is meant to have. */
export const withoutPaper = (query: string): URLSearchParams =>
  new URLSearchParams([...new URLSearchParams(query)].filter(([name]) => !name.startsWith(PREFIX)));

/** The letterhead and the day of a document in a link. */
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
