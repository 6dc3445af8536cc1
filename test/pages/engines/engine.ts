import { until as untilTrue } from '../../support/until.ts';

/** A tab of a browser, with the few functions that the short form of the page suites needs. */
export type Tab = {
  goTo(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Runs the body of an async function in the page; the result is returned as JSON. */
  run(body: string): Promise<unknown>;
  /** The printed page. */
  pdf(): Promise<Buffer>;
  close(): Promise<void>;
};

/** A browser. Its tabs share their storage, and there is always one more tab than requested. */
export type Engine = { open(): Promise<Tab>; stop(): Promise<void> };

/** Waits until the check returns true; otherwise the error names `what`. */
export async function until(what: string, isSo: () => Promise<unknown>, patienceMs = 30_000): Promise<void> {
  await untilTrue(async () => Boolean(await isSo()), what, patienceMs);
}

/** The result of a program that ran in a page and returned JSON. */
export const parsed = (text: unknown): unknown =>
  typeof text === 'string' && text !== '' ? JSON.parse(text) : undefined;

/** JavaScript that runs a function body in the page and resolves to its result as JSON. */
export const asJson = (body: string): string =>
  `(async () => JSON.stringify((await (async () => {${body}})()) ?? null))()`;
