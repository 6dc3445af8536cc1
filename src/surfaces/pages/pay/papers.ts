import type { AnswerOf, PaidPageName } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import { linesCsv } from '../documents/downloads.ts';
import { greetedIn, letterSheet, letterText, signerOf } from '../documents/letter-sheet.ts';
import type { Email, Letterhead } from '../documents/letterhead.ts';
import { coverNoteOf, packSheet } from '../documents/pack-sheet.ts';
import { reportSheet } from '../documents/report.ts';
import type { Sheet } from '../documents/sheet.ts';
import { LETTERHEAD_LABELS as LABELS } from '../form-texts.ts';
import { boughtViews } from '../views/bought.ts';

/** A field that only the document has. It stays in the browser. */
export type PaperField = {
  readonly name: keyof Letterhead;
  readonly label: string;
  readonly hint?: string;
  readonly isLong?: boolean;
};

/** A purchased answer as a document. */
type PaperKind<Body> = {
  /** The word on its buttons, such as "letter". */
  readonly word: string;
  readonly fields: (body: Body) => readonly PaperField[];
  /** The part of the letterhead that the answer provides. */
  readonly known: (body: Body) => Partial<Letterhead>;
  /** `day` is the day of purchase, YYYY-MM-DD. */
  readonly sheet: (body: Body, letterhead: Letterhead, day: string) => Sheet;
  readonly email?: (body: Body, letterhead: Letterhead) => Email;
  /** The lines of the document for a spreadsheet. */
  readonly csv?: (body: Body) => string;
  /** Whether a client reads the document through a link. */
  readonly isForClient: boolean;
};

const BUSINESS: PaperField = { name: 'business', label: LABELS.business };
const CONTACT: PaperField = { name: 'contact', label: LABELS.contact, isLong: true };
const CLIENT: PaperField = { name: 'client', label: LABELS.client, isLong: true };

const letter: PaperKind<AnswerOf<'late_fee_notice'>> = {
  word: 'letter',
  fields: () => [BUSINESS, CLIENT, CONTACT],
  known: (body) => ({ client: greetedIn(body), business: signerOf(body) }),
  sheet: letterSheet,
  email: (body, letterhead) => ({ subject: body.reminder.subject, body: letterText(body, letterhead) }),
  isForClient: false,
};

const pack: PaperKind<AnswerOf<'quote_pack'>> = {
  word: 'cover note',
  fields: (body) => [
    BUSINESS,
    CLIENT,
    CONTACT,
    { name: 'about', label: LABELS.about, hint: 'For example, Garden at 4 Park Row.' },
    { name: 'number', label: LABELS.number, hint: 'For example, Q-118.' },
    { name: 'tax', label: LABELS.tax, hint: 'For example, VAT or GST.' },
    ...body.options.flatMap(({ tier, label, adds_source }) =>
      tier === 'good'
        ? []
        : [
            {
              name: tier,
              label: `What ${label} adds (one per line)`,
              isLong: true,
              ...(adds_source === 'none' && { hint: 'Say what your client gets for the higher price.' }),
            },
          ],
    ),
    { name: 'note', label: LABELS.note, isLong: true },
    { name: 'pay', label: LABELS.pay, hint: 'For example, https://buy.stripe.com/…' },
  ],
  known: ({ business_name, client_name, job, quote_number, options }) => ({
    business: business_name ?? '',
    client: client_name ?? '',
    about: job ?? '',
    number: quote_number ?? '',
    tax: taxNameIn(options),
    ...Object.fromEntries(options.map(({ tier, adds }) => [tier, adds.join('\n')])),
  }),
  sheet: packSheet,
  csv: linesCsv,
  email: coverNoteOf,
  isForClient: true,
};

/** The name of the tax if the answer has a single name for it. */
function taxNameIn(options: AnswerOf<'quote_pack'>['options']): string {
  const names = new Set(
    options.flatMap(({ tax_breakdown }) => tax_breakdown.map(({ tax_name }) => tax_name)),
  );
  return names.size === 1 ? ([...names][0] ?? '') : '';
}

const report: PaperKind<AnswerOf<'small_business_stack_report'>> = {
  word: 'plan',
  fields: () => [BUSINESS],
  known: () => ({}),
  sheet: (body, letterhead) => reportSheet(body, letterhead),
  isForClient: false,
};

const PAPERS: { readonly [Name in PaidPageName]?: PaperKind<AnswerOf<Name>> } = {
  late_fee_notice: letter,
  quote_pack: pack,
  small_business_stack_report: report,
};

/** The result of a purchased operation: its document, with separate notes. */
export type Bought = PaperKind<unknown> & {
  readonly heading: string;
  readonly notes: (body: unknown) => readonly Block[];
  /** The whole answer, shown if there is no document. */
  readonly view: (body: unknown) => readonly Block[];
};

const NO_PAPER: PaperKind<unknown> = {
  word: 'answer',
  fields: () => [],
  known: () => ({}),
  sheet() {
    throw new Error('This answer has no document');
  },
  isForClient: false,
};

/** Throws for an operation that is not sold. `sheet` throws if the operation has no document. */
export function boughtOf(operation: string): Bought {
  const name = operation as PaidPageName;
  const found = boughtViews[name];
  if (found === undefined) throw new Error(`Nothing is bought with ${operation}`);
  const { heading, view, notes = () => [] } = found;
  return { ...(PAPERS[name] ?? NO_PAPER), heading, view, notes } as unknown as Bought;
}

export const PAID_OPERATIONS = Object.keys(PAPERS) as readonly PaidPageName[];

/** "Quote Q-118 Green Gardens": the file name that a browser suggests when the page is printed to a file. */
export function fileName({ kind, title, business, facts, client }: Sheet): string {
  const number = facts.find(({ label }) => label === 'Number')?.value ?? '';
  const what = { quote: 'Quote', pack: 'Quote', letter: 'Reminder', report: title ?? 'Report' }[kind];
  const parts = [what, number, kind === 'letter' ? (client[0] ?? '') : business];
  return parts.filter((part) => part !== '').join(' ');
}
