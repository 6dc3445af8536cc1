import type { Operation } from '../../catalog/operation.ts';
import { BUSINESS_WORDS, HOSTING_WORDS, requirementsText } from '../../domain/directory-words.ts';
import { COUNTRY_CODES, regionName } from '../../domain/regions.ts';
import { cleanLine } from '../../domain/text.ts';
import type { AnswerOf } from '../../operations/answers.ts';
import { once } from '../http/document.ts';
import type { Site } from '../site.ts';
import { islandScripts } from './assets.ts';
import { Blocks } from './blocks.tsx';
import type { Text } from './content.ts';
import { htmlDocument } from './html.tsx';
import { limits } from './views/directory.ts';
import { type Found, foundText, suits, type Wish } from './views/finder-match.ts';
import { facts } from './views/listing.ts';
import {
  categoryPath,
  dayWords,
  HOW_CHECKED_PATH,
  listingPath,
  PRICING,
  upperFirst,
} from './views/listing-words.ts';
import { ageWords } from './views/vendor-words.ts';

type Body = AnswerOf<'list_tools'>;
type Tool = Body['tools'][number];
type Category = Body['categories'][number] & {
  /** What an editor would say to somebody who has no time. */
  readonly advice: string | null;
  readonly tools: readonly Card[];
};
type Card = { readonly tool: Tool; readonly found: Found };

/** The directory as people search it. */
export type Finder = {
  readonly site: Site;
  readonly operation: Operation;
  readonly cards: readonly Card[];
  readonly categories: readonly Category[];
};

export const NO_WISH: Wish = { words: '', need: '', business: '', kind: '', runs: '', country: '' };
export const COMPARE_PATH = '/tools/compare';
export const MOST_COMPARED = 3;

/** Null where no operation shows the directory. */
export function finderOf(site: Site): Finder | null {
  const operation = site.operations.find(({ name }) => name === 'list_tools');
  if (operation === undefined) return null;
  const ask = (values: Readonly<Record<string, unknown>>) => site.ask(operation, values) as Body;
  const { tools, categories } = ask({});
  const closed = closedCountries(tools, (country) => ask({ country }).tools);
  const nameOf = new Map(categories.map(({ slug, name }) => [slug, name]));
  const cards = tools.map((tool): Card => {
    const needs = tool.categories
      .flatMap((slug) => [nameOf.get(slug) ?? '', ...(operation.page?.synonyms?.[slug] ?? [])])
      .join(' ');
    return {
      tool,
      found: {
        text: `${tool.name} ${tool.vendor} ${tool.free_limits ?? ''} ${needs}`,
        needs: tool.categories,
        businesses: tool.good_for,
        kind: tool.pricing,
        runs: tool.hosting,
        closed: closed.get(tool.id) ?? [],
      },
    };
  });
  const named = [...categories].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return {
    site,
    operation,
    cards,
    categories: named.map((category) => ({
      ...category,
      advice: adviceOf(ask({ category: category.slug })),
      tools: cards.filter(({ tool }) => tool.categories[0] === category.slug),
    })),
  };
}

/** By id, the countries that a tool does not serve: few tools have any. */
function closedCountries(
  tools: readonly Tool[],
  serving: (country: string) => readonly Tool[],
): ReadonlyMap<string, readonly string[]> {
  const closed = new Map<string, string[]>();
  for (const country of COUNTRY_CODES) {
    const open = new Set(serving(country).map(({ id }) => id));
    for (const { id } of tools) if (!open.has(id)) closed.set(id, [...(closed.get(id) ?? []), country]);
  }
  return closed;
}

/** The first choice of a category, in the words of its place on the shelf. */
function adviceOf({ shelf, tools }: Body): string | null {
  const [first] = shelf;
  const tool = tools.find(({ id }) => id === first?.id);
  return first === undefined || tool === undefined
    ? null
    : `Look at ${cleanLine(tool.name)} first. ${cleanLine(first.reason)}`;
}

/** The whole directory, or what suits a wish that was sent to the service. */
export function finderHtml(finder: Finder, wish: Wish | null): string {
  const { site, operation, categories, cards } = finder;
  const { page } = operation;
  if (page === null) return '';
  const suiting = wish === null ? null : cards.filter(({ found }) => suits(found, wish));
  return htmlDocument(
    { path: page.path, title: page.heading, description: page.summary, picture: 'tools' },
    site,
    <>
      <p class="lead">{page.lead}</p>
      <search>
        <FinderForm finder={finder} wish={wish ?? NO_WISH} />
      </search>
      <p id="found" role="status">
        {suiting === null ? '' : foundText(suiting.length)}
      </p>
      {suiting === null ? (
        <div id="groups">
          {categories.map((category) => (
            <Group category={category} />
          ))}
        </div>
      ) : (
        <Cards cards={suiting} />
      )}
      <form id="compare" class="pick" action={COMPARE_PATH} method="get">
        <button type="submit">Compare</button> <span>Tick two or three tools to see them side by side.</span>
      </form>
      <p>
        {cards.length} tools, each with the vendor’s own words, read{' '}
        {daysRead(cards.map(({ tool }) => tool.check.checked_on))}:{' '}
        <a href={HOW_CHECKED_PATH}>how listings are checked</a>.
      </p>
    </>,
    { isWide: true, scripts: islandScripts('tools') },
  );
}

function daysRead(days: readonly string[]): string {
  const [first = '', last = first] = [[...days].sort()[0], [...days].sort().at(-1)];
  return first === last ? `on ${dayWords(first)}` : `between ${dayWords(first)} and ${dayWords(last)}`;
}

const countryOptions = once(() =>
  COUNTRY_CODES.map((code): readonly [string, string] => [
    code,
    upperFirst(regionName(code).replace(/^the /, '')),
  ]).sort((a, b) => a[1].localeCompare(b[1], 'en')),
);

function FinderForm({ finder: { categories, operation }, wish }: { finder: Finder; wish: Wish }) {
  const entries = (words: Readonly<Record<string, string>>) =>
    Object.entries(words).map(([value, label]): readonly [string, string] => [value, upperFirst(label)]);
  return (
    <form id="finder" class="calculator finder" action={operation.page?.path} method="get">
      <div class="fields">
        <div class="field">
          <label for="find-words">Search</label>
          <input
            id="find-words"
            type="search"
            name="words"
            value={wish.words}
            maxlength={80}
            autocomplete="off"
          />
        </div>
        <Choice
          name="need"
          label="What for"
          value={wish.need}
          options={categories.map(({ slug, name }) => [slug, name])}
        />
        <Choice
          name="business"
          label="Your business"
          value={wish.business}
          options={entries(BUSINESS_WORDS)}
        />
        <Choice
          name="kind"
          label="How free"
          value={wish.kind}
          options={Object.entries(PRICING).map(([value, { short }]) => [value, upperFirst(short)])}
        />
        <Choice name="runs" label="Where it runs" value={wish.runs} options={entries(HOSTING_WORDS)} />
        <Choice name="country" label="Your country" value={wish.country} options={countryOptions()} />
      </div>
      <p class="buttons">
        <button type="submit">Find</button>{' '}
        <a class="button quiet" href={operation.page?.path}>
          Show all
        </a>
      </p>
    </form>
  );
}

function Choice(props: {
  name: string;
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
}) {
  const { name, label, value, options } = props;
  return (
    <div class="field">
      <label for={`find-${name}`}>{label}</label>
      <select id={`find-${name}`} name={name}>
        <option value="">Any</option>
        {options.map(([code, words]) => (
          <option value={code} selected={code === value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}

const Group = ({ category: { slug, name, advice, tools } }: { category: Category }) =>
  tools.length === 0 ? null : (
    <details class="group">
      <summary>
        <h2>{name}</h2> <span class="tag">{tools.length}</span>
        {advice === null ? null : <p class="advice">{advice}</p>}
      </summary>
      <Cards cards={tools} />
      <p>
        <a href={categoryPath(slug)}>{name}: all that cover it, in an editor’s order of choice</a>
      </p>
    </details>
  );

const Cards = ({ cards }: { cards: readonly Card[] }) => (
  <ul class="tools">
    {cards.map((card) => (
      <CardView card={card} />
    ))}
  </ul>
);

function CardView({ card: { tool, found } }: { card: Card }) {
  const slug = tool.categories[0] ?? '';
  const name = cleanLine(tool.name);
  const data = {
    'data-words': found.text.toLowerCase(),
    'data-needs': found.needs.join(' '),
    'data-businesses': found.businesses.join(' '),
    'data-kind': found.kind,
    'data-runs': found.runs.join(' '),
    ...(found.closed.length > 0 && { 'data-closed': found.closed.join(' ') }),
  };
  return (
    <li {...data}>
      <h3>
        <a href={listingPath(tool.id)}>{name}</a> <span class="tag">{PRICING[tool.pricing].short}</span>
      </h3>
      <p>{upperFirst(limits(tool, slug))}.</p>
      {tool.requires.length === 0 ? null : <p>Needs {requirementsText(tool.requires)}.</p>}
      <p class="hint">
        {ageWords(tool.check)}; proof: {tool.proof}.
      </p>
      <label class="compare">
        <input type="checkbox" form="compare" name="id" value={tool.id} aria-label={`Compare ${name}`} />
        Compare
      </label>
    </li>
  );
}

/** The labels of both, each in its place: what only the other has stands after what it stands after there. */
function merged(known: readonly string[], more: readonly string[]): readonly string[] {
  const all = [...known];
  for (const [index, label] of more.entries())
    if (!all.includes(label)) all.splice(all.indexOf(more[index - 1] ?? '') + 1, 0, label);
  return all;
}

type Listing = AnswerOf<'tool'>;

/** Two or three listings side by side. */
export function comparedHtml({ site, operation }: Finder, listings: readonly Listing[]): string {
  const columns = listings.map((listing) => new Map(facts(listing) as readonly (readonly [string, Text])[]));
  const labels = columns.reduce<readonly string[]>((known, column) => merged(known, [...column.keys()]), []);
  const title =
    listings.length === 0 ? 'Compare tools' : listings.map(({ name }) => cleanLine(name)).join(', ');
  return htmlDocument(
    {
      path: COMPARE_PATH,
      title,
      description: 'Two or three tools of the directory side by side.',
      picture: 'tools',
    },
    site,
    <>
      <p>
        <a href={operation.page?.path}>{operation.page?.heading}</a>
      </p>
      {listings.length < 2 ? (
        <p class="note">Tick two or three tools there to see them side by side.</p>
      ) : null}
      {listings.length === 0 ? null : (
        <div class="side-by-side">
          <Blocks
            blocks={[
              {
                table: {
                  head: ['About', ...listings.map(({ name }) => cleanLine(name))],
                  rows: [
                    ...labels.map((label): readonly Text[] => [
                      label,
                      ...columns.map((column) => column.get(label) ?? ''),
                    ]),
                    ['Know first', ...listings.map(({ caveats }) => cleanLine(caveats.join(' ')))],
                    [
                      'In full',
                      ...listings.map(
                        ({ id, name }): Text => [{ link: cleanLine(name), href: listingPath(id) }],
                      ),
                    ],
                  ],
                },
              },
            ]}
          />
        </div>
      )}
    </>,
    { isWide: true, isNowhere: true },
  );
}
