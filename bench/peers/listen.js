import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';

/** Serves a Hono app on a free port, with the same Node server as our service, and says where. */
export function listen(app) {
  const server = createServer(getRequestListener(app.fetch));
  server.listen(0, '127.0.0.1', () => {
    const origin = `http://127.0.0.1:${server.address().port}`;
    process.stdout.write(`${JSON.stringify({ event: 'listening', origin })}\n`);
  });
}
