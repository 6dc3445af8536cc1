import { Agent, get as httpGet } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpServer, serve } from './http-server.ts';

/** Waits until something is so, for ten seconds at most. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 10_000;
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error('Not within ten seconds');
    await sleep(5);
  }
}

type Heard = { status: number; connection: string | undefined; text: string };

describe('a server that is about to end', () => {
  let server: HttpServer;
  let release: () => void;
  const agent = new Agent({ keepAlive: true });
  const sockets: Socket[] = [];

  beforeEach(async () => {
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server = await serve(
      async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === '/held') await held;
        if (pathname === '/begun') return new Response(begun(held));
        return new Response('whole');
      },
      { port: 0, host: '127.0.0.1', unreadable: (code) => `HTTP/1.1 400 Bad Request\r\n\r\n${code}` },
    );
  });
  afterEach(() => {
    release();
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  /** An answer whose head leaves at once and whose end waits. */
  const begun = (held: Promise<void>) =>
    new ReadableStream({
      async start(controller) {
        controller.enqueue(Buffer.from('be'));
        await held;
        controller.enqueue(Buffer.from('gun'));
        controller.close();
      },
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
    // What came first is read first.
    await get('/');
    return socket;
  };

  it('keeps a connection for the next request until then', async () => {
    expect(await get('/')).toEqual({ status: 200, connection: 'keep-alive', text: 'whole' });
    expect(server.openRequests()).toBe(0);
  });

  it('gives the answers that are under way, whole and as the last ones of their connections', async () => {
    const answers = Promise.all([get('/held'), get('/begun')]);
    await until(() => server.openRequests() === 2);
    const drained = server.drain();
    release();
    const [held, half] = await answers;
    expect(held).toEqual({ status: 200, connection: 'close', text: 'whole' });
    expect(half?.text).toBe('begun');
    await drained;
    expect(server.openRequests()).toBe(0);
  });

  it('takes no more connections', async () => {
    const held = get('/held');
    await until(() => server.openRequests() === 1);
    const drained = server.drain();
    await expect(get('/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    release();
    await held;
    await drained;
  });

  it('waits neither for idle connections nor for those that never asked for anything', async () => {
    await get('/');
    await open();
    const startedMs = performance.now();
    await server.drain();
    expect(performance.now() - startedMs).toBeLessThan(500);
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

describe('bytes that are no request', () => {
  let server: HttpServer;
  let release: () => void;

  beforeEach(async () => {
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server = await serve(
      async () => {
        await held;
        return new Response('whole');
      },
      { port: 0, host: '127.0.0.1', unreadable: (code) => `HTTP/1.1 400 Bad Request\r\n\r\nsays ${code}` },
    );
  });
  afterEach(() => {
    release();
    server.close();
  });

  /** What is heard until the server ends the connection. */
  const heardOf = (parts: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      let heard = '';
      socket.on('data', (part) => {
        heard += part.toString('latin1');
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(heard));
      for (const part of parts) socket.write(part, 'latin1');
    });

  it('are told why, by the error code of the parser', async () => {
    expect(await heardOf(['FOO / HTTP/1.1\r\n\r\n'])).toMatch(/^HTTP.*says HPE_INVALID_METHOD$/s);
    const long = `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`;
    expect(await heardOf([long])).toMatch(/^HTTP.*says HPE_HEADER_OVERFLOW$/s);
  });

  it('are told so even if they go on, and only once', async () => {
    const more = Array.from({ length: 40 }, () => 'x'.repeat(50_000));
    const heard = await heardOf(['FOO / HTTP/1.1\r\n\r\n', ...more]);
    expect(heard.match(/says HPE_INVALID_METHOD/g)).toHaveLength(1);
  });

  it('behind a request that is still being answered end the connection without a word', async () => {
    // A word would be taken for the answer to the first.
    const first = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    expect(await heardOf([first, 'FOO / HTTP/1.1\r\n\r\n'])).toBe('');
  });

  it('instead of the rest of a body are told why', async () => {
    const begun = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab';
    expect(await heardOf([begun, 'cdeXX\r\nzz\r\n'])).toMatch(/^HTTP.*says HPE_/s);
  });

  it('that stop coming are told so: a head after 10 s, a body after 15 s', { timeout: 40_000 }, async () => {
    const timed = async (part: string) => {
      const sinceMs = performance.now();
      return { heard: await heardOf([part]), seconds: (performance.now() - sinceMs) / 1_000 };
    };
    const [head, body] = await Promise.all([
      timed('GET / HTTP/1.1\r\nHost: x\r\n'),
      timed('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab'),
    ]);
    for (const { heard } of [head, body]) expect(heard).toMatch(/says ERR_HTTP_REQUEST_TIMEOUT$/);
    for (const [{ seconds }, limit] of [
      [head, 10],
      [body, 15],
    ] as const)
      expect([seconds >= limit - 0.5, seconds < limit + 5]).toEqual([true, true]);
  });
});

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
      async (request) => {
        const { pathname } = new URL(request.url);
        begun.push(pathname);
        if (pathname === '/held') await held;
        return new Response(pathname === '/long' ? LONG : pathname);
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

  // More than the buffers of both ends of a connection hold.
  const LONG = 'x'.repeat(16_000_000);
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => `/${index + 1}`);

  /** Sends bytes at once and gives what came back when the server has ended the connection, or `enough` was heard. */
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
  const closes = (heard: string) => heard.match(/connection: close/gi)?.length ?? 0;

  it('may carry 16 requests at once, answered in their order, and goes on', async () => {
    const bytes = numbered(16).map(get).join('');
    const heard = await heardOf(bytes, /\/16$/);
    expect(paths(heard)).toEqual(numbered(16));
    expect(closes(heard)).toBe(0);
  });

  it('may go on for ever while no more than 16 wait', async () => {
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

  it('ends with the 16th answer when more wait, and what is behind is never begun', async () => {
    const heard = await heardOf(numbered(20).map(get).join(''));
    expect(paths(heard)).toEqual(numbered(16));
    expect(closes(heard)).toBe(1);
    expect(heard.toLowerCase().lastIndexOf('connection: close')).toBeGreaterThan(heard.indexOf('/15'));
    expect(begun).toEqual(numbered(16));
  });

  it('has one request answered at a time', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write([get('/held'), get('/2'), get('/3')].join(''));
    await until(() => begun.length > 0);
    expect(await heardOf(get('/other'), /\/other$/)).toContain('/other');
    expect(begun).toEqual(['/held', '/other']);
    expect(server.openRequests()).toBe(1);
    release();
    await until(() => begun.length === 4);
    socket.destroy();
    await until(() => server.openRequests() === 0);
  });

  it('has no requests of many headers wait', async () => {
    const many = `GET /many HTTP/1.1\r\nHost: x\r\n${'a:b\r\n'.repeat(600)}\r\n`;
    const hearing = heardOf(get('/held') + many + many);
    await until(() => begun.length === 1);
    release();
    const heard = await hearing;
    expect(paths(heard)).toEqual(['/held', '/many']);
    expect(closes(heard)).toBe(1);
  });

  it('is hung up on at once when far too many wait', async () => {
    expect(await heardOf(get('/held').repeat(1_400))).toBe('');
    expect(begun.length).toBe(1);
    release();
    await until(() => server.openRequests() === 0);
  });

  it('is ended when its answers are not read, and holds only the first until then', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(get('/long').repeat(16));
    await until(() => begun.length > 0);
    await until(() => server.openRequests() === 0);
    expect(begun).toEqual(['/long']);
    socket.resume();
    await closed;
  });
});

it('connections beyond the most there may be are hung up on, and idle ones make room', async () => {
  const server = await serve(async () => new Response('whole'), {
    port: 0,
    host: '127.0.0.1',
    unreadable: () => '',
    maxConnections: 2,
  });
  const agent = new Agent({ keepAlive: true });
  const ask = (using: Agent | false) =>
    new Promise<string>((resolve) => {
      httpGet(server.url, { agent: using }, (incoming) =>
        incoming.resume().on('end', () => resolve(String(incoming.statusCode))),
      ).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    });
  expect(await Promise.all([ask(agent), ask(agent)])).toEqual(['200', '200']);
  const third = await ask(false);
  expect(third).toBe('ECONNRESET');
  await until(async () => (await ask(false)) === '200');
  agent.destroy();
  server.close();
});

it('an idle connection outlives the minute for which proxies keep one', async () => {
  const server = await serve(async () => new Response('whole'), {
    port: 0,
    host: '127.0.0.1',
    unreadable: () => '',
  });
  const { headers } = await fetch(server.url);
  expect(headers.get('keep-alive')).toBe('timeout=65');
  server.close();
});
