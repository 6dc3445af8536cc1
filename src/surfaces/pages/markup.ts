/**
 * A JSX runtime that renders to text at once, for pages and for their scripts: `#markup/jsx-runtime` in tsconfig.json.
 * Text and values of attributes are escaped; `null`, `undefined` and booleans are no children; an attribute that is
 * `true` has an empty value, one that is `false`, `null` or `undefined` is left out.
 */

/** Markup that is written as it stands. */
class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/** What an element or a component may hold. */
export type Child = Markup | string | number | boolean | null | undefined | readonly Child[];
type Attributes = Readonly<Record<string, unknown>>;
type Component = (props: never) => Child;

/** The types of elements in .tsx files, under the name where the compiler looks for them. */
export declare namespace JSX {
  type Element = Markup;
  type ElementType = string | Component;
  interface ElementChildrenAttribute {
    children: Child;
  }
  interface IntrinsicElements {
    [tag: string]: Attributes & { readonly children?: Child };
  }
}

const SPECIAL = /[&"'<>]/;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
};
// Most texts have nothing to escape, and a test is cheaper than a replacement that replaces nothing.
const escaped = (text: string): string =>
  SPECIAL.test(text) ? text.replace(/[&"'<>]/g, (character) => ESCAPES[character] ?? '') : text;

function textOf(child: unknown): string {
  if (typeof child === 'string') return escaped(child);
  if (child instanceof Markup) return child.text;
  if (child === null || child === undefined || typeof child === 'boolean') return '';
  if (!Array.isArray(child)) return escaped(String(child));
  let text = '';
  for (const each of child) text += textOf(each);
  return text;
}

function attributesOf(attributes: Attributes): string {
  let text = '';
  for (const name of Object.keys(attributes)) {
    const value = attributes[name];
    if (name === 'children' || value === null || value === undefined || value === false) continue;
    text += ` ${name}="${value === true ? '' : escaped(String(value))}"`;
  }
  return text;
}

// Of the elements without an end tag (HTML, 13.1.2) those that pages have.
const EMPTY = new Set(['br', 'hr', 'img', 'input', 'link', 'meta']);

/** An element by its tag, or what a component makes of its props. */
export function jsx(tag: string | ((props: Attributes) => unknown), props: Attributes): Markup {
  if (typeof tag === 'function') {
    const made = tag(props);
    return made instanceof Markup ? made : new Markup(textOf(made));
  }
  const opened = `<${tag}${attributesOf(props)}`;
  return new Markup(EMPTY.has(tag) ? `${opened}/>` : `${opened}>${textOf(props.children)}</${tag}>`);
}

/** @alias */
export const jsxs = jsx;

export const Fragment = ({ children }: Attributes): Markup => new Markup(textOf(children));

/** Takes text for markup: only for what was rendered here, or can hold nothing to escape. */
export const raw = (markup: string): Markup => new Markup(markup);
