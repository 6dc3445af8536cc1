import { render, type VNode } from 'preact';

type Content = readonly (Node | string)[];

/** An element of the document with its class and its content; texts in it stay text. */
export function elementOf<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  ...content: Content
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  element.append(...content);
  return element;
}

export const paragraph = (...content: Content): HTMLElement => elementOf('p', '', ...content);

/** Text that is read letter by letter, such as an address. */
export const code = (text: string): HTMLElement => elementOf('code', '', text);

/** A link to another site, in a tab of its own so that this page stays open. */
export function externalLink(href: string, ...content: Content): HTMLElement {
  const link = elementOf('a', '', ...content);
  return Object.assign(link, { href, target: '_blank', rel: 'noopener noreferrer nofollow' });
}

export function button(label: string, press: () => unknown, className = ''): HTMLButtonElement {
  const made = elementOf('button', className, label);
  made.type = 'button';
  made.addEventListener('click', () => void press());
  return made;
}

/** A button beside the main one. */
export const quietButton = (label: string, press: () => unknown): HTMLButtonElement =>
  button(label, press, 'quiet');

/** Buttons in a row. */
export const buttons = (...made: readonly HTMLElement[]): HTMLElement => elementOf('p', 'buttons', ...made);

/** A checkbox with its label and its hint, which the caller places. */
export function checkbox(id: string, text: string) {
  const box = elementOf('input');
  box.type = 'checkbox';
  box.id = id;
  const label = elementOf('label', '', text);
  label.htmlFor = id;
  const hint = elementOf('p', 'hint');
  hint.id = `${id}-hint`;
  box.setAttribute('aria-describedby', hint.id);
  return { box, label, hint };
}

/** The nodes of components that the server renders, too. */
export function nodesOf(components: VNode): readonly ChildNode[] {
  const place = elementOf('div');
  render(components, place);
  return [...place.childNodes];
}
