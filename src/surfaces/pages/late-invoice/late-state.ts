import type { Fault } from '../../../domain/result.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import type { Letterhead } from '../documents/letterhead.ts';
import type { FormField, FormModel } from '../form-fields.ts';
import type { Understood } from '../form-reading.ts';
import { PAPER_FIELDS } from '../quote/quote-state.ts';

export type Body = AnswerOf<'late_fee'>;

/** The user's text for an invoice and its letter, unchanged. */
export type Written = {
  readonly fields: Readonly<Record<string, string>>;
  readonly letterhead: Letterhead;
};

/** The result of that text. */
export type Worked = {
  /** The fee of all invoices that are complete so far; null if none is. */
  readonly body: Body | null;
  readonly faults: readonly Fault[];
  /** The interpretation of each number, by its pointer. */
  readonly numbers: ReadonlyMap<string, Understood>;
};

// Fields that an owner repeats in every form, or that have a preset choice.
const EVERYWHERE: ReadonlySet<string> = new Set(['business_name', 'payment_details', 'currency', 'tone']);

/** Whether no field of an invoice or a client is filled in. */
export const isBlank = ({ fields, letterhead: { client } }: Written): boolean =>
  client.trim() === '' &&
  !Object.entries(fields).some(([name, text]) => !EVERYWHERE.has(name) && text.trim() !== '');

/** Fields that only the document of a letter has. */
const ADDRESSES: readonly FormField[] = [
  { ...PAPER_FIELDS.contact, label: 'Your address', example: 'Street, town, phone, email' },
  { ...PAPER_FIELDS.client, label: 'Your client’s address', example: 'Street, town' },
];

/** The place of each field on the page. Any other field is behind "More" of the letter. */
const PLACES = {
  ask: ['amount', 'due_date'],
  currency: ['currency'],
  terms: ['rate_type', 'rate', 'grace_days', 'min_fee', 'max_fee', 'accrual'],
  until: ['paid_date'],
  law: ['jurisdiction', 'reference_rate'],
  paid: ['amount_paid', 'payments'],
  others: ['more_invoices'],
  names: ['client_name', 'business_name'],
  tone: ['tone'],
  claim: ['claim', 'client_is_consumer'],
  invoice: ['invoice_number', 'invoice_date', 'purchase_order'],
  paying: ['payment_details', 'pay_within_days'],
} as const;

export type FieldPlace = keyof typeof PLACES;

const PLACED: ReadonlySet<string> = new Set(Object.values(PLACES).flat());

/** The fields of a place, in order. */
export const placedIn = ({ fields }: FormModel, place: FieldPlace): readonly FormField[] =>
  PLACES[place].flatMap((name) => fields.filter((field) => field.name === name));

export const unplacedIn = ({ fields }: FormModel): readonly FormField[] => [
  ...fields.filter(({ name }) => !PLACED.has(name)),
  ...ADDRESSES,
];

/** The letterhead of a document, with the names from the letter's form. */
export function letterheadOf({ fields, letterhead }: Written): Letterhead {
  const { client_name = '', business_name = '', invoice_number = '' } = fields;
  return {
    ...letterhead,
    business: business_name || letterhead.business,
    client: [client_name, letterhead.client].filter((text) => text.trim() !== '').join('\n'),
    number: invoice_number,
  };
}
