import { expect, it } from 'vitest';
import { BASE_URL, testApp } from '../support/app.ts';
import { httpOperations } from './support.ts';

const app = testApp();

/** An address that a document advertises; `type` is null if the document names none. */
type Advertised = { readonly from: string; readonly url: string; readonly type: string | null };

const START = [
  ...'/ /openapi.json /llms.txt /robots.txt /sitemap.xml /.well-known/x402'.split(' '),
  ...'/.well-known/api-catalog /.well-known/ai-catalog.json'.split(' '),
  ...'/.well-known/agent-skills/index.json /.well-known/security.txt /mcp/server-card'.split(' '),
];

const full = (reference: string) => new URL(reference, `${BASE_URL}/`).href;

function inJson(from: string, value: unknown): Advertised[] {
  if (typeof value === 'string')
    return value.startsWith(BASE_URL) && URL.canParse(value) && !/\s/.test(value)
      ? [{ from, url: value, type: null }]
      : [];
  if (typeof value !== 'object' || value === null) return [];
  const { href, url, type } = value as Record<string, unknown>;
  const target = href ?? url;
  if (typeof target === 'string' && typeof type === 'string' && type.includes('/'))
    return [{ from, url: full(target), type }];
  return Object.values(value).flatMap((entry) => inJson(from, entry));
}

function inHtml(from: string, html: string): Advertised[] {
  const found: Advertised[] = [];
  for (const [, tag = '', attributes = ''] of html.matchAll(/<(a|link|img|script|meta)\s([^>]*)>/g)) {
    const target =
      /(?:href|src)="([^"]*)"/.exec(attributes)?.[1] ?? /content="(https?:[^"]*)"/.exec(attributes)?.[1];
    if (target === undefined || target.startsWith('mailto:')) continue;
    const type = tag === 'link' ? (/type="([^"]*)"/.exec(attributes)?.[1] ?? null) : null;
    found.push({ from, url: full(target.replaceAll('&amp;', '&')), type });
  }
  return found;
}

const inText = (from: string, text: string): Advertised[] =>
  [...text.matchAll(/https:\/\/calc\.example[^\s<>)'"`\\]*/g)].map(([url]) => ({
    from,
    url: url.replace(/[.,;:]+$/, ''),
    type: null,
  }));

const inLinkHeader = (from: string, header: string | null): Advertised[] =>
  [...(header ?? '').matchAll(/<([^>]+)>([^,]*)/g)].map(([, target = '', parameters = '']) => ({
    from: `${from} (Link)`,
    url: full(target),
    type: /type="([^"]+)"/.exec(parameters)?.[1] ?? null,
  }));

async function advertisedIn(path: string): Promise<Advertised[]> {
  const answer = await app.get(path);
  const type = answer.headers.get('content-type') ?? '';
  const text = /^image|css|javascript/.test(type) ? '' : await answer.text();
  const links = inLinkHeader(path, answer.headers.get('link'));
  if (/json/.test(type)) return [...links, ...inJson(path, JSON.parse(text))];
  if (/html/.test(type)) return [...links, ...inHtml(path, text)];
  return [...links, ...inText(path, text)];
}

const operationPaths = httpOperations.map(
  ({ route }) => new RegExp(`^${(route?.path ?? '').replace(/\{\w+\}/, '[^/]+')}$`),
);
/** The root of the API, which redirects to its description, and the addresses of operations. */
const isEndpoint = (path: string) =>
  ['/mcp', '/v1'].includes(path) || operationPaths.some((pattern) => pattern.test(path));

it('every address that a document advertises answers with the advertised type', async () => {
  const seen = new Set<string>();
  const queue = [...START];
  const faults: string[] = [];
  const checked: Advertised[] = [];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const link of await advertisedIn(path)) {
      const url = new URL(link.url);
      // The directory links to vendors' pages; this test does not check whether they respond.
      if (url.origin !== BASE_URL || url.pathname.includes('%7B')) continue;
      checked.push(link);
      const answer = await app.get(`${url.pathname}${url.search}`);
      const served = answer.headers.get('content-type') ?? '';
      const wanted = link.type?.split(';')[0] ?? '';
      const where = `${link.from} -> ${link.url}: ${answer.status} ${served}`;
      if (isEndpoint(url.pathname)) {
        if (![200, 301, 308, 400, 402, 405].includes(answer.status)) faults.push(where);
        continue;
      }
      if (answer.status !== 200 || !served.startsWith(wanted)) faults.push(where);
      // A fragment with a `=` is not a position on the page but a value for its script.
      if (
        url.hash !== '' &&
        !url.hash.includes('=') &&
        !(await answer.text()).includes(`id="${url.hash.slice(1)}"`)
      )
        faults.push(`${where} lacks ${url.hash}`);
      if (!seen.has(url.pathname)) queue.push(url.pathname);
    }
  }
  expect(faults).toEqual([]);
  expect(checked.length).toBeGreaterThan(100);
  expect(checked.filter(({ type }) => type !== null).length).toBeGreaterThan(15);
  for (const path of ['/problems/invalid-input', '/docs.md', '/og.png', '/healthz'])
    expect(seen, path).toContain(path);
});
