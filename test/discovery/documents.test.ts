import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { proves } from '../spec/clauses.ts';
import { BASE_URL, testApp } from '../support/app.ts';
import { paidOperations } from './support.ts';

const app = testApp();

/** Every document with the media type it is served as. */
const documents = [
  ['/openapi.json', 'application/json'],
  ['/.well-known/x402', 'application/json'],
  ['/.well-known/api-catalog', 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
  ['/.well-known/ai-catalog.json', 'application/ai-catalog+json'],
  ['/mcp/server-card', 'application/mcp-server-card+json'],
  ['/.well-known/security.txt', 'text/plain; charset=utf-8'],
  ['/security.txt', 'text/plain; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
  ['/sitemap.xml', 'application/xml; charset=utf-8'],
  ['/', 'text/html; charset=utf-8'],
  ['/developers', 'text/html; charset=utf-8'],
  ['/docs', 'text/html; charset=utf-8'],
  ['/legal', 'text/html; charset=utf-8'],
  ['/index.md', 'text/markdown; charset=utf-8'],
  ['/developers.md', 'text/markdown; charset=utf-8'],
  ['/docs.md', 'text/markdown; charset=utf-8'],
  ['/.well-known/agent-skills/small-business-calculator/SKILL.md', 'text/markdown; charset=utf-8'],
  ['/.well-known/agent-skills/index.json', 'application/json'],
  ['/legal.md', 'text/markdown; charset=utf-8'],
  ['/style.css', 'text/css; charset=utf-8'],
  ['/favicon.svg', 'image/svg+xml'],
  ['/favicon.ico', 'image/x-icon'],
  ['/icon.png', 'image/png'],
  ['/og.png', 'image/png'],
] as const;

const bytes = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

describe('the documents', () => {
  it(proves('0-documents', 'are at the addresses in the specification'), async () => {
    for (const path of '/openapi.json /.well-known/x402 /.well-known/api-catalog /llms.txt /sitemap.xml'.split(
      ' ',
    ))
      expect((await app.get(path)).status, path).toBe(200);
  });

  it('are generated before the first request, without an error', async () => {
    const fresh = testApp();
    await fresh.warm();
    expect(fresh.bugs).toEqual([]);
  });
});

describe.each(documents)('the document %s', (path, type) => {
  it('is served to everybody with its type, a lifetime and an ETag', async () => {
    const answer = await app.get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]{22}"$/);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect((await bytes(answer)).length).toBeGreaterThan(50);
  });

  it('is answered with 304 and no body for a client that already has it', async () => {
    const etag = (await app.get(path)).headers.get('etag') ?? '';
    for (const tags of [etag, `"other", W/${etag}`, '*']) {
      const answer = await app.get(path, { 'if-none-match': tags });
      expect(answer.status).toBe(304);
      expect(answer.headers.get('etag')).toBe(etag);
      expect((await bytes(answer)).length).toBe(0);
    }
    expect((await app.get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('answers HEAD like GET, and no other method', async () => {
    const get = await app.get(path);
    const head = await app.http.request(path, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
    expect((await bytes(head)).length).toBe(0);
    const post = await app.http.request(path, { method: 'POST' });
    expect(post.status).toBe(405);
    expect(post.headers.get('allow')).toMatch(/^GET, HEAD/);
  });

  it('has the same bytes for any host and scheme that a caller names', async () => {
    const plain = await bytes(await app.get(path));
    const forged = await bytes(
      await app.http.request(`http://evil.example${path}`, {
        headers: {
          host: 'evil.example',
          'x-forwarded-host': 'evil.example',
          'x-forwarded-proto': 'http',
          forwarded: 'host=evil.example;proto=http',
          'x-original-host': 'evil.example',
          'x-original-url': '/evil.example',
          'x-rewrite-url': '//evil.example',
          'x-forwarded-prefix': '//evil.example',
          origin: 'https://evil.example',
          referer: 'https://evil.example',
        },
      }),
    );
    expect(forged.equals(plain)).toBe(true);
    expect(forged.includes('evil.example')).toBe(false);
  });
});

describe('a long document', () => {
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync };

  it.each(['br', 'gzip'] as const)(
    'is sent in %s to clients that accept it, with its own ETag',
    async (coding) => {
      const plain = await app.get('/openapi.json');
      const coded = await app.get('/openapi.json', { 'accept-encoding': coding });
      expect(coded.headers.get('content-encoding')).toBe(coding);
      expect(coded.headers.get('vary')).toBe('Accept-Encoding');
      expect(coded.headers.get('etag')).not.toBe(plain.headers.get('etag'));
      const body = await bytes(coded);
      expect(Number(coded.headers.get('content-length'))).toBe(body.length);
      const full = await bytes(plain);
      expect(body.length).toBeLessThan(full.length / 4);
      expect(decoders[coding](body).equals(full)).toBe(true);
    },
  );
});

describe('a page for people', () => {
  it.each(['/', '/docs', '/legal'])('at %s also exists in Markdown', async (path) => {
    const twin = path === '/' ? '/index.md' : `${path}.md`;
    const asked = await app.get(path, { accept: 'text/markdown' });
    expect(asked.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(asked.headers.get('vary')).toBe('Accept, Accept-Encoding');
    expect(await asked.text()).toBe(await (await app.get(twin)).text());
    const browser = await app.get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect(browser.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(browser.headers.get('link')).toContain(`<${twin}>; rel="alternate"; type="text/markdown"`);
  });

  it('loads nothing from other sites and may run no script', async () => {
    for (const path of ['/', '/docs', '/legal']) {
      const answer = await app.get(path);
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/);
      const html = await answer.text();
      expect(html.match(/<(?:script|link|img)[^>]+(?:src|href)="https?:[^"]*"/g)).toEqual([
        `<link rel="canonical" href="${BASE_URL}${path}"`,
      ]);
      expect(html).not.toMatch(/<script(?! type="application\/ld\+json")| style=|\son\w+=/);
    }
  });

  it('describes itself to search engines', async () => {
    const html = await (await app.get('/')).text();
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '');
    expect(data['@graph'][0]).toMatchObject({
      '@type': 'WebAPI',
      url: `${BASE_URL}/v1`,
      offers: paidOperations.map(({ price }) => ({ price: price?.usd })),
    });
    expect(html).toContain(`<meta property="og:image" content="${BASE_URL}/og.png"/>`);
  });

  it('links from the home page to the documents for programs', async () => {
    const link = (await app.get('/')).headers.get('link') ?? '';
    for (const relation of ['api-catalog', 'service-desc', 'service-doc', 'ai-catalog'])
      expect(link).toContain(`rel="${relation}"`);
  });
});

it.each([
  ['/late-fee-calculator', '/late-invoice'],
  ['/quote-calculator', '/quote'],
  ['/late-fee-notice', '/late-invoice'],
  ['/docs/reference', '/docs'],
])('the address %s redirects to %s and keeps the values of a form', async (asked, page) => {
  const answer = await app.get(`${asked}?amount=5`);
  expect([answer.status, answer.headers.get('location')]).toEqual([308, `${page}?amount=5`]);
  expect((await app.get(page)).status).toBe(200);
});

it.each([
  ['/prices', '/', 'prices'],
  ['/pricing', '/', 'prices'],
  ['/terms', '/legal', 'terms'],
  ['/privacy', '/legal', 'privacy'],
  ['/security', '/legal', 'security'],
])('the address %s redirects to its section on %s', async (asked, path, place) => {
  const location = async (address: string) => (await app.get(address)).headers.get('location');
  expect(await location(asked)).toBe(`${path}#${place}`);
  expect(await location(`${asked}?from=mail`)).toBe(`${path}?from=mail#${place}`);
  expect(await (await app.get(path, { accept: 'text/html' })).text()).toContain(` id="${place}"`);
});

it('files with a digest of their content in the name are cached permanently, and only under that name', async () => {
  const html = await (await app.get('/')).text();
  const style = /href="(\/style\.css\?v=[^"]+)"/.exec(html)?.[1] ?? '';
  const kept = async (path: string) => (await app.get(path)).headers.get('cache-control');
  expect(await kept(style)).toBe('public, max-age=31536000, immutable');
  expect(await kept('/style.css?v=older')).toBe('public, max-age=86400');
  expect(await kept('/style.css')).toBe('public, max-age=86400');
});

it('each kind of page has its own picture for link previews', async () => {
  const pictures = new Set<string>();
  for (const path of ['/', '/late-invoice', '/quote', '/plan', '/tools', '/developers']) {
    const html = await (await app.get(path)).text();
    const picture = /property="og:image" content="https:\/\/calc\.example([^"]+)"/.exec(html)?.[1] ?? '';
    expect([path, (await app.get(picture)).headers.get('content-type')]).toEqual([path, 'image/png']);
    expect(html).toMatch(/property="og:image:alt" content="[^"]{30,}"/);
    pictures.add(picture);
  }
  expect(pictures.size).toBe(6);
});

it('the service has none of the documents of servers with logins', async () => {
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/agent-card.json'])
    expect((await app.get(path)).status).toBe(404);
});
