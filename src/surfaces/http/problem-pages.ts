import type { Hono } from 'hono';
import { problemPath, problemTypes } from '../problem.ts';
import { refuseMethod } from './http.ts';
import { CORS_HEADERS } from './reply.ts';

/** Serves the page that each problem's `type` resolves to. */
export function mountProblemPages(app: Hono, baseUrl: string): void {
  for (const { code, status, title, meaning, remedy } of problemTypes) {
    const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<main>
<h1>${title}</h1>
<p>HTTP status ${status}, code <code>${code}</code>.</p>
<p>${meaning}</p>
<p>${remedy}</p>
</main>
</html>
`;
    const headers = {
      ...CORS_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    };
    app.get(problemPath(code), () => new Response(page, { headers }));
    app.all(problemPath(code), refuseMethod(baseUrl, ['GET', 'HEAD']));
  }
}
