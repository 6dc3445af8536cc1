import type { Operation } from '../../catalog/operation.ts';
import { cleanLine } from '../../domain/text.ts';
import type { AnswerOf, PageName } from '../../operations/answers.ts';
import { release } from '../../platform/release.ts';
import type { Listed } from '../discovery/published.ts';
import { once } from '../http/documents.ts';
import type { Site } from '../site.ts';
import type { Block, Page, PageSource, Span } from './content.ts';
import { breadcrumbList, type Crumb, graph, itemList, softwareApplication } from './directory-data.ts';
import { howCheckedPage } from './how-checked.ts';
import { type DirectoryBody, directoryView, type ListingRow } from './views/directory.ts';
import { listingView } from './views/listing.ts';
import { categoryPath, HOW_CHECKED_PATH, listingPath, longDay, TOOLS_PATH } from './views/listing-format.ts';

type Source = PageSource & Listed;
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
 * The pages of the directory for people: how listings are checked, one for each category and one for each listing;
 * none where no operation shows the directory. The page with the form, at `/tools`, is not among them. A page is made
 * when it is first asked for, and no other with it.
 */
export function directoryPages(site: Site): readonly Source[] {
  const directory = named(site, 'list_tools');
  if (directory === undefined) return [];
  const shown = wholeDirectory(site, directory);
  const listing = named(site, 'tool');
  return [
    { path: HOW_CHECKED_PATH, changedOn: release.day, page: once(() => methodologyPage(shown)) },
    ...categorySources(shown, directory),
    ...(listing === undefined ? [] : listingSources(shown, listing)),
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
    };
  });

const listingSources = (shown: Shown, listing: Operation): readonly Source[] =>
  [...shown.tools, ...shown.known].map(({ id, changed_on }) => ({
    path: listingPath(id),
    changedOn: changed_on,
    page: once(() => listingPage(shown, shown.site.ask(listing, { id }) as AnswerOf<'tool'>)),
  }));

const named = ({ operations }: Site, wanted: PageName): Operation | undefined =>
  operations.find(({ name }) => name === wanted);

/** Every category and listing, requested in several answers where one cannot hold them. */
function wholeDirectory(site: Site, directory: Operation): Shown {
  const bodies: DirectoryBody[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const body = site.ask(directory, { offset, include_paid: true }) as DirectoryBody;
    bodies.push(body);
    offset = body.next_offset;
  }
  const categories = bodies[0]?.categories ?? [];
  const names = new Map(categories.map(({ slug, name }) => [slug, name]));
  return {
    site,
    top: { name: directory.page?.heading ?? directory.title, path: TOOLS_PATH },
    categories,
    tools: bodies.flatMap(({ tools }) => tools),
    known: bodies[0]?.also_known ?? [],
    nameOf: (slug) => names.get(slug) ?? slug,
  };
}

/** The last of some days; null where there is none. */
export const newest = (days: readonly (string | null)[]): string | null =>
  days.reduce((last, day) => ((day ?? '') > (last ?? '') ? day : last), null);

function methodologyPage({ site, top }: Shown): Page {
  const page = howCheckedPage(site);
  const trail = [top, { name: page.title, path: page.path }];
  return {
    ...page,
    data: graph(breadcrumbList(site.baseUrl, trail)),
    blocks: [trailBlock([top]), ...page.blocks],
  };
}

function categoryPage(
  { site, top }: Shown,
  { path, name, body }: { path: string; name: string; body: DirectoryBody },
): Page {
  const listed = body.tools.map((tool) => ({ name: cleanLine(tool.name), path: listingPath(tool.id) }));
  return {
    path,
    picture: 'tools',
    title: `${name}: free tools`,
    description: `${name}: ${toolsText(body.count)} with a free plan, an open-source licence or no subscription, by the vendor’s own words.`,
    data: graph(breadcrumbList(site.baseUrl, [top, { name, path }]), itemList(site.baseUrl, listed)),
    blocks: [trailBlock([top]), ...directoryView(body)],
  };
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
  if (check === null) return `${name}: whether there is a free plan is not checked.`;
  const what = pricing === 'paid' ? `What ${name} costs` : `What is free in ${name}`;
  return `${what}, in the vendor’s own words, with their source, read on ${longDay(check.checked_on)}.`;
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
