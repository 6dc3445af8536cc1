import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { AppParts } from '../../src/app.ts';
import type { Order } from '../../src/payments/settlement.ts';
import { type Ending, type TestApp, testApp } from '../support/app.ts';

export type Served = { readonly url: string; readonly app: TestApp; stop(): Promise<void> };

/** The app on a port of this machine; its documents name that port unless told otherwise. */
export async function served(
  parts: Partial<AppParts> & { end?: (order: Order) => Ending } = {},
): Promise<Served> {
  let app: TestApp | undefined;
  const server = createServer(
    getRequestListener((request, env) => (app as TestApp).http.fetch(request, env as never)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  app = testApp({ baseUrl: url, ...parts });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, app, stop };
}

/** A port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
