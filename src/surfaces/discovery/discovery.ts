import { release } from '../../platform/release.ts';
import { type Document, once, serveDocuments, type Warmed } from '../http/documents.ts';
import { movedTo, type Router } from '../http/router.ts';
import { PROTOCOL_VERSIONS, SERVER_NAME, serverInfo } from '../mcp/tools.ts';
import {
  isPaid,
  type PublishedPages,
  routed,
  SITE_NAME,
  SITE_SUMMARY,
  SITE_TAGS,
  type Site,
} from '../site.ts';
import { openapi } from './openapi/openapi.ts';
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

/**
 * What this origin sells, in the form that x402 crawlers read: `version`, `resources`, `ownershipProofs` and
 * `instructions`.
 */
function x402Manifest(site: Site) {
  const { baseUrl, contactEmail, ownershipProof } = site;
  const paid = routed(site).filter(isPaid);
  const routes = paid.map(({ route }) => `${baseUrl}${route.path}`);
  const tools = site.operations.some((one) => one.tool && isPaid(one)) ? [`${baseUrl}/mcp`] : [];
  return {
    x402Version: 2,
    version: 1,
    name: SITE_NAME,
    description: SITE_SUMMARY,
    resources: [...routes, ...tools],
    ...(ownershipProof !== null && { ownershipProofs: [ownershipProof] }),
    instructions: `${baseUrl}/openapi.json is canonical. A valid request without payment gets 402 with the price. Invalid input gets 400 and is never charged.`,
    openapi: `${baseUrl}/openapi.json`,
    docs: `${baseUrl}/llms.txt`,
    ...(contactEmail !== null && { contact: contactEmail }),
    updated: `${release.day}T00:00:00Z`,
  };
}

/** Media type of an MCP server card (SEP-2127). */
const SERVER_CARD_TYPE = 'application/mcp-server-card+json';
/** The path of the card, below the URL of the server. */
const SERVER_CARD_PATH = '/mcp/server-card';

/**
 * The description of a server for clients that have not connected yet. It has no tools, because the server lists them
 * itself.
 */
export function serverCard(baseUrl: string) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    ...serverInfo(baseUrl),
    name: `${reverseHost(baseUrl)}/${SERVER_NAME}`,
    remotes: [
      { type: 'streamable-http', url: `${baseUrl}/mcp`, supportedProtocolVersions: PROTOCOL_VERSIONS },
    ],
  };
}

/** "example.calc" for https://calc.example; an IP address does not change. */
function reverseHost(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  if (/^[\d.]+$|^\[/.test(hostname)) return hostname.replace(/[^0-9A-Za-z.]+/g, '-').replace(/^-|-$/g, '');
  return hostname.split('.').reverse().join('.');
}

const HOUR_SECONDS = 3_600;

/** The card as a document. */
export const serverCardDocument = (baseUrl: string): Document => ({
  path: SERVER_CARD_PATH,
  make: () => ({
    forms: [{ type: SERVER_CARD_TYPE, body: JSON.stringify(serverCard(baseUrl)) }],
    headers: {
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'Content-Type, If-None-Match',
    },
    maxAgeSeconds: HOUR_SECONDS,
  }),
});

const AI_CATALOG_TYPE = 'application/ai-catalog+json';

/** Representative queries, for semantic search: two to five. */
const MAX_QUERIES = 5;

/** The services for agents at this origin. */
function aiCatalog(site: Site) {
  const { baseUrl } = site;
  const card = serverCard(baseUrl);
  return {
    specVersion: '1.0',
    host: { displayName: SITE_NAME, documentationUrl: `${baseUrl}/llms.txt` },
    entries: [
      {
        identifier: `urn:air:${new URL(baseUrl).hostname}:mcp:${card.name.split('/').at(-1)}`,
        displayName: `${SITE_NAME} MCP server`,
        type: SERVER_CARD_TYPE,
        url: `${baseUrl}${SERVER_CARD_PATH}`,
        description: card.description,
        representativeQueries: routed(site)
          .map(({ summary }) => summary)
          .slice(0, MAX_QUERIES),
        tags: SITE_TAGS,
      },
    ],
  };
}

/** Media type of an api-catalog (RFC 9727, 4.2). */
const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

export const API_CATALOG_LINK =
  '</.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"';

/** The APIs of this origin as a linkset (RFC 9264) with the relations of RFC 8631. */
function apiCatalog({ baseUrl }: Pick<Site, 'baseUrl'>) {
  const link = (path: string, type: string, title?: string) => ({
    href: `${baseUrl}${path}`,
    type,
    ...(title !== undefined && { title }),
  });
  const legal = {
    status: [link('/healthz', 'application/json')],
    'terms-of-service': [link('/legal#terms', 'text/html')],
    'privacy-policy': [link('/legal#privacy', 'text/html')],
  };
  return {
    linkset: [
      {
        anchor: `${baseUrl}/.well-known/api-catalog`,
        item: [
          { href: `${baseUrl}/v1`, title: 'HTTP API' },
          { href: `${baseUrl}/mcp`, title: 'MCP server' },
        ],
      },
      {
        anchor: `${baseUrl}/v1`,
        'service-desc': [link('/openapi.json', 'application/json', 'OpenAPI 3.1')],
        'service-doc': [
          link('/docs', 'text/html', 'API reference'),
          link('/developers', 'text/html', 'For developers and agents'),
          link('/llms.txt', 'text/plain', 'The same for language models'),
        ],
        'service-meta': [link('/.well-known/x402', 'application/json', 'x402 payment manifest')],
        ...legal,
      },
      {
        anchor: `${baseUrl}/mcp`,
        'service-desc': [link(SERVER_CARD_PATH, SERVER_CARD_TYPE, 'MCP server card')],
        'service-doc': [link('/docs', 'text/html', 'API reference')],
        ...legal,
      },
    ],
  };
}

/** Paths of older drafts, aliases and the root of the API, each with the document that has its content. */
const MOVED: readonly (readonly [from: string, to: string])[] = [
  ['/v1', '/openapi.json'],
  ['/.well-known/x402.json', '/.well-known/x402'],
  ['/.well-known/ard.json', '/.well-known/ai-catalog.json'],
  ['/.well-known/mcp.json', SERVER_CARD_PATH],
  ['/.well-known/mcp/server-card.json', SERVER_CARD_PATH],
];
