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

/** A button beside the main one. */
export function quietButton(label: string, press: () => unknown): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'quiet';
  made.textContent = label;
  made.addEventListener('click', () => void press());
  return made;
}
