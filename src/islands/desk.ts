import { dayText, utcDay } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import { validate } from '../exchange/validate.ts';
import { type Letterhead, paperQuery } from '../surfaces/pages/documents/letterhead.ts';
import { paymentFaults } from '../surfaces/pages/documents/payment-link.ts';
import { faultTarget } from '../surfaces/pages/form-faults.tsx';
import type { FormModel } from '../surfaces/pages/form-fields.ts';
import { type FormValues, rawValues, valuesQuery } from '../surfaces/pages/form-values.ts';
import { currencyOfRegion, regionOf } from '../surfaces/pages/money-of-regions.ts';
import { LIST, type Line, paperName, withPaper } from '../surfaces/pages/quote/quote-state.ts';
import { type Grouping, groupingOf } from '../surfaces/pages/written-number.ts';
import { orNull } from './or-null.ts';
import { type Detail, mayRemember, OWN_NAMES, type OwnDetails, remember, remembered } from './own-memory.ts';
import {
  COPIED_MS,
  copiedWords,
  copyText,
  debounced,
  followChips,
  followForm,
  goTo,
  hasFocus,
  isSharing,
  keepAddress,
  offerExample,
  UNDO_MS,
  writeAddress,
} from './page.ts';
import { isKeeping } from './pay/storage.ts';

/** The user's text for a document, unchanged. Only a quote has lines. */
type Written = {
  readonly fields: Readonly<Record<string, string>>;
  readonly letterhead: Letterhead;
  readonly lines?: readonly Line[];
};

export type DraftOf<Text extends Written> = {
  readonly written: Text;
  /** Whether the text came from the link of somebody else, whose business is not the owner's. */
  readonly isForeign: boolean;
};

/** What the page says about a document. */
export type Said = {
  /** Whether the user asked for all faults. Before that, only fields that lost focus show their faults. */
  readonly isAsked: boolean;
  /** Pointers of the shown faults. No new ones appear while a field is being edited. */
  readonly shown: ReadonlySet<string>;
  /** Faults from the server, until something changes. */
  readonly refused: readonly Fault[];
  /** The last action, if it can be undone. */
  readonly undoing: { readonly says: string; readonly undo: () => void } | null;
  readonly copied: 'text' | 'link' | 'prompt' | null;
  /** Announced to screen readers. */
  readonly status: string;
};

export const NOTHING_SAID: Said = {
  isAsked: false,
  shown: new Set(),
  refused: [],
  undoing: null,
  copied: null,
  status: '',
};

type State = DraftOf<Written> & Said;
type Answered = { readonly faults: readonly Fault[]; readonly currency: string };
/** The parts of a state that a change may name. */
type Change<S> = Partial<S> | Partial<State>;

/** The inputs whose values are remembered as details of the business. */
const OWN_INPUTS: Readonly<Record<string, Detail>> = {
  ...{ business_name: 'business_name', payment_details: 'payment_details', currency: 'currency' },
  ...Object.fromEntries(Object.entries(OWN_NAMES).map(([name, detail]) => [`paper.${name}`, detail])),
};

/** The state of a page whose form is a document, and its transitions. The page shows only what is in the state. */
export abstract class Desk<S extends State, A extends Answered> {
  readonly root: HTMLElement;
  readonly form: FormModel;
  readonly habits = habitsHere();
  state!: S;
  /** The result of the current input. */
  now!: A;
  /** Whether the user edited this page and the edits must be saved. */
  isChanged = false;
  edits = 0;

  /** The state of a new document. */
  abstract readonly fresh: Omit<S, 'written' | 'isForeign'>;
  /** The input to go to after an undo. */
  abstract readonly firstInput: string;
  abstract draw(): void;
  /** Calculates the result of a text. */
  abstract answer(written: S['written']): A;
  abstract isBlank(written: S['written']): boolean;
  /** The text, with the remembered business if the text names none. */
  abstract withOwn(written: S['written']): S['written'];
  /** The details of the business in a text. */
  abstract ownIn(written: S['written']): OwnDetails;
  /** Saves the draft; false if the browser stores nothing. */
  abstract keep(): boolean;
  abstract forget(): void;
  /** The input as part of a link. */
  abstract query(): string;
  /** The result in a few words; '' if there is none. */
  abstract total(): string;

  constructor(root: HTMLElement, form: FormModel) {
    this.root = root;
    this.form = form;
  }

  /** Begins with a draft, which the page does not show yet. */
  begin({ written, ...draft }: DraftOf<S['written']> & Partial<S>): void {
    const shown = draft.isForeign ? written : this.withOwn(written);
    this.state = { ...this.fresh, ...draft, written: shown } as S;
    this.now = this.answer(shown);
  }

  /** Changes the state, calculates the result and renders the page. */
  set(change: Change<S>): void {
    this.state = { ...this.state, ...change };
    this.now = this.answer(this.state.written);
    this.draw();
  }

  /** Records an edit: the answer is calculated at once, and the draft is saved a moment later. */
  edit(change: Change<S>): void {
    this.set({ refused: [], ...change });
    this.isChanged = true;
    this.keepSoon();
    this.edits += 1;
    // The total must not interrupt the message that was just announced.
    if (change.status === undefined) this.speakTotal(this.edits);
  }

  readonly keepSoon = debounced(250, () => this.keepNow());

  /** Announces the total once typing has paused, unless something happened after that edit. */
  readonly speakTotal = debounced(1_000, (edit: number) => {
    const status = this.total();
    if (edit === this.edits && status !== '' && status !== this.state.status) this.set({ status });
  });

  /** Records an edit of a field; false if the value has not changed. */
  write(name: string, value: string, change: Partial<S> = {}): boolean {
    const { written, isForeign } = this.state;
    const { fields, letterhead } = written;
    const onPaper = paperName(name);
    // Firefox fills a form in again when it is reloaded, which is not an edit.
    if (value === ((onPaper === null ? fields[name] : letterhead[onPaper]) ?? '')) return false;
    this.edit({
      ...change,
      written:
        onPaper === null
          ? { ...written, fields: { ...fields, [name]: value } }
          : { ...written, letterhead: { ...letterhead, [onPaper]: value } },
    });
    const own = OWN_INPUTS[name];
    const isFaulty = own === 'pay_link' && paymentFaults(value).length > 0;
    // Details from someone else's link belong to that person.
    if (own !== undefined && !isFaulty && !isForeign && mayRemember()) remember({ [own]: value.trim() });
    return true;
  }

  /** Starts to remember the business of the form, or forgets it. */
  rememberBusiness(isWanted: boolean): void {
    remember(isWanted ? { ...this.ownIn(this.state.written), currency: this.now.currency } : null);
    this.set(isWanted ? { isForeign: false } : {});
  }

  /** Saves the input on the device. If the browser stores nothing, the address holds it. */
  keepNow(): void {
    if (this.isBlank(this.state.written)) this.forget();
    // The owner may have chosen to keep nothing, not even in the address.
    else if (isKeeping() && !this.keep()) writeAddress(`#${this.query()}`);
  }

  /** Replaces the document with another; `says` offers to undo that. */
  replace(draft: DraftOf<S['written']> & Partial<S>, says: string | null): void {
    const canUndo = says !== null && !this.isBlank(this.state.written);
    const undoing = canUndo ? this.undoing(says) : null;
    this.set({ ...this.fresh, ...draft, written: this.withOwn(draft.written), undoing } as Partial<S>);
    this.keepNow();
    if (undoing === null) return;
    setTimeout(() => {
      if (this.state.undoing === undoing) this.set({ undoing: null });
    }, UNDO_MS);
  }

  /** Offers to go back to the current state. */
  undoing(says: string): NonNullable<Said['undoing']> {
    const before = this.state;
    const undo = (): void => {
      this.replace({ ...before, ...NOTHING_SAID }, null);
      goTo(this.firstInput);
    };
    return { says, undo };
  }

  /** Every fault of the form, found here or by the server. */
  faults(): readonly Fault[] {
    const { refused } = this.state;
    const isSaid = ({ pointer }: Fault): boolean => refused.some((fault) => fault.pointer === pointer);
    return [...this.now.faults.filter((fault) => !isSaid(fault)), ...refused];
  }

  shown(): readonly Fault[] {
    return this.faults().filter(({ pointer }) => this.state.shown.has(pointer));
  }

  private inputOf(fault: Fault): string | null {
    return faultTarget(fault, withPaper(this.form));
  }

  /** Shows every fault and moves to the first one. */
  ask(): void {
    const faults = this.faults();
    this.set({ isAsked: true, shown: pointersOf(faults) });
    const [first] = faults;
    if (first !== undefined) goTo(this.inputOf(first));
  }

  /** Shows the faults of nonempty fields that lost focus; all faults once the user asked for them. */
  showFaults(): void {
    const { isAsked, shown, written } = this.state;
    const isShown = (fault: Fault): boolean => {
      if (isAsked || shown.has(fault.pointer)) return true;
      const [, name = '', place, part = ''] = fault.pointer.split('/');
      const { lines = [], fields, letterhead } = written;
      const own = paperName(name);
      const value =
        own !== null ? letterhead[own] : name === LIST ? lines[Number(place)]?.values[part] : fields[name];
      return (value ?? '').trim() !== '' && !hasFocus(this.inputOf(fault));
    };
    this.set({ shown: pointersOf(this.faults().filter(isShown)) });
  }

  /** Copies a text and confirms it for a moment; false if the browser forbids it. */
  async copy(what: NonNullable<Said['copied']>, text: string): Promise<boolean> {
    const isCopied = await copyText(text);
    this.sayCopied(what, isCopied);
    return isCopied;
  }

  /** Opens a phone's share menu for a link; elsewhere, copies it. Returns false if neither was done. */
  async share(
    what: NonNullable<Said['copied']>,
    shared: { readonly title?: string; readonly url: string },
  ): Promise<boolean> {
    if (!isSharing()) return this.copy(what, shared.url);
    // The promise is rejected if the user closes the share menu.
    return navigator.share(shared).then(
      () => true,
      () => false,
    );
  }

  sayCopied(what: NonNullable<Said['copied']>, isCopied: boolean): void {
    this.set({ copied: isCopied ? what : null, status: copiedWords(isCopied) });
    this.endCopied();
  }

  readonly endCopied = debounced(COPIED_MS, () => this.set({ copied: null }));

  /** Listens to the page. `fillIn` takes the example as a query, and `submit` reacts to Enter. */
  listen({
    open,
    submit,
    fillIn,
  }: Record<'open' | 'submit', () => unknown> & { fillIn(query: string): void }) {
    addEventListener('hashchange', open);
    keepAddress();
    followChips(this.root);
    followForm(this.root, { ask: submit, showFaults: () => this.showFaults() });
    offerExample(fillIn);
    addEventListener('pagehide', () => this.isChanged && this.keepNow());
  }
}

const pointersOf = (faults: readonly Fault[]) => new Set(faults.map(({ pointer }) => pointer));

/** The user's number format, and the default currency. */
export type Habits = { readonly grouping: Grouping; readonly proposed: string };

function habitsHere(): Habits {
  const region = orNull(() => regionOf(navigator.languages));
  const proposed = remembered()?.currency || (region && currencyOfRegion(region)) || 'USD';
  return { grouping: groupingOf(navigator.language), proposed };
}

/** A document as part of a link; with a day, the link of a quote opens the client's view. */
export const linkQuery = (
  values: FormValues,
  letterhead: Letterhead,
  issuedOn: string | null = null,
): string => [valuesQuery(values), paperQuery({ letterhead, issuedOn })].filter(Boolean).join('&');

/* Drafts on this device */

/** The stored value of a key; null if there is none or if it cannot be read. */
export const storedAs = <Value>(key: string): Value | null =>
  orNull(() => JSON.parse(localStorage.getItem(key) ?? '') as Value);

/** Stores a value; false if the browser stores nothing. */
export const store = (key: string, value: unknown): boolean =>
  orNull(() => localStorage.setItem(key, JSON.stringify(value))) !== null;

export const forget = (key: string): unknown => orNull(() => localStorage.removeItem(key));

/* Answers of free operations, calculated in the browser with the same code as the API */

export type Day = ReturnType<typeof utcDay>;
export const today = (): Day => utcDay(Date.now());
export const todayText = (): string => dayText(today());

type FreeOperation = Parameters<typeof validate>[0] & {
  run(input: never, context: { readonly today: Day }): { readonly kind: string };
};

/** The answer to some values, or their faults; `change` changes the valid input. */
export function run<Body>(
  operation: FreeOperation,
  values: FormValues,
  { faults, day }: { readonly faults: readonly Fault[]; readonly day: Day },
  change: (input: never) => never = (input) => input,
): { readonly body: Body | null; readonly faults: readonly Fault[] } {
  const validated = validate(operation, { values: rawValues(values), faults }, { today: day });
  if (!validated.ok) return { body: null, faults: validated.faults };
  const answer = operation.run(change(validated.input as never), { today: day }) as
    | { readonly kind: 'answer'; readonly body: Body }
    | { readonly kind: 'invalid'; readonly faults: readonly Fault[] }
    | { readonly kind: 'not_found' };
  if (answer.kind === 'answer') return { body: answer.body, faults: [] };
  return { body: null, faults: answer.kind === 'invalid' ? answer.faults : [] };
}
