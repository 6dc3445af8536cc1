import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { TestApp } from './app.ts';

export type Listening = { url: string; stop(): Promise<void> };

/** An app on a port of 127.0.0.1, to be called as strangers do. */
export const listening = async ({ http }: TestApp): Promise<Listening> => {
  const server = createServer(getRequestListener(http.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
