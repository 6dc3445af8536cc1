import { type Document, once, serveDocuments, type Warmed } from '../http/documents.ts';
import type { Router } from '../http/router.ts';
import type { Site } from '../site.ts';
import { SKILL_INDEX_PATH, SKILL_PATH, skillIndex, skillMarkdown } from './agent-skills.ts';
import { AI_CATALOG_TYPE, aiCatalog } from './ai-catalog.ts';
import { API_CATALOG_LINK, API_CATALOG_TYPE, apiCatalog } from './api-catalog.ts';
import { apiIndex } from './api-index.ts';
import { llmsTxt } from './llms.ts';
import { openapi } from './openapi/openapi.ts';
import type { PublishedPages } from './published.ts';
import { SERVER_CARD_PATH, serverCardDocument } from './server-card.ts';
import { robotsTxt, securityTxt, sitemapXml } from './text-documents.ts';
import { x402Manifest } from './x402-manifest.ts';

const PLAIN = 'text/plain; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const JSON_TYPE = 'application/json';
const DID_TYPE = 'application/did+json';

type Headers = Readonly<Record<string, string>>;

/** The path of the MCP server card, and those of older drafts. */
const SERVER_CARD_PATHS = [SERVER_CARD_PATH, '/.well-known/mcp/server-card.json', '/.well-known/mcp.json'];

/** Mounts every document that lets programs find and read the service. */
export function mountDiscovery(router: Router, site: Site, pages: PublishedPages): Warmed {
  return serveDocuments(router, site.baseUrl, [
    ...machineDocuments(site),
    ...textDocuments(site, pages),
    ...SERVER_CARD_PATHS.map((path) => serverCardDocument(path, site.baseUrl)),
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
  const manifest = once(() => x402Manifest(site));
  const catalog = once(() => aiCatalog(site));
  return [
    json('/openapi.json', JSON_TYPE, () => openapi(site)),
    json('/v1', JSON_TYPE, () => apiIndex(site)),
    json('/.well-known/x402', JSON_TYPE, manifest),
    json('/.well-known/x402.json', JSON_TYPE, manifest),
    json('/.well-known/api-catalog', API_CATALOG_TYPE, () => apiCatalog(site), { link: API_CATALOG_LINK }),
    json(SKILL_INDEX_PATH, JSON_TYPE, () => skillIndex(site)),
    json('/.well-known/ai-catalog.json', AI_CATALOG_TYPE, catalog),
    json('/.well-known/ard.json', AI_CATALOG_TYPE, catalog),
    ...(site.didDocument === null ? [] : [json('/.well-known/did.json', DID_TYPE, () => site.didDocument)]),
  ];
}

function textDocuments(site: Site, { main, directory }: PublishedPages): Document[] {
  const short = once(() =>
    llmsTxt(
      site,
      main.map(({ twin }) => ({ ...twin.page(), path: twin.path })),
    ),
  );
  const references = main.filter(({ path }) => path === '/developers' || path === '/docs');
  const full = () => [short(), ...references.map(({ twin }) => twin.markdown())].join('\n');
  const readable = (path: string, body: () => string): Document => ({
    path,
    make: () => {
      const text = body();
      return {
        forms: [
          { type: PLAIN, body: text },
          { type: MARKDOWN, body: text },
        ],
      };
    },
  });
  const security = once(() => securityTxt(site));
  return [
    readable('/llms.txt', short),
    readable('/llms-full.txt', full),
    one(SKILL_PATH, MARKDOWN, () => skillMarkdown(site), UNLISTED),
    one('/robots.txt', PLAIN, () => robotsTxt(site)),
    one('/sitemap.xml', 'application/xml; charset=utf-8', () => sitemapXml(site, [...main, ...directory])),
    one('/.well-known/security.txt', PLAIN, security),
    one('/security.txt', PLAIN, security),
    ...(site.mcpRegistryAuth === null
      ? []
      : [one('/.well-known/mcp-registry-auth', PLAIN, () => `${site.mcpRegistryAuth}\n`, UNLISTED)]),
  ];
}
