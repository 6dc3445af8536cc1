import { quietButton } from './element.ts';

/** A button that copies a text and says so. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  // Screen readers pass over what a button is called for a moment.
  const say = (words: string): void => {
    copy.textContent = words;
    document.querySelector('#status')?.replaceChildren(words);
  };
  const copy = quietButton(label, async () => {
    try {
      await navigator.clipboard.writeText(text());
      say('Copied');
    } catch {
      say('Your browser does not allow copying');
    }
    setTimeout(() => {
      copy.textContent = label;
      document.querySelector('#status')?.replaceChildren();
    }, 2_000);
  });
  return copy;
}
