import { operatorRateTexts } from '../../domain/statutory-rates.ts';
import { SITE_NAME } from '../site.ts';
import { assetAddress } from './assets.ts';
import { Blocks } from './blocks.tsx';
import { markdownPath, type Page } from './content.ts';
import type { Child } from './markup.ts';
import { htmlOf } from './markup.ts';
import { OG_PICTURES, ogAddress } from './og-pictures.ts';
import { Body, type Place } from './shell.tsx';

type More = {
  readonly scripts?: readonly string[];
  /** Paths of further stylesheets. */
  readonly styles?: readonly string[];
  /** Wide enough for a table or two columns; otherwise as wide as a readable line. */
  readonly isWide?: boolean;
  /** false: the main part has its own title. */
  readonly isTitled?: boolean;
  /** A page without an address, such as the page of a 404. */
  readonly isNowhere?: boolean;
};

/** A page as a complete HTML document. */
export function pageHtml(page: Page, place: Place, more: More = {}): string {
  return htmlDocument(page, place, <Blocks blocks={page.blocks} />, more);
}

/** An HTML document around a main part; `scripts` are addresses on this site. */
export function htmlDocument(page: Omit<Page, 'blocks'>, place: Place, main: Child, more: More = {}): string {
  const { baseUrl } = place;
  const { path, title, description, data, picture = 'home' } = page;
  const { scripts = [], styles = [], isNowhere = false, isWide = false, isTitled = true } = more;
  const twin = markdownPath(path);
  // For calculators in the browser, which have only the rates of the release.
  const rates = operatorRateTexts();
  const documentTitle = page.documentTitle ?? `${title} · ${SITE_NAME}`;
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{documentTitle}</title>
        <meta name="description" content={description} />
        {isNowhere ? null : <link rel="canonical" href={`${baseUrl}${path}`} />}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        {['/style.css', ...styles].map((path) => (
          <link rel="stylesheet" href={assetAddress(path)} />
        ))}
        {isNowhere ? null : <link rel="alternate" type="text/markdown" href={twin} />}
        <link rel="api-catalog" href="/.well-known/api-catalog" />
        <link rel="service-desc" type="application/json" href="/openapi.json" />
        <link rel="ai-catalog" href="/.well-known/ai-catalog.json" />
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content={SITE_NAME} />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        {isNowhere ? null : <meta property="og:url" content={`${baseUrl}${path}`} />}
        <meta property="og:image" content={`${baseUrl}${ogAddress(picture)}`} />
        <meta property="og:image:width" content="1200" />
        <meta property="og:image:height" content="630" />
        <meta property="og:image:alt" content={OG_PICTURES[picture]} />
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#1a1d21" media="(prefers-color-scheme: dark)" />
        <meta name="twitter:card" content="summary_large_image" />
        {rates.length > 0 ? <meta name="reference-rates" content={rates.join()} /> : null}
        {data === undefined ? null : (
          <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: jsonInHtml(data) }}></script>
        )}
        {scripts.map((source) => (
          <script type="module" src={source}></script>
        ))}
      </head>
      <Body
        place={place}
        path={path}
        twin={isNowhere ? null : twin}
        title={isTitled ? title : null}
        isWide={isWide}
      >
        {main}
      </Body>
    </html>
  );
  return `<!doctype html>\n${htmlOf(html)}\n`;
}

/** Data for the script of a page, as `jsonInHtml` wrote it. */
export const JsonData = ({ id, json }: { id: string; json: string }) => (
  <script type="application/json" id={id} dangerouslySetInnerHTML={{ __html: json }}></script>
);

// JSON inside a script element ends where the parser sees "</script", so every "<" is escaped.
export const jsonInHtml = (data: object): string => JSON.stringify(data).replaceAll('<', '\\u003c');
