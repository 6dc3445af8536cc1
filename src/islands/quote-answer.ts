import { dayText, utcDay } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import { validate } from '../exchange/validate.ts';
import { quoteReckoning } from '../operations/quote-reckoning.ts';
import type { FormModel } from '../surfaces/pages/form-fields.ts';
import { readWritten } from '../surfaces/pages/form-reading.ts';
import { type FormValues, rawValues } from '../surfaces/pages/form-values.ts';
import { LIST, placed, valuesOf, type Worked, type Written } from '../surfaces/pages/quote/quote-state.ts';
import type { Grouping } from '../surfaces/pages/written-number.ts';

/* The quote worked out in the browser, with the same code that the API runs. */

export type Answered = Worked & {
  /** The values as the API takes them, with the currency that is used. */
  readonly values: FormValues;
  readonly currency: string;
};

type Body = Worked['body'];
type Day = ReturnType<typeof utcDay>;

/** How somebody writes numbers, the currency where none is chosen, and the day of the quote. */
export type Habits = { readonly grouping: Grouping; readonly proposed: string; readonly today: Day };

export const todayOf = (): Day => utcDay(Date.now());
export const todayText = (): string => dayText(todayOf());

/**
 * What is written, worked out. While something in it needs a change, the answer leaves that out, so that the figures
 * beside it stay; the faults say what is missing.
 */
export function answered(form: FormModel, written: Written, { grouping, proposed, today }: Habits): Answered {
  const { values: asWritten, places } = valuesOf(written);
  const read = readWritten(form, asWritten, grouping);
  const currency = (read.values.fields.currency || proposed).toUpperCase();
  const values = { ...read.values, fields: { ...read.values.fields, currency } };
  const whole = run(values, read.faults, today);
  const pointed = [...read.numbers].map(
    ([pointer, number]) => [placed({ pointer } as Fault, places).pointer, number] as const,
  );
  const { body, counted } =
    whole.body === null
      ? partOf(values, whole.faults, today)
      : { body: whole.body, counted: places.map((_, index) => index) };
  return {
    body,
    counted: counted.map((index) => places[index] ?? -1),
    faults: whole.faults.map((fault) => placed(fault, places)),
    numbers: new Map(pointed),
    values,
    currency,
  };
}

function run(
  values: FormValues,
  unread: readonly Fault[],
  today: Day,
): { body: Body; faults: readonly Fault[] } {
  const validated = validate(quoteReckoning, { values: rawValues(values), faults: unread }, { today });
  if (!validated.ok) return { body: null, faults: validated.faults };
  const answer = quoteReckoning.run(validated.input as never, { today });
  if (answer.kind === 'answer') return { body: answer.body as Body, faults: [] };
  return { body: null, faults: answer.kind === 'invalid' ? answer.faults : [] };
}

/** The answer without the lines and fields that have faults; null where nothing is left, or that has faults, too. */
function partOf({ fields, lists }: FormValues, faults: readonly Fault[], today: Day) {
  const paths = faults.map(({ pointer }) => pointer.split('/').slice(1));
  const faulty = new Set(
    paths.flatMap(([list, index]) => (list === LIST && index !== undefined ? [Number(index)] : [])),
  );
  const rows = lists[LIST] ?? [];
  const counted = rows.flatMap((_, index) => (faulty.has(index) ? [] : [index]));
  const left = {
    fields: Object.fromEntries(
      Object.entries(fields).filter(([name]) => !paths.some(([field]) => field === name)),
    ),
    lists: { [LIST]: rows.filter((_, index) => !faulty.has(index)) },
  };
  return { body: counted.length === 0 ? null : run(left, [], today).body, counted };
}
