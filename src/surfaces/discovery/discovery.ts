import type { Hono } from 'hono';
import { refuseMethod } from '../http/http.ts';
import { serverCardReply } from '../mcp/server-card.ts';
import { assetDocuments, hasReader } from '../pages/assets.ts';
import { isCalculator } from '../pages/calculator.tsx';
import { markdownPath } from '../pages/content.ts';
import { pageMarkdown } from '../pages/markdown.ts';
import { type OwnPages, ownPages, problemPages } from '../pages/own-pages.ts';
import { pageDocuments, readerDocument } from '../pages/page-documents.ts';
import { codeDocuments } from '../pages/paying-words.tsx';
import { SKILL_INDEX_PATH, SKILL_PATH, skillIndex, skillMarkdown } from './agent-skills.ts';
import { AI_CATALOG_TYPE, aiCatalog } from './ai-catalog.ts';
import { API_CATALOG_LINK, API_CATALOG_TYPE, apiCatalog } from './api-catalog.ts';
import { apiIndex } from './api-index.ts';
import { type Document, once, serveDocument } from './document.ts';
import { llmsTxt } from './llms.ts';
import { openapi } from './openapi/openapi.ts';
import type { Site } from './site.ts';
import { robotsTxt, securityTxt, sitemapXml } from './text-documents.ts';
import { x402Manifest } from './x402-manifest.ts';

const PLAIN = 'text/plain; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const JSON_TYPE = 'application/json';
const DID_TYPE = 'application/did+json';

type Headers = Readonly<Record<string, string>>;

/** Where older readers look for the MCP server card. */
const SERVER_CARD_ALIASES = ['/.well-known/mcp/server-card.json', '/.well-known/mcp.json'];

/**
 * Mounts every document that lets people and programs find and read the service. Each is rendered once; `warm`
 * renders those that nobody has asked for yet, one at a time.
 */
export function mountDiscovery(app: Hono, site: Site): { warm(): Promise<void> } {
  const pages = ownPages(site);
  const documents = [
    ...machineDocuments(site),
    ...textDocuments(site, pages),
    ...[...pages.main, ...problemPages].flatMap((page) => pageDocuments(page, site)),
    ...(hasReader() ? [readerDocument(site)] : []),
    ...assetDocuments(),
    ...codeDocuments(site.operations.filter(isCalculator), site),
  ];
  const makers = documents.map((document) => serveDocument(app, site.baseUrl, document));
  // Hundreds, of which few are asked for between two releases: made only then.
  for (const page of pages.directory)
    for (const document of pageDocuments(page, site)) serveDocument(app, site.baseUrl, document);
  const card = once(() => serverCardReply(site.baseUrl));
  for (const alias of SERVER_CARD_ALIASES) {
    app.get(alias, (context) => card()(context.req.header('if-none-match')));
    app.all(alias, refuseMethod(site.baseUrl, ['GET', 'HEAD']));
  }
  return {
    async warm() {
      for (const make of makers) {
        make();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
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

function textDocuments(site: Site, { main, directory }: OwnPages): Document[] {
  const linked = once(() =>
    main.map(({ path, page }) => {
      const { title, description } = page();
      return { title, path: markdownPath(path), description };
    }),
  );
  const short = once(() => llmsTxt(site, linked()));
  const references = main.filter(({ path }) => path === '/developers' || path === '/docs');
  const full = () =>
    [short(), ...references.map(({ page }) => pageMarkdown(page(), site.baseUrl))].join('\n');
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
