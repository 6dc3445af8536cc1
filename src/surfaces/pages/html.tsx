import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { assetAddress } from './assets.ts';
import { Blocks } from './blocks.tsx';
import { markdownPath, type Page } from './content.ts';

type More = {
  readonly scripts?: readonly string[];
  /** Paths of further styles of ours. */
  readonly styles?: readonly string[];
  readonly twin?: string;
  /** A page that has no address of its own, such as one that says that there is none. */
  readonly isNowhere?: boolean;
};

type Place = { readonly baseUrl: string; readonly siteName: string };

/** A page as a complete HTML document. */
export function pageHtml(page: Page, place: Place, more: More = {}): string {
  return htmlDocument(page, place, <Blocks blocks={page.blocks} />, more);
}

/** An HTML document around a main part; `scripts` are addresses of our own, `twin` is the same as Markdown. */
export function htmlDocument(
  page: Omit<Page, 'blocks'>,
  { baseUrl, siteName }: Place,
  main: Child,
  more: More = {},
): string {
  const { path, title, description, data } = page;
  const { scripts = [], styles = [], twin = markdownPath(path), isNowhere = false } = more;
  const documentTitle = path === '/' ? `${title}: ${description}` : `${title} · ${siteName}`;
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
        <link rel="ard" href="/.well-known/ard.json" />
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content={siteName} />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        {isNowhere ? null : <meta property="og:url" content={`${baseUrl}${path}`} />}
        <meta property="og:image" content={`${baseUrl}/og.png`} />
        <meta name="twitter:card" content="summary_large_image" />
        {data === undefined ? null : <script type="application/ld+json">{raw(jsonInHtml(data))}</script>}
        {scripts.map((source) => (
          <script src={source} defer></script>
        ))}
      </head>
      <body>
        <header>
          <nav aria-label="Main">
            <a href="/">{siteName}</a> <a href="/late-fee">Late fee</a> <a href="/quote">Quote</a>{' '}
            <a href="/tools">Tools</a> <a href="/#prices">Prices</a> <a href="/docs">API</a>
          </nav>
        </header>
        <main>
          <h1>{title}</h1>
          {main}
        </main>
        <footer>
          <nav aria-label="About">
            <a href="/terms">Terms</a> <a href="/privacy">Privacy</a> <a href="/security">Security</a>{' '}
            {isNowhere ? null : <a href={twin}>This page as Markdown</a>}
          </nav>
        </footer>
      </body>
    </html>
  );
  return `<!doctype html>\n${html}\n`;
}

// JSON inside a script element ends where the parser sees "</script", so no "<" may stay.
const jsonInHtml = (data: object): string => JSON.stringify(data).replaceAll('<', '\\u003c');
