/*
 * A JSX runtime that renders to text, for the scripts of pages: the build uses it instead of the one that the service
 * renders with, which also supports streams, contexts and promises. `test/pages/reckonings.test.ts` compares both.
 */

type Attributes = Readonly<Record<string, unknown>>;
type Component = (props: Attributes) => unknown;

class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
};
const escaped = (text: string): string => text.replace(/[&"'<>]/g, (character) => ESCAPES[character] ?? '');

function textOf(child: unknown): string {
  if (child === null || child === undefined || typeof child === 'boolean') return '';
  if (child instanceof Markup) return child.text;
  return Array.isArray(child) ? child.map(textOf).join('') : escaped(String(child));
}

function attribute([name, value]: readonly [string, unknown]): string {
  if (value === null || value === undefined || value === false) return '';
  return ` ${name}="${value === true ? '' : escaped(String(value))}"`;
}

const EMPTY = /^(?:br|hr|img|input)$/;

export function jsx(tag: string | Component, { children, ...attributes }: Attributes): Markup {
  if (typeof tag === 'function') return new Markup(textOf(tag({ children, ...attributes })));
  const opened = `<${tag}${Object.entries(attributes).map(attribute).join('')}`;
  return new Markup(EMPTY.test(tag) ? `${opened}/>` : `${opened}>${textOf(children)}</${tag}>`);
}

/** @alias */
export const jsxs = jsx;

export const Fragment = ({ children }: Attributes): Markup => new Markup(textOf(children));
