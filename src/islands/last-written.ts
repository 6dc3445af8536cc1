import { jobHere } from './carry.ts';
import { quietButton } from './element.ts';
import { orNull } from './or-null.ts';
import { isKeeping } from './pay/storage.ts';

/* What stood in a calculator last of all in this tab, for who comes to it anew: its address had it, and is left. */

const KEY = `last.${location.pathname}`;
type Last = { readonly hash: string; readonly job: string | undefined };

/** Keeps the values in the address, with their job. */
export function keepLast(): void {
  const last: Last = { hash: location.hash, job: jobHere() };
  if (isKeeping()) orNull(() => sessionStorage.setItem(KEY, JSON.stringify(last)));
}

/** Offers what stood in a form that is empty now, until something is written; `open` opens the address. */
export function offerLast(form: HTMLFormElement, open: () => void): void {
  const last: Last | null = orNull(() => JSON.parse(sessionStorage.getItem(KEY) ?? ''));
  if (last === null) return;
  const offer = quietButton('Open what you wrote here before', () => {
    history.pushState({ job: last.job }, '', last.hash);
    offer.remove();
    open();
    form.querySelector<HTMLElement>('[name]')?.focus();
  });
  document.querySelector('[data-example]')?.after(' ', offer);
  form.addEventListener('input', () => offer.remove(), { once: true });
}
