import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../test/support/until.ts';
import { type HttpServer, serve } from './http-server.ts';

// More than the operating system buffers for a client that does not read.
const BIG = 30_000_000;
const asking = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

describe('an answer that its client has not read yet', () => {
  let server: HttpServer;
  let release: () => void;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const body = Buffer.alloc(BIG, 'x');
    const answer: RequestListener = ({ url }, response) => {
      if (url === '/begun') {
        response.write('begun');
        void held.then(() => response.end());
      } else response.end(url === '/big' ? body : 'whole');
    };
    server = await serve(answer, { port: 0, host: '127.0.0.1', unreadable: () => '', maxConnections: 2 });
  });
  afterEach(() => {
    release();
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  /** Sends bytes and reads nothing until requested. It then returns everything up to the end of the connection. */
  function client(bytes: string): { socket: Socket; read: () => Promise<number> } {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.pause().write(bytes);
    const read = () =>
      new Promise<number>((resolve) => {
        socket.on('close', () => resolve(socket.bytesRead));
        socket.resume();
      });
    return { socket, read };
  }

  it('is completed by a server that is stopping', async () => {
    const { read } = client(asking('/big'));
    await until(() => server.openRequests() === 1, 'the answer is under way');
    const drained = server.drain();
    expect(await read()).toBeGreaterThan(BIG);
    await drained;
  });

  it('is completed after an earlier answer on the same connection, even by a server that is stopping', async () => {
    const { read } = client(asking('/begun') + asking('/big'));
    await until(() => server.openRequests() === 1, 'the first answer is under way');
    const drained = server.drain();
    release();
    expect(await read()).toBeGreaterThan(BIG);
    await drained;
  });

  it('is not cut to make room for another connection', async () => {
    const slow = client(asking('/big'));
    const idle = client(asking('/'));
    const closed = idle.read();
    await until(() => server.openRequests() === 1 && idle.socket.bytesRead > 0, 'one has been answered');
    expect(await client('').read()).toBe(0);
    await closed;
    void slow.read();
    await until(() => slow.socket.bytesRead > BIG, 'the whole answer has been read');
    const fresh = client(asking('/', 'Connection: close\r\n'));
    expect(await fresh.read()).toBeGreaterThan(0);
  });

  it("does not keep a connection open if the request's body came after the answer", async () => {
    const late = client('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n');
    const closed = late.read();
    await until(() => late.socket.bytesRead > 0, 'it has been answered');
    late.socket.write('12345');
    const other = client(asking('/', 'Connection: close\r\n'));
    expect(await other.read()).toBeGreaterThan(0);
    // If the connection counted as busy, it would be kept open for longer than a test may last.
    await Promise.all([server.drain(), closed]);
  });
});
