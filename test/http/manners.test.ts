import { describe, expect, it } from 'vitest';
import { problemPath, problemTypes } from '../../src/surfaces/problem.ts';
import { proves } from '../spec/clauses.ts';
import { BASE_URL, catalog, fakePayment } from '../support/app.ts';
import { answerOf, payingApp, problemOf } from './wire.ts';

const app = payingApp();
const call = (method: string, path: string, headers: Record<string, string> = {}) =>
  app.http.request(path, { method, headers });

const GETS = ['/v1/late-fee', '/v1/late-fee-notice'];
const POSTS = ['/v1/quote', '/v1/quote-pack'];
const QUERY = 'amount=1250&due_date=2026-11-04&paid_date=2026-11-21';
const paid = { 'payment-signature': fakePayment() };

describe('an address that is not quite right', () => {
  const odd = (path: string) => [
    `${path}/`,
    `/${path}`,
    `${path}//`,
    path.toUpperCase(),
    path.replace('/v1/', '/V1/'),
    path.replace('/v1/', '/v1//'),
    path.replace('/v1/', '/v1%2F'),
    path.replace('/v1/', '/v2/'),
    path.replace('/v1/', '/v/'),
    `${path};x=1`,
    `${path};`,
    `${path}.`,
    `${path}.json`,
    `${path}%20`,
    `${path}%00`,
    `${path}%3Famount=5`,
    `${path}%23`,
    `${path}&amount=5`,
    `${path}/x`,
    `/api${path}`,
    `${path}%`,
    `${path}%zz`,
  ];

  it.each(GETS)(proves('7-404', '%s is not found, paid or not'), async (path) => {
    for (const spelling of odd(path))
      for (const headers of [{}, paid]) {
        const response = await call(
          'GET',
          `${spelling}${spelling.includes('?') ? '' : `?${QUERY}`}`,
          headers,
        );
        expect([spelling, response.status]).toEqual([spelling, 404]);
        expect(await problemOf(response)).toMatchObject({ code: 'not_found', charged: false });
      }
    expect(app.orders.length).toBe(0);
  });

  it.each([...GETS, ...POSTS])(
    '%s without /v1 is a page for people or nothing, and sells nothing',
    async (path) => {
      const bare = path.replace('/v1/', '/');
      const isPage = catalog.some(({ page }) => page?.path === bare);
      for (const headers of [{}, paid]) {
        const response = await call('GET', `${bare}?${QUERY}`, headers);
        expect(response.headers.has('payment-response')).toBe(false);
        expect(response.headers.has('payment-required')).toBe(false);
        // Names that people look for lead to the page.
        if (response.status === 301)
          expect(response.headers.get('location')).toBe(`/late-fee-reminder?${QUERY}`);
        else if (isPage) expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
        else expect(await problemOf(response)).toMatchObject({ code: 'not_found', charged: false });
      }
      expect(app.orders.length).toBe(0);
    },
  );

  it.each(POSTS)('%s is not found', async (path) => {
    for (const spelling of odd(path)) {
      const response = await app.post(spelling, { items: [{ unit_price: 1 }] });
      expect([spelling, response.status]).toEqual([spelling, 404]);
      expect(await problemOf(response)).toMatchObject({ code: 'not_found' });
    }
  });

  it.each(['/v1/', '/v1/late-fee-notices', '/favicon.txt', '/%ff', '/%', '/.env', '/../etc/passwd'])(
    '%s is nothing here',
    async (path) => {
      expect(await problemOf(await call('GET', path))).toMatchObject({ status: 404 });
    },
  );

  it('that is the same address in other letters of the URL standard is the same operation', async () => {
    // RFC 3986 section 6.2.2: encoded letters and dot segments name the same resource; the price stands behind both.
    for (const path of ['/v1/%6Cate-fee-notice', '/v1/./late-fee-notice', '/v1/x/../late-fee-notice'])
      expect((await call('GET', `${path}?${QUERY}`)).status).toBe(402);
  });
});

describe('a method that an address does not have', () => {
  it.each(['PUT', 'DELETE', 'PATCH', 'PROPFIND', 'LOCK', 'FOO', 'post', 'get'])(
    '%s is a 405 with Allow',
    async (method) => {
      const upper = method.toUpperCase();
      for (const path of [...GETS, ...POSTS]) {
        const { route } = catalog.find((operation) => operation.route?.path === path) ?? {};
        const own = GETS.includes(path) ? ['GET', 'HEAD'] : [];
        if (!GETS.includes(path) || route?.alsoByPost) own.push('POST');
        // The Request class writes the well-known methods in upper case itself.
        if (own.includes(upper)) continue;
        const response = await call(method, path, paid);
        expect(response.headers.get('allow')).toBe([...own, 'OPTIONS'].join(', '));
        expect(await problemOf(response)).toMatchObject({
          status: 405,
          code: 'method_not_allowed',
          charged: false,
        });
      }
      expect(app.orders.length).toBe(0);
    },
  );

  it('HEAD of what is posted is one, too', async () => {
    for (const path of POSTS) {
      const response = await call('HEAD', path, paid);
      expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([
        405,
        'POST, OPTIONS',
        '',
      ]);
    }
  });

  it('may not be smuggled in a header', async () => {
    const smuggled = { 'x-http-method-override': 'GET', 'x-http-method': 'GET', 'x-method-override': 'GET' };
    expect((await call('POST', `/v1/late-fee?${QUERY}`, smuggled)).status).toBe(405);
    expect((await call('HEAD', `/v1/late-fee-notice?${QUERY}`, { ...smuggled, ...paid })).status).toBe(402);
    expect(app.orders.length).toBe(0);
  });
});

describe('OPTIONS', () => {
  it('tells a browser what a buyer may send and read', async () => {
    for (const path of [...GETS, ...POSTS, '/v1/nothing', '/']) {
      const response = await call('OPTIONS', path, {
        origin: 'https://shop.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'payment-signature,access-control-expose-headers',
      });
      expect([response.status, await response.text()]).toEqual([204, '']);
      const { headers } = response;
      expect(headers.get('access-control-allow-origin')).toBe('*');
      const list = (name: string) => headers.get(name)?.toLowerCase().split(', ');
      expect(list('access-control-allow-methods')).toEqual(['get', 'head', 'post', 'options']);
      // @x402/fetch sends a response header's name as a request header, so a preflight must allow it.
      for (const name of [
        'content-type',
        'payment-signature',
        'access-control-expose-headers',
        'idempotency-key',
      ])
        expect(list('access-control-allow-headers')).toContain(name);
      for (const name of [
        'payment-required',
        'payment-response',
        'retry-after',
        'ratelimit',
        'ratelimit-policy',
      ])
        expect(list('access-control-expose-headers')).toContain(name);
      expect(headers.has('access-control-allow-credentials')).toBe(false);
    }
  });
});

describe('HEAD', () => {
  it.each([
    ['/v1/late-fee', 200],
    ['/v1/late-fee-notice', 402],
    ['/v1/nothing', 404],
  ])('of %s is what GET says without a body', async (path, status) => {
    const [head, got] = [await call('HEAD', `${path}?${QUERY}`), await call('GET', `${path}?${QUERY}`)];
    expect([head.status, await head.text()]).toEqual([status, '']);
    const headers = ({ headers: sent }: Response) =>
      [...sent].filter(([name]) => !['ratelimit', 'content-length'].includes(name));
    expect(headers(head)).toEqual(headers(got));
  });
});

describe('every answer', () => {
  it('is not stored, not sniffed, and open to every origin', async () => {
    const responses = [
      await call('GET', `/v1/late-fee?${QUERY}`),
      await call('GET', '/v1/late-fee'),
      await call('GET', `/v1/late-fee-notice?${QUERY}`),
      await app.buyNotice(QUERY),
      await app.buyPack({ items: [{ unit_price: 1 }] }),
      await app.post('/v1/quote', { items: [{ unit_price: 1 }] }),
      await app.post('/v1/quote', 'x', { 'content-type': 'text/plain' }),
      await app.post('/v1/quote', ' '.repeat(65_537)),
      await call('PUT', '/v1/quote'),
      await call('GET', '/nothing'),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 400, 402, 200, 200, 200, 415, 413, 405, 404]);
    for (const { headers } of responses) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.has('set-cookie')).toBe(false);
      expect(headers.has('server')).toBe(false);
      expect(headers.has('x-powered-by')).toBe(false);
    }
  });

  it('with a problem says so with a type that has a page', async () => {
    for (const { code, title, status } of problemTypes) {
      const response = await call('GET', problemPath(code));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
      const page = await response.text();
      for (const part of [title, code, String(status)]) expect(page).toContain(part);
      expect((await call('POST', problemPath(code))).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    }
    expect((await call('GET', '/problems/nothing')).status).toBe(404);
  });

  it('names its problem under the one public address', async () => {
    const response = await app.http.request('http://evil.example/v1/late-fee', {
      headers: { host: 'evil.example' },
    });
    expect((await problemOf(response)).type).toBe(`${BASE_URL}/problems/invalid-input`);
  });
});

describe('the type and size of a body', () => {
  const typed = (type: string | null, body = '{"items":[{"unit_price":1}]}', more = {}) =>
    app.http.request('/v1/quote', {
      method: 'POST',
      headers: { ...(type !== null && { 'content-type': type }), ...more },
      body: Buffer.from(body),
    });

  it('is JSON of at most 65536 bytes', async () => {
    const padded = (size: number) => `{"items":[{"unit_price":1}]}`.padEnd(size);
    expect((await answerOf(await typed('application/json; charset=utf-8'))).total).toBe(1);
    expect((await answerOf(await typed('application/json', padded(65_536)))).total).toBe(1);
    expect(await problemOf(await typed('application/json', padded(65_537)))).toMatchObject({
      status: 413,
      code: 'payload_too_large',
      charged: false,
    });
  });

  it('is nothing else, and nothing compressed', async () => {
    for (const type of [
      null,
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ])
      expect(await problemOf(await typed(type))).toMatchObject({
        status: 415,
        code: 'unsupported_media_type',
      });
    expect(await problemOf(await typed('application/json; charset=utf-16'))).toMatchObject({ status: 415 });
    for (const coding of ['gzip', 'br', 'deflate'])
      expect(
        await problemOf(await typed('application/json', undefined, { 'content-encoding': coding })),
      ).toMatchObject({ status: 415 });
  });

  it('never lets a paid operation run for free', async () => {
    const before = app.orders.length;
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', null]) {
      const response = await app.http.request('/v1/quote-pack', {
        method: 'POST',
        headers: { ...(type !== null && { 'content-type': type }), ...paid },
        body: Buffer.from('{"items":[{"unit_price":1}]}'),
      });
      expect(response.status).toBe(415);
    }
    expect(app.orders.length).toBe(before);
  });
});
