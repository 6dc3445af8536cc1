import { buttons, elementOf, quietButton } from './element.ts';

const TEXT =
  'The document is not here yet: the connection was lost before it was loaded. It comes with the connection; where your browser does not ask for it again, “Try again” loads the page once more. All that you wrote stays.';
const IN_VAIN_MS = 2_000;
// A screen reader tells of what comes into a place that it knows already.
const KNOWN_MS = 100;

/** Whether the service answers, whatever the browser thinks of its connection: it may run on this machine. */
const isServiceThere = (): Promise<boolean> =>
  fetch(location.pathname, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Loads a script that was not needed before. */
export async function loadLater<Module>(load: () => Promise<Module>): Promise<Module> {
  // A script that is not asked for now can be asked for later in every browser.
  if (!navigator.onLine && !(await isServiceThere())) throw new Error('No connection');
  return load();
}

/** Says in the place of a document that its script did not come, and tries again when asked or with the connection. */
export function missingDocument(place: HTMLElement | null) {
  let show = async (): Promise<void> => {};
  let say = (_text: string): void => {};
  const isMissing = (): boolean => place?.querySelector('.missing') != null;
  addEventListener('online', () => {
    if (isMissing()) void show();
  });
  const press = async (button: HTMLElement): Promise<void> => {
    await show();
    if (place !== null && !isMissing()) {
      place.tabIndex = -1;
      place.focus();
      return;
    }
    // Firefox never asks again for a script that once failed, until the page is loaded again. The address has it all.
    if (await isServiceThere()) return location.reload();
    say(`Still no connection. ${TEXT}`);
    button.textContent = 'Still no connection';
    setTimeout(() => {
      button.textContent = 'Try again';
    }, IN_VAIN_MS);
  };
  /** `again` resolves once the document is shown, or is still missing. */
  return (again: () => Promise<void>): void => {
    show = again;
    if (isMissing()) return;
    const note = elementOf('p', 'note');
    note.role = 'status';
    say = (text) => {
      note.textContent = text;
    };
    setTimeout(say, KNOWN_MS, TEXT);
    const retry = quietButton('Try again', () => press(retry));
    place?.replaceChildren(elementOf('div', 'missing toolbar', note, buttons(retry)));
  };
}
