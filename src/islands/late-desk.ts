import { h, render } from 'preact';
import { dayText, parseDay, utcDay } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import { validate } from '../exchange/validate.ts';
import { lateFeeReckoning, paidLate } from '../operations/late-fee-reckoning.ts';
import { feeSheet } from '../surfaces/pages/documents/fee-sheet.ts';
import { sheetText } from '../surfaces/pages/documents/sheet.ts';
import { faultTarget } from '../surfaces/pages/form-faults.tsx';
import { readWritten } from '../surfaces/pages/form-reading.ts';
import { rawValues } from '../surfaces/pages/form-values.ts';
import { type AppProps, LateApp, type LateData } from '../surfaces/pages/late-invoice/late-app.tsx';
import type { Worked, Written } from '../surfaces/pages/late-invoice/late-state.ts';
import { isBlank, letterheadOf } from '../surfaces/pages/late-invoice/late-state.ts';
import { paperName } from '../surfaces/pages/quote/quote-state.ts';
import { amountText } from '../surfaces/pages/views/format.ts';
import type { Grouping } from '../surfaces/pages/written-number.ts';
import { type Draft, forgetDraft, keepDraft, linkQuery, withOwn } from './late-kept.ts';
import { type Detail, mayRemember, remember } from './own-memory.ts';
import {
  COPIED_MS,
  copiedWords,
  copyText,
  debounced,
  goTo,
  hasFocus,
  isSharing,
  UNDO_MS,
  writeAddress,
} from './page.ts';

/* The state of the late-invoice page and its transitions. The page shows only what is in the state. */

export type State = Draft & {
  /** Whether the user asked for all faults; before that, only fields that lost focus show theirs. */
  readonly isAsked: boolean;
  /** Pointers of the shown faults; no new ones appear while a field is being edited. */
  readonly shown: ReadonlySet<string>;
  /** Faults from the server, until something changes. */
  readonly refused: readonly Fault[];
  readonly undoing: { readonly says: string; readonly undo: () => void } | null;
  readonly copied: AppProps['copied'];
  /** Announced to screen readers. */
  readonly status: string;
};

export const NOTHING_SAID: Omit<State, keyof Draft> = {
  isAsked: false,
  shown: new Set(),
  refused: [],
  undoing: null,
  copied: null,
  status: '',
};

export type Desk = {
  readonly root: HTMLElement;
  readonly data: LateData;
  readonly habits: Omit<Habits, 'today'>;
  readonly propsOf: (desk: Desk) => AppProps;
  /** Called after an edit of the document or of the answer's input. */
  readonly onWritten: (isOnPaper: boolean) => void;
  state: State;
  /** The result of the current input. */
  now: Answered;
  /** Whether the user edited this page and the edits must be saved. */
  isChanged: boolean;
  readonly keepSoon: () => void;
  /** Announces the figure once typing has paused. */
  readonly speakTotal: () => void;
};

const today = () => utcDay(Date.now());
const todayText = (): string => dayText(today());

export function deskOf(
  parts: Pick<Desk, 'root' | 'data' | 'habits' | 'propsOf' | 'onWritten' | 'state'>,
): Desk {
  const desk: Desk = {
    ...parts,
    now: answered(parts.data, parts.state.written, { ...parts.habits, today: today() }),
    isChanged: false,
    keepSoon: debounced(250, () => keepNow(desk)),
    speakTotal: debounced(1_000, () => {
      const { body, currency } = desk.now;
      const status = body === null ? '' : `Owed ${amountText(body.total_due, currency)}`;
      if (status !== '' && status !== desk.state.status) set(desk, { status });
    }),
  };
  return desk;
}

/** Changes the state and renders it. */
export function set(desk: Desk, change: Partial<State>): void {
  desk.state = { ...desk.state, ...change };
  desk.now = answered(desk.data, desk.state.written, { ...desk.habits, today: today() });
  render(h(LateApp, desk.propsOf(desk)), desk.root);
}

const OWN_FIELDS: Readonly<Record<string, Detail>> = {
  business_name: 'business_name',
  payment_details: 'payment_details',
  currency: 'currency',
  'paper.contact': 'contact',
};

/** Records an edit: the answer is calculated at once, and the draft is saved a moment later. */
export function write(desk: Desk, name: string, value: string): void {
  const { written, isForeign, front } = desk.state;
  const onPaper = paperName(name);
  // Firefox fills a form in again when it is reloaded, which is not an edit.
  if (value === ((onPaper === null ? written.fields[name] : written.letterhead[onPaper]) ?? '')) return;
  set(desk, {
    refused: [],
    // Edits of the document apply to the letter that is shown; any other edit starts a different letter.
    front: onPaper === null ? null : front,
    written:
      onPaper === null
        ? { ...written, fields: { ...written.fields, [name]: value } }
        : { ...written, letterhead: { ...written.letterhead, [onPaper]: value } },
  });
  desk.isChanged = true;
  desk.onWritten(onPaper !== null);
  desk.keepSoon();
  desk.speakTotal();
  const own = OWN_FIELDS[name];
  // Details from someone else's link belong to that person.
  if (own !== undefined && !isForeign && mayRemember()) remember({ [own]: value.trim() });
}

/** Starts to remember the business of the form, or forgets it. */
export function rememberBusiness(desk: Desk, isWanted: boolean): void {
  const { fields, letterhead } = desk.state.written;
  const { business_name = '', payment_details = '' } = fields;
  const own = { business_name, payment_details, contact: letterhead.contact, currency: desk.now.currency };
  remember(isWanted ? own : null);
  set(desk, isWanted ? { isForeign: false } : {});
}

/** Saves the input on the device; if the browser stores nothing, the address holds it. */
export function keepNow(desk: Desk): void {
  if (isBlank(desk.state.written)) forgetDraft();
  else if (!keepDraft(desk.state)) writeAddress(`#${valuesLink(desk)}`);
}

/** Replaces this invoice with another; `says` offers to undo that. */
export function replace(desk: Desk, draft: Draft, says: string | null): void {
  const { written, isForeign, front } = desk.state;
  const before = { written, isForeign, front };
  const undo = (): void => {
    replace(desk, before, null);
    goTo('f-amount');
  };
  const undoing = says === null || isBlank(written) ? null : { says, undo };
  set(desk, { ...NOTHING_SAID, ...draft, written: withOwn(draft.written), undoing });
  keepNow(desk);
  if (undoing === null) return;
  setTimeout(() => {
    if (desk.state.undoing === undoing) set(desk, { undoing: null });
  }, UNDO_MS);
}

/** The input as part of a link. */
const valuesLink = ({ now, state }: Desk): string => linkQuery(now.values, state.written);

/** A link that shows the same figure on any day; it contains no names or addresses. */
export function figureLink({ now, data }: Desk): string {
  const fee = Object.entries({ paid_date: todayText(), ...now.values }).filter(
    ([name, value]) => data.feeFields.includes(name) && value !== '',
  );
  return `${location.origin}${location.pathname}#${new URLSearchParams(fee)}`;
}

/** Every fault of the form, found here or by the server. */
export const faultsOf = ({ now, state: { refused } }: Desk): readonly Fault[] => {
  const isSaid = ({ pointer }: Fault): boolean => refused.some((fault) => fault.pointer === pointer);
  return [...now.faults.filter((fault) => !isSaid(fault)), ...refused];
};

/** Shows every fault and moves to the first one. */
export function ask(desk: Desk): void {
  const faults = faultsOf(desk);
  set(desk, { isAsked: true, shown: new Set(faults.map(({ pointer }) => pointer)) });
  const [first] = faults;
  if (first !== undefined) goTo(faultTarget(first, desk.data.form));
}

/** Shows the faults of nonempty fields that lost focus; all faults once the user asked for them. */
export function showFaults(desk: Desk): void {
  const { state } = desk;
  const isShown = (fault: Fault): boolean => {
    if (state.isAsked || state.shown.has(fault.pointer)) return true;
    const value = state.written.fields[fault.pointer.split('/')[1] ?? ''] ?? '';
    return value.trim() !== '' && !hasFocus(faultTarget(fault, desk.data.form));
  };
  set(desk, {
    shown: new Set(
      faultsOf(desk)
        .filter(isShown)
        .map(({ pointer }) => pointer),
    ),
  });
}

/** Copies a text and confirms it for a moment; false if the browser forbids it. */
export async function copy(desk: Desk, what: NonNullable<State['copied']>, text: string): Promise<boolean> {
  const isCopied = await copyText(text);
  sayCopied(desk, what, isCopied);
  return isCopied;
}

/** Offers a text or a link to the other programs of a phone; elsewhere, copies it. */
export async function share(
  desk: Desk,
  what: NonNullable<State['copied']>,
  shared: { readonly title?: string; readonly text?: string; readonly url?: string },
): Promise<void> {
  if (!isSharing()) return void copy(desk, what, shared.url ?? shared.text ?? '');
  // Rejected if the user closes the list of programs.
  await navigator.share(shared).catch(() => undefined);
}

export function sayCopied(desk: Desk, what: NonNullable<State['copied']>, isCopied: boolean): void {
  set(desk, { copied: isCopied ? what : null, status: copiedWords(isCopied) });
  setTimeout(() => set(desk, { copied: null }), COPIED_MS);
}

/** The statement of the amount owed as text; empty if there is none. */
export const figuresText = ({ now, state }: Desk): string =>
  now.body === null ? '' : sheetText(feeSheet(now.body, letterheadOf(state.written)), location.origin);

/* Calculates the late fee in the browser, with the same code as the API. */

type Fields = Readonly<Record<string, string>>;
type Body = Worked['body'];
type Day = ReturnType<typeof utcDay>;

type Answered = Worked & {
  /** Every value in the notation of the API, with the currency in use. */
  readonly values: Fields;
  readonly currency: string;
};

/** The user's number format, the default currency, and today. */
type Habits = { readonly grouping: Grouping; readonly proposed: string; readonly today: Day };

/**
 * The fee for the current input. Values that need a change are omitted, so the figure stays; the faults say what is
 * missing.
 */
function answered(
  { form, feeFields }: Pick<LateData, 'form' | 'feeFields'>,
  { fields }: Written,
  { grouping, proposed, today }: Habits,
): Answered {
  const read = readWritten(form, { fields, lists: {} }, grouping);
  const currency = (read.values.fields.currency || proposed).toUpperCase();
  const values = { ...read.values.fields, currency };
  const isOfFee = (name: string): boolean => feeFields.includes(name);
  const paidOn = parseDay(read.values.fields.paid_on ?? '');
  const ofFee: Fields = {
    ...Object.fromEntries(Object.entries(values).filter(([name]) => isOfFee(name))),
    ...(paidOn !== null && { paid_date: dayText(paidOn) }),
  };
  const nameOf = ({ pointer }: Fault): string => pointer.split('/')[1] ?? '';
  const [unread, unreadOfLetter] = [true, false].map((wanted) =>
    read.faults.filter((fault) => isOfFee(nameOf(fault)) === wanted),
  );
  const whole = run(ofFee, paidOn, unread ?? [], today);
  const faulty = new Set(whole.faults.map(nameOf));
  const left = Object.fromEntries(Object.entries(ofFee).filter(([name]) => !faulty.has(name)));
  return {
    body:
      whole.body ??
      (faulty.has('amount') || faulty.has('due_date')
        ? null
        : run(left, faulty.has('paid_on') ? null : paidOn, [], today).body),
    faults: [...whole.faults, ...(unreadOfLetter ?? [])],
    numbers: read.numbers,
    values,
    currency,
  };
}

// As in the letter: without its day, the part that was paid before would change the interest.
const NOT_WITH_AMOUNT_PAID: Fault = {
  pointer: '/paid_on',
  code: 'not_together',
  detail: 'cannot be sent together with amount_paid',
};

function run(
  values: Fields,
  paidOn: Day | null,
  unread: readonly Fault[],
  today: Day,
): Pick<Worked, 'body' | 'faults'> {
  if (paidOn !== null && (values.amount_paid ?? '') !== '')
    return { body: null, faults: [...unread, NOT_WITH_AMOUNT_PAID] };
  const raw = { values: rawValues({ fields: values, lists: {} }), faults: unread };
  const validated = validate(lateFeeReckoning, raw, { today });
  if (!validated.ok) return { body: null, faults: validated.faults };
  const input = validated.input as never;
  const answer = lateFeeReckoning.run(paidOn === null ? input : paidLate(input, paidOn), { today });
  if (answer.kind === 'answer') return { body: answer.body as Body, faults: [] };
  return { body: null, faults: answer.kind === 'invalid' ? answer.faults : [] };
}
