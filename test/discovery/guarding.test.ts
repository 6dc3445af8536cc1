import { describe, expect, it } from 'vitest';
import { catalog, testApp } from '../support/app.ts';

const app = testApp();
const people = { accept: 'text/html' };
const filled = '/late-invoice?amount=5&due_date=2026-11-04';
const pages = ['/', '/late-invoice', filled, '/quote?rows=6', '/tools', '/legal', '/nowhere'];

describe('every page for people', () => {
  it.each(pages)(
    'at %s cannot be framed, cannot use device features and lets a wallet open its window',
    async (path) => {
      const { headers } = await app.get(path, people);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|https?:/);
      expect(headers.get('permissions-policy')).toBe(
        'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=(), xr-spatial-tracking=()',
      );
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    },
  );

  it('has the same headers for a caller above the limit', async () => {
    const busy = testApp({ freeRequestsPerMinute: 1 });
    await busy.get(filled);
    const { status, headers } = await busy.get(filled);
    expect(status).toBe(429);
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it('does not send HSTS if the service is not reached by https', async () => {
    const local = testApp({ baseUrl: 'http://127.0.0.1:4021' });
    for (const path of pages)
      expect((await local.get(path, people)).headers.get('strict-transport-security')).toBeNull();
  });
});

it.each([...pages, '/plan', '/late-fee-calculator?amount=5', '/prices', '/problems/x'])(
  'the answer at %s does not name a host that a caller has written into a header',
  async (path) => {
    const answer = await app.http.request(`http://evil.example${path}`, {
      headers: {
        ...people,
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'javascript',
        'x-forwarded-prefix': '//evil.example',
        'x-original-url': '//evil.example',
        'x-rewrite-url': '//evil.example',
        forwarded: 'host=evil.example;proto=http',
        origin: 'https://evil.example',
        referer: 'https://evil.example',
      },
    });
    expect(answer.status).toBe((await app.get(path, people)).status);
    expect(JSON.stringify([...answer.headers]) + (await answer.text())).not.toContain('evil.example');
  },
);

it.each(['/tools', '/plan', '/nowhere', '/v1/late-fee-notice', '/v1/stack-report'])(
  'the page at %s does not show input as markup',
  async (path) => {
    const mark = `"'><script>alert(4711)</script><img src=x onerror=alert(4711)>`;
    const query = ['find', 'need', 'country', 'trade', 'business_type', mark]
      .map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(mark)}`)
      .join('&');
    for (const asked of [`${path}?${query}`, `${path}/${encodeURIComponent(mark)}`]) {
      const answer = await app.get(asked, people);
      const html = answer.headers.get('content-type')?.startsWith('text/html') ? await answer.text() : '';
      expect(answer.status).toBeLessThan(500);
      expect(html).not.toMatch(/<script>alert|<img src=x/);
    }
  },
);

it('answers and documents for programs can be read by pages of every origin', async () => {
  const free = catalog.flatMap(({ route, price }) =>
    price === null && route?.method === 'GET' && !route.path.includes('{') ? [route.path] : [],
  );
  for (const path of [...free, '/openapi.json', '/llms.txt', '/.well-known/x402', '/og.png', '/v1/nowhere']) {
    const { headers } = await app.get(path);
    expect([path, headers.get('access-control-allow-origin')]).toEqual([path, '*']);
    expect([path, headers.get('cross-origin-resource-policy')]).toEqual([path, null]);
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
  }
});

describe('the contact for vulnerabilities', () => {
  const toldBy = async (contactEmail: string | null) => {
    const site = testApp({ about: { contactEmail, ownershipProof: null } });
    const page = await (await site.get('/legal')).text();
    const main = /<main.*<\/main>/s.exec(page)?.[0] ?? '';
    return { page: main, file: await (await site.get('/.well-known/security.txt')).text() };
  };

  it('is an address on the page and in security.txt', async () => {
    const { page, file } = await toldBy('hello@calc.example');
    expect(file).toContain('Contact: mailto:hello@calc.example\n');
    expect(page).toContain('href="mailto:hello@calc.example"');
    expect(page).toContain('href="/.well-known/security.txt"');
  });

  it('is replaced by an explanation if no contact is set, but only on the page', async () => {
    const { page, file } = await toldBy(null);
    expect(file).toContain('Contact: https://calc.example/legal#security\n');
    expect(page).not.toContain('mailto:');
    expect(page).not.toContain('security.txt');
  });
});
