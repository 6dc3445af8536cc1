import { Agent, get as httpGet } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../test/support/until.ts';
import { type HttpServer, serve } from './http-server.ts';

type Heard = { status: number; connection: string | undefined; text: string };

describe('a server that is stopping', () => {
  let server: HttpServer;
  let release: () => void;
  const agent = new Agent({ keepAlive: true });
  const sockets: Socket[] = [];

  beforeEach(async () => {
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server = await serve(
      async ({ url }, response) => {
        if (url === '/held') await held;
        if (url !== '/begun') return response.end('whole');
        // The head of the answer is sent at once, and the end later.
        response.write('be');
        await held;
        return response.end('gun');
      },
      { port: 0, host: '127.0.0.1', unreadable: (code) => `HTTP/1.1 400 Bad Request\r\n\r\n${code}` },
    );
  });
  afterEach(() => {
    release();
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  const get = (path: string): Promise<Heard> =>
    new Promise((resolve, reject) => {
      httpGet(`${server.url}${path}`, { agent }, (incoming) => {
        let text = '';
        incoming.on('data', (part) => {
          text += part;
        });
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, connection: incoming.headers.connection, text }),
        );
        incoming.on('error', reject);
      }).on('error', reject);
    });

  const open = async (bytes = ''): Promise<Socket> => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write(bytes);
    // Requests are read in the order of arrival.
    await get('/');
    return socket;
  };

  it('keeps a connection for the next request until it stops', async () => {
    expect(await get('/')).toEqual({ status: 200, connection: 'keep-alive', text: 'whole' });
    expect(server.openRequests()).toBe(0);
  });

  it('completes pending answers, each as the last one of its connection', async () => {
    const answers = Promise.all([get('/held'), get('/begun')]);
    await until(() => server.openRequests() === 2, 'two requests are open');
    const drained = server.drain();
    release();
    const [held, half] = await answers;
    expect(held).toEqual({ status: 200, connection: 'close', text: 'whole' });
    expect(half?.text).toBe('begun');
    await drained;
    expect(server.openRequests()).toBe(0);
  });

  it('accepts no more connections', async () => {
    const held = get('/held');
    await until(() => server.openRequests() === 1, 'one request is open');
    const drained = server.drain();
    await expect(get('/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    release();
    await held;
    await drained;
  });

  it('does not wait for idle connections or for those that never sent a request', async () => {
    const asking = await open('GET / HTTP/1.1\r\nHost: x\r\n');
    const silent = await open();
    const closed: string[] = [];
    asking.resume().once('close', () => closed.push('asking'));
    silent.resume().once('close', () => closed.push('silent'));
    const drained = server.drain();
    asking.write('\r\n');
    // If the server waited for an idle connection, that connection would stay open for longer than a test may last.
    await drained;
    await until(() => closed.length === 2, 'both are closed');
    expect(closed).toEqual(['silent', 'asking']);
  });

  it('answers a request that has begun to arrive, and then closes its connection', async () => {
    const socket = await open('GET / HTTP/1.1\r\nHost: x\r\n');
    let heard = '';
    socket.on('data', (part) => {
      heard += part;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const drained = server.drain();
    socket.write('\r\n');
    await Promise.all([drained, closed]);
    expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(heard.toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(heard).toContain('whole');
  });
});
