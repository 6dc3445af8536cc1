import type { Operation, Price } from '../../catalog/operation.ts';
import { isPaid, networkName, type Routed, routed, SITE_NAME, SITE_SUMMARY, type Site } from '../site.ts';
import { islandScripts } from './assets.ts';
import { Blocks } from './blocks.tsx';
import type { Block, Page, Text } from './content.ts';
import { Form } from './form.tsx';
import { formOf } from './form-fields.ts';
import { NOTHING_WRITTEN } from './form-values.ts';
import { htmlDocument } from './html.tsx';
import { COMMON_CURRENCIES } from './money-of-regions.ts';
import { Paper } from './paper.tsx';
import { type Placed, placed, priceWord } from './shell.tsx';
import { lateFeeBrief } from './views/late-fee-brief.ts';

const HEADING = 'What is that late invoice worth today?';
const LEAD =
  'Type the amount and the day it was due. The figure is exact to the cent and shows how it was reached.';
const NOTHING_STORED =
  'No account, no subscription, no cookies, no third parties. Nothing you write is stored by us, and the free calculators do not send it where your browser runs their script.';

/** The fields of the form on the home page; its calculator has all. */
const FIRST_FIELDS: ReadonlySet<string> = new Set(['amount', 'due_date', 'rate', 'rate_type', 'currency']);

/** The common currencies by their codes: the script brings the others and all names. */
const COMMON = {
  kind: 'choice',
  fallback: '',
  options: [{ value: '', label: 'None' }, ...COMMON_CURRENCIES.map((code) => ({ value: code, label: code }))],
} as const;

type Sold = Placed & { readonly price: Price };

const free = (site: Site): readonly Placed[] => placed(site).filter(({ price }) => price === null);
const sold = (site: Site): readonly Sold[] =>
  placed(site).filter((operation): operation is Sold => operation.price !== null);
const firstOf = (site: Site): Operation | undefined =>
  site.operations.find(({ name }) => name === 'late_fee');

/** The home page as text. */
export function homePage(site: Site): Page {
  return {
    path: '/',
    title: SITE_NAME,
    documentTitle: `Late fee and quote calculators, letters, free software · ${SITE_NAME}`,
    description: SITE_SUMMARY,
    data: structuredData(site, routed(site).filter(isPaid)),
    blocks: [
      { text: LEAD },
      { heading: 'What you can do in a minute', id: 'free' },
      { list: free(site).map(linked) },
      { heading: 'Leave with something you can send', id: 'documents' },
      { list: sold(site).map(linked) },
      ...priceBlocks(site),
      { text: DOOR },
    ],
  };
}

const linked = ({ page }: Placed): Text => [{ link: page.heading, href: page.path }, `: ${page.summary}`];

const DOOR: Text = [
  'Programs and agents get the same answers over HTTP and MCP, and pay for themselves: ',
  { link: 'for developers and agents', href: '/developers' },
  '.',
];

/** The prices, and why they are cents. */
export function priceBlocks(site: Site): readonly Block[] {
  const wallet = `a wallet with a little USDC on ${networkName(site.terms)}, or an assistant that has one`;
  return [
    { heading: 'What it costs, and why cents', id: 'prices' },
    {
      table: {
        head: ['What', 'Price', 'You need'],
        rows: placed(site).map(({ page, price }) => [
          [{ link: page.heading, href: page.path }],
          ...(price === null ? ['free', 'nothing: no account either'] : [`USD ${price.usd}`, wallet]),
        ]),
      },
    },
    {
      text: `A card cannot be charged one cent, so you would be sold a subscription. USDC is a digital dollar that can: you pay for the one document that you want, and for nothing else. You see that it can be made before you pay, and when it cannot be made nothing is charged. ${NOTHING_STORED}`,
    },
  ];
}

/** The home page with a calculator that works in its first screen. */
export function homeHtml(site: Site): string {
  const { blocks: _said, ...page } = homePage(site);
  const first = firstOf(site);
  return htmlDocument(
    page,
    site,
    <>
      {first === undefined ? <h1>{SITE_NAME}</h1> : <Hero operation={first} site={site} />}
      <h2 id="free">What you can do in a minute</h2>
      <ul class="documents">
        {free(site).map(({ page: { path, heading, summary } }) => (
          <li class="card">
            <h3>
              <a href={path}>{heading}</a>
            </h3>
            <p>{summary}</p>
          </li>
        ))}
      </ul>
      <h2 id="documents">Leave with something you can send</h2>
      <ul class="documents">
        {sold(site).map((operation) => (
          <DocumentCard operation={operation} site={site} />
        ))}
      </ul>
      <div class="band">
        <div class="wrap">
          <Blocks blocks={priceBlocks(site)} />
        </div>
      </div>
      <div class="door">
        <Blocks blocks={[{ text: DOOR }]} />
      </div>
    </>,
    {
      scripts: islandScripts('home'),
      styles: ['/calculator.css', '/home.css'],
      isWide: true,
      isTitled: false,
    },
  );
}

function Hero({ operation, site }: { operation: Operation; site: Site }) {
  const model = formOf(operation);
  const fields = model.fields
    .filter(({ name }) => FIRST_FIELDS.has(name))
    .map((field) => (field.kind === 'currency' ? { ...field, ...COMMON } : field));
  const example = site.ask(operation, { ...operation.example, currency: 'GBP' });
  const path = operation.page?.path ?? '/';
  return (
    <div class="hero">
      <div>
        <h1>{HEADING}</h1>
        <p class="lead">{LEAD}</p>
        <Form
          form={{ ...model, fields }}
          path={path}
          submit="Work it out"
          rows={0}
          values={NOTHING_WRITTEN}
          faults={[]}
          isFree
          attributes={{ 'data-operation': operation.name }}
        />
        <p>
          <a href={path}>Grace days, a least fee, interest by law</a>
        </p>
      </div>
      <aside class="ticket" aria-label="Late fee">
        <p id="status" class="hidden" role="status"></p>
        <section id="result" aria-label="Result"></section>
        <section class="example" aria-labelledby="example">
          <h2 id="example">For example</h2>
          <Blocks blocks={lateFeeBrief(example as Parameters<typeof lateFeeBrief>[0])} />
        </section>
      </aside>
    </div>
  );
}

function DocumentCard({ operation, site }: { operation: Sold; site: Site }) {
  const { page, price, name } = operation;
  return (
    <li class="card">
      <Paper name={name} answer={site.answerOf(operation)} />
      <h3>
        {page.heading} <span class="price">{priceWord(price)}</span>
      </h3>
      <p>{page.lead}</p>
      <p class="buttons">
        <a class="button" href={page.path}>
          {page.menu ?? page.heading} · {priceWord(price)}
        </a>
        <a class="button quiet" href={`${page.path}#example`} aria-label={`A whole sample: ${page.heading}`}>
          A whole sample
        </a>
      </p>
    </li>
  );
}

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
