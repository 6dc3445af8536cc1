import { h, render } from 'preact';
import { dayText, utcDay } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import { feeSheet } from '../surfaces/pages/documents/fee-sheet.ts';
import { sheetText } from '../surfaces/pages/documents/sheet.ts';
import { faultTarget } from '../surfaces/pages/form-faults.tsx';
import { type AppProps, LateApp, type LateData } from '../surfaces/pages/late-invoice/late-app.tsx';
import { isBlank, letterheadOf } from '../surfaces/pages/late-invoice/late-state.ts';
import { paperName } from '../surfaces/pages/quote/quote-state.ts';
import { amountText } from '../surfaces/pages/views/format.ts';
import { writeAddress } from './carry.ts';
import { type Answered, answered, type Habits } from './late-answer.ts';
import { type Draft, forgetDraft, keepDraft, linkQuery, withOwn } from './late-kept.ts';
import { type Detail, mayRemember, remember } from './own-memory.ts';
import { debounced } from './timing.ts';

/* The state of the page of a late invoice, and how it changes. What is shown follows from it alone. */

export type State = Draft & {
  /** Whether all faults were asked for; before that, fields that were left show theirs. */
  readonly isAsked: boolean;
  /** Pointers of the faults that are shown; while a field is typed in, it would be too soon for new ones. */
  readonly shown: ReadonlySet<string>;
  /** Faults that the service found, until something is changed. */
  readonly refused: readonly Fault[];
  readonly undoing: { readonly says: string; readonly undo: () => void } | null;
  readonly copied: AppProps['copied'];
  /** Said to those who hear the page. */
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
  /** Something was written, for the paper only or for the answer. */
  readonly onWritten: (isOnPaper: boolean) => void;
  state: State;
  /** What came of what is written. */
  now: Answered;
  /** Whether something was written in this page, which it has to keep. */
  isChanged: boolean;
  readonly keepSoon: () => void;
  /** Says the figure once typing has paused. */
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

/** Changes the state, and shows it. */
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

/** Something was written: it is calculated at once, and kept a moment later. */
export function write(desk: Desk, name: string, value: string): void {
  const { written, isForeign, front } = desk.state;
  const onPaper = paperName(name);
  set(desk, {
    refused: [],
    // What is written for the paper goes onto the letter that is shown; anything else is of another one.
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
  // What a link of somebody else brought is that one's.
  if (own !== undefined && !isForeign && mayRemember()) remember({ [own]: value.trim() });
}

/** Remembers the business of the form from now on, or forgets it. */
export function rememberBusiness(desk: Desk, isWanted: boolean): void {
  const { fields, letterhead } = desk.state.written;
  const { business_name = '', payment_details = '' } = fields;
  const own = { business_name, payment_details, contact: letterhead.contact, currency: desk.now.currency };
  remember(isWanted ? own : null);
  set(desk, isWanted ? { isForeign: false } : {});
}

/** Keeps what is written on the device; where the browser keeps nothing, the address has it. */
export function keepNow(desk: Desk): void {
  if (isBlank(desk.state.written)) forgetDraft();
  else if (!keepDraft(desk.state)) writeAddress(`#${valuesLink(desk)}`);
}

const UNDO_MS = 20_000;

/** Puts another invoice in the place of this one; `says` offers to take that back. */
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

/** What is written as the part of a link. */
const valuesLink = ({ now, state }: Desk): string => linkQuery(now.values, state.written);

/** A link that shows the same figure on any day; it holds nothing of the names and addresses. */
export function figureLink({ now, data }: Desk): string {
  const fee = Object.entries({ paid_date: todayText(), ...now.values }).filter(
    ([name, value]) => data.feeFields.includes(name) && value !== '',
  );
  return `${location.origin}${location.pathname}#${new URLSearchParams(fee)}`;
}

/** Every fault of the form: those found here, and those that the service found. */
export const faultsOf = ({ now, state: { refused } }: Desk): readonly Fault[] => {
  const isSaid = ({ pointer }: Fault): boolean => refused.some((fault) => fault.pointer === pointer);
  return [...now.faults.filter((fault) => !isSaid(fault)), ...refused];
};

/** Shows every fault, and leads to the first. */
export function ask(desk: Desk): void {
  const faults = faultsOf(desk);
  set(desk, { isAsked: true, shown: new Set(faults.map(({ pointer }) => pointer)) });
  const [first] = faults;
  if (first !== undefined) goTo(faultTarget(first, desk.data.form));
}

/** Shows the faults of fields that were left with something in them; all of them once somebody asked. */
export function showFaults(desk: Desk): void {
  const { state } = desk;
  const isShown = ({ pointer }: { readonly pointer: string }): boolean =>
    state.isAsked || (state.written.fields[pointer.split('/')[1] ?? ''] ?? '').trim() !== '';
  set(desk, {
    shown: new Set(
      faultsOf(desk)
        .filter(isShown)
        .map(({ pointer }) => pointer),
    ),
  });
}

/** Leads to an input, wherever it is folded. */
export function goTo(id: string | null): void {
  const input = id === null ? null : document.getElementById(id);
  input?.closest('details')?.setAttribute('open', '');
  input?.focus();
}

const COPIED_MS = 2_000;

/** Copies a text, and says so for a moment. */
export async function copy(desk: Desk, what: NonNullable<State['copied']>, text: string): Promise<void> {
  const isCopied = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  sayCopied(desk, what, isCopied);
}

export function sayCopied(desk: Desk, what: NonNullable<State['copied']>, isCopied: boolean): void {
  const status = isCopied ? 'Copied' : 'Your browser does not allow copying';
  set(desk, { copied: isCopied ? what : null, status });
  setTimeout(() => set(desk, { copied: null }), COPIED_MS);
}

/** The statement of what is owed as text; empty where there is none. */
export const figuresText = ({ now, state }: Desk): string =>
  now.body === null ? '' : sheetText(feeSheet(now.body, letterheadOf(state.written)), location.origin);

/** Prints the document alone, under its name. */
export function print(title: string): void {
  const before = document.title;
  document.title = title;
  addEventListener('afterprint', () => Object.assign(document, { title: before }), { once: true });
  window.print();
}
