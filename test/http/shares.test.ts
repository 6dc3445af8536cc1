import { connect, type Socket } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { callers } from '../support/here.ts';
import { until } from '../support/until.ts';
import { ownService, send } from './service.ts';

// More than the maximum number of connections.
const CONNECTIONS = 1_100;
const SLOW_BODY =
  'POST /v1/quote-pack HTTP/1.1\r\nHost: calc.example\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{';

const service = ownService();
const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

it.skipIf(callers.areMissing)(
  callers.named('an address that holds every connection with slow bodies does not lock out another address'),
  async () => {
    let settled = 0;
    let [held, mostHeld] = [0, 0];
    for (let count = 0; count < CONNECTIONS; count += 1) {
      const socket = connect({ port: service().port, host: '127.0.0.1', localAddress: '127.0.0.2' });
      let isSettled = false;
      const settle = () => {
        settled += isSettled ? 0 : 1;
        isSettled = true;
      };
      socket.on('error', settle).on('close', settle).write(SLOW_BODY, settle);
      socket.once('connect', () => {
        held += 1;
        mostHeld = Math.max(mostHeld, held);
        socket.once('close', () => {
          held -= 1;
        });
      });
      sockets.push(socket);
    }
    await until(() => settled === CONNECTIONS, 'every connection was tried', 60_000);
    for (let count = 0; count < 20; count += 1)
      expect((await send(`${service().url}/healthz`)).status).toBe(200);
    // The service ends each slow request after ten seconds, which a busy machine may need to open all of them.
    expect(mostHeld).toBeGreaterThan(900);
  },
);
