import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../test/support/until.ts';
import { type HttpServer, serve } from './http-server.ts';

describe('bytes that are not a request', () => {
  let server: HttpServer;
  let release: () => void;

  beforeEach(async () => {
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server = await serve(
      async (_request, response) => {
        await held;
        response.end('whole');
      },
      { port: 0, host: '127.0.0.1', unreadable: (code) => `HTTP/1.1 400 Bad Request\r\n\r\nsays ${code}` },
    );
  });
  afterEach(() => {
    release();
    server.close();
  });

  /** Everything received until the server ends the connection. */
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

  it('get a reason that depends on the error code of the parser', async () => {
    expect(await heardOf(['FOO / HTTP/1.1\r\n\r\n'])).toMatch(/^HTTP.*says HPE_INVALID_METHOD$/s);
    const long = `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`;
    expect(await heardOf([long])).toMatch(/^HTTP.*says HPE_HEADER_OVERFLOW$/s);
  });

  it('get only one reason, even if more bytes follow', async () => {
    const more = Array.from({ length: 40 }, () => 'x'.repeat(50_000));
    const heard = await heardOf(['FOO / HTTP/1.1\r\n\r\n', ...more]);
    expect(heard.match(/says HPE_INVALID_METHOD/g)).toHaveLength(1);
  });

  it.each([1, 2])(
    'end the connection after the answer to the first of %d preceding requests, and get no reply',
    async (requests) => {
      // A reply here would look like the answer to the first request.
      const heard = heardOf([
        'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests),
        'FOO / HTTP/1.1\r\n\r\n',
        'more',
      ]);
      await until(() => server.openRequests() === 1, 'the first request to be answered');
      release();
      expect(await heard).toMatch(
        /^HTTP\/1\.1 200 OK\r\nconnection: close\r\n((?!HTTP).)*whole((?!HTTP).)*$/s,
      );
    },
  );

  it('get a reason if they come instead of the rest of a body', async () => {
    const begun = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab';
    expect(await heardOf([begun, 'cdeXX\r\nzz\r\n'])).toMatch(/^HTTP.*says HPE_/s);
  });

  it('get a reason if a body or headers stop arriving, and the earlier body does not time out later', {
    timeout: 120_000,
  }, async () => {
    const ends: string[] = [];
    const told = async (what: string, bytes: string) => {
      expect(await heardOf([bytes])).toMatch(/says ERR_HTTP_REQUEST_TIMEOUT$/);
      ends.push(what);
    };
    const body = told('body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab');
    await until(() => server.openRequests() === 1, 'the body is awaited');
    await told('head', 'GET / HTTP/1.1\r\nHost: x\r\n');
    // Both connections may end in the same turn, in either order. Bytes of a third connection arrive after that.
    await heardOf(['FOO / HTTP/1.1\r\n\r\n']);
    expect(ends.toSorted()).toEqual(['body', 'head']);
    await body;
  });
});
