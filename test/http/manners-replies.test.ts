import { describe, expect, it } from 'vitest';
import { problemPath, problemTypes } from '../../src/surfaces/problem.ts';
import { BASE_URL } from '../support/app.ts';
import { GETS, POSTS, paid, politeService, QUERY } from './manners.ts';
import { problemOf } from './wire.ts';

const { app, call } = politeService();

describe('a reply to OPTIONS', () => {
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
      for (const name of 'payment-required payment-response retry-after ratelimit ratelimit-policy'.split(
        ' ',
      ))
        expect(list('access-control-expose-headers')).toContain(name);
      expect(headers.has('access-control-allow-credentials')).toBe(false);
    }
  });
});

describe('a reply to HEAD', () => {
  it.each([
    ['/v1/late-fee', 200],
    ['/v1/late-fee-notice', 402],
    ['/v1/nothing', 404],
  ])('for %s has the headers of GET and no body', async (path, status) => {
    const [head, got] = [await call('HEAD', `${path}?${QUERY}`), await call('GET', `${path}?${QUERY}`)];
    expect([head.status, await head.text()]).toEqual([status, '']);
    const headers = ({ headers: sent }: Response) =>
      [...sent].filter(([name]) => !['ratelimit', 'content-length'].includes(name));
    expect(headers(head)).toEqual(headers(got));
  });
});

describe('every answer', () => {
  it('is not stored by caches, is not sniffed for its type, and may be read from every origin', async () => {
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

  it('names the type of a problem, and that type has a page', async () => {
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

  it('names its problem by a URL at the one public address', async () => {
    const response = await app.http.request('http://evil.example/v1/late-fee', {
      headers: { host: 'evil.example' },
    });
    expect((await problemOf(response)).type).toBe(`${BASE_URL}/problems/invalid-input`);
  });
});

describe('a body', () => {
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
