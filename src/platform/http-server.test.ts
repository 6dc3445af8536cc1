import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../test/support/until.ts';
import { type HttpServer, serve } from './http-server.ts';

describe('one connection', () => {
  let server: HttpServer;
  let begun: string[];
  let release: () => void;

  beforeEach(async () => {
    begun = [];
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server = await serve(
      async ({ url = '' }, response) => {
        begun.push(url);
        if (url === '/held') await held;
        response.end(url === '/long' ? LONG : url);
      },
      {
        port: 0,
        host: '127.0.0.1',
        unreadable: (code) => `HTTP/1.1 400 Bad Request\r\n\r\n${code}`,
        unreadMs: 100,
      },
    );
  });
  afterEach(() => {
    release();
    server.close();
  });

  // More than the buffers at both ends of a connection can hold.
  const LONG = 'x'.repeat(16_000_000);
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => `/${index + 1}`);

  /** Sends bytes at once, and returns the reply until the server ended the connection or `enough` was received. */
  const heardOf = (bytes: string, enough?: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      let heard = '';
      socket.on('data', (part) => {
        heard += part.toString('latin1');
        if (enough?.test(heard)) socket.destroy();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(heard));
      socket.write(bytes, 'latin1');
    });
  const paths = (heard: string) => [...heard.matchAll(/\r\n\r\n(\/[a-z0-9]+)/g)].map(([, path]) => path);

  it('may carry 16 requests at once, which are answered in order, and stays open', async () => {
    const bytes = numbered(16).map(get).join('');
    const heard = await heardOf(bytes, /\/16$/);
    expect(paths(heard)).toEqual(numbered(16));
  });

  it('may continue indefinitely while no more than 16 requests wait', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    let heard = '';
    let sent = 10;
    socket.on('data', (part) => {
      heard += part.toString('latin1');
      for (; sent < Math.min(paths(heard).length + 10, 60); sent += 1) socket.write(get(`/${sent + 1}`));
      if (heard.endsWith('/60')) socket.end();
    });
    socket.write(numbered(10).map(get).join(''));
    await new Promise((resolve) => socket.on('close', resolve));
    expect(paths(heard)).toEqual(numbered(60));
  });

  it('ends with the 16th answer if more requests wait, and starts none of the others', async () => {
    const heard = await heardOf(numbered(20).map(get).join(''));
    expect(paths(heard)).toEqual(numbered(16));
    expect(heard.match(/connection: close/gi)).toHaveLength(1);
    expect(heard.toLowerCase().lastIndexOf('connection: close')).toBeGreaterThan(heard.indexOf('/15'));
    expect(begun).toEqual(numbered(16));
  });

  it('has one request answered at a time', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write([get('/held'), get('/2'), get('/3')].join(''));
    await until(() => begun.length > 0, 'an answer is begun');
    expect(await heardOf(get('/other'), /\/other$/)).toContain('/other');
    expect(begun).toEqual(['/held', '/other']);
    expect(server.openRequests()).toBe(1);
    release();
    await until(() => begun.length === 4, 'four answers are begun');
    socket.destroy();
    await until(() => server.openRequests() === 0, 'no request is open');
  });

  it('is closed at once if far too many requests wait', async () => {
    expect(await heardOf(get('/held').repeat(1_400))).toBe('');
    expect(begun.length).toBe(1);
    release();
    await until(() => server.openRequests() === 0, 'no request is open');
  });

  it('waits for an answer that is being prepared after the previous answer was read', async () => {
    const hearing = heardOf(get('/1') + get('/held') + get('/3'), /\/3$/);
    let isEnded = false;
    void hearing.then(() => {
      isEnded = true;
    });
    // In between, the server must close a connection whose answer is not read.
    const unread = connect(Number(new URL(server.url).port), '127.0.0.1').pause();
    unread.on('error', () => undefined);
    unread.write(get('/long'));
    await until(() => begun.includes('/long') && begun.includes('/held'), 'both are begun');
    await until(() => server.openRequests() === 1, 'only what is held is open');
    expect(isEnded).toBe(false);
    release();
    expect(paths(await hearing)).toEqual(['/1', '/held', '/3']);
    unread.destroy();
  });

  it('is closed if its answers are not read, and only the first answer is begun until then', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(get('/long').repeat(16));
    await until(() => begun.length > 0, 'an answer is begun');
    await until(() => server.openRequests() === 0, 'no request is open');
    expect(begun).toEqual(['/long']);
    socket.resume();
    await closed;
  });
});

it('the server keeps idle connections longer than the minute for which proxies keep them', async () => {
  const server = await serve((_request, response) => response.end('whole'), {
    port: 0,
    host: '127.0.0.1',
    unreadable: () => '',
  });
  const { headers } = await fetch(server.url);
  expect(headers.get('keep-alive')).toBe('timeout=65');
  server.close();
});
