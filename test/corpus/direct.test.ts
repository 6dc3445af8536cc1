import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpServer, serve } from '../../src/platform/http-server.ts';
import { fakePayment, type TestApp, testApp } from '../support/app.ts';
import type { Asked } from './asked.ts';
import { ending } from './play.ts';
import { batchOf, kinds } from './requests.ts';

// A request that is answered without the app in between gets the very bytes that the app would send.

type Way = { readonly app: TestApp; readonly server: HttpServer };
let ways: readonly [direct: Way, app: Way];
let answeredDirectly = 0;

async function way(isDirect: boolean): Promise<Way> {
  const app = testApp({ baseUrl: 'http://127.0.0.1:4021', end: ending });
  const direct = (request: IncomingMessage, response: ServerResponse): boolean => {
    const isAnswered = isDirect && app.direct(request, response);
    answeredDirectly += isAnswered ? 1 : 0;
    return isAnswered;
  };
  const server = await serve(app.http.fetch, { port: 0, host: '127.0.0.1', unreadable: () => '', direct });
  return { app, server };
}
beforeAll(async () => {
  ways = [await way(true), await way(false)];
});
afterAll(() => ways.forEach(({ server }) => void server.close()));

/** All that a server says to these bytes, but for what the clock and chance put there. */
function heard({ url }: HttpServer, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const parts: Buffer[] = [];
    socket.on('data', (part) => parts.push(part));
    socket.on('error', reject);
    socket.on('close', () =>
      resolve(
        Buffer.concat(parts)
          .toString('latin1')
          .replace(/^(x-request-id|Date): .*$/gim, '$1')
          .replace(/;t=\d+/g, ';t'),
      ),
    );
    socket.write(bytes, 'latin1');
  });
}

const written = ({ method, path, headers, body }: Asked): string => {
  const sent = { host: '127.0.0.1:4021', connection: 'close', ...headers };
  const length = body === null ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  const lines = [...Object.entries(sent).map(([name, value]) => `${name}: ${value}`), ...length];
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${Buffer.from(body ?? '').toString('latin1')}`;
};

async function expectTheSame(bytes: string): Promise<void> {
  const [direct, app] = await Promise.all(ways.map(({ server }) => heard(server, bytes)));
  expect(direct).toBe(app);
  expect(direct).toMatch(/^HTTP\/1\.1 \d{3} /);
}

describe('every kind of request is answered alike', () => {
  it.each(Object.keys(kinds).filter((name) => !name.startsWith('MCP')))('%s', async (name) => {
    for (const asked of batchOf(name, 0)) await expectTheSame(written(asked));
  });

  it('most of them directly', () => expect(answeredDirectly).toBeGreaterThan(800));
});

const FEE = '/v1/late-fee?amount=1250&due_date=2026-09-01&paid_date=2026-11-21';
const NOTICE = '/v1/late-fee-notice?amount=1250&due_date=2026-09-01&paid_date=2026-11-21';
const HOST = 'Host: 127.0.0.1:4021\r\nConnection: close\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const QUOTE = '{"items":[{"unit_price":5}]}';
const quoted = (headers: string, body = QUOTE, length = body.length): string =>
  `POST /v1/quote HTTP/1.1\r\n${HOST}${headers}Content-Length: ${length}\r\n\r\n${body}`;

// Documents, pages that answer a form as well, and what changes under no address.
const DOCUMENTS = [
  '/',
  '/late-fee',
  '/tools',
  '/tools.md',
  '/llms.txt',
  '/openapi.json',
  '/.well-known/x402',
  '/.well-known/mcp.json',
  '/favicon.ico',
  '/sitemap.xml',
];

const ODD = [
  ...['1.0', '1.1'].map((version) => `GET ${FEE} HTTP/${version}\r\n${HOST}\r\n`),
  `GET ${FEE} HTTP/1.0\r\n\r\n`,
  `HEAD ${FEE} HTTP/1.1\r\n${HOST}\r\n`,
  `GET http://127.0.0.1:4021${FEE} HTTP/1.1\r\n${HOST}\r\n`,
  `GET https://elsewhere.example${FEE} HTTP/1.1\r\n${HOST}\r\n`,
  `GET ${FEE}#part HTTP/1.1\r\n${HOST}\r\n`,
  `GET ${FEE}&note=/../x HTTP/1.1\r\n${HOST}\r\n`,
  ...['"', '<', '|', '\\', '{}', "'", "%20'", '%', '%ff', '+', ';', '@', ':', '%00', '//'].map(
    (odd) => `GET ${FEE}&currency=${odd} HTTP/1.1\r\n${HOST}\r\n`,
  ),
  ...[
    '/v1/late-fee/',
    '/v1/./late-fee',
    '/v1//late-fee',
    '/V1/late-fee',
    '/v1/late-fee;a',
    '/v1/tools/:id',
  ].map((path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`),
  ...DOCUMENTS.flatMap((path) => [
    `GET ${path} HTTP/1.1\r\n${HOST}\r\n`,
    `GET ${path} HTTP/1.1\r\n${HOST}Accept: text/html\r\nAccept-Encoding: br, gzip\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\n${HOST}If-None-Match: *\r\n\r\n`,
    `GET ${path}?v=1 HTTP/1.1\r\n${HOST}\r\n`,
    `GET ${path}? HTTP/1.1\r\n${HOST}\r\n`,
    `HEAD ${path} HTTP/1.1\r\n${HOST}\r\n`,
    `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`,
  ]),
  `GET /v1/tools?limit=1 HTTP/1.1\r\n${HOST}Accept-Encoding: gzip\r\n\r\n`,
  `GET /v1/tools HTTP/1.1\r\n${HOST}If-None-Match: *\r\n\r\n`,
  `GET /v1/tools HTTP/1.1\r\n${HOST}If-None-Match: "a"\r\nIf-None-Match: *\r\n\r\n`,
  ...['', 'a b', 'EXAMPLE', 'example:80', '[::1]:4021', '..', 'a/b', 'exa_mple:99999', 'ex\xe4mple'].map(
    (host) => `GET ${FEE} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  ),
  `GET ${FEE} HTTP/1.1\r\n${HOST}Host: other\r\n\r\n`,
  `GET ${FEE} HTTP/1.1\r\nHost: 127.0.0.1:4021\r\n\r\nGET ${FEE} HTTP/1.1\r\n${HOST}\r\n`,
  `GET ${FEE} HTTP/1.1\r\n${HOST}Content-Length: 4\r\n\r\nbody`,
  `GET ${FEE} HTTP/1.1\r\n${HOST}Expect: 100-continue\r\n\r\n`,
  `GET ${FEE} HTTP/1.1\r\n${HOST}Upgrade: websocket\r\n\r\n`,
  ...['text/html', 'application/*;q=0.1, */*', '*/*', 'application/json'].map(
    (accept) => `GET ${NOTICE} HTTP/1.1\r\n${HOST}Accept: ${accept}\r\n\r\n`,
  ),
  `GET ${NOTICE} HTTP/1.1\r\n${HOST}X-Payment: a\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\n\r\n`,
  `GET ${NOTICE} HTTP/1.1\r\n${HOST}Payment-Signature: a\r\nPayment-Signature: b\r\n\r\n`,
  `GET ${NOTICE} HTTP/1.1\r\n${HOST}Payment-Signature: ${fakePayment({ nonce: 'f1' })}\r\n\r\n`,
  `HEAD ${NOTICE} HTTP/1.1\r\n${HOST}Payment-Signature: ${fakePayment({ nonce: 'f2' })}\r\n\r\n`,
  quoted(JSON_TYPE),
  quoted(`${JSON_TYPE}Content-Type: text/plain\r\n`),
  quoted(`Content-Type: text/plain\r\n${JSON_TYPE}`),
  quoted(`${JSON_TYPE}Content-Encoding: gzip\r\n`),
  quoted(`${JSON_TYPE}Content-Encoding: identity\r\n`),
  quoted(`${JSON_TYPE}Expect: 100-continue\r\n`),
  quoted(''),
  quoted('', ''),
  quoted(JSON_TYPE, '{"items":[{"description":"\xc3\xa9\xe2\x82\xac","unit_price":5}]}'),
  quoted(JSON_TYPE, ' '.repeat(70_000)),
  `POST /v1/quote HTTP/1.1\r\n${HOST}\r\n`,
  `POST /v1/quote HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n1c\r\n${QUOTE}\r\n0\r\n\r\n`,
  `PUT /v1/quote HTTP/1.1\r\n${HOST}\r\n`,
];

it.each(ODD.map((bytes) => [bytes.slice(0, 150), bytes]))('and so is %j', (_start, bytes) =>
  expectTheSame(bytes),
);

it('nothing of it is a bug', () => expect(ways.map(({ app }) => app.bugs)).toEqual([[], []]));
