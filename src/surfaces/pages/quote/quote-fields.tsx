import type { AnswerOf } from '../../../operations/answers.ts';
import type { FormField, FormModel } from '../form-fields.ts';
import { hasFault, LiveFields, type LiveValues, type Write } from '../live-fields.tsx';
import type { Worked } from './quote-state.ts';

export type Body = AnswerOf<'quote_totals'>;

/** What a page that runs its script does; every name of a field is that of its input. */
export type Acts = {
  readonly write: Write;
  readonly writeLine: (key: number, name: string, value: string) => void;
  readonly add: () => void;
  readonly move: (key: number, by: 1 | -1) => void;
  readonly remove: (key: number) => void;
  readonly drag: (key: number, event: unknown) => void;
  readonly paste: (key: number, event: unknown) => void;
  readonly send: () => void;
  readonly beginAnew: () => void;
  readonly remember: (isWanted: boolean) => void;
};

/** What a field needs to be shown, with the answer over the lines. */
export type FieldsOf = LiveValues & { readonly worked: Worked };

/** Fields beside the lines, each where its value stands. */
export const QuoteFields = ({
  fields,
  of,
  acts,
}: {
  fields: readonly FormField[];
  of: FieldsOf;
  acts: Acts | null;
}) => <LiveFields fields={fields} of={of} write={acts?.write ?? null} />;

/** Which fields a part of the paper shows; every other field of the operation stands behind "More". */
const PLACES = {
  discount: ['discount_percent', 'discount_amount'],
  tax: ['tax_percent', 'tax_name', 'prices_include_tax'],
  deposit: ['deposit_percent', 'deposit_amount'],
  validity: ['valid_days'],
  currency: ['currency'],
} as const;
/** The fields that have a place on the paper. */
export const PLACED: ReadonlySet<string> = new Set(Object.values(PLACES).flat());

export const placedIn = (form: FormModel, place: keyof typeof PLACES): readonly FormField[] =>
  form.fields.filter(({ name }) => (PLACES[place] as readonly string[]).includes(name));

export const chipProps = (form: FormModel, { shown }: FieldsOf, place: keyof typeof PLACES) => ({
  isOpen: hasFault(placedIn(form, place), shown),
});
