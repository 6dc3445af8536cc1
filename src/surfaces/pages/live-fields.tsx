import type { Fault } from '../../domain/result.ts';
import { faultsAt, fieldId } from './form-faults.tsx';
import { Field, type LiveField } from './form-field.tsx';
import type { FormField, FormModel } from './form-fields.ts';
import { spokenNumber, type Understood } from './form-reading.ts';
import { REMEMBER } from './form-texts.ts';
import type { Child } from './markup.ts';

/* Parts of a page whose script calculates the answer while the user types; without scripts they are a plain form. */

/** A form that is laid out as a document. */
export type DocumentForm<Written, Worked, Acts> = {
  readonly form: FormModel;
  readonly written: Written;
  readonly worked: Worked;
  /** Faults to show; all of them once the user asked for the result. */
  readonly shown: readonly Fault[];
  /** Whether the faults are also listed above the document. */
  readonly isSummed: boolean;
  /** The currency in use, chosen or proposed. */
  readonly currency: string;
  /** The page that the form is sent to without scripts. */
  readonly action: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The user's actions; null until the script runs. */
  readonly acts: Acts | null;
};

/** An event of an input. */
export type Typed = { readonly currentTarget: unknown };

export const textIn = ({ currentTarget }: Typed): string => (currentTarget as { value: string }).value;
export const isTicked = ({ currentTarget }: Typed): boolean =>
  (currentTarget as { checked: boolean }).checked;

/** The last action, if it can be undone. */
export type Undoing = { readonly says: string; readonly undo: () => void };

export const UndoNote = ({ undoing }: { undoing: Undoing | null }) =>
  undoing === null ? null : (
    <p class="note undo">
      {undoing.says}{' '}
      <button type="button" class="quiet" onClick={undoing.undo}>
        Undo
      </button>
    </p>
  );

type RememberProps = {
  readonly isRemembering: boolean;
  /** Turns remembering on or off; null until the script runs. */
  readonly remember: ((isWanted: boolean) => void) | null;
};

export const RememberBox = ({ isRemembering, remember }: RememberProps) => (
  <label>
    <input
      type="checkbox"
      checked={isRemembering}
      disabled={remember === null}
      onInput={(event) => remember?.(isTicked(event))}
    />{' '}
    {REMEMBER}
  </label>
);

type NamedTrade = { readonly name: string; readonly words: readonly string[] };

const plain = (text: string): string => text.trim().toLowerCase();

/** The trade named exactly as in the table; undefined for any other text. */
export function tradeNamed<Trade extends NamedTrade>(
  trade: string,
  trades: readonly Trade[],
): Trade | undefined {
  const asked = plain(trade);
  return trades.find(({ name, words }) => [name, ...words].some((word) => plain(word) === asked));
}

type TradeProps = {
  readonly trades: readonly NamedTrade[];
  readonly value: string;
  readonly isFaulty?: boolean;
  readonly onWrite: (trade: string) => void;
};

/** The owner's trade, with the trades of the table as suggestions. */
export const TradeInput = ({ trades, value, isFaulty = false, onWrite }: TradeProps) => (
  <>
    <label for="f-trade">Your trade</label>
    <input
      id="f-trade"
      name="trade"
      list="trades"
      value={value}
      maxLength={60}
      autocomplete="off"
      placeholder="Florist, food truck, nail salon"
      aria-describedby={isFaulty ? 'f-trade-fault' : undefined}
      aria-invalid={isFaulty ? 'true' : undefined}
      onInput={(event) => onWrite(textIn(event))}
    />
    <datalist id="trades">
      {trades.map(({ name }) => (
        <option value={name}></option>
      ))}
    </datalist>
  </>
);

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
          id={fieldId(name.split('.'))}
          value={value}
          faults={faultsAt(of.shown, pointer)}
          live={liveOf(of, { pointer, name, value }, write && ((text) => write(name, text)))}
          isOnPaper
        />
      );
    })}
  </div>
);

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
  <details class={isQuiet ? 'chip quiet' : 'chip'} name="chip" open={isOpen || undefined}>
    <summary>{says}</summary>
    <div class="chip-fields">{children}</div>
  </details>
);
