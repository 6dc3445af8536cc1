import { paymentHeader } from '../../support/payments.ts';
import { answersIn, getBytes, wire } from '../client.ts';
import type { Kind } from '../kind.ts';
import { FREE, notice, quietly, wait, within } from '../shop.ts';

/** Bytes that are not a request, or that form two requests in one, with the number of answers that they may get. */
const strange: readonly (readonly [string, string])[] = [
  [
    'length and chunks',
    'POST /v1/quote HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
  ],
  [
    'two lengths',
    'POST /v1/quote HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 44\r\n\r\nabcdeGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
  ],
  [
    'chunked twice',
    'POST /v1/quote HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n',
  ],
  [
    'chunked spelled oddly',
    'POST /v1/quote HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\nContent-Length: 3\r\n\r\nabcGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
  ],
  [
    'a space before the colon',
    'POST /v1/quote HTTP/1.1\r\nHost: a\r\nContent-Length : 40\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
  ],
  [
    'a folded header',
    'POST /v1/quote HTTP/1.1\r\nHost: a\r\nX: a\r\n Content-Length: 40\r\nContent-Length: 0\r\n\r\nGET',
  ],
  [
    'bare line feeds',
    'POST /v1/quote HTTP/1.1\nHost: a\nContent-Length: 0\nTransfer-Encoding: chunked\n\n0\n\n',
  ],
  ['a negative length', 'POST /v1/quote HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
  ['a length with a plus', 'POST /v1/quote HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nabcde'],
  [
    'a chunk of a huge size',
    'POST /v1/quote HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\nabc',
  ],
  [
    'a chunk extension with a line feed',
    'POST /v1/quote HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2;\nxx\r\nab\r\n0\r\n\r\n',
  ],
  ['a zero byte', 'GET /v1/late-fee\0 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['CONNECT', 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['another host in the path', 'GET http://127.0.0.1:22/ HTTP/1.1\r\nHost: a\r\n\r\n'],
  [
    'an upgrade',
    'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n',
  ],
  ['HTTP/0.9', 'GET /healthz\r\n\r\n'],
  ['HTTP/9', 'GET /healthz HTTP/9.1\r\nHost: a\r\n\r\n'],
  ['no host', 'GET /healthz HTTP/1.1\r\n\r\n'],
];

export const socketKinds: readonly Kind[] = [
  {
    name: 'two requests in one',
    promise: 'bytes that can be read as one request or two get at most one answer, and the service continues',
    async run(scene) {
      const shop = await scene.house();
      await Promise.all(
        strange.map(async ([what, bytes]) => {
          const one = wire(shop.seller.port);
          one.write(bytes);
          await one.closed(1_500);
          const answers = answersIn(one.heard());
          scene.held(answers <= 1, `${what}: ${answers} answers`);
          scene.held(!/HTTP\/1\.1 5/.test(one.heard()), `${what}: ${one.heard().slice(0, 30)}`);
          one.end();
        }),
      );
      scene.held((await shop.get(FREE)).status === 200, 'not served afterward');
    },
  },
  {
    name: 'a payment inside a body',
    promise: 'a paid request that is hidden in the body of another is not processed',
    async run(scene) {
      const shop = await scene.house();
      const payment = await shop.sign(await scene.buyer(shop.chain));
      const hidden = getBytes(notice().path, `PAYMENT-SIGNATURE: ${paymentHeader(payment)}\r\n`);
      const around = (head: string) =>
        `POST /v1/quote HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${head}\r\n\r\n${hidden}`;
      for (const head of [
        'Content-Length: 0\r\nTransfer-Encoding: chunked',
        `Content-Length: ${hidden.length}`,
        `Content-Length: ${hidden.length}\r\nContent-Length: 0`,
        'Transfer-Encoding: identity',
      ]) {
        const one = wire(shop.seller.port);
        one.write(around(head));
        await one.closed(1_200);
        one.end();
        scene.held((await shop.sent()).length === 0, `it was charged: ${head}`);
      }
    },
  },
  {
    name: 'large headers',
    promise: 'headers that are too large or too many are refused, and other callers do not notice',
    async run(scene) {
      const shop = await scene.house();
      const heads = [
        getBytes(FREE, `X-Large: ${'a'.repeat(17_000)}\r\n`),
        getBytes(FREE, Array.from({ length: 3_000 }, (_, index) => `X-${index}: 1\r\n`).join('')),
        getBytes(`${FREE}&${'b'.repeat(20_000)}`),
        getBytes(FREE, `PAYMENT-SIGNATURE: ${'A'.repeat(15_000)}\r\n`),
        getBytes(FREE, `X-Forwarded-For: ${'1.2.3.4, '.repeat(1_700)}\r\n`),
        getBytes(FREE, `Cookie: ${'a=b; '.repeat(3_000)}\r\n`),
      ];
      for (const head of heads) {
        const one = wire(shop.seller.port);
        one.write(head);
        await within(4_000, () => one.isClosed() || answersIn(one.heard()) > 0);
        const [, status = 'none'] = /HTTP\/1\.1 (\d{3})/.exec(one.heard()) ?? [];
        scene.held(['431', '400', '414', '200', '402'].includes(status), `${head.length} bytes: ${status}`);
        one.end();
      }
      scene.held((await shop.get(FREE)).status === 200, 'not served afterward');
    },
  },
  {
    name: 'one payment twice on one connection',
    promise: 'a payment that is pipelined for three requests on one connection buys one answer',
    async run(scene) {
      const shop = await scene.house();
      for (let round = 0; round < 2 * scene.rounds; round += 1) {
        const payment = await shop.sign(await scene.buyer(shop.chain));
        const one = wire(shop.seller.port);
        const header = `PAYMENT-SIGNATURE: ${paymentHeader(payment)}\r\n`;
        one.write(
          [1, 2, 3].map((index) => getBytes(notice(`Pipelined ${round} ${index}`).path, header)).join(''),
        );
        await wait(1_500);
        const bought = one.heard().split('HTTP/1.1 200').length - 1;
        scene.held(bought <= 1, `${bought} answers`);
        one.end();
      }
    },
  },
  {
    name: 'connections kept by a proxy',
    promise: 'a connection that was idle for a while still accepts a request, as proxies expect',
    async run(scene) {
      const shop = await scene.house();
      const wires = Array.from({ length: 10 }, () => wire(shop.seller.port));
      for (const one of wires) one.write(getBytes('/healthz'));
      await wait(9_000);
      for (const one of wires)
        one.write(
          `POST /v1/quote HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
        );
      await wait(1_000);
      for (const one of wires) {
        const answers = answersIn(one.heard());
        scene.held(answers === 2, `${answers} answers to 2 requests, 9 s apart`);
        one.end();
      }
    },
  },
  {
    name: 'disconnecting in the middle',
    promise:
      'a caller who disconnects during a request or an answer crashes nothing and leaves nothing in memory',
    async run(scene) {
      const shop = await scene.house();
      const payment = await shop.sign(await scene.buyer(shop.chain, 0n));
      for (let count = 0; count < 60 * scene.rounds; count += 1) {
        const one = wire(shop.seller.port);
        const bytes = getBytes(notice('Gone').path, `PAYMENT-SIGNATURE: ${paymentHeader(payment)}\r\n`);
        one.write(bytes.slice(0, scene.random.whole(1, bytes.length)));
        await wait(scene.random.whole(0, 8));
        one.end();
        scene.tried(1);
      }
      const { status } = await shop.insist(
        await shop.sign(await scene.buyer(shop.chain)),
        notice(),
        5_000,
        quietly,
      );
      scene.held(status === 200, `afterward ${status}`);
    },
  },
];
