import type { AnswerOf } from '../../../operations/answers.ts';
import type { FormField, FormModel } from '../form-fields.ts';
import { hasFault, LiveFields, type LiveValues, type Write } from '../live-fields.tsx';
import type { Choice } from '../pasted-columns.ts';
import type { Worked } from './quote-state.ts';

export type Body = AnswerOf<'quote_totals'>;

/** Actions of the page while its script runs. Field names are those of the inputs. */
export type Acts = {
  readonly write: Write;
  readonly writeLine: (key: number, name: string, value: string) => void;
  readonly add: () => void;
  readonly move: (key: number, by: 1 | -1) => void;
  readonly remove: (key: number) => void;
  readonly drag: (key: number, event: unknown) => void;
  readonly paste: (key: number, event: unknown) => void;
  /** Chooses the meaning of a column of the pasted rows. */
  readonly chooseColumn: (part: keyof Choice, index: number) => void;
  readonly send: () => void;
  readonly beginAnew: () => void;
  readonly remember: (isWanted: boolean) => void;
  /** Draws the logo from a file; null removes it. */
  readonly chooseLogo: (file: File | null) => void;
};

/** The data that fields need, with the answer for the complete lines. */
export type FieldsOf = LiveValues & { readonly worked: Worked };

/** Fields outside the lines, each in the place of its value. */
export const QuoteFields = ({
  fields,
  of,
  acts,
}: {
  fields: readonly FormField[];
  of: FieldsOf;
  acts: Acts | null;
}) => <LiveFields fields={fields} of={of} write={acts?.write ?? null} />;

/** The fields that each part of the document shows. Every other field of the operation is under "More". */
const PLACES = {
  discount: ['discount_percent', 'discount_amount'],
  tax: ['tax_percent', 'tax_name', 'prices_include_tax'],
  deposit: ['deposit_percent', 'deposit_amount'],
  validity: ['valid_days'],
  currency: ['currency'],
} as const;
/** The fields that have a place on the document. */
export const PLACED: ReadonlySet<string> = new Set(Object.values(PLACES).flat());

export const placedIn = (form: FormModel, place: keyof typeof PLACES): readonly FormField[] =>
  form.fields.filter(({ name }) => (PLACES[place] as readonly string[]).includes(name));

export const chipProps = (form: FormModel, { shown }: FieldsOf, place: keyof typeof PLACES) => ({
  isOpen: hasFault(placedIn(form, place), shown),
});
