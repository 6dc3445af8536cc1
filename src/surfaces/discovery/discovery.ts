import { type Document, once, serveDocuments, type Warmed } from '../http/documents.ts';
import { movedTo, type Router } from '../http/router.ts';
import type { Site } from '../site.ts';
import {
  AI_CATALOG_TYPE,
  API_CATALOG_LINK,
  API_CATALOG_TYPE,
  aiCatalog,
  apiCatalog,
  SERVER_CARD_PATH,
  serverCardDocument,
  x402Manifest,
} from './catalogs.ts';
import { openapi } from './openapi/openapi.ts';
import type { PublishedPages } from './published.ts';
import {
  llmsTxt,
  robotsTxt,
  SKILL_INDEX_PATH,
  SKILL_PATH,
  securityTxt,
  sitemapXml,
  skillIndex,
  skillMarkdown,
} from './texts.ts';

const PLAIN = 'text/plain; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const JSON_TYPE = 'application/json';
const DID_TYPE = 'application/did+json';

type Headers = Readonly<Record<string, string>>;

/** Paths of older drafts, aliases and the root of the API, each with the document that has its content. */
const MOVED: readonly (readonly [from: string, to: string])[] = [
  ['/v1', '/openapi.json'],
  ['/.well-known/x402.json', '/.well-known/x402'],
  ['/.well-known/ard.json', '/.well-known/ai-catalog.json'],
  ['/.well-known/mcp.json', SERVER_CARD_PATH],
  ['/.well-known/mcp/server-card.json', SERVER_CARD_PATH],
];

/** Mounts every document with which programs find and read the service. */
export function mountDiscovery(router: Router, site: Site, pages: PublishedPages): Warmed {
  for (const [from, to] of MOVED)
    router.on(['GET'], from, movedTo(to, { 'access-control-allow-origin': '*' }));
  return serveDocuments(router, site.baseUrl, [
    ...machineDocuments(site),
    ...textDocuments(site, pages),
    serverCardDocument(site.baseUrl),
  ]);
}

const one = (path: string, type: string, body: () => string, headers: Headers = {}): Document => ({
  path,
  make: () => ({ forms: [{ type, body: body() }], headers }),
});

/** Search engines need not list documents for programs. */
const UNLISTED = { 'x-robots-tag': 'noindex' };

function machineDocuments(site: Site): Document[] {
  const json = (path: string, type: string, value: () => unknown, headers: Headers = {}): Document =>
    one(path, type, () => `${JSON.stringify(value())}\n`, { ...UNLISTED, ...headers });
  return [
    json('/openapi.json', JSON_TYPE, () => openapi(site)),
    json('/.well-known/x402', JSON_TYPE, () => x402Manifest(site)),
    json('/.well-known/api-catalog', API_CATALOG_TYPE, () => apiCatalog(site), { link: API_CATALOG_LINK }),
    json(SKILL_INDEX_PATH, JSON_TYPE, () => skillIndex(site)),
    json('/.well-known/ai-catalog.json', AI_CATALOG_TYPE, () => aiCatalog(site)),
    ...(site.didDocument === null ? [] : [json('/.well-known/did.json', DID_TYPE, () => site.didDocument)]),
  ];
}

function textDocuments(site: Site, { main, directory }: PublishedPages): Document[] {
  const linked = () => main.map(({ twin }) => ({ ...twin.page(), path: twin.path }));
  const llms: Document = {
    path: '/llms.txt',
    make: () => {
      const body = llmsTxt(site, linked());
      return {
        forms: [
          { type: PLAIN, body },
          { type: MARKDOWN, body },
        ],
      };
    },
  };
  const security = once(() => securityTxt(site));
  return [
    llms,
    one(SKILL_PATH, MARKDOWN, () => skillMarkdown(site), UNLISTED),
    one('/robots.txt', PLAIN, () => robotsTxt(site)),
    one('/sitemap.xml', 'application/xml; charset=utf-8', () => sitemapXml(site, [...main, ...directory])),
    one('/.well-known/security.txt', PLAIN, security),
    one('/security.txt', PLAIN, security),
  ];
}
