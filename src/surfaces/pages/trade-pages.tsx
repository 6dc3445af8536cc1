import { cleanLine } from '../../domain/text.ts';
import type { AnswerOf, PageName } from '../../operations/answers.ts';
import { release } from '../../platform/release.ts';
import { type PaidTool, TRADES, type Trade, worthPayingFor } from '../../trades/trades.ts';
import { once } from '../http/documents.ts';
import type { Listed, Site } from '../site.ts';
import { Blocks } from './blocks.tsx';
import type { Block, Page, PageSource, Text } from './content.ts';
import { breadcrumbList, graph } from './directory-pages.tsx';
import { asWritten, valuesQuery } from './form-values.ts';
import { htmlDocument } from './html.tsx';
import { payPages } from './pay-page.ts';
import { placed } from './shell.tsx';
import { whereText } from './views/directory.ts';
import { amountText, plain } from './views/format.ts';
import {
  categoryPath,
  listingPath,
  outside,
  TOOLS_PATH,
  tradePath,
  tradeWords,
} from './views/listing-format.ts';

type Quote = AnswerOf<'quote_totals'>;

type Shared = NonNullable<ReturnType<typeof sharedBy>>;

/** A page for each trade of the table: a quote to start from, what to add to it, and the tools of the trade. */
export function tradePages(site: Site): readonly (PageSource & Listed & { readonly html: () => string })[] {
  const shared = sharedBy(site);
  if (shared === null) return [];
  return TRADES.map((trade) => ({
    path: tradePath(trade.id),
    changedOn: release.day,
    page: once(() => tradePage(trade, shared)),
    html: once(() => tradeHtml(trade, shared)),
  }));
}

/** What the pages of the trades share; null if the service offers no quotes. */
function sharedBy(site: Site) {
  const pageOf = (name: PageName) => placed(site).find((operation) => operation.name === name);
  const quote = pageOf('quote_totals');
  const directory = pageOf('list_tools');
  const pack = pageOf('quote_pack');
  if (quote === undefined || directory === undefined) return null;
  const listed = once(() => site.ask(directory, {}) as AnswerOf<'list_tools'>);
  const categories = once(() => new Map(listed().categories.map(({ slug, name }) => [slug, name])));
  const tools = once(() => new Map(listed().tools.map((tool) => [tool.id, tool])));
  return {
    site,
    quotePath: quote.page.path,
    totalsOf: (trade: Trade) => site.ask(quote, { items: trade.quote.lines }) as Quote,
    /** A link that opens the quote of the trade at its three options; null if they are not sold. */
    optionsOf: ({ name, quote: { lines } }: Trade) =>
      pack === undefined ? null : payPages('')(pack, { trade: name, items: lines }),
    categoryName: (slug: string) => categories().get(slug) ?? slug,
    toolOf: (id: string) => tools().get(id),
  };
}

/** A link that opens the quote of the trade for editing. */
const opened = (trade: Trade, { quotePath }: Shared): string =>
  `${quotePath}?${valuesQuery(asWritten({ items: trade.quote.lines }))}`;

/** The three lines with their total, without a currency. */
function quoteBlocks(trade: Trade, { totalsOf }: Shared): readonly Block[] {
  const { items, total } = totalsOf(trade);
  const money = (value: number) => amountText(value, null);
  return [
    {
      table: {
        head: ['Item', 'Amount'],
        rows: items.map(({ description, quantity, unit_price, line_total }) => [
          quantity === 1 ? (description ?? '') : `${description}, ${plain(quantity)} × ${money(unit_price)}`,
          money(line_total),
        ]),
      },
    },
    { figures: [{ label: 'Total before tax', value: money(total), strong: true }] },
  ];
}

/** Suggestions for the owner's better and best options. */
function optionBlocks(trade: Trade, { optionsOf }: Shared): readonly Block[] {
  const href = optionsOf(trade);
  const { better, best } = trade.quote;
  return [
    { heading: 'Two more options for the client', id: 'options' },
    {
      text: [
        'Add what you really do differently, and set a price for it. ',
        ...(href === null ? [] : [{ link: 'Offer three options', href }, '.']),
      ],
    },
    { subheading: 'Enhanced' },
    { list: better },
    { subheading: 'Premium' },
    { list: best },
  ];
}

/** The editor's tools for the trade, and paid tools that are worth their price. */
function toolBlocks(trade: Trade, { categoryName, toolOf }: Shared): readonly Block[] {
  const free = Object.entries(trade.tools).flatMap(([slug, picks = []]) =>
    picks.flatMap(({ id, reason }): Text[] => {
      const tool = toolOf(id);
      if (tool === undefined) return [];
      const says = [`): ${cleanLine(reason)}`, whereText(tool)].filter(Boolean).join(' ');
      const need = { link: categoryName(slug), href: categoryPath(slug) };
      return [[{ link: cleanLine(tool.name), href: listingPath(id) }, ' (', need, says]];
    }),
  );
  const paid = worthPayingFor(trade, trade.business_type).filter(
    (tool) => (tool as { readonly trades?: readonly string[] }).trades?.includes(trade.id) === true,
  );
  return [
    { heading: 'Free tools', id: 'tools' },
    { list: free },
    ...paidBlocks(
      'Worth paying for',
      paid.filter(({ regions }) => regions === undefined),
    ),
    ...paidBlocks(
      'Worth paying for in some countries',
      paid.filter(({ regions }) => regions !== undefined),
    ),
    { text: [{ link: 'All free tools', href: TOOLS_PATH }] },
  ];
}

function paidBlocks(subheading: string, tools: readonly PaidTool[]): readonly Block[] {
  if (tools.length === 0) return [];
  const list = tools.map(({ name, homepage, why, regions = null }): Text => {
    const says = [cleanLine(why), whereText({ regions })].filter(Boolean).join(' ');
    return [outside(homepage, name), `: ${says}`];
  });
  return [{ subheading }, { list }];
}

const LEAD =
  'Start from these example lines. Enter your own prices, then send the quote as a link or print it.';

const heading = (trade: Trade): string => `Quote for ${tradeWords(trade)}`;

function tradePage(trade: Trade, shared: Shared): Page {
  const { site } = shared;
  const title = heading(trade);
  const lines = trade.quote.lines.map(({ description }) => description).join(', ');
  return {
    path: tradePath(trade.id),
    title,
    picture: 'quote',
    description: `${title}: ${lines}. Change the lines and send the quote for free. With tools for the trade.`,
    data: graph(breadcrumbList(site.baseUrl, [{ name: title, path: tradePath(trade.id) }])),
    blocks: [
      ...quoteBlocks(trade, shared),
      { text: [{ link: 'Open this quote and change it', href: opened(trade, shared) }] },
      ...optionBlocks(trade, shared),
      ...toolBlocks(trade, shared),
    ],
  };
}

function tradeHtml(trade: Trade, shared: Shared): string {
  const { blocks: _said, ...page } = tradePage(trade, shared);
  return htmlDocument(
    page,
    shared.site,
    <>
      <p class="lead">{LEAD}</p>
      <div class="card amounts">
        <Blocks blocks={quoteBlocks(trade, shared)} />
        <p class="buttons">
          <a class="button" rel="nofollow" href={opened(trade, shared)}>
            Open and change it
          </a>
        </p>
      </div>
      <Blocks blocks={[...optionBlocks(trade, shared), ...toolBlocks(trade, shared)]} />
    </>,
    { styles: ['/directory.css'] },
  );
}
