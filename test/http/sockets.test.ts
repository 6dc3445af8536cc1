import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpServer, serve } from '../../src/platform/http-server.ts';
import { fakePayment } from '../support/app.ts';
import { ownService, send, talk } from './service.ts';
import { type PayingApp, payingApp } from './wire.ts';

const service = ownService({ FREE_REQUESTS_PER_MINUTE: '1000000' });
const QUERY = 'amount=1250&due_date=2026-11-04&paid_date=2026-11-21';
const CLOSE = 'Host: calc.example\r\nConnection: close\r\n';
const POST = `POST /v1/quote HTTP/1.1\r\nHost: calc.example\r\nContent-Type: application/json\r\n`;
const GOOD = '{"items":[{"unit_price":1}]}';

const get = (target: string, headers = '') =>
  talk(service().port, [`GET ${target} HTTP/1.1\r\n${CLOSE}${headers}\r\n`]);
const statuses = (heard: string) =>
  [...heard.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
const faultsLogged = () => service().lines.filter((line) => line.includes('"fault"'));

describe('a request line', () => {
  it.each([
    ['//v1/late-fee-notice', 404],
    ['/v1/late-fee-notice/', 404],
    ['/v1/late-fee-notice;x', 404],
    ['/v1%2Flate-fee-notice', 404],
    ['/V1/late-fee-notice', 404],
    ['/v1/late-fee-notice/.', 404],
    ['/v1/late-fee-notice%00', 404],
    ['/v1/./late-fee-notice', 402],
    ['/v1/x/../late-fee-notice', 402],
    ['/v1/%2e/late-fee-notice', 402],
    ['http://evil.example/v1/late-fee-notice', 402],
    ['*', 400],
    ['v1/late-fee-notice', 400],
    ['/v1\\late-fee-notice', 400],
    ['/\xe9', 400],
  ])('for %s gets %d and no paid answer', async (target, status) => {
    const heard = await get(target.includes('*') ? target : `${target}?${QUERY}`);
    expect(statuses(heard)).toEqual([status]);
    expect(heard).not.toMatch(/\r\npayment-response:/i);
    expect(heard).not.toContain('evil.example');
  });

  it.each(['TRACE', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'PURGE'])(
    'with %s is refused with Allow',
    async (method) => {
      for (const [path, allow] of [
        ['/v1/late-fee-notice', 'GET, HEAD, POST, OPTIONS'],
        ['/v1/late-fee', 'GET, HEAD, OPTIONS'],
        ['/v1/quote-pack', 'POST, OPTIONS'],
      ] as const) {
        const heard = await talk(service().port, [`${method} ${path}?${QUERY} HTTP/1.1\r\n${CLOSE}\r\n`]);
        expect(statuses(heard)).toEqual([405]);
        expect(heard.toLowerCase()).toContain(`\r\nallow: ${allow.toLowerCase()}\r\n`);
        // A TRACE answer would repeat a proxy's headers.
        expect(heard).not.toContain('calc.example\r\n');
      }
    },
  );

  it.each(['CONNECT', 'FOO', 'get', ''])('with %j ends the connection', async (method) => {
    const heard = await talk(service().port, [`${method} /v1/late-fee HTTP/1.1\r\n${CLOSE}\r\n`]);
    expect([[], [400]]).toContainEqual(statuses(heard));
  });
});

describe('a path that leaves the service', () => {
  it.each([
    ...['//evil.example/', '/\\evil.example', '/%5cevil.example', '/.//evil.example'],
    ...[
      '/late-fee//evil.example',
      '/late-fee/..//evil.example',
      '/tools/%2e%2e//evil.example',
      '/;@evil.example',
    ],
    '/%0d%0aLocation:%20https://evil.example',
    ...['/../package.json', '/..%2fpackage.json', '/%2e%2e/%2e%2e/etc/passwd', '/.env', '/.git/config'],
    ...['/assets/../../../package.json', '/assets/..%2f..%2fmain.js', '/assets/%00', '/%', '/%zz', '/%ff%fe'],
    ...['/tools/__proto__', '/v1/tools/toString', '/problems/constructor', '/docs/__proto__'],
  ])('such as %j reaches no file and redirects to no other site', async (path) => {
    const heard = await get(path);
    const [, location = '/'] = /\r\nlocation: (\S+)/i.exec(heard) ?? [];
    expect(new URL(location, 'https://calc.example').host).toBe('calc.example');
    expect(location === '/' ? statuses(heard)[0] : 404).toBeOneOf([400, 404]);
    expect(heard).not.toMatch(/root:|"dependencies"|\[core\]/);
  });
});

describe('a query that is not percent-encoded', () => {
  it.each(['/tools', '/plan', '/nowhere', '/v1/late-fee-notice', '/late-fee-notice'])(
    'is no markup on the page at %s',
    async (path) => {
      const mark = '"><script>alert(4711)</script>';
      const heard = await get(`${path}?trade=${mark}&${mark}=${mark}`, 'Accept: text/html\r\n');
      expect(statuses(heard)[0]).toBeLessThan(500);
      expect(heard.slice(heard.indexOf('\r\n\r\n'))).not.toMatch(/"><script>|<script>alert/);
    },
  );
});

describe('the headers of a request', () => {
  it('are refused by the server itself, with a reason, if they exceed 16 KiB', async () => {
    const heard = await get('/v1/late-fee', `X: ${'a'.repeat(17_000)}\r\n`);
    expect(statuses(heard)).toEqual([431]);
    expect(heard).toMatch(/\r\ncontent-type: application\/problem\+json\r\n/);
    expect(JSON.parse(heard.slice(heard.indexOf('{')))).toMatchObject({
      type: 'https://calc.example/problems/headers-too-large',
      code: 'headers_too_large',
      detail: expect.stringContaining('16384 bytes'),
      charged: false,
    });
    expect(statuses(await get(`/${'a'.repeat(20_000)}`))).toEqual([431]);
    expect(statuses(await get('/healthz', `X: ${'a'.repeat(50)}\r\n`.repeat(400)))).toEqual([431]);
  });

  it('may be numerous', async () => {
    // Node 24 counts more of each line against the 16 KiB than Node 20 does.
    expect(statuses(await get('/healthz', 'X: a\r\n'.repeat(600)))).toEqual([200]);
  });

  it('are refused if they frame a body in two ways', async () => {
    for (const both of [
      'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
      'Content-Length: 5\r\nContent-Length: 6\r\n',
      'Content-Length: abc\r\n',
      'Content-Length: -1\r\n',
      'Transfer-Encoding: gzip, identity\r\n',
      'Transfer-Encoding: chunked, chunked\r\n',
      'Transfer-Encoding: xchunked\r\nContent-Length: 3\r\n',
      'Content-Length : 40\r\n',
      'Content-Length: +5\r\n',
    ]) {
      const heard = await talk(service().port, [`${POST}${both}\r\n0\r\n\r\n`]);
      expect(statuses(heard)).toEqual([400]);
      expect(heard).toContain('"code":"malformed_request"');
    }
  });

  it('must not contain two payments: neither of them is used', async () => {
    const two = `PAYMENT-SIGNATURE: ${fakePayment()}\r\n`.repeat(2);
    const heard = await get(`/v1/late-fee-notice?${QUERY}`, two);
    expect(statuses(heard)).toEqual([400]);
    expect(heard).toContain('"code":"invalid_payment"');
  });
});

describe('a body on a raw connection', () => {
  it('is refused before it is sent if its announced length is too large', async () => {
    const heard = await talk(service().port, [`${POST}Content-Length: 70000\r\n\r\n`], /413.*\}$/s);
    expect(statuses(heard)).toEqual([413]);
    expect(heard).toContain('"code":"payload_too_large"');
  });

  it('is counted if it has no announced length, and the connection is closed above the limit', async () => {
    const chunk = `1000\r\n${' '.repeat(4_096)}\r\n`;
    const heard = await talk(
      service().port,
      [`${POST}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}`, 100, chunk],
      /413.*\}$/s,
    );
    expect(statuses(heard)).toEqual([413]);
  });

  it('may be sent in chunks as well as with a length', async () => {
    const chunks = GOOD.split('').map((byte) => `1\r\n${byte}\r\n`);
    const heard = await talk(service().port, [
      `${POST}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ...chunks,
      '0\r\n\r\n',
    ]);
    expect(statuses(heard)).toEqual([200]);
    expect(heard).toContain('"total":1');
  });

  it('may arrive slowly', async () => {
    const heard = await talk(service().port, [
      'POST /v1/qu',
      30,
      `ote HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: applica`,
      30,
      `tion/json\r\nContent-Length: ${GOOD.length}\r\n\r\n`,
      30,
      ...GOOD.split('').flatMap((byte) => [byte, 2]),
    ]);
    expect(statuses(heard)).toEqual([200]);
  });

  it('is not an error of the service if it never arrives', async () => {
    const before = faultsLogged().length;
    const leaving = connect(service().port, '127.0.0.1');
    await new Promise((resolve) => leaving.write(`${POST}Content-Length: 20\r\n\r\n{}`, resolve));
    leaving.destroy();
    const hangUp = talk(service().port, [
      `${POST}Transfer-Encoding: chunked\r\n\r\n5\r\n{"ite\r\n`,
      50,
      'zz\r\n',
    ]);
    expect(statuses(await hangUp)).toEqual([400]);
    expect((await send(`${service().url}/healthz`)).status).toBe(200);
    expect(faultsLogged().slice(before)).toEqual([]);
  });

  it('that is announced with 100-continue is requested, or refused if it is too long', async () => {
    const asking = (length: number) =>
      `${POST}Connection: close\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;
    expect(statuses(await talk(service().port, [asking(GOOD.length), 30, GOOD]))).toEqual([100, 200]);
    expect(statuses(await talk(service().port, [asking(70_000)], /413.*\}$/s)).at(-1)).toBe(413);
  });
});

describe('a paid request on a raw connection', () => {
  let shop: PayingApp;
  let server: HttpServer;
  let port: number;
  beforeEach(async () => {
    shop = payingApp();
    const unreadable = () => 'HTTP/1.1 400 Bad Request\r\n\r\n';
    server = await serve(shop.listener, { port: 0, host: '127.0.0.1', unreadable });
    port = Number(new URL(server.url).port);
  });
  afterEach(() => server.close());

  const buying = (client: number, more = '') =>
    `GET /v1/late-fee-notice?${QUERY}&client_name=${client} HTTP/1.1\r\nHost: calc.example\r\nPAYMENT-SIGNATURE: ${fakePayment()}\r\n${more}\r\n`;
  const LAST = `GET /healthz HTTP/1.1\r\n${CLOSE}\r\n`;

  it('buys one answer if its payment is pipelined for three requests', async () => {
    const heard = await talk(port, [buying(1) + buying(2) + buying(3, 'Connection: close\r\n')]);
    expect(statuses(heard)).toEqual([200, 409, 409]);
    expect(shop.orders).toHaveLength(1);
  });

  it.each([
    ['POST', '/v1/quote', 'application/json', 400],
    ['POST', '/v1/quote', 'text/plain', 415],
    ['POST', '/v1/late-fee', 'application/json', 405],
    ['POST', '/nowhere', 'application/json', 404],
    ['GET', '/healthz', 'application/json', 200],
  ])('is not read from the body of %s %s with the type %s', async (method, path, type, status) => {
    const head = `${method} ${path} HTTP/1.1\r\nHost: calc.example\r\nContent-Type: ${type}\r\n`;
    const body = buying(1);
    const heard = await talk(port, [`${head}Content-Length: ${body.length}\r\n\r\n${body}${LAST}`]);
    expect([statuses(heard), shop.orders]).toEqual([[status, 200], []]);
  });

  it.each([
    'Content-Length: 0\r\nTransfer-Encoding: chunked',
    'Content-Length: 5\r\nContent-Length: 0',
    'Transfer-Encoding: identity',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  ])('is not read after the headers of a body that is framed with %j', async (framing) => {
    const heard = await talk(port, [`${POST}${framing}\r\n\r\n${buying(1)}${LAST}`]);
    expect([statuses(heard), shop.orders]).toEqual([[400], []]);
  });
});

describe('a payment that no settler can send', () => {
  it('gets a 503, and the service continues', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const { status, headers, text } = await send(`${service().url}/v1/late-fee-notice?${QUERY}`, {
      headers: { 'payment-signature': fakePayment({ validBefore: seconds + 100 }) },
    });
    expect([status, JSON.parse(text).code]).toEqual([503, 'settlement_unavailable']);
    expect(headers['retry-after']).toMatch(/^[0-9]+$/);
    expect((await send(`${service().url}/healthz`)).status).toBe(200);
  });
});
