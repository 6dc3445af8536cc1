import type { Fault } from '../../../domain/result.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { faultsAt } from '../form-faults.tsx';
import { Field, type LiveField } from '../form-field.tsx';
import type { FormField, FormModel } from '../form-fields.ts';
import { spokenNumber } from '../form-reading.ts';
import type { Child } from '../markup.ts';
import type { Worked } from './quote-state.ts';

export type Body = AnswerOf<'quote_totals'>;

/** What a page that runs its script does; every name of a field is that of its input. */
export type Acts = {
  readonly write: (name: string, value: string) => void;
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

/** What a field needs to be shown: its value, its faults and what was understood of it. */
export type FieldsOf = {
  readonly values: Readonly<Record<string, string>>;
  readonly shown: readonly Fault[];
  readonly worked: Worked;
  readonly currency: string;
};

/** What is understood of a number beside its input, while the script runs. */
export function liveOf(
  { worked, currency }: Pick<FieldsOf, 'worked' | 'currency'>,
  { pointer, name, value }: { readonly pointer: string; readonly name: string; readonly value: string },
  onWrite: ((value: string) => void) | null,
): LiveField | undefined {
  if (onWrite === null) return undefined;
  const found = worked.numbers.get(pointer) ?? null;
  if (found === null) return { onWrite };
  if (!('plain' in found)) return { onWrite, choices: found.choices };
  const isPlain = found.plain === value.trim();
  return { onWrite, understood: isPlain ? undefined : spokenNumber(name, found.plain, currency) };
}

/** Fields beside the lines, each where its value stands. */
export const QuoteFields = ({
  fields,
  of,
  acts,
}: {
  fields: readonly FormField[];
  of: FieldsOf;
  acts: Acts | null;
}) => (
  <div class="fields">
    {fields.map((field) => {
      const { name } = field;
      const [value, pointer] = [of.values[name] ?? '', `/${name}`];
      return (
        <Field
          key={name}
          field={field}
          id={idOf(name)}
          value={value}
          faults={faultsAt(of.shown, pointer)}
          live={liveOf(of, { pointer, name, value }, acts && ((text) => acts.write(name, text)))}
          isOnPaper
        />
      );
    })}
  </div>
);

/** The id of an input beside the lines: "f-tax_percent", "f-paper-client". */
const idOf = (name: string): string => `f-${name.replace('.', '-')}`;

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

export const hasFault = (fields: readonly FormField[], faults: readonly Fault[]): boolean =>
  fields.some(({ name }) => faultsAt(faults, `/${name}`).length > 0);

export const chipProps = (form: FormModel, { shown }: FieldsOf, place: keyof typeof PLACES) => ({
  isOpen: hasFault(placedIn(form, place), shown),
});

type ChipProps = {
  readonly says: Child;
  readonly isOpen: boolean;
  readonly isQuiet?: boolean;
  readonly children: Child;
};

/** A choice as a few words on the paper, which unfold into its fields. Of several, one is open. */
export const Chip = ({ says, isOpen, isQuiet = false, children }: ChipProps) => (
  <details
    class={isQuiet ? 'chip quiet' : 'chip'}
    name="chip"
    data-open={isOpen ? '' : undefined}
    open={isOpen || undefined}
  >
    <summary>{says}</summary>
    <div class="chip-fields">{children}</div>
  </details>
);
