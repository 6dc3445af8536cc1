import { orNull } from './or-null.ts';
import { isKeeping } from './pay/storage.ts';
import { inputsOf } from './rows.ts';

/** Pages whose forms ask for the same things, by the same names. */
const FAMILIES: readonly (readonly string[])[] = [
  ['/', '/late-invoice'],
  ['/quote', '/quote-pack'],
];
const FAMILY = FAMILIES.find((paths) => paths.includes(location.pathname)) ?? [];

/*
 * What is written for one client is one job, on whichever page of a family; what is begun anew is another one. Each entry
 * of the history knows its job, and a link takes it along.
 */

/** Where the values of a link were written, in this tab. */
type Place = {
  readonly hash: string;
  readonly job: string;
  /** What the page has a say on: its fields, and the letterhead where it has a document. */
  readonly names: readonly string[];
};

/** How names of the letterhead begin in a link, and what it is called among the names of a place. */
export const PAPER = 'paper.';

/** The one draft of a quote on this device. */
export const QUOTE_DRAFT = 'draft.quote';

const PLACES = `places.${FAMILY[0]}`;
const MAX_PLACES = 9;

const places = (): readonly Place[] => orNull(() => JSON.parse(sessionStorage.getItem(PLACES) ?? '')) ?? [];

/** The place that the values in the address came from; undefined where nothing came, or from elsewhere. */
export const placeHere = (): Place | undefined =>
  places().find(({ hash }) => hash !== '' && hash === location.hash);

/** What comes along again is another job; calculators that it may come from no longer offer what stood there. */
export function forgetPlaces(): void {
  if (FAMILY.includes('/quote')) orNull(() => localStorage.removeItem(QUOTE_DRAFT));
  for (const key of [PLACES, ...FAMILY.map((path) => `last.${path}`)])
    orNull(() => sessionStorage.removeItem(key));
}

/** The job of this entry of the history; undefined where it is new. */
export const jobHere = (): string | undefined => (history.state as { readonly job?: string } | null)?.job;

/** Makes this entry part of a job, by default of a new one; '' is never gone on with. */
export const takeUp = (job = String(Math.random())): void => history.replaceState({ job }, '');

const laterKey = (job: string): string => `later.${job}`;

/** Says that what a calculator had of a job is of a later one now. */
export const replace = (job: string, later: string): unknown =>
  orNull(() => sessionStorage.setItem(laterKey(job), later));

/** The job that a calculator's entry goes on with. */
export const laterJob = (job: string | undefined): string | undefined =>
  orNull(() => sessionStorage.getItem(laterKey(job ?? ''))) ?? job;

/** Changes the address of this entry, which stays part of its job. */
export const writeAddress = (address: string): void => history.replaceState(history.state, '', address);

/** Links from one page of a family to another carry the form's values behind the #, which browsers do not send. */
export function carryAlong(form: HTMLFormElement, values: () => string, hasPaper = false): void {
  const addValues = ({ target }: Event): void => {
    const link = (target as Element).closest?.('a');
    if (!link || link.origin !== location.origin || link.search !== '') return;
    // The home page is where another job begins.
    if (['/', location.pathname].includes(link.pathname) || !FAMILY.includes(link.pathname)) return;
    link.hash = values();
    const [{ hash }, job] = [link, jobHere()];
    if (!job || !isKeeping()) return;
    const names = [...new Set(inputsOf(form).map(({ name }) => name)), ...(hasPaper ? [PAPER] : [])];
    const others = places().filter((one) => one.hash !== hash);
    const all: readonly Place[] = [{ hash, job, names }, ...others].slice(0, MAX_PLACES);
    orNull(() => sessionStorage.setItem(PLACES, JSON.stringify(all)));
  };
  // Before a link is followed in any way: by a tap, by a key or in another tab.
  for (const event of ['pointerdown', 'focusin', 'click']) addEventListener(event, addValues, true);
}
