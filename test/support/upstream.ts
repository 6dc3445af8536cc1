import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen } from '../../src/platform/http-server.ts';

export type Upstream = {
  /** Host and port. */
  readonly host: string;
  /** The methods of the requests that have reached it, except health checks. */
  readonly reached: readonly string[];
  stop(): void;
};

// This is more than the buffers of a connection and a proxy hold.
const LONG = 'x'.repeat(16_000_000);

/** A service behind a proxy: it is healthy, reads requests, and has a long answer at /long. */
export async function startUpstream(): Promise<Upstream> {
  const reached: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/healthz') return response.end('{"status":"ok"}');
    reached.push(request.method ?? '');
    request.resume().on('end', () => response.end(request.url?.startsWith('/long') ? LONG : 'read'));
    return undefined;
  });
  await listen(server, { port: 0, host: '127.0.0.1' });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    host: `127.0.0.1:${port}`,
    reached,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Begins a body that is never completed. */
export function sendSlowly(url: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const head = `POST /v1/quote-pack HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(`${head}Content-Length: 60000\r\n\r\n{"items":`, () => resolve(socket));
  });
}
