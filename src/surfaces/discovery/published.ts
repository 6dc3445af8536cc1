/** A page for people. `changedOn` is the day its content last changed, YYYY-MM-DD; null if unknown. */
export type Listed = { readonly path: string; readonly changedOn: string | null };

/** A page with its Markdown version, which is made at its first request. */
export type Published = Listed & {
  readonly twin: {
    readonly path: string;
    readonly page: () => { readonly title: string; readonly description: string };
    readonly markdown: () => string;
  };
};

/** The pages for people, as the documents for programs list and quote them. */
export type PublishedPages = {
  /** The pages that documents name, in reading order. */
  readonly main: readonly Published[];
  /** The categories and listings of the directory. There are too many to name one by one. */
  readonly directory: readonly Listed[];
};
