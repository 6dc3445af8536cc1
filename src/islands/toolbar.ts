import { quietButton } from './element.ts';

/** A button that copies a text and says so. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  let timer = 0;
  const status = document.querySelector('#status');
  // Screen readers pass over what a button is called for a moment.
  const say = (words: string): void => {
    copy.textContent = words;
    status?.replaceChildren(words);
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      copy.textContent = label;
      // Something else may have been said since.
      if (status?.textContent === words) status.replaceChildren();
    }, 2_000);
  };
  const copy = quietButton(label, async () => {
    try {
      await navigator.clipboard.writeText(text());
      say('Copied');
    } catch {
      say('Your browser does not allow copying');
    }
  });
  return copy;
}
