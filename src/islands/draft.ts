import { valuesQuery } from '../surfaces/pages/form-values.ts';
import { isMeantFor, isUntouched, writtenIn } from './form.ts';
import { isKeeping } from './storage.ts';
import { debounced } from './timing.ts';

/*
 * What is written in a form and not yet paid for: this tab keeps it over a reload or a look at another page, until it is
 * closed (sessionStorage). Not in the address, which stays in the history of the device.
 */

const DRAFT = `draft.${location.pathname}`;

/** `hash` is what came along when the page was opened: values that came along since are newer than the draft. */
type Draft = { readonly hash: string; readonly query: string };

/** What was written here before, as a query; empty where nothing was, or where nothing may be kept. */
export function draft(form: HTMLFormElement): string {
  const kept = attempt(() => JSON.parse(sessionStorage.getItem(DRAFT) ?? 'null') as Draft | null);
  return kept && ['', kept.hash].includes(carried(form)) ? kept.query : '';
}

/** The values that came along behind the #; what else may stand there is none of them. */
const carried = (form: HTMLFormElement): string =>
  isMeantFor(form, location.hash.slice(1)) ? location.hash : '';

export const forgetDraft = (): void => void attempt(() => sessionStorage.removeItem(DRAFT));

/** Keeps what is written from now on, unless the owner chose that nothing is kept. */
export function keepDraft(form: HTMLFormElement): void {
  const keep = debounced(250, () => {
    if (!isKeeping() || isUntouched(form)) forgetDraft();
    else {
      const written: Draft = { hash: carried(form), query: valuesQuery(writtenIn(form)) };
      attempt(() => sessionStorage.setItem(DRAFT, JSON.stringify(written)));
    }
  });
  form.addEventListener('input', keep);
}

/** null where the browser forbids storage or has no room. */
function attempt<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}
