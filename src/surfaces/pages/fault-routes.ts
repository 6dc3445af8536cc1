import type { Context, Hono } from 'hono';
import type { SurfaceParts } from '../calls/calls.ts';
import { once } from '../http/document.ts';
import { failedWith } from '../http/http.ts';
import { problemReply, responseOf } from '../http/reply.ts';
import { problem } from '../problem.ts';
import type { Site } from '../site.ts';
import { type FaultWords, faultHtml, wantsPage } from './fault-page.ts';
import { uncachedHeaders } from './page-documents.ts';

/**
 * Answers unknown addresses and faults of our own: with a page where HTML is preferred, as by browsers, and with a
 * problem for programs.
 */
export function mountFaults(app: Hono, { site, onBug }: Pick<SurfaceParts, 'onBug'> & { site: Site }): void {
  const { baseUrl } = site;
  const missing = once(() => faultHtml(missingWords(site), site));
  const failed = once(() => faultHtml(FAILED, site));
  const headers = { ...uncachedHeaders(baseUrl), vary: 'Accept' };
  const page = (html: string, status: number): Response => new Response(html, { status, headers });
  app.notFound((context) =>
    isForPeople(context)
      ? page(missing(), 404)
      : responseOf(problemReply(problem(baseUrl, 'not_found'), { vary: 'Accept' })),
  );
  const problemOf = failedWith({ baseUrl, onBug });
  app.onError((error, context) => {
    const reply = problemOf(error, context);
    return isForPeople(context) ? page(failed(), reply.status) : responseOf(reply);
  });
}

const isForPeople = ({ req }: Context): boolean =>
  !req.path.startsWith('/v1/') && wantsPage(req.header('accept'));

const NOWHERE = 'The address may be misspelt, or what stood here was withdrawn.';

const missingWords = ({ operations }: Site): FaultWords => ({
  title: 'There is no such page',
  blocks: [
    { text: `${NOWHERE} You may be looking for:` },
    {
      list: operations.flatMap(({ page }) =>
        page === null || page.path.includes('{') ? [] : [[{ link: page.heading, href: page.path }]],
      ),
    },
  ],
});

const FAILED: FaultWords = {
  title: 'Something went wrong on our side',
  blocks: [
    { text: 'This was our fault, not yours. Nothing was charged.' },
    {
      text: 'Please load this page again in a moment. If your browser asks whether to send again what you wrote, say yes: then nothing of it is lost.',
    },
    { text: ['Or begin at the ', { link: 'home page', href: '/' }, '.'] },
  ],
};
