import { h, render } from 'preact';
import { dayText, utcDay } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import { validate } from '../exchange/validate.ts';
import { quoteReckoning } from '../operations/quote-reckoning.ts';
import type { FormList, FormModel } from '../surfaces/pages/form-fields.ts';
import { readWritten } from '../surfaces/pages/form-reading.ts';
import { type FormValues, rawValues } from '../surfaces/pages/form-values.ts';
import { type AppProps, QuoteApp, type QuoteData } from '../surfaces/pages/quote/quote-app.tsx';
import { inputOf } from '../surfaces/pages/quote/quote-editor.tsx';
import {
  isBlank,
  LIST,
  placed,
  valuesOf,
  type Worked,
  type Written,
} from '../surfaces/pages/quote/quote-state.ts';
import type { Grouping } from '../surfaces/pages/written-number.ts';
import { ownLetterhead } from './own-memory.ts';
import { debounced, goTo, UNDO_MS, writeAddress } from './page.ts';
import { type Draft, forgetDraft, keepDraft, linkQuery } from './quote-kept.ts';

/* The state of the page of a quote, and how it changes. What is shown follows from it alone. */

export type State = Draft & {
  /** Whether all faults were asked for; before that, fields that were left show theirs. */
  readonly isAsked: boolean;
  /** Pointers of the faults that are shown; while a field is typed in, it would be too soon for new ones. */
  readonly shown: ReadonlySet<string>;
  /** What became of pasted rows. */
  readonly pasted: string;
  readonly undoing: { readonly says: string; readonly before: Draft } | null;
  /** What is asked before the quote is sent. */
  readonly sending: { readonly asksName: boolean; readonly isNameMissing: boolean } | null;
  readonly copied: 'link' | 'text' | null;
  /** Said to those who hear the page. */
  readonly status: string;
};

export const NOTHING_SAID: Omit<State, keyof Draft> = {
  isAsked: false,
  shown: new Set(),
  pasted: '',
  undoing: null,
  sending: null,
  copied: null,
  status: '',
};

export type Desk = {
  readonly root: HTMLElement;
  readonly data: QuoteData;
  readonly form: FormModel;
  readonly list: FormList;
  readonly habits: Omit<Habits, 'today'>;
  readonly propsOf: (desk: Desk) => AppProps;
  state: State;
  /** What came of what is written. */
  now: Answered;
  /** Whether something was written in this page, which it has to keep. */
  isChanged: boolean;
  readonly keepSoon: () => void;
  /** Says the total once typing has paused, where nothing was done since that edit. */
  readonly speakTotal: (edit: number) => void;
  edits: number;
  /** Called after each change, once three options are asked for. */
  onSet?: () => void;
  /** Opens the step of three options. */
  offerOptions?: () => void;
};

export function deskOf(parts: Pick<Desk, 'root' | 'data' | 'list' | 'habits' | 'propsOf' | 'state'>): Desk {
  const { form } = parts.data;
  const desk: Desk = {
    ...parts,
    form,
    now: answered(form, parts.state.written, { ...parts.habits, today: todayOf() }),
    isChanged: false,
    keepSoon: debounced(250, () => keepNow(desk)),
    edits: 0,
    speakTotal: debounced(1_000, (edit: number) => {
      if (edit !== desk.edits) return;
      const { body } = desk.now;
      const status = body === null ? '' : `Total ${body.formatted.total}`;
      if (status !== '' && status !== desk.state.status) set(desk, { status });
    }),
  };
  return desk;
}

/** Changes the state, and shows it. */
export function set(desk: Desk, change: Partial<State>): void {
  desk.state = { ...desk.state, ...change };
  desk.now = answered(desk.form, desk.state.written, { ...desk.habits, today: todayOf() });
  render(h(QuoteApp, desk.propsOf(desk)), desk.root);
  desk.onSet?.();
}

/** Something was written: it is worked out at once, and kept a moment later. */
export function edit(desk: Desk, written: Written, change: Partial<State> = {}): void {
  set(desk, { written, ...change });
  desk.isChanged = true;
  desk.keepSoon();
  desk.edits += 1;
  // What was just said is not talked over.
  if (change.status === undefined) desk.speakTotal(desk.edits);
}

/** Keeps what is written on the device; where the browser keeps nothing, the address has it. */
export function keepNow(desk: Desk): void {
  if (isBlank(desk.state.written)) forgetDraft();
  else if (!keepDraft(desk.state)) writeAddress(`#${valuesLink(desk)}`);
}

/** Puts another quote in the place of this one; `says` offers to take that back. */
export function replace(desk: Desk, draft: Draft, says: string | null): void {
  const { written, isForeign, options } = desk.state;
  const undoing =
    says === null || isBlank(written) ? null : { says, before: { written, isForeign, options } };
  set(desk, { ...NOTHING_SAID, options: undefined, ...draft, undoing });
  keepNow(desk);
  if (undoing === null) return;
  setTimeout(() => {
    if (desk.state.undoing === undoing) set(desk, { undoing: null });
  }, UNDO_MS);
}

/** What is written as the part of a link. */
const valuesLink = ({ now, state }: Desk, issuedOn: string | null = null): string =>
  linkQuery(now.values, state.written, issuedOn);

/** The address of the quote as its client sees it. */
export const clientLink = (desk: Desk): string =>
  `${location.origin}${location.pathname}#${valuesLink(desk, todayText())}`;

/** What is written, with the remembered business where there is none. */
export function withOwn(written: Written): Written {
  const own: Readonly<Record<string, string | undefined>> = ownLetterhead(written.letterhead);
  const letterhead = Object.entries(written.letterhead).map(([name, text]) => [
    name,
    text || (own[name] ?? ''),
  ]);
  return { ...written, letterhead: { ...written.letterhead, ...Object.fromEntries(letterhead) } };
}

/** Shows every fault, and leads to the first. */
export function ask(desk: Desk): void {
  set(desk, { isAsked: true, shown: new Set(desk.now.faults.map(({ pointer }) => pointer)) });
  const [first] = desk.now.faults;
  if (first !== undefined) goTo(inputOf(first, desk.form));
}

/** Shows the faults of fields that were left with something in them; all of them once somebody asked. */
export function showFaults(desk: Desk): void {
  const { now, state } = desk;
  const isShown = ({ pointer }: { readonly pointer: string }): boolean => {
    const [, name = '', place, part = ''] = pointer.split('/');
    const { lines, fields } = state.written;
    const value = name === LIST ? lines[Number(place)]?.values[part] : fields[name];
    return state.isAsked || (value ?? '').trim() !== '';
  };
  set(desk, { shown: new Set(now.faults.filter(isShown).map(({ pointer }) => pointer)) });
}

export const dialogIn = ({ root }: Desk) => root.querySelector<HTMLDialogElement>('#send');

/* The quote worked out in the browser, with the same code that the API runs. */

type Answered = Worked & {
  /** The values as the API takes them, with the currency that is used. */
  readonly values: FormValues;
  readonly currency: string;
};

type Body = Worked['body'];
type Day = ReturnType<typeof utcDay>;

/** How somebody writes numbers, the currency where none is chosen, and the day of the quote. */
type Habits = { readonly grouping: Grouping; readonly proposed: string; readonly today: Day };

const todayOf = (): Day => utcDay(Date.now());
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
