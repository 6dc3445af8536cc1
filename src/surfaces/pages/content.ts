import type { OgPicture } from './og-pictures.ts';

/** A piece of running text. */
export type Span = string | { readonly code: string } | { readonly link: string; readonly href: string };
export type Text = string | readonly Span[];

/** A part of a page, said once and shown as HTML and as Markdown. */
export type Block =
  | { readonly heading: string; readonly id?: string }
  | { readonly subheading: string; readonly id?: string }
  | { readonly text: Text }
  | { readonly list: readonly Text[] }
  | { readonly steps: readonly Text[] }
  | { readonly code: string; readonly language: 'sh' | 'json' | 'text' | 'ts' | 'js' | 'python' | 'go' }
  /** Figures of a result; the main one is `strong`. */
  | { readonly figures: readonly Figure[] }
  /** Somebody else's words, where they stand and when they were read. */
  | { readonly quotation: string; readonly language: string; readonly source: Text }
  /** A text to take away as it is, such as a letter. */
  | { readonly letter: string; readonly label: string }
  | { readonly note: Text }
  /** Something to look at, which `description` says in words. */
  | { readonly picture: Picture }
  | { readonly table: TableOfRows };

export type Figure = { readonly label: string; readonly value: string; readonly strong?: boolean };

export type TableOfRows = {
  /** A head of empty words is none: what each row says of itself is enough. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly Text[])[];
  /** The last cell of each row is long: on a phone it stands below the others. */
  readonly isLastLong?: boolean;
  /** The columns are things to compare: on a phone the cells of a row stand below each other, named by their column. */
  readonly isCompared?: boolean;
};

/** A drawing of few shapes; their classes give them colours that fit light and dark. */
export type Picture = {
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
};
export type Point = readonly [x: number, y: number];
export type Shape = { readonly class: string } & (
  | { readonly path: string }
  | { readonly circle: readonly [x: number, y: number, radius: number] }
  | { readonly box: readonly [x: number, y: number, width: number, height: number] }
  | { readonly text: string; readonly at: Point; readonly anchor?: 'middle' | 'end' }
);

/** A page for people with its Markdown twin. */
export type Page = {
  readonly path: string;
  readonly title: string;
  /** One sentence, for search results and link previews. */
  readonly description: string;
  readonly blocks: readonly Block[];
  /** What stands in the tab and in search results; the title and our name when left out. */
  readonly documentTitle?: string;
  /** What stands for the page where it is linked. */
  readonly picture?: OgPicture;
  /** schema.org data. */
  readonly data?: object;
};

/** A page that is made when it is needed. */
export type PageSource = { readonly path: string; readonly page: () => Page };

export const spans = (text: Text): readonly Span[] => (typeof text === 'string' ? [text] : text);

/** The address of a page's Markdown twin. */
export const markdownPath = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);
