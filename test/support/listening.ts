import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestApp } from './app.ts';

export type Listening = { url: string; stop(): Promise<void> };

/** An app on a port of 127.0.0.1, to be called over the network. */
export const listening = async ({ listener }: TestApp): Promise<Listening> => {
  const server = createServer(listener);
  return { url: await opened(server), stop: () => stopped(server) };
};

/**
 * Opens a server on a free port of 127.0.0.1 and returns its address. Idle connections stay open: Node would close them
 * after five seconds, perhaps while a client sends its next request.
 */
export async function opened(server: Server): Promise<string> {
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Closes a server and any connections that it still has. */
export const stopped = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

// These are below the ports that systems assign to outgoing connections, which could take the port before a test does.
const LOWEST_PORT = 10_000;
const PORTS = 20_000;
let next = Math.floor(Math.random() * PORTS);

/** A port without a listener at the moment, which this function returned to no other caller. */
export async function freePort(): Promise<number> {
  next = (next + 1) % PORTS;
  const port = LOWEST_PORT + next;
  const probe = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return freePort();
  await stopped(probe);
  return port;
}
