import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { facilitatorHttp } from './http.ts';

const open: (Server | SocketServer)[] = [];

afterEach(async () => {
  await Promise.all(
    open.splice(0).map((server) => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    }),
  );
});

async function portOf(server: Server | SocketServer): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const serving = async (listener: RequestListener) => {
  const server = createServer(listener);
  return { server, url: `http://127.0.0.1:${await portOf(server)}` };
};

const unreached = { kind: 'unreached' };
const unclear = { kind: 'unclear' };

describe('calls to a facilitator', () => {
  it('send the body unchanged, with the headers of the call, and read the JSON of the answer', async () => {
    const seen: unknown[] = [];
    const { url } = await serving((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        seen.push([
          request.method,
          request.url,
          request.headers.authorization,
          Buffer.concat(chunks).toString(),
        ]);
        response.writeHead(200).end('{"success":true}');
      });
    });
    const http = facilitatorHttp({
      url: `${url}/base`,
      headers: async (method, path) => ({ authorization: `${method} ${path}` }),
    });
    expect(await http.post('/settle', '{"a":"é"}', 30_000)).toEqual({
      kind: 'answered',
      status: 200,
      body: { success: true },
    });
    expect(await http.get('/supported', 30_000)).toMatchObject({ kind: 'answered', status: 200 });
    expect(seen).toEqual([
      ['POST', '/base/settle', 'POST /base/settle', '{"a":"é"}'],
      ['GET', '/base/supported', 'GET /base/supported', ''],
    ]);
  });

  it('count as unreached if nobody listens, the host does not exist, or no token can be made', async () => {
    const { server, url } = await serving(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    open.length = 0;
    expect(await facilitatorHttp({ url }).post('/settle', '{}', 30_000)).toEqual(unreached);
    const nowhere = facilitatorHttp({ url: 'http://facilitator.invalid' });
    expect(await nowhere.post('/settle', '{}', 30_000)).toEqual(unreached);
    const tokenless = facilitatorHttp({ url, headers: () => Promise.reject(new Error('no key')) });
    expect(await tokenless.post('/settle', '{}', 30_000)).toEqual(unreached);
  });

  it('count as unreached if the TLS handshake fails or takes too long', async () => {
    const plain = createSocketServer((socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const mute = createSocketServer((socket) => socket.on('error', () => undefined).resume());
    const urls = [`https://127.0.0.1:${await portOf(plain)}`, `https://127.0.0.1:${await portOf(mute)}`];
    // If the deadline applied only to parts of the call, this would take longer than a test may last.
    for (const url of urls)
      expect(await facilitatorHttp({ url, connectMs: 200 }).post('/settle', '{}', 60_000)).toEqual(unreached);
  });

  it('count as unclear if the answer is lost, late, cut off or too long', async () => {
    const listeners: RequestListener[] = [
      (request) => request.socket.destroy(),
      () => undefined,
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"success":');
        setTimeout(() => response.destroy(), 20);
      },
      (_request, response) => response.end('x'.repeat(300 * 1024)),
      (_request, response) => response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end('{}'),
      (request) =>
        request.socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ];
    for (const listener of listeners) {
      const { url } = await serving(listener);
      expect(await facilitatorHttp({ url }).post('/settle', '{}', 2_000)).toEqual(unclear);
    }
  });

  it('do not follow redirects', async () => {
    let asked = 0;
    const { url } = await serving((_request, response) => {
      asked += 1;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await facilitatorHttp({ url }).post('/settle', '{}', 30_000)).toMatchObject({ status: 307 });
    expect(asked).toBe(1);
  });

  it('reuse a connection, and open a new one if the facilitator has just closed the idle one', async () => {
    const bodies: string[] = [];
    const sockets = new Set<unknown>();
    let isClosing = false;
    const { url } = await serving((request, response) => {
      sockets.add(request.socket);
      if (isClosing) {
        isClosing = false;
        request.socket.resetAndDestroy();
        return;
      }
      request.on('data', (chunk) => bodies.push(String(chunk)));
      request.on('end', () => response.end('{}'));
    });
    const http = facilitatorHttp({ url });
    for (let call = 0; call < 12; call += 1)
      expect(await http.post('/settle', `{"call":${call}}`, 30_000)).toMatchObject({ status: 200 });
    expect(sockets.size).toBe(1);
    isClosing = true;
    const reply = await http.post('/settle', '{"call":12}', 30_000);
    expect(reply).toMatchObject({ status: 200, isRepeated: true });
    expect(bodies.at(-1)).toBe('{"call":12}');
    expect(sockets.size).toBe(2);
  });
});
