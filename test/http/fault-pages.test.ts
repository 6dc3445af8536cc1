import { describe, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';

const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const FORM = 'application/x-www-form-urlencoded';
const TOO_LONG = `client_name=${'a'.repeat(70_000)}`;

/** The request of a browser without JavaScript. */
const sent = (app: ReturnType<typeof testApp>, path: string, body: string, headers = {}) =>
  app.http.request(path, {
    method: 'POST',
    headers: { accept: ACCEPT, 'content-type': FORM, ...headers },
    body,
  });

describe('a form that was rejected', () => {
  const app = testApp();
  const pages = ['/late-invoice', '/quote', '/plan'];

  it.each(pages)('gets a page that says what to do, and a program gets a problem: %s', async (path) => {
    for (const [body, headers, status, says] of [
      [TOO_LONG, {}, 413, '64 KB'],
      ['client_name=x', { 'content-type': 'text/plain' }, 415, ' form'],
    ] as const) {
      const reply = await sent(app, path, body, headers);
      expect([path, reply.status]).toEqual([path, status]);
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(reply.headers.get('vary')).toBe('Accept');
      const html = await reply.text();
      expect(html).toContain(says);
      expect(html).toMatch(/\bcharged\b/);
      expect(html).toContain(`href="${path}"`);
      for (const accept of [
        '*/*',
        'application/json',
        'application/json, text/html;q=0.1',
        'text/html;q=0',
      ]) {
        const plain = await sent(app, path, body, { ...headers, accept });
        expect([plain.status, plain.headers.get('content-type')]).toEqual([
          status,
          'application/problem+json',
        ]);
      }
    }
  });
});

describe('a form that was sent too many times', () => {
  it('gets a page that says how to keep the typed values, and links to them', async () => {
    const app = testApp({ freeRequestsPerMinute: 1 });
    expect((await app.get('/v1/late-fee?amount=1&due_date=2026-09-01')).status).toBe(200);
    const posted = await (await sent(app, '/late-invoice', 'amount=1250&due_date=2026-09-01')).text();
    expect(posted).toMatch(/\bstay\b.*\byes\b/s);
    const asked = await (
      await app.get('/late-invoice?amount=1250&due_date=2026-09-01', { accept: ACCEPT })
    ).text();
    expect(asked).toMatch(/\baddress\b.*\breload\b/s);
    for (const html of [posted, asked]) expect(html).not.toMatch(/\bgo back\b/);
  });
});

describe('an internal fault', () => {
  it('gets a page in a browser, and a problem for a program or anywhere under /v1', async () => {
    const fail = (): never => {
      throw new Error('a bug');
    };
    const app = testApp({ health: fail, countersOf: () => ({ count: fail }) });
    const page = await app.get('/healthz', { accept: ACCEPT });
    expect([page.status, page.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
    const html = await page.text();
    expect(html).toMatch(/<h1>.*\bour side\b.*<\/h1>/);
    expect(html).not.toContain('a bug');
    for (const [path, accept] of [
      ['/healthz', '*/*'],
      ['/v1/late-fee', ACCEPT],
    ] as const) {
      const plain = await app.get(path, { accept });
      expect([plain.status, plain.headers.get('content-type')]).toEqual([500, 'application/problem+json']);
    }
    expect(app.bugs).toHaveLength(3);
  });
});

describe('a paid route that accepts only POST', () => {
  it('leads a browser to its form, and a program to the right method', async () => {
    const app = testApp();
    const reply = await app.get('/v1/quote-pack', { accept: ACCEPT });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await reply.text();
    expect(html).toContain('href="/quote?step=options"');
    expect(html).toMatch(/\bcharged\b/);
    const plain = await app.get('/v1/quote-pack');
    expect([plain.status, plain.headers.get('content-type')]).toEqual([405, 'application/problem+json']);
  });
});

describe('a form without JavaScript', () => {
  const app = testApp();
  it('leads to the added lines', async () => {
    const more = await (await sent(app, '/quote', 'items.unit_price=5&rows=6')).text();
    expect(more).toContain('formaction="/quote#f-items-6-description"');
    const late = await (await app.get('/late-invoice')).text();
    expect(late).toContain('action="/late-invoice#sent"');
  });
});
