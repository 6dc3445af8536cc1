import type { Operation } from '../../catalog/operation.ts';
import { METHOD_WORDS, PROOF_WORDS } from '../../domain/directory-labels.ts';
import { cleanLine } from '../../domain/text.ts';
import type { AnswerOf, PageName } from '../../operations/answers.ts';
import { release } from '../../platform/release.ts';
import { once } from '../http/documents.ts';
import { type Listed, SITE_NAME, type Site } from '../site.ts';
import { Blocks } from './blocks.tsx';
import type { Block, Page, PageSource, Span } from './content.ts';
import { CompareBar, ToolRows } from './finder.tsx';
import { rowsOf } from './finder-match.ts';
import { comparePath } from './finder-pages.tsx';
import { htmlDocument } from './html.tsx';
import { contact } from './legal.ts';
import {
  type DirectoryBody,
  directoryView,
  type ListingRow,
  needOf,
  pickText,
  searchedTool,
  wellKnown,
} from './views/directory.ts';
import { listingView } from './views/listing.ts';
import {
  categoryPath,
  HOW_CHECKED_PATH,
  listingPath,
  longDay,
  outside,
  PRICING,
  TOOLS_PATH,
  upperFirst,
} from './views/listing-format.ts';

type Source = PageSource & Listed & { readonly html?: () => string };
type Category = DirectoryBody['categories'][number];

/** The parts of the directory that its pages share. */
type Shown = {
  readonly site: Site;
  readonly top: Crumb;
  readonly categories: readonly Category[];
  readonly tools: readonly ListingRow[];
  readonly known: NonNullable<DirectoryBody['also_known']>;
  readonly nameOf: (slug: string) => string;
};

/** Main categories whose listings are texts and advice, which schema.org would not call software. */
const NOT_SOFTWARE: ReadonlySet<string> = new Set(['business_plans_learning', 'contracts_legal_templates']);

/**
 * The pages of the directory for people: how listings are checked, one page per category and one per listing. Empty if
 * no operation serves the directory. The page with the form, at `/tools`, is not included. Each page is built at its
 * first request.
 */
export function directoryPages(site: Site): readonly Source[] {
  const directory = named(site, 'list_tools');
  if (directory === undefined) return [];
  const shown = wholeDirectory(site, directory);
  const listing = named(site, 'tool');
  return [
    { path: HOW_CHECKED_PATH, changedOn: release.day, page: once(() => methodologyPage(shown)) },
    ...categorySources(shown, directory),
    ...(listing === undefined ? [] : listingSources(shown, directory, listing)),
  ];
}

const categorySources = (shown: Shown, directory: Operation): readonly Source[] =>
  shown.categories.map(({ slug, name }) => {
    const path = categoryPath(slug);
    const answer = () => shown.site.ask(directory, { category: slug, include_paid: true }) as DirectoryBody;
    const here = shown.tools.filter(({ categories }) => categories.includes(slug));
    return {
      path,
      changedOn: newest(here.map(({ changed_on }) => changed_on)),
      page: once(() => categoryPage(shown, { path, name, body: answer() })),
      html: once(() => categoryHtml(shown, { path, slug, name, body: answer() })),
    };
  });

const listingSources = (shown: Shown, directory: Operation, listing: Operation): readonly Source[] =>
  [...shown.tools, ...shown.known].map(({ id, changed_on }) => ({
    path: listingPath(id),
    changedOn: changed_on,
    page: once(() => listingPage(shown, shown.site.ask(listing, { id }) as AnswerOf<'tool'>)),
    html: once(() => listingHtml(shown, directory, shown.site.ask(listing, { id }) as AnswerOf<'tool'>)),
  }));

const named = ({ operations }: Site, wanted: PageName): Operation | undefined =>
  operations.find(({ name }) => name === wanted);

/** Every category and listing. */
function wholeDirectory(site: Site, directory: Operation): Shown {
  const { categories, tools, also_known = [] } = site.ask(directory, { include_paid: true }) as DirectoryBody;
  const names = new Map(categories.map(({ slug, name }) => [slug, name]));
  return {
    site,
    top: { name: directory.page?.heading ?? directory.title, path: TOOLS_PATH },
    categories,
    tools,
    known: also_known,
    nameOf: (slug) => names.get(slug) ?? slug,
  };
}

/** The latest day; null if there is none. */
export const newest = (days: readonly (string | null)[]): string | null =>
  days.reduce((last, day) => ((day ?? '') > (last ?? '') ? day : last), null);

function categoryPage(
  { site, top }: Shown,
  { path, name, body }: { path: string; name: string; body: DirectoryBody },
): Page {
  const listed = body.tools.map((tool) => ({ name: cleanLine(tool.name), path: listingPath(tool.id) }));
  return {
    path,
    picture: 'tools',
    title: `${name}: free tools`,
    description: `${name}: ${toolsText(body.count)} with a free plan, an open-source license or no subscription, according to the vendor.`,
    data: graph(breadcrumbList(site.baseUrl, [top, { name, path }]), itemList(site.baseUrl, listed)),
    blocks: [trailBlock([top]), ...directoryView(body)],
  };
}

/** The category with its rows, which can be compared. */
function categoryHtml(
  shown: Shown,
  { path, slug, name, body }: { path: string; slug: string; name: string; body: DirectoryBody },
): string {
  const { blocks: _said, ...page } = categoryPage(shown, { path, name, body });
  const need = needOf({ slug, name }, body);
  const tools = new Map(body.tools.map((tool) => [tool.id, searchedTool(tool, shown.nameOf)]));
  const pick = pickText(body);
  return htmlDocument(
    page,
    shown.site,
    <>
      <Blocks blocks={[trailBlock([shown.top])]} />
      {pick === null ? null : <p class="note">{pick}</p>}
      <p class="hint">
        {toolsText(body.count)}. Select two or three to compare, or{' '}
        <a href={`${TOOLS_PATH}?${new URLSearchParams({ need: slug })}`}>
          filter by your business and country
        </a>
        .
      </p>
      <h2 class="hidden">Tools</h2>
      <ToolRows need={need} rows={rowsOf(need, tools)} ticked={[]} isLive={false} />
      <CompareBar ticked={[]} hidden={[]} names={[]} isLive={false} />
      <Blocks
        blocks={[...wellKnown(body), { text: [{ link: 'How tools are checked', href: HOW_CHECKED_PATH }] }]}
      />
    </>,
    { isWide: true, styles: ['/directory.css'] },
  );
}

/** The listing, with what it is for and the link to the vendor first. */
function listingHtml(shown: Shown, directory: Operation, listing: AnswerOf<'tool'>): string {
  const {
    blocks: [trail, ...blocks],
    ...page
  } = listingPage(shown, listing);
  const purpose = purposeOf(shown, directory, listing);
  const website = outside(listing.homepage, `Go to ${cleanLine(listing.name)}`);
  return htmlDocument(
    page,
    shown.site,
    <>
      <Blocks blocks={trail === undefined ? [] : [trail]} />
      {purpose === undefined ? null : <p>{purpose}</p>}
      <p class="buttons">
        {typeof website === 'object' && 'href' in website ? (
          <a class="button" href={website.href} rel="noopener nofollow">
            {website.link}
          </a>
        ) : null}
        {listing.check === null || listing.pricing === 'paid' ? null : (
          <a class="button quiet" href={comparePath([listing.id])}>
            Compare
          </a>
        )}
      </p>
      <Blocks blocks={blocks} />
    </>,
    { styles: ['/directory.css'] },
  );
}

/** The editor's reason for a tool in its main category; undefined for a tool without a free plan. */
function purposeOf(shown: Shown, directory: Operation, { id, categories }: AnswerOf<'tool'>) {
  const [slug = ''] = categories;
  const body = shown.site.ask(directory, { category: slug }) as DirectoryBody;
  const tools = new Map(body.tools.map((tool) => [tool.id, searchedTool(tool, shown.nameOf)]));
  const rows = rowsOf(needOf({ slug, name: shown.nameOf(slug) }, body), tools);
  return rows.find(({ tool }) => tool.id === id)?.says;
}

function listingPage({ site, top, nameOf }: Shown, listing: AnswerOf<'tool'>): Page {
  const name = cleanLine(listing.name);
  const path = listingPath(listing.id);
  const [main = { name: '', path: TOOLS_PATH }, ...more] = listing.categories.map((slug) => ({
    name: nameOf(slug),
    path: categoryPath(slug),
  }));
  const isSoftware = !NOT_SOFTWARE.has(listing.categories[0] ?? '');
  return {
    path,
    picture: 'tools',
    title: name,
    description: aboutListing(name, listing),
    data: graph(
      breadcrumbList(site.baseUrl, [top, main, { name, path }]),
      ...(isSoftware ? [softwareApplication(listing, main.name)] : []),
    ),
    blocks: [trailBlock([top, main], more), ...listingView(listing)],
  };
}

function aboutListing(name: string, { pricing, check }: AnswerOf<'tool'>): string {
  if (check === null) return `${name}: we have not checked whether there is a free plan.`;
  const what = pricing === 'paid' ? `What ${name} costs` : `What is free in ${name}`;
  return `${what}, quoted from the vendor, with the source, as read on ${longDay(check.checked_on)}.`;
}

const toolsText = (count: number): string => (count === 1 ? '1 tool' : `${count} tools`);

/** The breadcrumbs, and the other categories of a listing. */
function trailBlock(trail: readonly Crumb[], more: readonly Crumb[] = []): Block {
  const links = (crumbs: readonly Crumb[], between: string): readonly Span[] =>
    crumbs.flatMap(({ name, path }, index) => [
      ...(index === 0 ? [] : [between]),
      { link: name, href: path },
    ]);
  return {
    text: [...links(trail, ' › '), ...(more.length === 0 ? [] : [', also in ', ...links(more, ', ')])],
  };
}

/** A parent page in the breadcrumbs. */
export type Crumb = { readonly name: string; readonly path: string };

/** Nodes of schema.org as one document. */
export const graph = (...nodes: readonly object[]): object => ({
  '@context': 'https://schema.org',
  '@graph': nodes,
});

/** Pages as the entries of a list; `address` is the schema.org property for their address. */
const listItems = (baseUrl: string, pages: readonly Crumb[], address: 'item' | 'url') =>
  pages.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    [address]: `${baseUrl}${path}`,
  }));

/** The path to a page from the home page. */
export const breadcrumbList = (baseUrl: string, trail: readonly Crumb[]): object => ({
  '@type': 'BreadcrumbList',
  itemListElement: listItems(baseUrl, [{ name: SITE_NAME, path: '/' }, ...trail], 'item'),
});

const itemList = (baseUrl: string, items: readonly Crumb[]): object => ({
  '@type': 'ItemList',
  numberOfItems: items.length,
  itemListElement: listItems(baseUrl, items, 'url'),
});

/** A listing as software; without rating, price and operating system, because there is no evidence for them. */
const softwareApplication = (
  listing: { readonly name: string; readonly homepage: string },
  category: string,
): object => ({
  '@type': 'SoftwareApplication',
  name: listing.name,
  url: listing.homepage,
  applicationCategory: category,
});

/** How tools are listed, what a check proves, and how to report an error. */
function methodologyPage({ site, top }: Shown): Page {
  const title = 'How tools are checked';
  return {
    path: HOW_CHECKED_PATH,
    title,
    description: `What qualifies for the tool directory of the ${SITE_NAME}, what the grades and dates mean, and how to report an error.`,
    data: graph(breadcrumbList(site.baseUrl, [top, { name: title, path: HOW_CHECKED_PATH }])),
    blocks: [
      trailBlock([top]),
      { heading: 'What qualifies', id: 'qualifies' },
      {
        text: 'Each tool is listed with a quotation, usually from its vendor, and a link to the page that is quoted. The quotation proves that the tool is one of these:',
      },
      {
        list: [
          `${PRICING.free.meaning}. Fees for each transaction may apply.`,
          `${PRICING.freemium.meaning}.`,
          `${PRICING.open_source.meaning}.`,
        ],
      },
      { heading: 'What is quoted', id: 'words' },
      {
        list: [
          'The quotation is word for word. You can search for it on the page that is linked.',
          'What is free, and what to know before you sign up, is in our own words.',
          'A quotation in another language is shown unchanged. The translation next to it is ours.',
          'If the vendor does not state a limit, we say so. There may still be one.',
          '“Runs free” says where the free version runs: online, on your computer or on your phone.',
        ],
      },
      { heading: 'How strong the proof is', id: 'proof' },
      {
        list: Object.entries(PROOF_WORDS).map(([grade, meaning]) => `${upperFirst(grade)}: ${meaning}.`),
      },
      {
        text: 'The grade does not affect the order of the tools: an editor decides that. A software plan picks the first tool that fits you, and never one with thin proof.',
      },
      { heading: 'What the dates mean', id: 'day' },
      {
        text: 'The first date is that of the vendor’s text, or “age unknown”. The second is the day on which we read the text. We did not try the tool, and its plan may have changed since. We read the text in one of these places:',
      },
      { list: Object.values(METHOD_WORDS).map((words) => `${upperFirst(words)}.`) },
      {
        text: 'A stored copy may be old, so the page may say something else today. If a third party copied the text, we name that party.',
      },
      { heading: 'How quotations are checked again', id: 'again' },
      {
        text: 'A program opens each vendor’s page again and looks for the quotation. The operator of this service starts the program, on no fixed schedule.',
      },
      {
        list: [
          'If the quotation is still there, the listing gets the new date.',
          'If it is gone, the listing is removed when the service next starts.',
          'If the page cannot be read, the listing keeps its old dates.',
        ],
      },
      {
        text: 'A removed listing no longer appears on any page or in any result.',
      },
      { heading: 'If something is wrong', id: 'errors' },
      { text: 'Tell us which tool it is, what is wrong, and where the vendor says so.' },
      { text: contact(site) },
    ],
  };
}
