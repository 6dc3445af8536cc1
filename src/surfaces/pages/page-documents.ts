import { API_CATALOG_LINK } from '../discovery/catalogs.ts';
import { type Document, once, secureTransport } from '../http/documents.ts';
import type { Site } from '../site.ts';
import { markdownPath, type PageSource } from './content.ts';
import { pageHtml } from './html.tsx';
import { pageMarkdown } from './markdown.ts';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

/**
 * Nothing is loaded from other origins and nothing may frame or script a page. Extensions and audits inside the page may
 * fetch from this origin.
 */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A page with scripts of our own. */
const SCRIPTED_POLICY = `${PAGE_POLICY}; script-src 'self'`;

const LINKS = [
  API_CATALOG_LINK,
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</llms.txt>; rel="service-doc"; type="text/plain"',
  '</.well-known/ai-catalog.json>; rel="ai-catalog"; type="application/ai-catalog+json"',
];

/**
 * Browser features that no page needs; the clipboard is allowed, since answers are copied. Only names that Chromium
 * knows: it warns about others in the console.
 */
const UNUSED_FEATURES = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * Sent with every page; one with scripts has a policy of its own. A page may open the window of a wallet; no other site
 * may keep a reference to the page.
 */
export const GUARDED: Readonly<Record<string, string>> = {
  'content-security-policy': PAGE_POLICY,
  'referrer-policy': 'no-referrer',
  'permissions-policy': UNUSED_FEATURES,
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
};

/** Headers of a page: what it may load, and where its twin and the documents for programs are. */
function pageHeaders(path: string, isScripted = false): Readonly<Record<string, string>> {
  const twin = `<${markdownPath(path)}>; rel="alternate"; type="text/markdown"`;
  return {
    ...GUARDED,
    ...(isScripted && { 'content-security-policy': SCRIPTED_POLICY }),
    link: [twin, ...(path === '/' ? LINKS : LINKS.slice(0, 2))].join(', '),
  };
}

/** Headers of a page that no cache may keep. */
export const uncachedHeaders = (baseUrl: string): Readonly<Record<string, string>> => ({
  ...GUARDED,
  ...secureTransport(baseUrl),
  'content-type': HTML,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
});

/** Headers of a page with the values of its reader, which no cache and no search engine may keep. */
export const privateHeaders = (path: string, baseUrl: string): Readonly<Record<string, string>> => ({
  ...uncachedHeaders(baseUrl),
  ...pageHeaders(path, true),
  'x-robots-tag': 'noindex',
});

/**
 * A page at its own address, and its Markdown twin beside it and for whoever accepts that rather. `html` is given where
 * the page is more than its blocks, such as a form with a script.
 */
export function pageDocuments(
  { path, page, html }: PageSource & { readonly html?: () => string },
  site: Site,
): Document[] {
  const { baseUrl } = site;
  const body = html ?? (() => pageHtml(page(), site));
  const markdown = once(() => pageMarkdown(page(), baseUrl));
  const headers = pageHeaders(path, html !== undefined);
  const forms = () =>
    [
      { type: HTML, body: body(), isTight: html !== undefined },
      { type: MARKDOWN, body: markdown() },
    ] as const;
  return [
    { path, make: () => ({ forms: forms(), headers }) },
    {
      path: markdownPath(path),
      // Search engines need not list what a page says twice.
      make: () => ({ forms: [{ type: MARKDOWN, body: markdown() }], headers: { 'x-robots-tag': 'noindex' } }),
    },
  ];
}
