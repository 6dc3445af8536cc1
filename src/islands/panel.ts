/** The place below the form where a payment is confirmed and followed. */
export type Panel = {
  /** Shows a heading and what follows it, and takes the reader there. */
  show(heading: string, content: readonly (Node | string)[]): void;
  /** Replaces what is said below; read out by screen readers. */
  say(text: string): void;
  hide(): void;
};

export function panelIn(section: HTMLElement): Panel {
  const status = document.createElement('div');
  status.setAttribute('role', 'status');
  return {
    show(heading, content) {
      const title = document.createElement('h2');
      title.tabIndex = -1;
      title.textContent = heading;
      status.replaceChildren();
      section.replaceChildren(title, ...content.map(asBlock), status);
      section.hidden = false;
      title.focus();
      // All of it, as far as there is room: what is to be pressed stands at its end.
      section.scrollIntoView({ block: 'nearest' });
    },
    say(text) {
      status.textContent = text;
    },
    hide() {
      section.hidden = true;
      section.replaceChildren();
    },
  };
}

const asBlock = (content: Node | string): Node =>
  typeof content === 'string' ? paragraph(content) : content;

/** A paragraph; texts in it stay text. */
export function paragraph(...content: readonly (Node | string)[]): HTMLElement {
  const made = document.createElement('p');
  made.append(...content);
  return made;
}

/** Text that is read letter by letter, such as an address. */
export function code(text: string): HTMLElement {
  const made = document.createElement('code');
  made.textContent = text;
  return made;
}

/** A link to somebody else's page, in a tab of its own so that this one stays. */
export function elsewhere(text: string, href: string): HTMLElement {
  const link = document.createElement('a');
  Object.assign(link, { href, textContent: text, target: '_blank', rel: 'noopener noreferrer nofollow' });
  return link;
}

/** Buttons in a row. */
export function buttons(...made: readonly HTMLElement[]): HTMLElement {
  const row = paragraph(...made);
  row.className = 'buttons';
  return row;
}

export function button(label: string, press: () => unknown): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = label;
  made.addEventListener('click', () => void press());
  return made;
}

/** A button for what cannot be undone: it asks before it does it. */
export function askedFirst(label: string, question: string, yes: string, act: () => unknown): HTMLElement {
  const place = document.createElement('div');
  const first = button(label, () => {
    const asked = paragraph(question);
    asked.tabIndex = -1;
    const no = button('No, keep it', () => {
      place.replaceChildren(buttons(first));
      first.focus();
    });
    no.className = 'quiet';
    place.replaceChildren(asked, buttons(button(yes, act), no));
    asked.focus();
  });
  first.className = 'quiet';
  place.append(buttons(first));
  return place;
}
