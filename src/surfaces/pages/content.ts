import type { OgPicture } from './og-pictures.ts';

/** A piece of running text. */
export type Span = string | { readonly code: string } | { readonly link: string; readonly href: string };
export type Text = string | readonly Span[];

/** A part of a page, defined once and rendered as HTML and as Markdown. */
export type Block =
  | { readonly heading: Text; readonly id?: string }
  | { readonly subheading: Text; readonly id?: string }
  | { readonly text: Text }
  /** Text line by line, such as an address. */
  | { readonly lines: readonly string[] }
  | { readonly list: readonly Text[] }
  /** Things to check off. */
  | { readonly todo: readonly Text[] }
  | { readonly steps: readonly Text[] }
  | { readonly code: string; readonly language: 'sh' | 'json' | 'text' | 'ts' | 'js' | 'python' | 'go' }
  /** Figures of a result. The main one is `strong`. */
  | { readonly figures: readonly Figure[] }
  /** A third party's words, with their source and the day they were read. */
  | { readonly quotation: string; readonly language: string; readonly source: Text }
  /** A text to copy unchanged, such as a letter. */
  | { readonly letter: string; readonly label: string }
  | { readonly note: Text }
  | { readonly table: TableOfRows };

export type Figure = { readonly label: string; readonly value: string; readonly strong?: boolean };

export type TableOfRows = {
  /** A head with only empty texts is not shown: the rows explain themselves. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly Text[])[];
  /** The last cell of each row is long: on a phone it appears below the others. */
  readonly isLastLong?: boolean;
  /** The columns are compared: on a phone, the cells of a row are stacked and labeled with their column. */
  readonly isCompared?: boolean;
};

/** A page for people, with its Markdown version. */
export type Page = {
  readonly path: string;
  readonly title: string;
  /** One sentence, for search results and link previews. */
  readonly description: string;
  readonly blocks: readonly Block[];
  /** The title in the browser tab and in search results; by default, the title followed by our name. */
  readonly documentTitle?: string;
  /** The preview picture of links to the page. */
  readonly picture?: OgPicture;
  /** schema.org data. */
  readonly data?: object;
};

/** A page that is built on demand. */
export type PageSource = { readonly path: string; readonly page: () => Page };

export const spans = (text: Text): readonly Span[] => (typeof text === 'string' ? [text] : text);

/** The address of the Markdown version of a page. */
export const markdownPath = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);
