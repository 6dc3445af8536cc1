import type { Context, Hono } from 'hono';
import { once, secureTransport } from '../http/document.ts';
import { typeChooser } from '../http/negotiation.ts';
import { problemReply, responseOf } from '../http/reply.ts';
import { problem } from '../problem.ts';
import type { Site } from '../site.ts';
import type { Page } from './content.ts';
import { pageHtml } from './html.tsx';
import { pageHeaders } from './page-documents.ts';

const choose = typeChooser(['application/problem+json', 'text/html']);

/** Answers unknown addresses: with a page where HTML is preferred, as by browsers, and with a problem for programs. */
export function mountMissing(app: Hono, site: Site): void {
  const { baseUrl } = site;
  const html = once(() => pageHtml(missingPage(site), site, { isNowhere: true }));
  app.notFound((context) => {
    if (!wantsPage(context))
      return responseOf(problemReply(problem(baseUrl, 'not_found'), { vary: 'Accept' }));
    const { link: _twin, ...headers } = pageHeaders('/');
    return new Response(html(), {
      status: 404,
      headers: {
        ...headers,
        ...secureTransport(baseUrl),
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        vary: 'Accept',
      },
    });
  });
}

const wantsPage = ({ req }: Context): boolean =>
  !req.path.startsWith('/v1/') && choose(req.header('accept')) === 1;

const missingPage = ({ operations }: Site): Page => ({
  path: '',
  title: 'There is no such page',
  description: 'The address may be misspelt, or what stood here was withdrawn.',
  blocks: [
    { text: 'The address may be misspelt, or what stood here was withdrawn. You may be looking for:' },
    {
      list: operations.flatMap(({ page }) =>
        page === null || page.path.includes('{') ? [] : [[{ link: page.heading, href: page.path }]],
      ),
    },
  ],
});
