import { until as untilTrue } from '../../support/until.ts';

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

/** Waits until the answer is true; `what` was waited for in vain when it never is. */
export async function until(what: string, isSo: () => Promise<unknown>, patienceMs = 20_000): Promise<void> {
  await untilTrue(async () => Boolean(await isSo()), what, patienceMs);
}

/** The result of a program in a page that was run as JSON. */
export const parsed = (text: unknown): unknown =>
  typeof text === 'string' && text !== '' ? JSON.parse(text) : undefined;

/** The expression of a promise for the JSON of what a function body returns. */
export const asJson = (body: string): string =>
  `(async () => JSON.stringify((await (async () => {${body}})()) ?? null))()`;
