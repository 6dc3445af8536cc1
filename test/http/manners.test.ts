import { describe, expect, it } from 'vitest';
import { proves } from '../spec/clauses.ts';
import { catalog } from '../support/app.ts';
import { GETS, POSTS, paid, politeService, QUERY } from './manners.ts';
import { problemOf } from './wire.ts';

const { app, call } = politeService();

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

  it.each(GETS)(proves('7-404', 'based on %s is not found, paid or not'), async (path) => {
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
    'such as %s without /v1 is a page for people or is not found, and sells nothing',
    async (path) => {
      const bare = path.replace('/v1/', '/');
      const isPage = catalog.some(({ page }) => page?.path === bare);
      for (const headers of [{}, paid]) {
        const response = await call('GET', `${bare}?${QUERY}`, headers);
        expect(response.headers.has('payment-response')).toBe(false);
        expect(response.headers.has('payment-required')).toBe(false);
        // Addresses with names that people search for redirect to the page.
        const moved = bare === '/quote-pack' ? `/quote?step=options&${QUERY}` : `/late-invoice?${QUERY}`;
        if (response.status === 308) expect(response.headers.get('location')).toBe(moved);
        else if (isPage) expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
        else expect(await problemOf(response)).toMatchObject({ code: 'not_found', charged: false });
      }
      expect(app.orders.length).toBe(0);
    },
  );

  it.each(POSTS)('based on %s is not found', async (path) => {
    for (const spelling of odd(path)) {
      const response = await app.post(spelling, { items: [{ unit_price: 1 }] });
      expect([spelling, response.status]).toEqual([spelling, 404]);
      expect(await problemOf(response)).toMatchObject({ code: 'not_found' });
    }
  });
});

describe('a method that an address does not support', () => {
  it.each(['PUT', 'DELETE', 'PATCH', 'PROPFIND', 'LOCK', 'FOO', 'post', 'get'])(
    'such as %s gets a 405 with Allow',
    async (method) => {
      const upper = method.toUpperCase();
      for (const path of [...GETS, ...POSTS]) {
        const { route } = catalog.find((operation) => operation.route?.path === path) ?? {};
        const own = GETS.includes(path) ? ['GET', 'HEAD'] : [];
        if (!GETS.includes(path) || route?.alsoByPost) own.push('POST');
        // The Request class itself converts the well-known methods to upper case.
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

  it('such as HEAD on a POST route also gets a 405', async () => {
    for (const path of POSTS) {
      const response = await call('HEAD', path, paid);
      expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([
        405,
        'POST, OPTIONS',
        '',
      ]);
    }
  });

  it('cannot be overridden by a header', async () => {
    const smuggled = { 'x-http-method-override': 'GET', 'x-http-method': 'GET', 'x-method-override': 'GET' };
    expect((await call('POST', `/v1/late-fee?${QUERY}`, smuggled)).status).toBe(405);
    expect((await call('HEAD', `/v1/late-fee-notice?${QUERY}`, { ...smuggled, ...paid })).status).toBe(402);
    expect(app.orders.length).toBe(0);
  });
});
