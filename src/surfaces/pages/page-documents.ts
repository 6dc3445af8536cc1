import { API_CATALOG_LINK } from '../discovery/discovery.ts';
import { type Document, once, secureTransport } from '../http/documents.ts';
import type { Site } from '../site.ts';
import { markdownPath, type PageSource } from './content.ts';
import { pageHtml } from './html.tsx';
import { pageMarkdown } from './markdown.ts';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

/**
 * Pages load nothing from other origins, and no page may frame or script them. Extensions and audits inside the page
 * may fetch from this origin.
 */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A page with our own scripts. */
const SCRIPTED_POLICY = `${PAGE_POLICY}; script-src 'self'`;

const LINKS = [
  API_CATALOG_LINK,
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</llms.txt>; rel="service-doc"; type="text/plain"',
  '</.well-known/ai-catalog.json>; rel="ai-catalog"; type="application/ai-catalog+json"',
];

/**
 * Browser features that no page needs. The clipboard is allowed, because answers are copied. Only names that Chromium
 * knows, because it logs a warning for any other name.
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
 * Sent with every page. A page with scripts has its own policy. A page may open a wallet window. No other site may keep
 * a reference to the page.
 */
export const GUARDED: Readonly<Record<string, string>> = {
  'content-security-policy': PAGE_POLICY,
  'referrer-policy': 'no-referrer',
  'permissions-policy': UNUSED_FEATURES,
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
};

/** Headers of a page: what it may load, and the addresses of its Markdown version and of the documents for programs. */
function pageHeaders(path: string, isScripted = false): Readonly<Record<string, string>> {
  const twin = `<${markdownPath(path)}>; rel="alternate"; type="text/markdown"`;
  return {
    ...GUARDED,
    ...(isScripted && { 'content-security-policy': SCRIPTED_POLICY }),
    link: [twin, ...(path === '/' ? LINKS : LINKS.slice(0, 2))].join(', '),
  };
}

/** Headers of a page that caches must not store. */
export const uncachedHeaders = (baseUrl: string): Readonly<Record<string, string>> => ({
  ...GUARDED,
  ...secureTransport(baseUrl),
  'content-type': HTML,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
});

/** Headers of a page with the visitor's values, which caches and search engines must not store. */
export const privateHeaders = (path: string, baseUrl: string): Readonly<Record<string, string>> => ({
  ...uncachedHeaders(baseUrl),
  ...pageHeaders(path, true),
  'x-robots-tag': 'noindex',
});

/**
 * A page at its own address, with a Markdown version at a separate address and for clients that prefer Markdown. `html`
 * is given if the page is more than its blocks, such as a form with a script.
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
      // Search engines need not list the same content twice.
      make: () => ({ forms: [{ type: MARKDOWN, body: markdown() }], headers: { 'x-robots-tag': 'noindex' } }),
    },
  ];
}
