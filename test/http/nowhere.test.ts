import { describe, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';

const app = testApp();

describe('an address that leads nowhere', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

  it('answers a browser with a page that has links', async () => {
    for (const path of ['/late-fees', '/tools/nobody-knows-it', '/<script>']) {
      const response = await app.get(path, browser);
      const html = await response.text();
      expect([response.status, response.headers.get('content-type')]).toEqual([
        404,
        'text/html; charset=utf-8',
      ]);
      expect(html).toMatch(/<h1>.*\bPage not found\b.*<\/h1>/);
      expect(html).toContain('<a href="/late-invoice">');
      expect(html).not.toContain('<script>');
      // The page is neither a regular page nor the home page.
      expect(html).not.toMatch(/canonical|rel="alternate"|as Markdown/);
      expect(response.headers.get('vary')).toBe('Accept');
    }
  });

  it('answers a program, and every request under /v1, with a problem', async () => {
    expect((await app.get('/late-fees')).headers.get('vary')).toBe('Accept');
    for (const [path, headers] of [
      ['/late-fees', {}],
      ['/late-fees', { accept: '*/*' }],
      ['/late-fees', { accept: 'application/json' }],
      ['/v1/late-fees', browser],
      ['/v1/tools/nobody-knows-it', browser],
    ] as const) {
      const response = await app.get(path, headers);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        404,
        'application/problem+json',
      ]);
    }
  });
});
