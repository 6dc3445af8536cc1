import { addDays, dayText, parseDay, utcDay } from '../../../domain/calendar.ts';
import { FaultSummary } from '../form-faults.tsx';
import type { FormField } from '../form-fields.ts';
import { RATE_LABELS } from '../form-texts.ts';
import {
  Chip,
  type DocumentForm,
  hasFault,
  LiveFields,
  type LiveValues,
  type Write,
} from '../live-fields.tsx';
import { HERE, SENT_TO_US } from '../quote/quote-editor.tsx';
import { amountText, longDay, plain } from '../views/format.ts';
import { Figure } from './late-figure.tsx';
import { LetterStep, type LetterStepProps } from './late-letter.tsx';
import { type FieldPlace, placedIn, valuesOnPage, type Worked, type Written } from './late-state.ts';

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
  /** Whether the device shares links and letters, in place of copying them. */
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
  const of: LiveValues = { values: { ...valuesOnPage(written), currency }, shown, worked, currency };
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
          {...props.letter}
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
