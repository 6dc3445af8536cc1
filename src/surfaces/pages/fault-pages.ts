import { pageAddress } from '../../catalog/operation.ts';
import { once } from '../http/documents.ts';
import type { Requested } from '../http/listener.ts';
import { preferredType } from '../http/reply.ts';
import type { Router } from '../http/router.ts';
import type { Site } from '../site.ts';
import type { Page } from './content.ts';
import { pageHtml } from './html.tsx';
import { uncachedHeaders } from './page-documents.ts';

/* Pages that are shown instead of another. */

const TYPES = ['application/problem+json', 'application/json', 'text/html'];

/** Whether the client prefers a page, as browsers do, to a problem for programs. */
export const wantsPage = (accept: string | undefined): boolean =>
  TYPES[preferredType(accept, TYPES)] === 'text/html';

export type FaultWords = Pick<Page, 'title' | 'blocks'>;

/** A page that is shown instead of another and has no address. */
export const faultHtml = ({ title, blocks }: FaultWords, site: Site): string =>
  pageHtml({ path: '', title, description: title, blocks }, site, { isNowhere: true });

/** Answers unknown addresses and internal errors with a page if the client prefers HTML, as browsers do. */
export function mountFaults(router: Router, site: Site): void {
  const missing = once(() => faultHtml(missingWords(site), site));
  const failed = once(() => faultHtml(FAILED, site));
  const headers = { ...uncachedHeaders(site.baseUrl), vary: 'Accept' };
  router.onFault((requested, { status }) =>
    isForPeople(requested) ? { status, headers, body: status === 404 ? missing() : failed() } : null,
  );
}

const isForPeople = ({ path, header }: Requested): boolean =>
  !path.startsWith('/v1/') && wantsPage(header('accept'));

const NOWHERE = 'The address may be misspelled, or the page was withdrawn.';

const missingWords = ({ operations }: Site): FaultWords => ({
  title: 'Page not found',
  blocks: [
    { text: `${NOWHERE} You may be looking for:` },
    {
      list: operations.flatMap(({ page }) =>
        page === null || page.path.includes('{') ? [] : [[{ link: page.heading, href: pageAddress(page) }]],
      ),
    },
  ],
});

const FAILED: FaultWords = {
  title: 'Something went wrong on our side',
  blocks: [
    { text: 'This was our fault, not yours. Nothing was charged.' },
    {
      text: 'Please reload this page in a moment. If your browser asks whether to send the form again, say yes, so that nothing you wrote is lost.',
    },
    { text: ['Or start at the ', { link: 'home page', href: '/' }, '.'] },
  ],
};

const SOME_SECONDS = 60;

type Sent = 'link' | 'form';

/** Tells the visitor that no input is lost: a browser keeps the submitted form until its page is left. */
const KEPT: Readonly<Record<Sent, string>> = {
  link: 'The address of this page contains your request: reload the page then.',
  form: 'Please stay on this page, so that nothing is lost: your browser still has what you wrote. Reload the page then, and say yes if it asks whether to send the form again.',
};

/** The page of a 429, built once for links and once for forms. It links back and contains no form values. */
export function pleaseWait(
  { path, heading }: { readonly path: string; readonly heading: string },
  site: Site,
): (seconds: number, sent: Sent) => string {
  const waiting = (seconds: number) => `please try again in ${seconds} seconds.`;
  const page = (sent: Sent) =>
    once(() =>
      faultHtml(
        {
          title: 'Please wait a moment',
          blocks: [
            { text: `That was a lot of requests at once: ${waiting(SOME_SECONDS)} Nothing was charged.` },
            { text: KEPT[sent] },
            { text: ['Or start again, without what you wrote: ', { link: heading, href: path }, '.'] },
          ],
        },
        site,
      ),
    );
  const pages = { link: page('link'), form: page('form') };
  return (seconds, sent) => pages[sent]().replace(waiting(SOME_SECONDS), waiting(seconds));
}

/** The seconds of Retry-After. */
export const secondsIn = (headers: Readonly<Record<string, string>>): number =>
  Number(headers['Retry-After']) || SOME_SECONDS;
