import { type Operation, pageAddress } from '../../catalog/operation.ts';
import type { AnswerOf, PageName } from '../../operations/answers.ts';
import { isPaid, networkName, type Routed, routed, SITE_NAME, SITE_SUMMARY, type Site } from '../site.ts';
import { islandScripts } from './assets.ts';
import { Blocks } from './blocks.tsx';
import type { Block, Page, Text } from './content.ts';
import { htmlDocument } from './html.tsx';
import { type Placed, placed } from './shell.tsx';
import { amountText } from './views/format.ts';
import { longDay, TOOLS_PATH } from './views/listing-format.ts';

const HEADING = ['Send the quote.', 'Get the invoice paid.'];
const LEAD = 'Free on your phone or your computer. No account, and nothing to install.';

/** The texts of the two main entries. The operation behind each has the address. */
const DOORS = {
  quote_totals: {
    heading: 'Write a quote',
    says: 'Fill it in like paper. Tax, discount and deposit are calculated for you. Send the quote as a link, or print it.',
    start: 'Start a quote',
  },
  late_fee: {
    heading: 'Chase a late invoice',
    says: 'Fill in two fields to see the late fee to the cent. Then get the letter that asks for it.',
    start: 'See the late fee',
  },
} as const;
type Door = keyof typeof DOORS;

const doorsOf = (site: Site): readonly (Placed & { readonly name: Door })[] =>
  placed(site).filter((operation): operation is Placed & { name: Door } => operation.name in DOORS);

/** The home page as text. */
export function homePage(site: Site): Page {
  return {
    path: '/',
    title: SITE_NAME,
    documentTitle: `Quotes, late fees and free tools for small businesses · ${SITE_NAME}`,
    description: SITE_SUMMARY,
    data: structuredData(site, routed(site).filter(isPaid)),
    blocks: [
      { text: LEAD },
      {
        list: [
          ...doorsOf(site).map(
            ({ name, page }): Text => [
              { link: DOORS[name].heading, href: page.path },
              `: ${DOORS[name].says}`,
            ],
          ),
          [
            { link: 'Find a free tool', href: TOOLS_PATH },
            ': software with a free plan, checked by an editor.',
          ],
        ],
      },
      ...priceBlocks(site),
      { text: FOR_PROGRAMS },
    ],
  };
}

const FOR_PROGRAMS: Text = [
  'Programs and agents get the same results over HTTP and MCP: ',
  { link: 'developers and agents', href: '/developers' },
  '.',
];

/** The paid documents, by their common names. */
const PAID: { readonly [Name in PageName]?: string } = {
  late_fee_notice: 'A letter that asks for the late fee',
  quote_pack: 'A quote with three options to choose from',
  small_business_stack_report: 'A software plan for your business',
};

/** What is free, what costs money and how to pay. */
function priceBlocks(site: Site): readonly Block[] {
  const sold = placed(site).filter((operation) => operation.price !== null);
  return [
    { heading: 'What it costs', id: 'prices' },
    {
      text: 'Quotes, late fees and the search for tools are free. Three documents have a price. You pay once, with no subscription.',
    },
    {
      table: {
        head: ['', ''],
        rows: sold.map(({ name, page, price }) => [
          [{ link: PAID[name as PageName] ?? page.heading, href: pageAddress(page) }],
          price === null ? '' : `$${price.usd}`,
        ]),
      },
    },
    {
      text: `You pay from a crypto wallet with USDC, a digital dollar, on ${networkName(site.terms)}. Cards do not work here, because their fees are too high for such prices. If your assistant has a wallet, it can pay for you. You pay only if the document can be made.`,
    },
  ];
}

/** The home page: two main entries, a search for tools, and the prices. */
export function homeHtml(site: Site): string {
  const { blocks: _said, ...page } = homePage(site);
  return htmlDocument(
    page,
    site,
    <>
      <h1>{HEADING.map((sentence) => [<span class="sentence">{sentence}</span>, ' '])}</h1>
      <p class="lead">{LEAD}</p>
      <p id="kept" class="note" hidden></p>
      <div class="doors">
        {doorsOf(site).map((operation) => (
          <DoorCard operation={operation} site={site} />
        ))}
      </div>
      <ToolSearch site={site} />
      <section class="card amounts prices">
        <Blocks blocks={priceBlocks(site)} />
      </section>
    </>,
    { scripts: islandScripts('home'), styles: ['/home.css'], isWide: true, isTitled: false },
  );
}

function DoorCard({ operation, site }: { operation: Placed & { readonly name: Door }; site: Site }) {
  const { heading, says, start } = DOORS[operation.name];
  return (
    <section class="door card">
      {operation.name === 'quote_totals' ? (
        <QuotePaper operation={operation} site={site} />
      ) : (
        <InvoicePaper operation={operation} site={site} />
      )}
      <h2>{heading}</h2>
      <p>{says}</p>
      <a class="button" href={operation.page.path}>
        {start}
      </a>
    </section>
  );
}

type PaperProps = { readonly operation: Operation; readonly site: Site };
type Row = readonly [what: string, amount: string];

/** A small document with a real answer. Screen readers skip it. */
const Paper = ({ title, rows, total }: { title: string; rows: readonly Row[]; total: Row }) => (
  <div class="mini" aria-hidden="true">
    <p>{title}</p>
    {[...rows, total].map(([what, amount], index) => (
      <p class={index === rows.length ? 'total' : 'line'}>
        <span>{what}</span>
        <span>{amount}</span>
      </p>
    ))}
  </div>
);

function QuotePaper({ operation, site }: PaperProps) {
  const items = [
    { description: 'Bridal bouquet', quantity: 1, unit_price: 150 },
    { description: 'Table centrepieces', quantity: 10, unit_price: 45 },
  ];
  const quote = site.ask(operation, {
    items,
    tax_percent: 20,
    currency: 'GBP',
  }) as AnswerOf<'quote_totals'> | null;
  if (quote === null) return null;
  const money = (value: number) => amountText(value, quote.currency);
  return (
    <Paper
      title="Quote"
      rows={[
        ...quote.items.map(({ description, line_total }): Row => [description ?? '', money(line_total)]),
        ['VAT 20%', money(quote.tax_amount)],
      ]}
      total={['Total', money(quote.total)]}
    />
  );
}

function InvoicePaper({ operation, site }: PaperProps) {
  const asked = { ...operation.example, currency: 'GBP' };
  const fee = site.ask(operation, asked) as AnswerOf<'late_fee'> | null;
  if (fee === null) return null;
  const money = (value: number) => amountText(value, fee.currency);
  return (
    <Paper
      title="Invoice"
      rows={[
        [`Due ${longDay(fee.due_date)}`, money(fee.amount)],
        ['Days late', String(fee.days_late)],
        ['Late fee', money(fee.late_fee)],
      ]}
      total={['To pay now', money(fee.total_due)]}
    />
  );
}

/** A search that also works without scripts; with scripts, the typed text is not sent. */
function ToolSearch({ site }: { site: Site }) {
  const directory = placed(site).find(({ name }) => name === 'list_tools');
  if (directory === undefined) return null;
  return (
    <search class="card find">
      <h2>Find a free tool</h2>
      <form id="find" action={directory.page.path} method="get">
        <label class="hidden" for="find-words">
          What do you need?
        </label>
        <input
          id="find-words"
          type="search"
          name="words"
          maxlength={80}
          autocomplete="off"
          placeholder="salon booking, invoices"
        />
        <button type="submit">Find</button>
      </form>
      <p class="hint">
        Software with a free plan, checked by an editor. <a href={TOOLS_PATH}>See all</a>
      </p>
    </search>
  );
}

/** The service in schema.org terms. */
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
        termsOfService: `${baseUrl}/legal#terms`,
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
