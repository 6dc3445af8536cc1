import { stepQuery } from '../../catalog/operation.ts';
import { secureTransport } from '../http/documents.ts';
import type { ForBrowsers } from '../http/operations.ts';
import type { Site } from '../site.ts';
import { type Calculator, isCalculator } from './calculator.tsx';
import type { Page } from './content.ts';
import { wantsPage } from './fault-pages.ts';
import { pageHtml } from './html.tsx';
import { GUARDED } from './page-documents.ts';

/**
 * Answers a browser that opens a paid route with a link to its form, filled from the query. It keeps the status and
 * headers of the route, so a program that accepts HTML can still pay.
 */
export function forBrowsers(site: Site): ForBrowsers {
  const pages = new Map<string, string>();
  return (operation, { header, query }, reply) => {
    if (![400, 402, 405].includes(reply.status) || !wantsPage(header('accept')) || !isCalculator(operation))
      return null;
    const key = `${operation.name} ${reply.status}`;
    const html = pages.get(key) ?? pageHtml(words(operation, reply.status), site, { isNowhere: true });
    pages.set(key, html);
    const headers = { ...reply.headers, ...GUARDED, ...secureTransport(site.baseUrl), ...MORE };
    const { path, step } = operation.page;
    const asked = [step && stepQuery(step), query].filter(Boolean).join('&');
    const address = asked === '' ? path : `${path}?${asked}`;
    const body = html.replace(FORM_LINK, () => `href="${escaped(address)}"`);
    return { status: reply.status, headers, body };
  };
}

const MORE = { 'content-type': 'text/html; charset=utf-8', 'x-robots-tag': 'noindex', vary: 'Accept' };

const FORM_LINK = 'href="/the-form"';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const WHY: Readonly<Record<number, string>> = {
  400: 'A program gets a list of the fields that are missing or wrong.',
  405: 'A program sends its request here by POST.',
};

function words({ page, price, operationId }: Calculator, status: number): Page {
  const why = WHY[status] ?? `It costs USD ${price?.usd}, which a program pays together with its request.`;
  return {
    path: '',
    title: page.heading,
    description: 'This address is for programs.',
    blocks: [
      { text: `This address is for programs. ${why} Nothing was charged.` },
      { text: ['For people, there is a form: ', { link: page.heading, href: '/the-form' }, '.'] },
      { text: ['For programs: ', { link: 'every field and error', href: `/docs#${operationId}` }, '.'] },
    ],
  };
}
