import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';

/** Serves a Hono app with the same Node server as our service. */
export const listen = (app) => say(createServer(getRequestListener(app.fetch)));

/** Listens on a free port and reports it. @param {import('node:http').Server} server */
export function say(server) {
  server.listen(0, '127.0.0.1', () => {
    const origin = `http://127.0.0.1:${server.address().port}`;
    process.stdout.write(`${JSON.stringify({ event: 'listening', origin })}\n`);
  });
}
