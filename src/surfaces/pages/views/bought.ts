import type { AnswerOf, PaidPageName } from '../../../operations/answers.ts';
import type { Block } from '../content.ts';
import {
  greetedIn,
  letterNotes,
  letterSheet,
  letterText,
  letterView,
  signerOf,
} from '../documents/letter.ts';
import type { Email, Letterhead } from '../documents/letterhead.ts';
import { coverNoteOf, packNotes, packSheet, packView } from '../documents/pack.ts';
import { reportNotes, reportSample, reportSheet, reportView } from '../documents/report.ts';
import type { Sheet } from '../documents/sheet.ts';
import { type FieldText, LETTERHEAD_LABELS as LABELS } from '../form-texts.ts';

/** How a page shows an operation: `view` shows a whole answer, and `sample` a part of the example answer. */
export type View<Body> = {
  readonly view: (body: Body) => readonly Block[];
  readonly sample?: (body: Body) => readonly Block[];
  /** Texts for fields that no other page has, or that have a different meaning here. */
  readonly fields?: Readonly<Record<string, FieldText>>;
};

/** A purchased answer, and its document. */
type Sold<Body> = View<Body> & { readonly heading: string } & Partial<Paper<Body>>;

/** A field that only the document has. It stays in the browser. */
export type PaperField = {
  readonly name: keyof Letterhead;
  readonly label: string;
  readonly hint?: string;
  readonly isLong?: boolean;
};

/** A purchased answer as a document. */
type Paper<Body> = {
  /** The word on its buttons, such as "letter". */
  readonly word: string;
  readonly paperFields: (body: Body) => readonly PaperField[];
  /** The part of the letterhead that the answer provides; `came` is the letterhead of the form. */
  readonly known: (body: Body, came: Letterhead) => Partial<Letterhead>;
  /** `day` is the day of purchase, YYYY-MM-DD. */
  readonly sheet: (body: Body, letterhead: Letterhead, day: string) => Sheet;
  /** Notes for the owner, shown next to the document. */
  readonly notes: (body: Body) => readonly Block[];
  readonly email?: (body: Body, letterhead: Letterhead) => Email;
  /** Whether a client reads the document through a link. */
  readonly isForClient: boolean;
};

const BUSINESS: PaperField = { name: 'business', label: LABELS.business };
const CONTACT: PaperField = { name: 'contact', label: LABELS.contact, isLong: true };
const CLIENT: PaperField = { name: 'client', label: LABELS.client, isLong: true };

const pack: Sold<AnswerOf<'quote_pack'>> = {
  heading: 'Your quote pack',
  view: packView,
  fields: { trade: { label: 'Your trade', help: 'Adds ideas for your trade to the notes.' } },
  word: 'cover note',
  paperFields: (body) => [
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
  notes: packNotes,
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

type Letter = AnswerOf<'late_fee_notice'>;

/** A late-fee letter. Its page loads no other document. */
export const letterBought: Sold<Letter> & Paper<Letter> = {
  heading: 'Your reminder',
  view: letterView,
  word: 'letter',
  paperFields: () => [BUSINESS, CLIENT, CONTACT],
  // A letter greets "Mrs Howe" and is addressed to "Mrs Patricia Howe".
  known: (body, came) => ({
    client: came.client || greetedIn(body),
    business: came.business || signerOf(body),
  }),
  sheet: letterSheet,
  notes: letterNotes,
  email: (body, letterhead) => ({ subject: body.reminder.subject, body: letterText(body, letterhead) }),
  isForClient: false,
};

/** The paid operations by name, for the script of the page, the page itself and the text. */
export const boughtViews: { readonly [Name in PaidPageName]: Sold<AnswerOf<Name>> } = {
  late_fee_notice: letterBought,
  quote_pack: pack,
  small_business_stack_report: {
    heading: 'Your software plan',
    view: reportView,
    sample: reportSample,
    word: 'plan',
    paperFields: () => [BUSINESS],
    known: () => ({}),
    sheet: (body, letterhead) => reportSheet(body, letterhead),
    notes: reportNotes,
    isForClient: false,
  },
};

/** The result of a purchased operation: its document and its text. */
export type Bought = Sold<unknown> & Paper<unknown>;

const NO_PAPER: Paper<unknown> = {
  word: 'answer',
  paperFields: () => [],
  known: () => ({}),
  sheet() {
    throw new Error('This answer has no document');
  },
  notes: () => [],
  isForClient: false,
};

/** Throws for an operation that is not sold. `sheet` throws if the operation has no document. */
export function boughtOf(operation: string): Bought {
  const found = boughtViews[operation as PaidPageName] as Sold<never> | undefined;
  if (found === undefined) throw new Error(`Nothing is bought with ${operation}`);
  return { ...NO_PAPER, ...(found as Sold<unknown>) };
}

export const PAID_OPERATIONS = /* @__PURE__ */ Object.keys(boughtViews) as readonly PaidPageName[];
