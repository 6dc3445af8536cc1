import { paperIn } from '../surfaces/pages/documents/letterhead.ts';
import { valuesQuery } from '../surfaces/pages/form-values.ts';
import { forgetPlaces, jobHere, PAPER, placeHere, replace, takeUp, writeAddress } from './carry.ts';
import { isMeantFor, isUntouched, writtenIn } from './form.ts';
import { orNull } from './or-null.ts';
import { isKeeping } from './pay/storage.ts';
import { isAnyPassing } from './pay/stored-purchases.ts';
import { debounced } from './timing.ts';

/*
 * What is written in a form and not yet paid for: this tab keeps it over a reload or a look at another page, until it is
 * paid for or the tab is closed (sessionStorage). Not in the address, which stays in the history of the device. What was
 * written for one client never joins what comes along for another.
 */

const DRAFTS = `drafts.${location.pathname}`;
const MAX_DRAFTS = 5;

/** Values and letterhead, as the part of a link. */
type Draft = {
  readonly job: string;
  readonly query: string;
  /** What came along, where what was written before has joined it. */
  readonly alone?: string | undefined;
};

/** What a form begins with, and the letterhead for its document. */
export type Opening = {
  /** Values and letterhead as the part of a link; empty where nothing was written. */
  readonly query: string;
  /** Whether it is exactly what was written in this form before. */
  readonly isDraft: boolean;
  /** What came along, where what was written before has joined it. */
  readonly alone?: string | undefined;
};

// The job of what the form shows, what came along for it where more has joined that, and what is to be kept in a moment.
let shown = '';
let alone: string | undefined;
let due: (() => void) | null = null;
// Until something is written again, the form shows what its job was ended with.
let isEnded = false;

/** Whether the form shows a job that is not ended, whose values may go along. */
export const isUnderWay = (): boolean => !isEnded && Boolean(jobHere());

/** What the form does not show: the letterhead that came along, as the part of a link. */
export type Desk = { paper: string };

/** What was written in this form before, and what came along from another page, which is newer. */
export function opening(form: HTMLFormElement): Opening {
  const came = carried(form);
  const here = jobHere();
  const place = placeHere();
  // Come back to, an entry has what was written for its job; opened anew without values, what was written last of all.
  const isBack = here !== undefined || came === '';
  const job = isBack ? here : place?.job;
  const kept = drafts().find((draft) => (isBack && here === undefined) || draft.job === job);
  takeUp(kept?.job ?? job);
  shown = jobHere() ?? '';
  if (isBack && kept) {
    alone = kept.alone;
    return { ...kept, isDraft: true };
  }
  const own = named(came);
  const query = kept && place ? joined(kept, own, place.names) : own;
  alone = query === own ? undefined : own;
  // At once: what was kept is older, however the page is come back to.
  if (place) keep(query);
  return { query, alone, isDraft: false };
}

/** Makes what came along another job; what was written for the one before stays that one's. */
export function beginAnew(): void {
  const before = shown;
  due?.();
  takeUp();
  begun();
  replace(before, shown);
}

/** What is written from now on is of the job of this entry. */
function begun(): void {
  due = null;
  alone = undefined;
  shown = jobHere() ?? '';
}

const drafts = (): readonly Draft[] => orNull(() => JSON.parse(sessionStorage.getItem(DRAFTS) ?? '')) ?? [];

/** Keeps the values of the job that is shown in the place of those before; empty, none of it. */
function keep(query: string): void {
  const job = shown;
  const others = drafts().filter((draft) => draft.job !== job);
  const all: readonly Draft[] = [...(query === '' ? [] : [{ job, query, alone }]), ...others].slice(
    0,
    MAX_DRAFTS,
  );
  orNull(() => sessionStorage.setItem(DRAFTS, JSON.stringify(all)));
}

/** What came along since, and what was written here alone: the page that it comes from has the say on its own fields. */
function joined({ query }: Draft, came: string, theirs: readonly string[]): string {
  const [pairs, kept] = [new URLSearchParams(came), new URLSearchParams(query)];
  const isPaper = (name: string): boolean => name.startsWith(PAPER);
  const isTheirs = (name: string): boolean =>
    theirs.includes(name) || pairs.has(name) || (isPaper(name) && theirs.includes(PAPER));
  const ours = [...kept].filter(([name]) => !isTheirs(name));
  const isOfLine = ([name]: readonly [string, string]): boolean => name.includes('.') && !isPaper(name);
  // What the form alone has of a line, such as its option, stays with this line.
  const before = linesIn(kept);
  const places = linesIn(pairs).map((line) => {
    const at = before.indexOf(line);
    if (at >= 0) before[at] = '';
    return at;
  });
  const ofLines = [...new Set(ours.filter(isOfLine).map(([name]) => name))].flatMap((name) => {
    const values = places.map((at) => kept.getAll(name)[at] ?? '');
    return values.some(Boolean) ? values.map((value) => [name, value]) : [];
  });
  const others = ours.filter((pair) => !isOfLine(pair));
  return String(new URLSearchParams([...pairs, ...others, ...ofLines]));
}

/** What tells the lines apart: their words, or their place and price. */
const linesIn = (pairs: URLSearchParams): string[] => {
  const prices = pairs.getAll('items.unit_price');
  return pairs.getAll('items.description').map((words, at) => words || `${at} ${prices[at]}`);
};

/** A business that is named on the document is also that of the form. */
function named(query: string): string {
  const pairs = new URLSearchParams(query);
  const { business } = paperIn(query).letterhead;
  if (business !== '' && !pairs.has('business_name')) pairs.set('business_name', business);
  return String(pairs);
}

/** The values that came along behind the #; what else may stand there is none of them. */
const carried = (form: HTMLFormElement): string => {
  const query = location.hash.slice(1);
  return isMeantFor(form, query) ? query : '';
};

/** Forgets what was written, also where it came along in the address. */
export function forgetDrafts(): void {
  orNull(() => sessionStorage.removeItem(DRAFTS));
  forgetPlaces();
  const form = document.querySelector<HTMLFormElement>('#form');
  if (form && carried(form) !== '') writeAddress(location.pathname);
}

/** Forgets what was written for a job that has ended; false where it is that of this form. */
export function forgetJob(job: string): boolean {
  if (job === shown) return false;
  orNull(() => sessionStorage.setItem(DRAFTS, JSON.stringify(drafts().filter((draft) => draft.job !== job))));
  return true;
}

/** Ends the job of this form; what is written on is of another, or of none where it is '' (an example). */
export function endJob(job?: string): void {
  keep('');
  writeAddress(location.pathname);
  takeUp(job);
  begun();
  isEnded = true;
}

/** Keeps what is written from now on, unless the owner chose that nothing is kept; opens what comes along meanwhile. */
export function keepDraft(form: HTMLFormElement, desk: Desk): void {
  const keepNow = (): void => {
    due?.();
    due = null;
  };
  const keepSoon = debounced(250, keepNow);
  form.addEventListener('input', () => {
    isEnded = false;
    due = () => {
      if (!isKeeping()) forgetDrafts();
      else
        keep(isUntouched(form) ? '' : [valuesQuery(writtenIn(form)), desk.paper].filter(Boolean).join('&'));
    };
    keepSoon();
  });
  addEventListener('pagehide', keepNow);
  // Another entry of the history that is this page, too. What this page alone has of a purchase would be gone.
  addEventListener('hashchange', () => {
    keepNow();
    const isOther = ![undefined, shown].includes(jobHere());
    if (isKeeping() && !isAnyPassing() && (isOther || carried(form) !== '')) location.reload();
  });
}
