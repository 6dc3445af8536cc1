import { pageAddress } from '../../catalog/operation.ts';
import { once } from '../http/documents.ts';
import type { Requested } from '../http/listener.ts';
import type { Router } from '../http/router.ts';
import type { Site } from '../site.ts';
import { type FaultWords, faultHtml, wantsPage } from './fault-page.ts';
import { uncachedHeaders } from './page-documents.ts';

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

const NOWHERE = 'The address may be misspelt, or what stood here was withdrawn.';

const missingWords = ({ operations }: Site): FaultWords => ({
  title: 'There is no such page',
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
      text: 'Please load this page again in a moment. If your browser asks whether to send again what you wrote, say yes: then nothing of it is lost.',
    },
    { text: ['Or begin at the ', { link: 'home page', href: '/' }, '.'] },
  ],
};
