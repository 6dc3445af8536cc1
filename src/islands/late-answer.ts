import type { utcDay } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import { validate } from '../exchange/validate.ts';
import { lateFeeReckoning } from '../operations/late-fee-reckoning.ts';
import { readWritten } from '../surfaces/pages/form-reading.ts';
import { rawValues } from '../surfaces/pages/form-values.ts';
import type { LateData } from '../surfaces/pages/late-invoice/late-app.tsx';
import type { Worked, Written } from '../surfaces/pages/late-invoice/late-state.ts';
import type { Grouping } from '../surfaces/pages/written-number.ts';

/* The late fee calculated in the browser, with the same code that the API runs. */

type Fields = Readonly<Record<string, string>>;
type Body = Worked['body'];
type Day = ReturnType<typeof utcDay>;

export type Answered = Worked & {
  /** Every value as the API takes it, with the currency that is used. */
  readonly values: Fields;
  readonly currency: string;
};

/** How somebody writes numbers, the currency where none is chosen, and today. */
export type Habits = { readonly grouping: Grouping; readonly proposed: string; readonly today: Day };

/**
 * The fee over what is written. While something in it needs a change, the answer leaves that out, so that the figure
 * stays; the faults say what is missing.
 */
export function answered(
  { form, feeFields }: Pick<LateData, 'form' | 'feeFields'>,
  { fields }: Written,
  { grouping, proposed, today }: Habits,
): Answered {
  const read = readWritten(form, { fields, lists: {} }, grouping);
  const currency = (read.values.fields.currency || proposed).toUpperCase();
  const values = { ...read.values.fields, currency };
  const isOfFee = (name: string): boolean => feeFields.includes(name);
  const ofFee = paidLate(
    Object.fromEntries(Object.entries(values).filter(([name]) => isOfFee(name))),
    values,
  );
  const nameOf = ({ pointer }: Fault): string => pointer.split('/')[1] ?? '';
  const [unread, unreadOfLetter] = [true, false].map((wanted) =>
    read.faults.filter((fault) => isOfFee(nameOf(fault)) === wanted),
  );
  const whole = run(ofFee, unread ?? [], today);
  const faulty = new Set(whole.faults.map(nameOf));
  const left = Object.fromEntries(Object.entries(ofFee).filter(([name]) => !faulty.has(name)));
  return {
    body: whole.body ?? (faulty.has('amount') || faulty.has('due_date') ? null : run(left, [], today).body),
    faults: [...whole.faults, ...(unreadOfLetter ?? [])],
    numbers: read.numbers,
    values,
    currency,
  };
}

/** As the letter does: a payment in full that came late is one on its day, to which the fee is calculated. */
const paidLate = (ofFee: Fields, { paid_on: day = '', amount = '' }: Fields): Fields =>
  day === '' || amount === '' || (ofFee.more_invoices ?? '') !== ''
    ? ofFee
    : { ...ofFee, paid_date: day, payments: `${amount} on ${day}` };

function run(values: Fields, unread: readonly Fault[], today: Day): Pick<Worked, 'body' | 'faults'> {
  const raw = { values: rawValues({ fields: values, lists: {} }), faults: unread };
  const validated = validate(lateFeeReckoning, raw, { today });
  if (!validated.ok) return { body: null, faults: validated.faults };
  const answer = lateFeeReckoning.run(validated.input as never, { today });
  if (answer.kind === 'answer') return { body: answer.body as Body, faults: [] };
  return { body: null, faults: answer.kind === 'invalid' ? answer.faults : [] };
}
