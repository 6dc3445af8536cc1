import { COUNTRY_CODES } from '../../domain/regions.ts';
import { cleanLine } from '../../domain/text.ts';
import type { AnswerOf } from '../../operations/answers.ts';
import { TRADES } from '../../trades/trades.ts';
import { type CallsParts, type SurfaceParts, takeCall } from '../calls/calls.ts';
import { once } from '../http/documents.ts';
import type { Reply, Requested } from '../http/listener.ts';
import type { Router } from '../http/router.ts';
import type { Site } from '../site.ts';
import { islandScripts } from './assets.ts';
import { Blocks } from './blocks.tsx';
import type { Text } from './content.ts';
import { pleaseWait, secondsIn } from './fault-pages.ts';
import { COMPARE_PATH, Finder, MOST_COMPARED } from './finder.tsx';
import { type Index, NO_SEARCH, SEARCH_NAMES, type ToolSearch } from './finder-match.ts';
import { htmlDocument, JsonData, jsonInHtml } from './html.tsx';
import { privateHeaders } from './page-documents.ts';
import { type Placed, placed } from './shell.tsx';
import { knownText, needOf, searchedTool } from './views/directory.ts';
import { facts } from './views/listing.ts';
import { categoryPath, listingPath, longDay, TOOLS_PATH } from './views/listing-format.ts';

type Body = AnswerOf<'list_tools'>;

/** Asks the operation for everything once. */
export function directoryIndex(site: Site, operation: Placed): Index {
  const ask = (values: Readonly<Record<string, unknown>>) => site.ask(operation, values) as Body;
  const { tools, categories, also_known = [] } = ask({ include_paid: true });
  const closed = closedCountries(tools, (country) => ask({ country }).tools);
  const named = [...categories].sort((one, other) => one.name.localeCompare(other.name, 'en'));
  const nameOf = new Map(named.map(({ slug, name }) => [slug, name]));
  const bodies = named.map((category) => ({ category, body: ask({ category: category.slug }) }));
  return {
    needs: bodies.map(({ category, body }) => ({
      ...needOf(category, body),
      words: operation.page.synonyms?.[category.slug] ?? [],
    })),
    trades: TRADES.map(({ id, name, business_type, words, tools: picks, ways_out = {} }) => ({
      id,
      name,
      type: business_type,
      words,
      needs: Object.entries(picks).map(([slug, some = []]) => ({
        slug,
        picks: some.map((pick) => ({ id: pick.id, reason: pick.reason })),
        advice: ways_out[slug] ?? '',
      })),
    })),
    tools: tools.map((tool) => ({
      ...searchedTool(tool, (slug) => nameOf.get(slug) ?? ''),
      closed: closed.get(tool.id) ?? [],
    })),
    known: also_known.map(({ id, name, pricing, then }) => ({
      id,
      name: cleanLine(name),
      says: knownText({ pricing, then }),
    })),
  };
}

/** By id, the countries that a tool does not serve: few tools have any. */
function closedCountries(
  tools: readonly Body['tools'][number][],
  serving: (country: string) => readonly Body['tools'][number][],
): ReadonlyMap<string, readonly string[]> {
  const closed = new Map<string, string[]>();
  for (const country of COUNTRY_CODES) {
    const open = new Set(serving(country).map(({ id }) => id));
    for (const { id } of tools) if (!open.has(id)) closed.set(id, [...(closed.get(id) ?? []), country]);
  }
  return closed;
}

/** The search page, with the result for a form submitted without scripts. */
export function finderHtml(index: Index, site: Site, operation: Placed, search = NO_SEARCH): string {
  const { page } = operation;
  const props = { index, search, ticked: [], isLive: false };
  const plan = placed(site).find(({ name }) => name === 'small_business_stack_report');
  const days = (site.ask(operation, {}) as Body).tools.map(({ check }) => check.checked_on).sort();
  return htmlDocument(
    { path: page.path, title: page.heading, description: page.summary, picture: 'tools' },
    site,
    <>
      <div id="directory">
        <Finder {...props} />
      </div>
      {plan === undefined ? null : (
        <p class="note">
          <a href={plan.page.path}>Get a plan for your trade</a>: which tools to use, and what to set up
          first.
        </p>
      )}
      <p class="hint">
        {index.tools.length} tools, checked between {longDay(days[0] ?? '')} and {longDay(days.at(-1) ?? '')}.{' '}
        <a href="/tools/how-checked">How tools are checked</a>
      </p>
      <JsonData id="directory-data" json={jsonInHtml(props)} />
    </>,
    { isWide: true, scripts: islandScripts('tools'), styles: ['/directory.css'] },
  );
}

type Listing = AnswerOf<'tool'>;
/** Maximum number of listings read from an address. */
const MOST_TICKED = 20;
const MOST_CHARACTERS = 80;

export type FinderParts = CallsParts & Pick<SurfaceParts, 'callerOf'> & { readonly site: Site };

/**
 * Searches the directory for browsers without scripts, and shows two or three listings side by side. Each page counts
 * against the free limit. A request without a search goes to the next handler, which serves the document.
 */
export function mountFinder(router: Router, parts: FinderParts): void {
  const { site } = parts;
  const operation = placed(site).find(({ name }) => name === 'list_tools');
  const listing = site.operations.find(({ name }) => name === 'tool');
  if (operation === undefined || listing === undefined) return;
  const index = once(() => directoryIndex(site, operation));
  const sent = privateHeaders(TOOLS_PATH, site.baseUrl);
  const limited = pleaseWait({ path: TOOLS_PATH, heading: 'Find a free tool' }, site);
  const inTurn = async (requested: Requested, html: () => string): Promise<Reply> => {
    const asked = { operation, caller: parts.callerOf(requested), isCounted: true };
    const taken = await takeCall<Reply>(asked, parts, () => ({
      refusal: { status: 200, headers: sent, body: html() },
    }));
    if ('refusal' in taken) return taken.refusal;
    const headers = { ...sent, ...taken.headers };
    return { status: 429, headers, body: limited(secondsIn(headers), 'link') };
  };

  router.on(['GET'], TOOLS_PATH, (requested) => {
    const search = searchIn(new URLSearchParams(requested.query));
    return search === null ? null : inTurn(requested, () => finderHtml(index(), site, operation, search));
  });
  router.on(['GET'], COMPARE_PATH, (requested) => {
    const ids = [...new Set(new URLSearchParams(requested.query).getAll('id'))].slice(0, MOST_TICKED);
    const find = (id: string) => site.ask(listing, { id }) as Listing | null;
    return inTurn(requested, () =>
      comparedHtml(
        index(),
        site,
        ids.flatMap((id) => find(id) ?? []),
      ),
    );
  });
}

/** The search in a query; null if there is none. */
function searchIn(query: URLSearchParams): ToolSearch | null {
  const asked = SEARCH_NAMES.map(
    (name) => [name, (query.get(name) ?? '').trim().slice(0, MOST_CHARACTERS)] as const,
  );
  return SEARCH_NAMES.some((name) => query.has(name)) ? { ...NO_SEARCH, ...Object.fromEntries(asked) } : null;
}

export const comparePath = (ids: readonly string[]): string =>
  `${COMPARE_PATH}?${new URLSearchParams(ids.map((id) => ['id', id]))}`;

/** Two or three listings side by side. With fewer, it suggests listings to compare. */
function comparedHtml(index: Index, site: Site, ticked: readonly Listing[]): string {
  const listings = ticked.slice(0, MOST_COMPARED);
  const others = ticked.slice(MOST_COMPARED).map(({ name }) => cleanLine(name));
  const names = listings.map(({ name }) => cleanLine(name));
  const title = names.length === 0 ? 'Compare tools' : names.join(', ');
  const description = 'Two or three tools from the directory side by side.';
  return htmlDocument(
    { path: COMPARE_PATH, title, description, picture: 'tools' },
    site,
    <>
      <p>
        <a href={TOOLS_PATH}>Free tools</a>
      </p>
      {others.length === 0 ? null : (
        <p class="note">Only three tools fit side by side. Left out here: {others.join(', ')}.</p>
      )}
      {listings.length < 2 ? (
        <Partners index={index} listing={listings[0]} />
      ) : (
        <SideBySide index={index} listings={listings} />
      )}
    </>,
    { isWide: true, isNowhere: true, styles: ['/directory.css'] },
  );
}

/** Suggestions to compare with a single tool: the others of its main need. */
function Partners({ index, listing }: { index: Index; listing: Listing | undefined }) {
  const need = index.needs.find(({ slug }) => slug === listing?.categories[0]);
  if (listing === undefined || need === undefined)
    return <p>Pick two tools for a need, then compare them.</p>;
  const ids = new Set([...need.places.map(({ id }) => id), ...need.others]);
  ids.delete(listing.id);
  const nameOf = new Map(index.tools.map(({ id, name }) => [id, name]));
  return (
    <>
      <h2>Compare it with</h2>
      <ul>
        {[...ids].map((id) => (
          <li>
            <a href={comparePath([listing.id, id])}>{nameOf.get(id)}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The differences as a table, the tool that the editor would choose, and the common properties. */
function SideBySide({ index, listings }: { index: Index; listings: readonly Listing[] }) {
  const columns = listings.map((listing) => new Map(facts(listing) as readonly (readonly [string, Text])[]));
  const labels = [...new Set(columns.flatMap((column) => [...column.keys()]))].filter(
    (label) => label !== 'Last changed here',
  );
  const cells = labels.map((label) => ({ label, texts: columns.map((column) => column.get(label) ?? '') }));
  const isSame = ({ texts }: (typeof cells)[number]): boolean =>
    texts.every((text) => JSON.stringify(text) === JSON.stringify(texts[0]));
  const names = listings.map(({ name }) => cleanLine(name));
  const same = cells.filter(isSame);
  return (
    <div class="side-by-side">
      <Verdict index={index} listings={listings} />
      <Blocks
        blocks={[
          {
            table: {
              isCompared: true,
              head: ['About', ...names],
              rows: [
                ...cells
                  .filter((cell) => !isSame(cell))
                  .map(({ label, texts }): readonly Text[] => [label, ...texts]),
                ['Know first', ...listings.map(({ caveats }) => cleanLine(caveats.join(' ')))],
                [
                  'In full',
                  ...listings.map(({ id }, at): Text => [{ link: names[at] ?? '', href: listingPath(id) }]),
                ],
              ],
            },
          },
          ...(same.length === 0
            ? []
            : [
                { heading: 'The same for all' },
                { table: { head: ['', ''], rows: same.map(({ label, texts }) => [label, texts[0] ?? '']) } },
              ]),
        ]}
      />
    </div>
  );
}

/** The editor's first choice among the listings, for each need that all of them cover. */
function Verdict({ index, listings }: { index: Index; listings: readonly Listing[] }) {
  const shared = index.needs.flatMap((need) => {
    const places = [...need.places].sort(
      (one, other) => Number(other.id === need.pick) - Number(one.id === need.pick),
    );
    const first = places.find(({ id }) => listings.some((listing) => listing.id === id));
    const isShared = listings.every(({ categories }) => categories.includes(need.slug));
    const winner = listings.find(({ id }) => id === first?.id);
    return first === undefined || winner === undefined || !isShared ? [] : [{ need, first, winner }];
  });
  return shared.map(({ need, first, winner }) => (
    <p class="note">
      For <a href={categoryPath(need.slug)}>{need.name.toLowerCase()}</a> we would take{' '}
      {cleanLine(winner.name)} first. {first.reason}
    </p>
  ));
}
