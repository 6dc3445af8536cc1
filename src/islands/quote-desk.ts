import { h, render } from 'preact';
import { dayText, utcDay } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import { validate } from '../exchange/validate.ts';
import { quoteReckoning } from '../operations/quote-reckoning.ts';
import { logoQuery } from '../surfaces/pages/documents/brand.ts';
import { linesOf } from '../surfaces/pages/documents/sheet.ts';
import type { FormList, FormModel } from '../surfaces/pages/form-fields.ts';
import { readWritten } from '../surfaces/pages/form-reading.ts';
import { type FormValues, rawValues } from '../surfaces/pages/form-values.ts';
import { type AppProps, QuoteApp, type QuoteData } from '../surfaces/pages/quote/quote-app.tsx';
import { inputOf } from '../surfaces/pages/quote/quote-editor.tsx';
import {
  isBlank,
  LIST,
  paperFaults,
  paperName,
  placed,
  valuesOf,
  type Worked,
  type Written,
} from '../surfaces/pages/quote/quote-state.ts';
import { longDay } from '../surfaces/pages/views/long-day.ts';
import type { Grouping } from '../surfaces/pages/written-number.ts';
import { ownLetterhead, ownLogo } from './own-memory.ts';
import { debounced, goTo, hasFocus, UNDO_MS, writeAddress } from './page.ts';
import { type Draft, forgetDraft, keepDraft, linkQuery } from './quote-kept.ts';
import { keepSent } from './sent-quotes.ts';

/* The state of the quote page and its transitions. The page shows only what is in the state. */

export type State = Draft & {
  /** Whether the user asked for all faults; before that, only fields that lost focus show theirs. */
  readonly isAsked: boolean;
  /** Pointers of the shown faults; no new ones appear while a field is being edited. */
  readonly shown: ReadonlySet<string>;
  /** A report on the pasted rows. */
  readonly pasted: string;
  readonly undoing: { readonly says: string; readonly before: Draft } | null;
  /** Questions to answer before the quote is sent. */
  readonly sending: {
    readonly asksName: boolean;
    readonly isNameMissing: boolean;
    /** The owner's contact without the email that is being asked for; null if it had one. */
    readonly contact: string | null;
    readonly email: string;
    /** Whether the link has the logo. */
    readonly isLogoShown: boolean;
  } | null;
  /** Whether the file that was chosen for the logo is no picture that fits. */
  readonly isLogoUnread: boolean;
  readonly copied: 'link' | 'text' | null;
  /** Announced to screen readers. */
  readonly status: string;
};

export const NOTHING_SAID: Omit<State, keyof Draft> = {
  isAsked: false,
  shown: new Set(),
  pasted: '',
  undoing: null,
  sending: null,
  isLogoUnread: false,
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
  /** The result of the current input. */
  now: Answered;
  /** Whether the user edited this page and the edits must be saved. */
  isChanged: boolean;
  readonly keepSoon: () => void;
  /** Announces the total once typing has paused, unless something happened after that edit. */
  readonly speakTotal: (edit: number) => void;
  edits: number;
  /** Called after each change once the step of three options is open. */
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

/** Changes the state and renders it. */
export function set(desk: Desk, change: Partial<State>): void {
  desk.state = { ...desk.state, ...change };
  desk.now = answered(desk.form, desk.state.written, { ...desk.habits, today: todayOf() });
  render(h(QuoteApp, desk.propsOf(desk)), desk.root);
  desk.onSet?.();
}

/** Records an edit: the quote is calculated at once, and the draft is saved a moment later. */
export function edit(desk: Desk, written: Written, change: Partial<State> = {}): void {
  set(desk, { written, ...change });
  desk.isChanged = true;
  desk.keepSoon();
  desk.edits += 1;
  // The total must not interrupt the message that was just announced.
  if (change.status === undefined) desk.speakTotal(desk.edits);
}

/** Saves the input on the device; if the browser stores nothing, the address holds it. */
export function keepNow(desk: Desk): void {
  if (isBlank(desk.state.written)) forgetDraft();
  else if (!keepDraft(draftOf(desk))) writeAddress(`#${valuesLink(desk)}`);
}

export const draftOf = ({ state: { written, isForeign, options, sent } }: Desk): Draft => ({
  written,
  isForeign,
  options,
  sent,
});

/** Keeps the quote among those that were sent, as its client gets it. */
export function noteSent(desk: Desk): void {
  const { state, now } = desk;
  const { letterhead } = state.written;
  const [client = ''] = linesOf(letterhead.client);
  const day = longDay(todayText(), now.currency);
  const about = [client, letterhead.number.trim(), day, now.body?.formatted.total].filter(Boolean).join(', ');
  const query = clientLink(desk).split('#')[1] ?? '';
  set(desk, { sent: keepSent(state.sent, { client, about, query }) });
  keepNow(desk);
}

/** Replaces this quote with another; `says` offers to undo that. */
export function replace(desk: Desk, draft: Draft, says: string | null): void {
  const { written } = desk.state;
  const undoing = says === null || isBlank(written) ? null : { says, before: draftOf(desk) };
  set(desk, { ...NOTHING_SAID, options: undefined, sent: undefined, ...draft, undoing });
  keepNow(desk);
  if (undoing === null) return;
  setTimeout(() => {
    if (desk.state.undoing === undoing) set(desk, { undoing: null });
  }, UNDO_MS);
}

/** The input as part of a link. */
const valuesLink = ({ now, state }: Desk, issuedOn: string | null = null): string =>
  linkQuery(now.values, state.written, issuedOn);

/** The address of the quote as its client sees it. */
export function clientLink(desk: Desk): string {
  const logo = desk.state.sending?.isLogoShown ? logoOf(desk) : '';
  const query = `${valuesLink(desk, todayText())}${logo === '' ? '' : logoQuery(logo)}`;
  return `${location.origin}${location.pathname}#${query}`;
}

/** The logo on the paper; '' if there is none. */
export const logoOf = ({ state }: Desk): string => (state.isForeign ? '' : ownLogo(state.written.letterhead));

/** The input, with the remembered business if it names none. */
export function withOwn(written: Written): Written {
  const own: Readonly<Record<string, string | undefined>> = ownLetterhead(written.letterhead);
  const letterhead = Object.entries(written.letterhead).map(([name, text]) => [
    name,
    text || (own[name] ?? ''),
  ]);
  return { ...written, letterhead: { ...written.letterhead, ...Object.fromEntries(letterhead) } };
}

/** Shows every fault and moves to the first one. */
export function ask(desk: Desk): void {
  set(desk, { isAsked: true, shown: new Set(desk.now.faults.map(({ pointer }) => pointer)) });
  const [first] = desk.now.faults;
  if (first !== undefined) goTo(inputOf(first, desk.form));
}

/** Shows the faults of nonempty fields that lost focus; all faults once the user asked for them. */
export function showFaults(desk: Desk): void {
  const { now, state } = desk;
  const isShown = (fault: Fault): boolean => {
    if (state.isAsked || state.shown.has(fault.pointer)) return true;
    const [, name = '', place, part = ''] = fault.pointer.split('/');
    const { lines, fields, letterhead } = state.written;
    const own = paperName(name);
    const value =
      own !== null ? letterhead[own] : name === LIST ? lines[Number(place)]?.values[part] : fields[name];
    return (value ?? '').trim() !== '' && !hasFocus(inputOf(fault, desk.form));
  };
  set(desk, { shown: new Set(now.faults.filter(isShown).map(({ pointer }) => pointer)) });
}

export const dialogIn = ({ root }: Desk) => root.querySelector<HTMLDialogElement>('#send');

/* Calculates the quote in the browser, with the same code as the API. */

type Answered = Worked & {
  /** The values in the notation of the API, with the currency in use. */
  readonly values: FormValues;
  readonly currency: string;
};

type Body = Worked['body'];
type Day = ReturnType<typeof utcDay>;

/** The user's number format, the default currency, and the day of the quote. */
type Habits = { readonly grouping: Grouping; readonly proposed: string; readonly today: Day };

const todayOf = (): Day => utcDay(Date.now());
export const todayText = (): string => dayText(todayOf());

/**
 * The result of the current input. Values that need a change are omitted, so the figures next to them stay; the faults
 * say what is missing.
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
    faults: [...whole.faults.map((fault) => placed(fault, places)), ...paperFaults(written.letterhead)],
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

/** The answer without the lines and fields that have faults; null if nothing is left, or if the rest has faults too. */
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
