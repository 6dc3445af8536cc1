import { withoutPaper } from '../surfaces/pages/documents/letterhead.ts';
import type { FormModel } from '../surfaces/pages/form-fields.ts';
import { unmistakable } from '../surfaces/pages/written-number.ts';

/* Shared behavior of all pages with a form: when they react, where links lead, and how they copy and print. */

let isPressed = false;
for (const event of ['pointerdown', 'pointerup', 'pointercancel'])
  addEventListener(
    event,
    () => {
      isPressed = event === 'pointerdown';
    },
    true,
  );

/** Calls `act` after a pause in calls (debouncing). */
export function debounced<Args extends readonly unknown[]>(ms: number, act: (...args: Args) => void) {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  return (...args: Args): void => {
    clearTimeout(waiting);
    waiting = setTimeout(() => act(...args), ms);
  };
}

/**
 * Waits until nothing is being pressed, because text that appears then would move a button from under the finger. On
 * touch, the finger is lifted before a field loses focus, and the click follows in the same task.
 */
function afterPress(act: () => void): void {
  if (isPressed) addEventListener('pointerup', () => setTimeout(act), { once: true });
  else setTimeout(act);
}

/**
 * Follows links within the page without changing the address, which holds the input. If the address changed, a reload
 * after the skip link, or after a link to a faulty field, would lose the input.
 */
export function keepAddress(): void {
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.<HTMLAnchorElement>('a[href^="#"]');
    const place = link && document.getElementById(link.hash.slice(1));
    if (!place || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // A field of a fault keeps its label in view.
    if (place.matches('input, select, textarea')) return goTo(place.id);
    place.closest('details')?.setAttribute('open', '');
    place.scrollIntoView();
    if (place.tabIndex < 0) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  });
}

/** Replaces the address of the current history entry. */
export const writeAddress = (address: string): void => history.replaceState(history.state, '', address);

/** Moves to an input and unfolds it if necessary. */
export function goTo(id: string | null): void {
  const input = id === null ? null : document.getElementById(id);
  input?.closest('details')?.setAttribute('open', '');
  input?.focus();
}

/** Moves to the beginning of a part of the page. */
export function goToTitle(title: HTMLElement | null): void {
  title?.focus({ preventScroll: true });
  title?.scrollIntoView({ block: 'start' });
}

/** Whether the user is typing in an input. It is then too early to judge its value. */
export const hasFocus = (id: string | null): boolean => id !== null && document.activeElement?.id === id;

type FormActs = {
  /** Shows every fault, if there are any. */
  readonly ask: () => void;
  /** Shows the faults of fields that lost focus. */
  readonly showFaults: () => void;
};

/** Listens to a form that is calculated in its page: submits, and fields that lose focus. */
export function followForm(root: HTMLElement, { ask, showFaults }: FormActs): void {
  const form = root.querySelector('form');
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    ask();
  });
  form?.addEventListener('focusout', ({ target }) => {
    if ((target as Element).matches('input, select, textarea')) afterPress(showFaults);
  });
}

/** Moves the cursor into a chip that the user opens. */
export function followChips(root: HTMLElement): void {
  const opened = ({ target }: Event): void => {
    const chip = target as HTMLDetailsElement;
    if (!chip.matches('.chip[open]') || !chip.querySelector('summary')?.matches(':focus')) return;
    chip.querySelector<HTMLElement>('.chip-fields :is(input, select, textarea)')?.focus();
  };
  // The `toggle` event does not bubble, so the listener captures it.
  root.addEventListener('toggle', opened, true);
}

/** Fills in the example of the page on request; `fill` takes its values as a query. */
export function offerExample(fill: (query: string) => void): void {
  const example = document.querySelector<HTMLAnchorElement>('[data-example]');
  example?.addEventListener('click', (event) => {
    event.preventDefault();
    fill(example.search.slice(1));
  });
}

/** The pairs of a link as form text. Numbers in links are unambiguous. */
export function pairsIn({ fields, lists }: FormModel, query: string): readonly (readonly [string, string])[] {
  const all = [...fields, ...lists.flatMap((list) => list.fields)];
  const numbers = new Set(all.flatMap(({ name, number }) => (number === null ? [] : [name])));
  return [...withoutPaper(query)].map(([name, value]) => [
    name,
    numbers.has(name) ? unmistakable(value.replace(/\?$/, '')) : value,
  ]);
}

/** Copies a text; false if the browser forbids it. */
export const copyText = (text: string): Promise<boolean> =>
  navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );

/** Whether the device is a phone or a tablet that shares texts with its other programs. */
export const isSharing = (): boolean => 'share' in navigator && matchMedia('(pointer: coarse)').matches;

export const COPIED_MS = 2_000;
export const copiedWords = (isCopied: boolean): string =>
  isCopied ? 'Copied' : 'Your browser does not allow copying';

/** How long an action can be undone. */
export const UNDO_MS = 20_000;

let titleBefore: string | null = null;

/** Gives the page a title until it is printed; browsers use it as the file name. */
export function titleInPrint(title: string): void {
  if (titleBefore === null) {
    titleBefore = document.title;
    addEventListener(
      'afterprint',
      () => {
        document.title = titleBefore ?? '';
        titleBefore = null;
      },
      { once: true },
    );
  }
  document.title = title;
}

export function printAs(title: string): void {
  titleInPrint(title);
  window.print();
}
