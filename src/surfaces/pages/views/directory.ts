import { regionsText, requirementsText } from '../../../domain/directory-labels.ts';
import { cleanLine } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block, Text } from '../content.ts';
import {
  businessText,
  categoryPath,
  HOW_CHECKED_PATH,
  hyphened,
  listingPath,
  listingsText,
  PRICING,
  TOOLS_PATH,
} from './listing-format.ts';
import { ageWords } from './quotation.ts';

/** What the page shows of the directory: of a listing what a list has room for. */
export type DirectoryBody = Omit<AnswerOf<'list_tools'>, 'tools'> & { readonly tools: readonly ListingRow[] };
type Listing = AnswerOf<'list_tools'>['tools'][number];
type KnownTool = NonNullable<DirectoryBody['also_known']>[number];
export type ListingRow = Pick<
  Listing,
  | 'id'
  | 'name'
  | 'categories'
  | 'pricing'
  | 'requires'
  | 'free_limits'
  | 'limits_by_need'
  | 'licence'
  | 'changed_on'
  | 'proof'
> & { readonly check: Pick<Listing['check'], 'checked_on' | 'method' | 'source_dated' | 'transcribed_by'> };
type Place = DirectoryBody['shelf'][number];

/** The directory for people: every category with its listings, or the one that was asked for. */
export function directoryView(body: DirectoryBody): readonly Block[] {
  return body.category === null ? wholeDirectory(body) : oneCategory(body, body.category);
}

function wholeDirectory(body: DirectoryBody): readonly Block[] {
  const { count, categories, tools } = body;
  const byCategoryName = [...categories].sort(byName);
  const groups = byCategoryName.flatMap(({ slug, name }): Block[] => {
    const here = tools.filter((tool) => tool.categories[0] === slug);
    return here.length === 0
      ? []
      : [{ subheading: name, id: hyphened(slug) }, { list: here.map((tool) => row(tool, slug)) }];
  });
  return [
    {
      text: [
        `${listingsText(count)} in ${categories.length} categories, each with the vendor’s own words, their age and the day they were read: `,
        { link: 'how listings are checked', href: HOW_CHECKED_PATH },
        '.',
      ],
    },
    { heading: 'Categories', id: 'categories' },
    {
      list: byCategoryName.map(({ slug, name, count: here }) => [
        { link: name, href: categoryPath(slug) },
        ` (${here})`,
      ]),
    },
    { heading: 'Listings', id: 'listings' },
    {
      text: 'Each tool stands once, under its main category; a category’s own page has all that cover it, in an editor’s order of choice.',
    },
    ...groups,
    ...rest(body),
  ];
}

function oneCategory(body: DirectoryBody, slug: string): readonly Block[] {
  const names = new Map(body.categories.map((category) => [category.slug, category.name]));
  const nameOf = (other: string) => names.get(other) ?? other;
  const tools = new Map(body.tools.map((tool) => [tool.id, tool]));
  const places = body.shelf.flatMap((place) => {
    const tool = tools.get(place.id);
    return tool === undefined ? [] : [{ place, tool }];
  });
  const chosen = new Set(places.map(({ place }) => place.id));
  const besides = body.tools.filter(({ id }) => !chosen.has(id));
  const known = body.also_known ?? [];
  return [
    { heading: `${nameOf(slug)}: ${listingsText(body.count)}`, id: hyphened(slug) },
    ...(places.length === 0
      ? []
      : [
          { text: 'In the order in which an editor would choose: take the first that is for you.' },
          { steps: places.map(({ place, tool }) => row(tool, slug, placeText(place))) },
        ]),
    ...(besides.length === 0
      ? []
      : [
          { subheading: places.length === 0 ? 'Listed' : 'Listed besides, not chosen' },
          { list: besides.map((tool) => row(tool, slug, mainly(tool, slug, nameOf))) },
        ]),
    ...(known.length === 0
      ? []
      : [{ subheading: 'Well known, not listed as free' }, { list: known.map(knownRow) }]),
    ...rest(body),
    {
      text: [
        { link: 'All categories', href: TOOLS_PATH },
        ' · ',
        { link: 'How listings are checked', href: HOW_CHECKED_PATH },
      ],
    },
  ];
}

/** Why a tool stands in its place, and for whom. */
function placeText({ reason, for: types, not_for, regions }: Place): string {
  const whom = types === null ? '' : ` For ${businessText(types)}.`;
  const not = not_for === null ? '' : ` Not for ${businessText(not_for)}.`;
  const where = regions === null ? '' : ` Only in ${regionsText(regions)}.`;
  return ` ${cleanLine(reason)}${whom}${not}${where}`;
}

const mainly = (tool: ListingRow, slug: string, nameOf: (slug: string) => string): string =>
  tool.categories[0] === slug ? '' : ` Its main category is ${nameOf(tool.categories[0] ?? '')}.`;

/** Name, what is free, what it needs, and how old the words are; between them what is said of its place. */
function row(tool: ListingRow, slug: string, said = ''): Text {
  const { short } = PRICING[tool.pricing];
  const needs = tool.requires.length === 0 ? '' : ` Needs ${requirementsText(tool.requires)}.`;
  return [
    { link: cleanLine(tool.name), href: listingPath(tool.id) },
    `, ${short}: ${limits(tool, slug)}.${needs}${said} ${ageWords(tool.check)}; proof: ${tool.proof}.`,
  ];
}

/** A tool without a free plan, or one that was not checked. */
const knownRow = ({ id, name, pricing, then }: KnownTool): Text => [
  { link: cleanLine(name), href: listingPath(id) },
  `, ${PRICING[pricing].short}${then === null ? '' : `: ${cleanLine(then)}`}.`,
];

/** What is free, in a few words. */
export function limits({ free_limits, limits_by_need, pricing, licence }: ListingRow, slug: string): string {
  const known = limits_by_need[slug] ?? free_limits;
  if (known !== null) return cleanLine(known);
  if (pricing === 'open_source' && licence !== null) return `licence ${cleanLine(licence)}`;
  return 'the vendor’s text does not say how much';
}

/** Where an answer that was cut goes on. */
function rest({ count, category, country, next_offset, tools }: DirectoryBody): readonly Block[] {
  if (next_offset === null) return [];
  const query = new URLSearchParams({
    ...(category === null ? {} : { category }),
    ...(country === null ? {} : { country }),
    limit: String(tools.length),
    offset: String(next_offset),
  });
  return [
    {
      text: [
        `Shown here: ${tools.length} of ${count}. `,
        { link: 'The next ones', href: `${TOOLS_PATH}?${query}` },
      ],
    },
  ];
}

const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  one.name.localeCompare(other.name, 'en');
