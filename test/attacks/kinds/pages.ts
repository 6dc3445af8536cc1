import type { Kind } from '../kind.ts';
import { notice } from '../shop.ts';

const MARK = `"'><script>alert(4711)</script><img src=x onerror=alert(4711)>{{7*7}}\${7*7}`;
const PAGES = ['/late-invoice', '/quote', '/plan', '/tools', '/docs'];
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

export const pageKinds: readonly Kind[] = [
  {
    name: 'reflected input',
    promise: 'input does not appear as markup in a page or an error',
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
    promise: "a caller's headers do not change the addresses in pages, redirects and documents",
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
    name: 'redirects to other sites',
    promise: 'no path redirects to another site',
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
    promise:
      'the headers of pages forbid frames, foreign scripts, device access and openers, and keep browsers on https',
    async run(scene) {
      const shop = await scene.shop({ settings: { PUBLIC_BASE_URL: 'https://calc.example' } });
      for (const path of ['/', '/late-invoice', '/plan', '/tools']) {
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
          `${path} sets HSTS for other hosts`,
        );
      }
    },
  },
  {
    name: 'the security contact',
    promise: 'security.txt names a contact, or a page that says how to find one',
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
    name: 'path traversal',
    promise: 'no path reaches a file that is not served, and no path crashes the process',
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
];
