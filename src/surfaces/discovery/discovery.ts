import type { Hono } from 'hono';
import { refuseMethod } from '../http/http.ts';
import { serverCardReply } from '../mcp/server-card.ts';
import { markdownPath, type Page } from '../pages/content.ts';
import { docsPage } from '../pages/docs.ts';
import { homePage } from '../pages/home.ts';
import { pageHtml } from '../pages/html.tsx';
import { privacyPage, securityPage, termsPage } from '../pages/legal.ts';
import { pageMarkdown } from '../pages/markdown.ts';
import { AI_CATALOG_TYPE, aiCatalog } from './ai-catalog.ts';
import { API_CATALOG_LINK, API_CATALOG_TYPE, apiCatalog } from './api-catalog.ts';
import { apiIndex } from './api-index.ts';
import { type Document, serveDocument } from './document.ts';
import { llmsTxt } from './llms.ts';
import { openapi } from './openapi/openapi.ts';
import { SITE_NAME, type Site } from './site.ts';
import { type Listed, robotsTxt, securityTxt, sitemapXml } from './text-documents.ts';
import { x402Manifest } from './x402-manifest.ts';

const PLAIN = 'text/plain; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json';

/** Where older readers look for the MCP server card. */
const SERVER_CARD_ALIASES = ['/.well-known/mcp/server-card.json', '/.well-known/mcp.json'];

/** Mounts every document that lets people and programs find and read the service. Rendered here, once. */
export function mountDiscovery(app: Hono, site: Site, morePages: readonly Listed[] = []): void {
  const pages = pagesOf(site);
  const documents = [
    ...machineDocuments(site),
    ...textDocuments(site, pages, morePages),
    ...pages.flatMap((page) => pageDocuments(page, site)),
  ];
  for (const document of documents) serveDocument(app, site.baseUrl, document);
  const card = serverCardReply(site.baseUrl);
  for (const alias of SERVER_CARD_ALIASES) {
    app.get(alias, (context) => card(context.req.header('if-none-match')));
    app.all(alias, refuseMethod(site.baseUrl, ['GET', 'HEAD']));
  }
}

const pagesOf = (site: Site): readonly Page[] => [
  homePage(site),
  docsPage(site),
  termsPage(site),
  privacyPage(site),
  securityPage(site),
];

const one = (path: string, type: string, body: string): Document => ({ path, forms: [{ type, body }] });

/** Documents for programs; search engines need not list them. */
function machineDocuments(site: Site): Document[] {
  const json = (path: string, type: string, value: unknown): Document => ({
    ...one(path, type, `${JSON.stringify(value)}\n`),
    headers: { 'x-robots-tag': 'noindex' },
  });
  const catalog = json('/.well-known/api-catalog', API_CATALOG_TYPE, apiCatalog(site));
  return [
    json('/openapi.json', JSON_TYPE, openapi(site)),
    json('/v1', JSON_TYPE, apiIndex(site)),
    ...['/.well-known/x402', '/.well-known/x402.json'].map((path) =>
      json(path, JSON_TYPE, x402Manifest(site)),
    ),
    { ...catalog, headers: { ...catalog.headers, link: API_CATALOG_LINK } },
    ...['/.well-known/ai-catalog.json', '/.well-known/ard.json'].map((path) =>
      json(path, AI_CATALOG_TYPE, aiCatalog(site)),
    ),
  ];
}

function textDocuments(site: Site, pages: readonly Page[], morePages: readonly Listed[]): Document[] {
  const linked = pages.map(({ title, path, description }) => ({
    title,
    path: markdownPath(path),
    description,
  }));
  const short = llmsTxt(site, linked);
  const reference = pages.find(({ path }) => path === '/docs') as Page;
  const full = `${short}\n${pageMarkdown(reference, site.baseUrl)}`;
  const markdown = (path: string, body: string): Document => ({
    path,
    forms: [
      { type: PLAIN, body },
      { type: MARKDOWN, body },
    ],
  });
  const security = securityTxt(site);
  return [
    markdown('/llms.txt', short),
    markdown('/llms-full.txt', full),
    one('/robots.txt', PLAIN, robotsTxt(site)),
    one('/sitemap.xml', 'application/xml; charset=utf-8', sitemapXml(site, [...pages, ...morePages])),
    one('/.well-known/security.txt', PLAIN, security),
    one('/security.txt', PLAIN, security),
  ];
}

/** Nothing is loaded from elsewhere and nothing may frame or script a page. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const LINKS = [
  API_CATALOG_LINK,
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</llms.txt>; rel="service-doc"; type="text/plain"',
  '</.well-known/ai-catalog.json>; rel="ai-catalog"; type="application/ai-catalog+json"',
  '</.well-known/ard.json>; rel="ard"; type="application/ai-catalog+json"',
];

/** A page at its own address, and its Markdown twin beside it and for whoever accepts that rather. */
function pageDocuments(page: Page, { baseUrl }: Site): Document[] {
  const html = pageHtml(page, { baseUrl, siteName: SITE_NAME });
  const markdown = pageMarkdown(page, baseUrl);
  const twin = `<${markdownPath(page.path)}>; rel="alternate"; type="text/markdown"`;
  const headers = {
    'content-security-policy': PAGE_POLICY,
    'referrer-policy': 'no-referrer',
    link: [twin, ...(page.path === '/' ? LINKS : LINKS.slice(0, 2))].join(', '),
  };
  return [
    {
      path: page.path,
      forms: [
        { type: HTML, body: html },
        { type: MARKDOWN, body: markdown },
      ],
      headers,
    },
    { ...one(markdownPath(page.path), MARKDOWN, markdown), headers: { 'x-robots-tag': 'noindex' } },
  ];
}
