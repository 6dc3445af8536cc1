import { gzipSync } from 'node:zlib';
import type { Kind } from '../kind.ts';
import { notice, type Shop } from '../shop.ts';

const MARK = `"'><script>alert(4711)</script><img src=x onerror=alert(4711)>{{7*7}}\${7*7}`;
const PAGES = [
  '/late-fee',
  '/quote',
  '/late-fee-reminder',
  '/quote-pack',
  '/stack-report',
  '/tools',
  '/docs',
];
const FIELDS = [
  'amount',
  'due_date',
  'paid_date',
  'client_name',
  'business_name',
  'business_type',
  'team_size',
  'rows',
  'items[0][description]',
  'items.0.description',
  'description',
  'q',
  'category',
  'need',
  'tone',
  'invoice_number',
];

const isUnescaped = (text: string) =>
  text.includes('<script>alert(4711)') || text.includes('<img src=x onerror');

/** Processor time of the service for so many requests, each. */
async function costOf(shop: Shop, count: number, send: () => Promise<unknown>): Promise<number> {
  for (let index = 0; index < 5; index += 1) await send();
  const before = shop.seller.processorMs();
  for (let index = 0; index < count; index += 1) await send();
  return (shop.seller.processorMs() - before) / count;
}

/** How many times a late-fee call one request of a stranger may cost. */
const MOST_TIMES_DEARER = 120;

export const pageKinds: readonly Kind[] = [
  {
    name: 'rows without an end',
    promise: 'pages with more rows count among the free requests of an address',
    async run(scene) {
      const shop = await scene.shop({ settings: { FREE_REQUESTS_PER_MINUTE: '30' } });
      let served = 0;
      for (let count = 0; count < 60; count += 1) {
        const { status } = await shop.get(`/quote?rows=${100 - (count % 3)}`, { from: '127.0.8.1' });
        if (status === 200) served += 1;
      }
      scene.tried(60);
      scene.held(served <= 31, `${served} of 60 were served at a limit of 30`);
      const form = {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'rows=100',
        from: '127.0.8.2',
      };
      let posted = 0;
      for (let count = 0; count < 60; count += 1)
        if ((await shop.get('/quote', form)).status === 200) posted += 1;
      scene.held(posted <= 31, `${posted} of 60 forms were served at a limit of 30`);
    },
  },
  {
    name: 'reflections',
    promise: 'nothing a caller writes comes back as markup, in no page and in no fault',
    async run(scene) {
      const shop = await scene.house();
      for (const path of [...PAGES, '/nothing-here', '/v1/late-fee', '/problems/x']) {
        for (const field of FIELDS) {
          const { text, status, headers } = await shop.get(
            `${path}?${encodeURIComponent(field)}=${encodeURIComponent(MARK)}`,
            { headers: { accept: 'text/html' } },
          );
          const isHtml = headers['content-type']?.startsWith('text/html') ?? false;
          scene.held(!(isHtml && isUnescaped(text)), `${path}?${field}`);
          scene.held(status < 500, `${path}?${field}: ${status}`);
        }
        const { text, headers } = await shop.get(`${path}/${encodeURIComponent(MARK)}`, {
          headers: { accept: 'text/html' },
        });
        scene.held(!(headers['content-type']?.startsWith('text/html') && isUnescaped(text)), `${path}/…`);
      }
    },
  },
  {
    name: 'foreign hosts',
    promise: 'no header of a caller decides what address a page, a redirect or a document names',
    async run(scene) {
      const shop = await scene.house();
      const headers: Record<string, string>[] = [
        { host: 'evil.example' },
        { 'x-forwarded-host': 'evil.example' },
        { forwarded: 'host=evil.example;proto=http' },
        { 'x-forwarded-proto': 'javascript' },
        { 'x-original-url': '/evil.example' },
        { 'x-rewrite-url': '//evil.example' },
        { 'x-forwarded-prefix': '//evil.example' },
        { origin: 'https://evil.example' },
        { referer: 'https://evil.example' },
      ];
      for (const path of [
        ...PAGES,
        '/',
        '/openapi.json',
        '/.well-known/x402',
        '/llms.txt',
        '/sitemap.xml',
        notice().path,
      ])
        for (const header of headers) {
          const heard = await shop.get(path, { headers: header });
          const all = `${heard.text}${JSON.stringify(heard.headers)}${Buffer.from(heard.headers['payment-required'] ?? '', 'base64')}`;
          scene.held(!all.includes('evil.example'), `${path} with ${Object.keys(header)}`);
        }
    },
  },
  {
    name: 'redirects elsewhere',
    promise: 'no path leads to another site',
    async run(scene) {
      const shop = await scene.house();
      const paths = [
        '//evil.example',
        '//evil.example/',
        '/\\evil.example',
        '/%5cevil.example',
        '///evil.example/%2e%2e',
        '/late-fee//evil.example',
        '/%2f%2fevil.example',
        '/.//evil.example',
        '/late-fee/..//evil.example',
        '/%0d%0aLocation:%20https://evil.example',
        '/;@evil.example',
        '/tools/%2e%2e//evil.example',
      ];
      for (const path of paths) {
        const { status, headers } = await shop.get(path);
        const target =
          headers.location === undefined ? null : new URL(headers.location, shop.seller.url).origin;
        scene.held(
          target === null || target === shop.seller.url,
          `${path}: ${status} to ${headers.location}`,
        );
        scene.held(status < 500, `${path}: ${status}`);
      }
    },
  },
  {
    name: 'headers of pages',
    promise: 'pages keep frames, foreign scripts, devices and openers out, and over https they stay there',
    async run(scene) {
      const shop = await scene.shop({ settings: { PUBLIC_BASE_URL: 'https://calc.example' } });
      for (const path of ['/', '/late-fee', '/late-fee-reminder', '/quote-pack', '/tools']) {
        const { headers } = await shop.get(path);
        for (const name of [
          'content-security-policy',
          'permissions-policy',
          'cross-origin-opener-policy',
          'strict-transport-security',
          'x-content-type-options',
        ])
          scene.held(headers[name] !== undefined, `${path} has no ${name}`);
        scene.held(
          /frame-ancestors 'none'/.test(headers['content-security-policy'] ?? ''),
          `${path} may be framed`,
        );
        scene.held(
          !/unsafe-inline|unsafe-eval/.test(
            /script-src[^;]*/.exec(headers['content-security-policy'] ?? '')?.[0] ?? '',
          ),
          `${path} runs foreign scripts`,
        );
        scene.held(
          !/includeSubDomains|preload/i.test(headers['strict-transport-security'] ?? ''),
          `${path} speaks for other hosts`,
        );
      }
    },
  },
  {
    name: 'whom to tell',
    promise: 'security.txt names a contact, or a page that says whom to ask',
    async run(scene) {
      const shop = await scene.house();
      const { status, text } = await shop.get('/.well-known/security.txt');
      if (status === 404) return scene.held(true, '');
      const contacts = [...text.matchAll(/^Contact: (.*)$/gm)].map(([, contact]) => contact?.trim() ?? '');
      scene.held(contacts.length > 0, 'no contact');
      for (const contact of contacts) {
        if (!contact.startsWith('http')) continue;
        const page = await shop.get(new URL(contact).pathname);
        scene.held(/mailto:|@|WHOIS/.test(page.text), `${contact} names nobody`);
      }
    },
  },
  {
    name: 'paths out of the house',
    promise: 'no path reaches a file that is not served, and none ends the process',
    async run(scene) {
      const shop = await scene.house();
      const paths = [
        '/../package.json',
        '/..%2fpackage.json',
        '/%2e%2e/%2e%2e/etc/passwd',
        '/assets/../../../package.json',
        '/assets/..%2f..%2fmain.js',
        '/.env',
        '/.git/config',
        '/assets/%00',
        '/%',
        '/%zz',
        '/%ff%fe',
        '/tools/__proto__',
        '/tools/constructor',
        '/v1/tools/__proto__',
        '/v1/tools/toString',
        '/problems/__proto__',
        '/docs/__proto__',
        '/.well-known/__proto__',
      ];
      for (const path of paths) {
        const { status, text } = await shop.get(path);
        scene.held(status >= 400 && status < 500, `${path}: ${status}`);
        scene.held(!/root:|"dependencies"|\[core\]/.test(text), `${path} shows a file`);
      }
    },
  },
  {
    name: 'faults larger than requests',
    promise: 'the longest list of faults is bounded, whatever it is that is wrong',
    async run(scene) {
      const shop = await scene.house();
      const bodies = [
        Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`field_${index}`, index])),
        { items: Array.from({ length: 3_000 }, () => ({})) },
        {
          items: Array.from({ length: 100 }, () =>
            Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, 1])),
          ),
        },
      ];
      for (const path of ['/v1/quote', '/v1/quote-pack'])
        for (const body of bodies) {
          const { status, text } = await shop.get(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          });
          scene.held(status < 500 && text.length < 70_000, `${path}: ${status}, ${text.length} bytes`);
        }
    },
  },
  {
    name: 'compressed bodies',
    promise: 'a body that grows a thousandfold when it is unpacked is not unpacked',
    async run(scene) {
      const shop = await scene.house();
      const before = shop.seller.residentMb();
      const bomb = gzipSync(Buffer.alloc(30_000_000, 32));
      for (const path of ['/v1/quote', '/v1/quote-pack', '/mcp', '/quote'])
        for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip', 'x']) {
          const { status } = await shop.get(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'content-encoding': encoding },
            body: bomb,
          });
          scene.held(status >= 400 && status < 500, `${path} ${encoding}: ${status}`);
        }
      scene.held(shop.seller.residentMb() - before < 100, `${shop.seller.residentMb() - before} MB more`);
    },
  },
  {
    name: 'dear requests',
    promise: 'the processor time of one free or unpaid request is a bounded multiple of a late-fee call',
    alone: true,
    async run(scene) {
      const shop = await scene.shop();
      const json = { 'content-type': 'application/json' };
      const base = Math.max(
        await costOf(shop, 300, () => shop.get('/v1/late-fee?amount=100&due_date=2026-01-15')),
        0.05,
      );
      const marks = 'a\u0301\u0323'.repeat(90);
      const requests: Record<string, () => Promise<unknown>> = {
        'combining marks': () =>
          shop.get('/v1/quote-pack', {
            method: 'POST',
            headers: json,
            body: JSON.stringify({
              business_name: marks,
              items: Array.from({ length: 100 }, () => ({
                description: marks,
                quantity: 2,
                unit_price: 450,
              })),
            }),
          }),
        'unknown fields': () =>
          shop.get('/v1/quote', {
            method: 'POST',
            headers: json,
            body: JSON.stringify(
              Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`f${index}`, 1])),
            ),
          }),
        nesting: () =>
          shop.get('/v1/quote', {
            method: 'POST',
            headers: json,
            body: `{"items":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
          }),
        'many items': () =>
          shop.get('/v1/quote', {
            method: 'POST',
            headers: json,
            body: JSON.stringify({
              items: Array.from({ length: 2_000 }, () => ({ quantity: 1, unit_price: 1 })),
            }),
          }),
        'over MCP': () =>
          shop.mcp(
            {
              jsonrpc: '2.0',
              id: 1,
              method: 'tools/call',
              params: {
                name: 'quote_totals',
                arguments: { items: Array.from({ length: 2_000 }, () => ({ quantity: 1, unit_price: 1 })) },
              },
            },
            {},
            `127.0.9.${1 + (Date.now() % 250)}`,
          ),
        'a form': () => shop.get('/quote?rows=100'),
        'a page of tools': () => shop.get(`/tools?category=${'x'.repeat(5_000)}`),
        'a long payment': () =>
          shop.get(notice().path, { headers: { 'payment-signature': 'A'.repeat(12_000) } }),
      };
      for (const [what, send] of Object.entries(requests)) {
        const cost = await costOf(shop, 25, send);
        scene.held(
          cost <= base * MOST_TIMES_DEARER,
          `${what}: ${cost.toFixed(1)} ms, ${Math.round(cost / base)} times a late-fee call of ${base.toFixed(2)} ms`,
        );
      }
    },
  },
];
