import { button, buttons, elementOf, paragraph, quietButton } from './element.ts';

export type Panel = ReturnType<typeof panelIn>;

/** The place below the form where a payment is confirmed and followed. */
export function panelIn(section: HTMLElement) {
  const status = elementOf('div');
  status.setAttribute('role', 'status');
  return {
    /** Shows a heading and what follows it, and moves the focus there. */
    show(heading: string, content: readonly (Node | string)[]): void {
      const title = elementOf('h2', '', heading);
      title.tabIndex = -1;
      status.replaceChildren();
      section.replaceChildren(title, ...content.map(asBlock), status);
      section.hidden = false;
      title.focus();
      // As much of it as fits: the button is at its end.
      section.scrollIntoView({ block: 'nearest' });
    },
    /** Replaces what is said below; read out by screen readers. */
    say(text: string): void {
      status.textContent = text;
    },
    hide(): void {
      section.hidden = true;
      section.replaceChildren();
    },
  };
}

const asBlock = (content: Node | string): Node =>
  typeof content === 'string' ? paragraph(content) : content;

/** A button for what cannot be undone: it asks for confirmation first. */
export function confirmButton(label: string, question: string, yes: string, act: () => unknown): HTMLElement {
  const place = elementOf('div');
  const first = quietButton(label, () => {
    const asked = paragraph(question);
    asked.tabIndex = -1;
    const no = quietButton('No, keep it', () => {
      place.replaceChildren(buttons(first));
      first.focus();
    });
    place.replaceChildren(asked, buttons(button(yes, act), no));
    asked.focus();
  });
  place.append(buttons(first));
  return place;
}
