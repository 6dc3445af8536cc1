import type { Fault } from '../../../domain/result.ts';
import type { FormField, FormModel } from '../form-fields.ts';
import { CHOICE_LABELS } from '../form-texts.ts';
import { Chip, hasFault, LiveFields, type LiveValues, RememberBox, type Write } from '../live-fields.tsx';
import { PayingLine, PLAY_MONEY } from '../pay/paying-line.tsx';
import { type FieldPlace, placedIn, unplacedIn } from './late-state.ts';

/** The content and actions of the step for a letter. */
export type LetterStepProps = {
  /** "1¢" */
  readonly price: string;
  /** Dollars and cents. */
  readonly usd: string;
  readonly network: string;
  readonly isPlayMoney: boolean;
  /** The user's actions; null until the script runs. */
  readonly acts: {
    readonly buy: () => void;
    /** Copies the instructions for an assistant to buy it. */
    readonly copyPrompt: () => void;
    readonly remember: (isWanted: boolean) => void;
  } | null;
  readonly isCopied: boolean;
  readonly isRemembering: boolean;
  /** Whether the text came from someone else, so that the bank details must be visible. */
  readonly isForeign: boolean;
};

type StepProps = LetterStepProps & {
  readonly form: FormModel;
  readonly of: LiveValues;
  readonly write: Write | null;
  readonly shown: readonly Fault[];
  /** The first day on which the invoice is late, if that is still to come. */
  readonly lateFrom: string | null;
};

/** The last step: the names, tone and claim of a letter whose other details are complete. */
export function LetterStep(props: StepProps) {
  const {
    price,
    usd,
    network,
    isPlayMoney,
    acts,
    isCopied,
    isRemembering,
    isForeign,
    form,
    of,
    write,
    shown,
    lateFrom,
  } = props;
  const chip = (says: string, fields: readonly FormField[], isQuiet: boolean, isOpen = false) => (
    <Chip says={says} isQuiet={isQuiet} isOpen={isOpen || hasFault(fields, shown)}>
      <LiveFields fields={fields} of={of} write={write} />
    </Chip>
  );
  const placed = (place: FieldPlace) => placedIn(form, place);
  const isWritten = (fields: readonly FormField[]): boolean =>
    fields.some(({ name }) => (of.values[name] ?? '') !== '');
  const rest = unplacedIn(form);
  return (
    <section class="late-letter" aria-labelledby="letter">
      <h2 id="letter">
        The letter <small>{price}</small>
      </h2>
      {isPlayMoney ? (
        <p class="hint">{PLAY_MONEY}</p>
      ) : (
        <PayingLine usd={usd} network={network} copyPrompt={acts?.copyPrompt ?? null} isCopied={isCopied} />
      )}
      <LiveFields fields={placed('names')} of={of} write={write} />
      <Tones field={placed('tone')[0]} chosen={of.values.tone ?? ''} write={write} />
      <div class="late-chips">
        {chip(claimWords(of.values.claim ?? ''), placed('claim'), false)}
        {chip(of.values.invoice_number || 'Invoice number', placed('invoice'), !isWritten(placed('invoice')))}
        {chip(
          'How to pay you',
          placed('paying'),
          !isWritten(placed('paying')),
          isForeign && isWritten(placed('paying')),
        )}
        {chip('More', rest, !isWritten(rest))}
      </div>
      {lateFrom === null ? (
        <p class="buttons">
          <button type="button" id="buy" disabled={acts === null} onClick={acts?.buy}>
            Get the letter <small>{price}</small>
          </button>
        </p>
      ) : (
        <p class="note">This invoice is not overdue yet. You can get the letter from {lateFrom}.</p>
      )}
      <noscript>
        <p class="hint">To buy the letter here, your browser needs JavaScript.</p>
      </noscript>
      <p class="remembering">
        <RememberBox isRemembering={isRemembering} remember={acts?.remember ?? null} />
      </p>
    </section>
  );
}

const claimWords = (claim: string): string =>
  claim === '' || claim === 'agreed' ? 'Asks for the late fee' : (CHOICE_LABELS[claim] ?? claim);

type TonesProps = {
  readonly field: FormField | undefined;
  readonly chosen: string;
  readonly write: Write | null;
};

/** The tones side by side. One tone is chosen. */
const Tones = ({ field, chosen, write }: TonesProps) =>
  field === undefined ? null : (
    <fieldset class="tones">
      <legend>Tone</legend>
      {field.options.map(({ value }) => (
        <label key={value} class="tone">
          <input
            type="radio"
            class="pick"
            name="tone"
            value={value}
            checked={value === (chosen || field.fallback)}
            onChange={write === null ? undefined : () => write('tone', value)}
          />
          <span>{TONES[value] ?? value}</span>
        </label>
      ))}
    </fieldset>
  );

export const TONES: Readonly<Record<string, string>> = { polite: 'Polite', firm: 'Firm', final: 'Final' };
