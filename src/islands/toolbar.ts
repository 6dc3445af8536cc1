import { quietButton } from './element.ts';

/** A button that copies a text and says so. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const copy = quietButton(label, async () => {
    try {
      await navigator.clipboard.writeText(text());
      copy.textContent = 'Copied';
    } catch {
      copy.textContent = 'Your browser does not allow copying';
    }
    setTimeout(() => {
      copy.textContent = label;
    }, 2_000);
  });
  return copy;
}
