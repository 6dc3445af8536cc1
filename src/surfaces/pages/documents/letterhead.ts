import { parseDay } from '../../../domain/calendar.ts';

/** What an owner adds to a document. Pages of free answers with a script do not send it. */
export type Letterhead = Readonly<typeof BLANK> & {
  /** The additions of the more expensive options, line by line; if absent, the suggested ones. */
  readonly better?: string;
  readonly best?: string;
  /** The completed steps of a plan, such as "1.0,1.1". */
  readonly done?: string;
  /** The address of the logo's data; a link has it only if the owner agreed. */
  readonly logo?: string;
};

export const BLANK = {
  /** Name of the business. */
  business: '',
  /** Address, phone and anything else below the name, line by line. */
  contact: '',
  /** Name and address of the client, line by line. */
  client: '',
  /** Number of the document. */
  number: '',
  /** The subject of the document, in one line. */
  about: '',
  /** The owner's terms or a note, line by line. */
  note: '',
  /** The name of the tax where the owner works. */
  tax: '',
  /** The address of the owner's payment page. */
  pay: '',
  /** The name of the accent color. */
  accent: '',
};

/** A letterhead for this business; an address is never put below another business's name. */
export const inNameOf = (business: string, letterhead: Letterhead): Letterhead =>
  ['', plain(business)].includes(plain(letterhead.business)) || business === ''
    ? letterhead
    : { ...letterhead, contact: '' };

const plain = (name: string): string => name.trim().replace(/\s+/g, ' ');

/*
 * The letterhead in a link to the document. It is stored after the #, like the values of the form, whose names never
 * begin with the prefix.
 */

const PREFIX = 'paper.';
const ISSUED_ON = `${PREFIX}issued_on`;
const NAMES = Object.keys(BLANK) as (keyof typeof BLANK)[];

export type OnPaper = {
  readonly letterhead: Letterhead;
  /** The day of a shared document, YYYY-MM-DD; null while it is a draft. */
  readonly issuedOn: string | null;
};

/** The pairs of a link that belong to a form. */
export const withoutPaper = (query: string): URLSearchParams =>
  new URLSearchParams([...new URLSearchParams(query)].filter(([name]) => !name.startsWith(PREFIX)));

/** The letterhead and the day of a document in a link. */
export function paperIn(query: string): OnPaper {
  const pairs = new URLSearchParams(query);
  const day = pairs.get(ISSUED_ON) ?? '';
  const letterhead = Object.fromEntries(NAMES.map((name) => [name, pairs.get(PREFIX + name) ?? '']));
  return { letterhead: letterhead as Letterhead, issuedOn: parseDay(day) === null ? null : day };
}

/** The letterhead and the day as part of a link; empty if nothing was added. */
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

/** The first email address in a text; '' if there is none, so that the writer chooses one. */
export const addressIn = (text: string): string =>
  /[^\s@<>,;:()]+@[^\s@<>,;:()]+\.[^\s@<>,;:()]+/.exec(text.slice(0, 2_000))?.[0] ?? '';

export type Email = { readonly to?: string; readonly subject: string; readonly body: string };

/** A mailto: address; RFC 6068 requires CR LF line breaks. */
export const mailAddress = ({ to = '', subject, body }: Email): string =>
  `mailto:${encodeURIComponent(to)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replaceAll('\n', '\r\n'))}`;
