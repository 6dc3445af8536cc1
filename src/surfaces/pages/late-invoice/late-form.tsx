import { addDays, dayText, parseDay, utcDay } from '../../../domain/calendar.ts';
import type { Fault } from '../../../domain/result.ts';
import { FaultSummary } from '../form-faults.tsx';
import type { FormField, FormModel } from '../form-fields.ts';
import { CHOICE_LABELS, RATE_LABELS } from '../form-texts.ts';
import {
  Chip,
  type DocumentForm,
  hasFault,
  LiveFields,
  type LiveValues,
  RememberBox,
  type Write,
} from '../live-fields.tsx';
import { PayingLine, PLAY_MONEY } from '../pay/paying-line.tsx';
import { HERE, SENT_TO_US } from '../quote/quote-editor.tsx';
import { valuesOnPaper } from '../quote/quote-state.ts';
import { amountText, longDay, plain } from '../views/format.ts';
import { Figure } from './late-figure.tsx';
import { type FieldPlace, placedIn, unplacedIn, type Worked, type Written } from './late-state.ts';

/** The user's actions on the page while its script runs. */
export type Acts = {
  readonly write: Write;
  readonly copyText: () => void;
  readonly print: () => void;
  readonly copyLink: () => void;
  readonly beginAnew: () => void;
};

/** The form has every field of the letter, including those of the fee. */
export type FormProps = DocumentForm<Written, Worked, Acts> & {
  readonly copied: string | null;
  /** Whether the device shares links and letters instead of copying them. */
  readonly isSharing: boolean;
  /** The letter for sale; null if the service sells none. */
  readonly letter: LetterStepProps | null;
};

/**
 * The form: two fields, the amount owed, everything else as buttons that open fields, and then the letter. Without
 * scripts, the form is sent to its own page.
 */
export function LateForm(props: FormProps) {
  const { form, written, worked, shown, isSummed, currency, acts, attributes, action } = props;
  const of: LiveValues = { values: { ...valuesOnPaper(written), currency }, shown, worked, currency };
  const write = acts?.write ?? null;
  const fieldsIn = (place: FieldPlace) => placedIn(form, place).map((field) => named(field, of.values));
  const chip = (place: FieldPlace, says: string, isQuiet: boolean) => {
    const fields = fieldsIn(place);
    return (
      <Chip key={place} says={says} isQuiet={isQuiet} isOpen={hasFault(fields, shown)}>
        <LiveFields fields={fields} of={of} write={write} />
      </Chip>
    );
  };
  const { fields } = written;
  const isEmpty = (place: FieldPlace): boolean =>
    placedIn(form, place).every(({ name }) => (fields[name] ?? '') === '');
  return (
    <form
      id="form"
      class="late-form"
      method="post"
      action={action}
      novalidate={acts !== null}
      {...attributes}
    >
      {/* The button that Enter presses. */}
      <button type="submit" hidden>
        Work out
      </button>
      <FaultSummary faults={isSummed ? shown : []} form={form} />
      <div class="late-ask" data-sign={signOf(currency)}>
        <LiveFields fields={fieldsIn('ask')} of={of} write={write} />
        {acts === null ? (
          <button type="submit" class="quiet">
            Work out
          </button>
        ) : null}
      </div>
      <Figure worked={worked} currency={currency} />
      <Warnings worked={worked} />
      <div class="late-chips">
        {chip('terms', termsWords(fields, currency), false)}
        {chip('until', untilWords(fields, currency), false)}
        {chip('currency', `In ${currency}`, false)}
        {chip('law', lawWords(fields), isEmpty('law'))}
        {chip('paid', 'Part payments', isEmpty('paid'))}
        {chip('others', 'More invoices', isEmpty('others'))}
      </div>
      {props.letter === null ? null : (
        <LetterStep
          letter={props.letter}
          form={form}
          of={of}
          write={write}
          shown={shown}
          lateFrom={lateFrom(worked)}
        />
      )}
      <p class="where hint" data-other={acts === null ? HERE : SENT_TO_US}>
        <span>{acts === null ? SENT_TO_US : HERE}</span>
      </p>
    </form>
  );
}

/** The first day on which the invoice is late, in words, if that is still to come; null otherwise. */
function lateFrom({ body }: Worked): string | null {
  const due = body?.status === 'not_overdue' ? parseDay(body.due_date) : null;
  return due === null || due < utcDay(Date.now())
    ? null
    : longDay(dayText(addDays(due, 1)), body?.currency ?? null);
}

/** The rate is labelled by the chosen way of charging. */
const named = (field: FormField, { rate_type = '' }: Readonly<Record<string, string>>): FormField =>
  field.name === 'rate' ? { ...field, label: RATE_LABELS[rate_type] ?? field.label } : field;

/** "£" for GBP; the code if there is no sign. */
const signOf = (currency: string): string =>
  amountText(0, currency)
    .replace(/[\d.,\s]/gu, '')
    .slice(0, 3);

const UNITS: Readonly<Record<string, string>> = {
  monthly_percent: '% a month',
  annual_percent: '% a year',
  daily_percent: '% a day',
};

/** "1.5% a month", "8% a year, 5 days grace", "£40.00 fee" */
function termsWords(fields: Written['fields'], currency: string): string {
  const { rate_type: type = '', rate = '', grace_days: grace = '' } = fields;
  const number = Number(rate.replace(/[^\d.]/g, '') || '1.5');
  const charge =
    type === 'flat' ? `${amountText(number, currency)} fee` : `${plain(number)}${UNITS[type] ?? '% a month'}`;
  return /[1-9]/.test(grace) ? `${charge}, ${grace.replace(/\D/g, '')} days grace` : charge;
}

const untilWords = ({ paid_date: day = '' }: Written['fields'], currency: string): string =>
  day === '' ? 'Up to today' : `Up to ${longDay(day, currency)}`;

const lawWords = ({ jurisdiction = '' }: Written['fields']): string =>
  jurisdiction === '' ? 'Interest by law' : `By law: ${jurisdiction}`;

/** The chip of the terms already shows the usual rate. */
const Warnings = ({ worked: { body } }: { worked: Worked }) => (
  <>
    {body?.warnings
      .filter((warning) => !warning.startsWith('No rate was given'))
      .map((warning) => (
        <p class="note warning">{warning}</p>
      ))}
  </>
);

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
  /** Whether the text came from someone else. The bank details must then be visible. */
  readonly isForeign: boolean;
};

type StepProps = {
  readonly letter: LetterStepProps;
  readonly form: FormModel;
  readonly of: LiveValues;
  readonly write: Write | null;
  readonly shown: readonly Fault[];
  /** The first day on which the invoice is late, if that is still to come. */
  readonly lateFrom: string | null;
};

/** The last step: the names, tone and claim of a letter whose other details are complete. */
function LetterStep({ letter, form, of, write, shown, lateFrom }: StepProps) {
  const { price, usd, network, acts, isCopied } = letter;
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
      {letter.isPlayMoney ? (
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
          letter.isForeign && isWritten(placed('paying')),
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
        <RememberBox isRemembering={letter.isRemembering} remember={acts?.remember ?? null} />
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
