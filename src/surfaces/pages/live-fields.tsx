import type { Fault } from '../../domain/result.ts';
import { faultsAt, fieldId } from './form-faults.tsx';
import { Field, type LiveField } from './form-field.tsx';
import type { FormField } from './form-fields.ts';
import { spokenNumber, type Understood } from './form-reading.ts';
import type { Child } from './markup.ts';

/* Fields of a page whose script calculates the answer while the user types; without scripts they are a plain form. */

/** The data that fields need: their values, their faults, and the interpretation of each number by its pointer. */
export type LiveValues = {
  readonly values: Readonly<Record<string, string>>;
  readonly shown: readonly Fault[];
  readonly worked: { readonly numbers: ReadonlyMap<string, Understood> };
  readonly currency: string;
};

/** Stores the text of a field, by the name of its input. */
export type Write = (name: string, value: string) => void;

/** The interpretation of a number next to its input, while the script runs. */
export function liveOf(
  { worked, currency }: Pick<LiveValues, 'worked' | 'currency'>,
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

/** Fields that are in no list. */
export const LiveFields = ({
  fields,
  of,
  write,
}: {
  fields: readonly FormField[];
  of: LiveValues;
  write: Write | null;
}) => (
  <div class="fields">
    {fields.map((field) => {
      const { name } = field;
      const [value, pointer] = [of.values[name] ?? '', `/${name}`];
      return (
        <Field
          key={name}
          field={field}
          id={liveId(name)}
          value={value}
          faults={faultsAt(of.shown, pointer)}
          live={liveOf(of, { pointer, name, value }, write && ((text) => write(name, text)))}
          isOnPaper
        />
      );
    })}
  </div>
);

/** The id of an input: "f-tax_percent", "f-paper-client". */
const liveId = (name: string): string => fieldId(name.split('.'));

export const hasFault = (fields: readonly FormField[], faults: readonly Fault[]): boolean =>
  fields.some(({ name }) => faultsAt(faults, `/${name}`).length > 0);

type ChipProps = {
  readonly says: Child;
  readonly isOpen: boolean;
  readonly isQuiet?: boolean;
  readonly children: Child;
};

/** A choice shown as a few words that unfold into its fields. Only one of several is open. */
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
