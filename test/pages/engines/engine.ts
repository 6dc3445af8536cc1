/** A tab of a browser, as much of it as a short form of the page suites takes. */
export type Tab = {
  goTo(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Runs the body of an async function in the page; what it returns comes back as JSON. */
  run(body: string): Promise<unknown>;
  /** The page on paper. */
  pdf(): Promise<Buffer>;
  close(): Promise<void>;
};

/** A browser; its tabs share what it keeps, and there is always one more than what is asked for. */
export type Engine = { open(): Promise<Tab>; stop(): Promise<void> };

const POLL_MS = 50;

/** Asks until the answer is true; tells what was waited for when it never is. */
export async function until(what: string, isSo: () => Promise<unknown>, patienceMs = 20_000): Promise<void> {
  const endMs = Date.now() + patienceMs;
  while (!(await isSo())) {
    if (Date.now() > endMs) throw new Error(`Waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The result of a program in a page that was run as JSON. */
export const parsed = (text: unknown): unknown =>
  typeof text === 'string' && text !== '' ? JSON.parse(text) : undefined;

/** The expression of a promise for the JSON of what a function body returns. */
export const asJson = (body: string): string =>
  `(async () => JSON.stringify((await (async () => {${body}})()) ?? null))()`;
