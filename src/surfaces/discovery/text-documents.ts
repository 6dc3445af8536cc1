import type { Site } from '../site.ts';
import type { Listed } from './published.ts';

/** Everything may be crawled, the API too: agents that obey robots.txt call it. */
export const robotsTxt = ({ baseUrl }: Pick<Site, 'baseUrl'>): string =>
  `User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=yes
Allow: /

Sitemap: ${baseUrl}/sitemap.xml
`;

const MONTHS_VALID = 11;

/** RFC 9116. It expires within a year, on the first of a month, so that restarts within a month change no byte. */
export function securityTxt({ baseUrl, contactEmail, startedAt }: Site): string {
  const start = new Date(startedAt);
  const expires = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + MONTHS_VALID, 1));
  const contact = contactEmail === null ? `${baseUrl}/security` : `mailto:${contactEmail}`;
  return `Contact: ${contact}
Expires: ${expires.toISOString().replace('.000', '')}
Preferred-Languages: en
Canonical: ${baseUrl}/.well-known/security.txt
Policy: ${baseUrl}/security
`;
}

/** The pages for people; no API and no machine documents. */
export function sitemapXml({ baseUrl }: Pick<Site, 'baseUrl'>, pages: readonly Listed[]): string {
  const urls = pages.map(({ path, changedOn }) => {
    const lastmod = changedOn === null ? '' : `<lastmod>${changedOn}</lastmod>`;
    return `  <url><loc>${xml(`${baseUrl}${path}`)}</loc>${lastmod}</url>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('')}</urlset>
`;
}

const xml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll("'", '&apos;')
    .replaceAll('"', '&quot;');
