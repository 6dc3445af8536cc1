import { BUSINESS_TYPES, regionsText, requirementsText } from '../../../domain/directory-labels.ts';
import { cleanLine } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block, Text } from '../content.ts';
import { type Need, rowsOf, type Tool } from '../finder-match.ts';
import {
  ageWords,
  categoryPath,
  HOW_CHECKED_PATH,
  hyphened,
  listingPath,
  listingsText,
  PRICING,
  TOOLS_PATH,
} from './listing-format.ts';

/** The part of the directory that the page shows. Listings have only the fields of a list. */
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
  | 'vendor'
  | 'good_for'
  | 'hosting'
> & { readonly check: Pick<Listing['check'], 'checked_on' | 'method' | 'source_dated' | 'transcribed_by'> };
type Place = DirectoryBody['shelf'][number];

/** The directory for people: every category with its listings, or only the requested one. */
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
        `${listingsText(count)} in ${categories.length} categories. Each listing quotes the vendor and shows the day we read it, and the date of the vendor’s text if it is known. `,
        { link: 'How listings are checked', href: HOW_CHECKED_PATH },
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
      text: 'Each tool is listed once, under its main category. The page of a category lists every tool that covers it, in the editor’s order.',
    },
    ...groups,
    ...rest(body),
  ];
}

function oneCategory(body: DirectoryBody, slug: string): readonly Block[] {
  const names = new Map(body.categories.map((category) => [category.slug, category.name]));
  const nameOf = (other: string) => names.get(other) ?? other;
  const pick = pickText(body);
  const need = needOf({ slug, name: nameOf(slug) }, body);
  const tools = new Map(body.tools.map((tool) => [tool.id, searchedTool(tool, nameOf)]));
  return [
    { heading: `${nameOf(slug)}: ${listingsText(body.count)}`, id: hyphened(slug) },
    ...(pick === null ? [] : [{ text: pick }]),
    {
      steps: rowsOf(need, tools).flatMap(({ tool: { id }, says }) =>
        body.tools.filter((tool) => tool.id === id).map((tool) => row(tool, slug, ` ${says}`)),
      ),
    },
    ...wellKnown(body),
    ...rest(body),
    {
      text: [
        { link: 'All categories', href: TOOLS_PATH },
        ' · ',
        { link: 'How tools are checked', href: HOW_CHECKED_PATH },
      ],
    },
  ];
}

/** A category with its shelf, as the search and the lists read it. */
export function needOf(
  { slug, name }: { readonly slug: string; readonly name: string },
  body: Shelved,
): Need {
  const placed = new Set(body.shelf.map(({ id }) => id));
  return {
    slug,
    name,
    words: [],
    pick: pickOf(body)?.place.id ?? null,
    places: body.shelf.map((place) => ({
      id: place.id,
      reason: cleanLine(place.reason),
      for: place.for,
      not_for: place.not_for,
      where: whereText(place),
      only: isNational(place) ? place.regions : null,
    })),
    others: body.tools.flatMap(({ id }) => (placed.has(id) ? [] : [id])),
  };
}

/** A tool as the search and the lists show it; `nameOf` gives the name of a category. */
export function searchedTool(tool: ListingRow, nameOf: (slug: string) => string): Tool {
  const needs = tool.requires.length === 0 ? '' : ` Needs ${requirementsText(tool.requires)}.`;
  const thin = tool.proof === 'thin' ? ' Not confirmed.' : '';
  return {
    id: tool.id,
    name: cleanLine(tool.name),
    vendor: cleanLine(tool.vendor),
    needs: tool.categories,
    main: nameOf(tool.categories[0] ?? ''),
    businesses: tool.good_for,
    kind: tool.pricing,
    runs: tool.hosting,
    closed: [],
    limits: limits(tool, ''),
    limitsOf: Object.fromEntries(
      Object.entries(tool.limits_by_need).map(([slug, text]) => [slug, cleanLine(text)]),
    ),
    notes: `${needs}${thin}`,
  };
}

/** Tools without a free plan that owners know. */
export const wellKnown = ({ also_known = [] }: DirectoryBody): readonly Block[] =>
  also_known.length === 0
    ? []
    : [{ subheading: 'Well known, not listed as free' }, { list: also_known.map(knownRow) }];

type Shelved = Pick<DirectoryBody, 'shelf'> & { readonly tools: readonly Pick<ListingRow, 'id' | 'name'>[] };

/** Whether a place is for three countries at most. */
const isNational = ({ regions }: Pick<Place, 'regions'>): boolean =>
  regions !== null && regions.length <= 3 && !regions.includes('EU');

/**
 * The first choice of a category for most kinds of business, if possible in more than three countries; null if its
 * shelf is empty.
 */
function pickOf({ shelf, tools }: Shelved): { readonly name: string; readonly place: Place } | null {
  const wide = shelf.filter((place) => !isNational(place));
  const firsts = BUSINESS_TYPES.flatMap(
    (type) =>
      (wide.length === 0 ? shelf : wide).find(
        (one) => one.for?.includes(type) !== false && !one.not_for?.includes(type),
      ) ?? [],
  );
  // A tool may have two places, with different reasons for different business types.
  const times = ({ id }: Place): number => firsts.filter((one) => one.id === id).length;
  const timesSo = (place: Place): number => firsts.filter((one) => one === place).length;
  const [first] = firsts.sort((one, other) => times(other) - times(one) || timesSo(other) - timesSo(one));
  const tool = tools.find(({ id }) => id === first?.id);
  return first === undefined || tool === undefined ? null : { name: cleanLine(tool.name), place: first };
}

/** The pick of a category in a sentence with its reason; null if there is none. */
export function pickText(body: Shelved): string | null {
  const pick = pickOf(body);
  if (pick === null) return null;
  const { regions, reason } = pick.place;
  const few = regions !== null && regions.length <= 3;
  const where = few ? `, if you are in ${regionsText(regions, 'or')}` : '';
  const offered = regions === null || few ? '' : ' It is not offered in every country.';
  return `Our pick: ${pick.name}${where}. ${cleanLine(reason)}${offered}`;
}

/** "Only in the US and Canada."; a long list of countries is on the page of the tool. */
export function whereText({ regions }: Pick<Place, 'regions'>): string {
  if (regions === null) return '';
  return regions.length > 3 ? 'Not in every country.' : `Only in ${regionsText(regions)}.`;
}

/** Name, place on the shelf, free part, requirements, and the age of the vendor's words. */
function row(tool: ListingRow, slug: string, said = ''): Text {
  const { short } = PRICING[tool.pricing];
  const needs = tool.requires.length === 0 ? '' : ` Needs ${requirementsText(tool.requires)}.`;
  return [
    { link: cleanLine(tool.name), href: listingPath(tool.id) },
    `, ${short}: ${limits(tool, slug)}.${needs}${said} ${ageWords(tool.check)}.${tool.proof === 'thin' ? ' Not confirmed.' : ''}`,
  ];
}

/** A tool without a free plan, or one that was not checked. */
const knownRow = (tool: KnownTool): Text => [
  { link: cleanLine(tool.name), href: listingPath(tool.id) },
  `, ${knownText(tool)}`,
];

/** "no free plan: from $19 a month." */
export const knownText = ({ pricing, then }: Pick<KnownTool, 'pricing' | 'then'>): string =>
  `${PRICING[pricing].short}${then === null ? '' : `: ${cleanLine(then)}`}.`;

/** The free part, in a few words. */
function limits({ free_limits, limits_by_need, pricing, licence }: ListingRow, slug: string): string {
  const known = limits_by_need[slug] ?? free_limits;
  if (known !== null) return cleanLine(known);
  if (pricing === 'open_source' && licence !== null) return `license ${cleanLine(licence)}`;
  return 'the vendor does not say how much';
}

/** A link to the rest of a truncated answer. */
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
        { link: 'Show more', href: `${TOOLS_PATH}?${query}` },
      ],
    },
  ];
}

const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  one.name.localeCompare(other.name, 'en');
