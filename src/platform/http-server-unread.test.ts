import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../test/support/until.ts';
import { type HttpServer, serve } from './http-server.ts';

// More than the operating system keeps for a client that does not read.
const BIG = 30_000_000;
const asking = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

describe('an answer that its client has not read yet', () => {
  let server: HttpServer;
  let release: () => void;
  let hasBegun: Promise<void>;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begin: () => void;
    hasBegun = new Promise((resolve) => {
      begin = resolve;
    });
    const body = Buffer.alloc(BIG, 'x');
    server = await serve(async () => new Response('whole'), {
      port: 0,
      host: '127.0.0.1',
      unreadable: () => '',
      maxConnections: 2,
      direct({ url }, response) {
        if (url === '/big') response.end(body);
        else if (url === '/begun') {
          response.write('begun');
          begin();
          void held.then(() => response.end());
        } else return false;
        return true;
      },
    });
  });
  afterEach(() => {
    release();
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  /** Sends bytes and reads nothing until told to; then what is read until the server ends the connection. */
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

  it('is given whole by a server that is about to end', async () => {
    const { read } = client(asking('/big'));
    await until(() => server.openRequests() === 1, 'the answer is under way');
    const drained = server.drain();
    expect(await read()).toBeGreaterThan(BIG);
    await drained;
  });

  it('is given whole behind one that was begun before', async () => {
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

  it('does not keep a connection open whose body came behind its answer', async () => {
    const late = client('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n');
    const closed = late.read();
    await until(() => late.socket.bytesRead > 0, 'it has been answered');
    late.socket.write('12345');
    const other = client(asking('/', 'Connection: close\r\n'));
    expect(await other.read()).toBeGreaterThan(0);
    // Taken for busy, it would be kept for longer than a test may last.
    await Promise.all([server.drain(), closed]);
  });

  it('ends the connection on which more came than may wait', async () => {
    // Node.js 24 calls so many headers unreadable, which ends a connection as soon.
    const parts = 'a:b\r\n'.repeat(1_001);
    const ended = client(asking('/begun') + asking('/', parts)).read();
    await hasBegun;
    // What came with it is read by then.
    await pause(100);
    release();
    // Kept for another request, it would stay for longer than a test may last.
    await ended;
  });
});
