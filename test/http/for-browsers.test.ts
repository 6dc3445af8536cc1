import { describe, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';

// The Accept headers of Firefox and Chromium for a typed address.
const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const NOTICE = '/v1/late-fee-notice?amount=1250&due_date=2026-09-01&client_name=A%26%22%3Cb%3E';

const { get, post, http } = testApp();

describe('a paid route that is opened in a browser', () => {
  it('answers with a page that leads to the filled form, and still with a 402 that programs can pay', async () => {
    const reply = await get(NOTICE, { accept: ACCEPT });
    expect(reply.status).toBe(402);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('vary')).toBe('Accept');
    const plain = await get(NOTICE);
    expect(reply.headers.get('payment-required')).toBe(plain.headers.get('payment-required'));
    const html = await reply.text();
    expect(html).toMatch(/USD 0\.01\b.*\bcharged\b/);
    expect(html).toContain(
      'href="/late-invoice?amount=1250&amp;due_date=2026-09-01&amp;client_name=A%26%22%3Cb%3E"',
    );
  });

  it.each([NOTICE, '/v1/stack-report', '/v1/quote-pack'])(
    'answers HEAD as it answers GET: %s',
    async (path) => {
      const [asked, got] = await Promise.all(
        ['HEAD', 'GET'].map((method) => http.request(path, { method, headers: { accept: ACCEPT } })),
      );
      expect(got?.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const said = ({ status, headers }: Response) => [
        status,
        [...headers].filter(([name]) => !['content-length', 'x-request-id'].includes(name)),
      ];
      expect(said(asked as Response)).toEqual(said(got as Response));
      expect(await asked?.text()).toBe('');
    },
  );

  it('also answers with a page if there is no input', async () => {
    const reply = await get('/v1/stack-report', { accept: ACCEPT });
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain('href="/plan"');
  });

  it.each([undefined, '*/*', 'application/json', 'application/json, text/plain, */*'])(
    'answers a program that accepts %s with a problem',
    async (accept) => {
      const reply = await get(NOTICE, accept === undefined ? {} : { accept });
      expect(reply.status).toBe(402);
      expect(reply.headers.get('content-type')).toBe('application/problem+json');
    },
  );

  it('answers with a problem if the request has a payment or is a POST', async () => {
    const unreadable = await get(NOTICE, { accept: ACCEPT, 'payment-signature': 'x' });
    const posted = await post(
      '/v1/late-fee-notice',
      { amount: 1250, due_date: '2026-09-01' },
      { accept: ACCEPT },
    );
    expect(unreadable.status).toBe(400);
    expect(posted.status).toBe(402);
    for (const { headers } of [unreadable, posted])
      expect(headers.get('content-type')).toBe('application/problem+json');
  });
});

describe('a person without JavaScript who sends too many requests', () => {
  const HTML = { accept: ACCEPT };
  /** A service whose only free request is used up. */
  const tired = async () => {
    const app = testApp({ freeRequestsPerMinute: 1 });
    expect((await app.get('/v1/late-fee?amount=1&due_date=2026-09-01')).status).toBe(200);
    return app;
  };

  it.each([
    ['/late-invoice?amount=1250&due_date=2026-09-01', '/late-invoice'],
    ['/plan?business_type=service', '/plan'],
    ['/tools?words=newsletter', '/tools'],
    ['/tools/compare?id=brevo&id=listmonk', '/tools'],
  ])('gets a page that says how long to wait: %s', async (path, back) => {
    const reply = await (await tired()).get(path, HTML);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    const seconds = reply.headers.get('retry-after');
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const html = await reply.text();
    expect(html).toMatch(/<h1>.*\bwait\b.*<\/h1>/);
    expect(html).toContain(` ${seconds} seconds`);
    expect(html).toContain(`href="${back}"`);
    expect(html).toContain('<nav class="menu"');
  });
});
