import { createServer } from 'node:http';
import type { AppParts } from '../../src/app.ts';
import type { Order } from '../../src/payments/settlement.ts';
import { type Ending, type TestApp, testApp } from '../support/app.ts';
import { opened, stopped } from '../support/listening.ts';

export type Served = { readonly url: string; readonly app: TestApp; stop(): Promise<void> };

/** The app on a port of this machine; by default, its documents name that port. */
export async function served(
  parts: Partial<AppParts> & { end?: (order: Order) => Ending } = {},
): Promise<Served> {
  let app: TestApp | undefined;
  const server = createServer((request, response) => (app as TestApp).listener(request, response));
  const url = await opened(server);
  app = testApp({ baseUrl: url, ...parts });
  return { url, app, stop: () => stopped(server) };
}
