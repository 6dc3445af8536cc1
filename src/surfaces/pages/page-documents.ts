import { API_CATALOG_LINK } from '../discovery/api-catalog.ts';
import { type Document, once } from '../http/document.ts';
import { SITE_NAME, type Site } from '../site.ts';
import { markdownPath, type PageSource } from './content.ts';
import { pageHtml } from './html.tsx';
import { pageMarkdown } from './markdown.ts';
import { referenceHtml } from './reference.tsx';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

/** Nothing is loaded from elsewhere and nothing may frame or script a page. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A page with scripts of our own, which talk to us alone. */
const SCRIPTED_POLICY = `${PAGE_POLICY}; script-src 'self'; connect-src 'self'`;

/**
 * The API reader runs our own scripts, which read the OpenAPI document and fill style elements rule by rule; only
 * its two constant ones (an empty one, and one of perfect-scrollbar) are inline.
 */
const READER_POLICY = SCRIPTED_POLICY.replace(
  "style-src 'self'",
  "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
);

const LINKS = [
  API_CATALOG_LINK,
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</llms.txt>; rel="service-doc"; type="text/plain"',
  '</.well-known/ai-catalog.json>; rel="ai-catalog"; type="application/ai-catalog+json"',
  '</.well-known/ard.json>; rel="ard"; type="application/ai-catalog+json"',
];

/**
 * What no page of ours needs of a browser; the clipboard is left, for answers are copied. Only names that Chromium knows:
 * it complains of others in the console.
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

/** Sent with every page. The window of a wallet may be opened and talked to; nobody else's page may hold on to ours. */
const GUARDED: Readonly<Record<string, string>> = {
  'referrer-policy': 'no-referrer',
  'permissions-policy': UNUSED_FEATURES,
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
};

/** Headers of a page: what it may load, and where its twin and the documents for programs are. */
export function pageHeaders(path: string, isScripted = false): Readonly<Record<string, string>> {
  const twin = `<${markdownPath(path)}>; rel="alternate"; type="text/markdown"`;
  return {
    'content-security-policy': isScripted ? SCRIPTED_POLICY : PAGE_POLICY,
    ...GUARDED,
    link: [twin, ...(path === '/' ? LINKS : LINKS.slice(0, 2))].join(', '),
  };
}

/**
 * A page at its own address, and its Markdown twin beside it and for whoever accepts that rather. `html` is given where
 * the page is more than its blocks, such as a form with a script.
 */
export function pageDocuments(
  { path, page, html }: PageSource & { readonly html?: () => string },
  { baseUrl }: Site,
): Document[] {
  const body = html ?? (() => pageHtml(page(), { baseUrl, siteName: SITE_NAME }));
  const markdown = once(() => pageMarkdown(page(), baseUrl));
  const headers = pageHeaders(path, html !== undefined);
  const forms = () =>
    [
      { type: HTML, body: body() },
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

/** The API reader, for people who rather click through the OpenAPI document. */
export const readerDocument = ({ baseUrl }: Site): Document => ({
  path: '/docs/reference',
  make: () => ({
    forms: [{ type: HTML, body: referenceHtml({ baseUrl, siteName: SITE_NAME }) }],
    headers: { 'content-security-policy': READER_POLICY, ...GUARDED },
  }),
});
