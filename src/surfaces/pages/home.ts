import { exampleCommand } from '../discovery/example-request.ts';
import { paymentSteps, promises } from '../discovery/words.ts';
import { isPaid, networkName, type Routed, routed, SITE_NAME, SITE_SUMMARY, type Site } from '../site.ts';
import type { Page, Text } from './content.ts';

/** What the service is, what it costs, how to pay, and where everything is. */
export function homePage(site: Site): Page {
  const { baseUrl, freeRequestsPerMinute, terms } = site;
  const free = routed(site).filter((operation) => !isPaid(operation));
  const paid = routed(site).filter(isPaid);
  const [first] = free;
  return {
    path: '/',
    title: SITE_NAME,
    description: SITE_SUMMARY,
    data: structuredData(site, paid),
    blocks: [
      {
        text: 'Work out a quote or a late fee, find free software that does the job, or have a reminder letter, a quote pack or a software report made. People and programs get the same answers, over HTTP and over MCP.',
      },
      { list: pages(site) },
      {
        text: 'Nothing you write is stored, and the free calculators do not even send it: they run in your browser. No account, no cookies, no third parties.',
      },
      { heading: 'For programs: free', id: 'free' },
      { text: `${freeRequestsPerMinute} requests a minute, without an account.` },
      {
        table: {
          head: ['What', 'Request'],
          rows: free.map((operation) => [summaryOf(operation), requestOf(operation)]),
        },
      },
      ...(first === undefined ? [] : [{ code: exampleCommand(first, baseUrl), language: 'sh' as const }]),
      { heading: 'For programs: paid', id: 'prices' },
      {
        text: `Each request is paid on its own, in USDC on ${networkName(terms)}, through x402. There are no accounts and no API keys.`,
      },
      {
        table: {
          head: ['What', 'Request', 'Price'],
          rows: paid.map((operation) => [
            summaryOf(operation),
            requestOf(operation),
            `USD ${operation.price?.usd}`,
          ]),
        },
      },
      { heading: 'How to pay', id: 'pay' },
      { steps: paymentSteps },
      { list: promises },
      { heading: 'For programs and agents' },
      { list: links() },
    ],
  };
}

/** The pages for people, each with what it is for. */
const pages = ({ operations }: Site): readonly Text[] =>
  operations.flatMap(({ page }) =>
    page === null || page.path.includes('{')
      ? []
      : [[{ link: page.heading, href: page.path }, `: ${page.summary}`]],
  );

const summaryOf = ({ summary }: Routed): Text => summary;
const requestOf = ({ route, operationId }: Routed): Text => [
  { link: `${route.method} ${route.path}`, href: `/docs#${operationId}` },
];

const links = (): readonly Text[] => [
  [{ link: 'For developers and agents', href: '/developers' }, ', with programs that buy'],
  [{ link: 'API reference', href: '/docs' }, ', with every field and an example of each answer'],
  [{ link: 'OpenAPI 3.1 document', href: '/openapi.json' }],
  [{ link: 'MCP server card', href: '/mcp/server-card' }, '; the server is at ', { code: '/mcp' }],
  [{ link: 'x402 manifest', href: '/.well-known/x402' }],
  [
    { link: 'llms.txt', href: '/llms.txt' },
    ' and ',
    { link: 'llms-full.txt', href: '/llms-full.txt' },
    ' for language models',
  ],
  [{ link: 'API catalogue', href: '/.well-known/api-catalog' }],
];

/** The service in the vocabulary of schema.org. */
function structuredData({ baseUrl }: Site, paid: readonly Routed[]) {
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'WebAPI',
        '@id': `${baseUrl}/#api`,
        name: `${SITE_NAME} API`,
        description: SITE_SUMMARY,
        url: `${baseUrl}/v1`,
        documentation: `${baseUrl}/docs`,
        termsOfService: `${baseUrl}/terms`,
        offers: paid.map(({ title, price }) => ({
          '@type': 'Offer',
          name: title,
          price: price?.usd,
          priceCurrency: 'USD',
        })),
      },
      { '@type': 'WebSite', '@id': `${baseUrl}/#site`, name: SITE_NAME, url: `${baseUrl}/` },
    ],
  };
}
