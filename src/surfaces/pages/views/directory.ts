import { cleanLine } from '../../../domain/text.ts';
import type { Block, Text } from '../content.ts';
import {
  categoryPath,
  dayWords,
  HOW_CHECKED_PATH,
  hyphened,
  listingPath,
  listingsText,
  PRICING,
  type Pricing,
  TOOLS_PATH,
} from './listing-words.ts';

/** What a list shows of one listing. */
export type ListingRow = {
  readonly id: string;
  readonly name: string;
  readonly categories: readonly string[];
  readonly pricing: Pricing;
  readonly free_limits: string | null;
  readonly licence: string | null;
  readonly check: { readonly checked_on: string };
};

/** What the page shows of the directory, as the API answers it. */
export type DirectoryBody = {
  readonly count: number;
  readonly category: string | null;
  readonly next_offset: number | null;
  readonly categories: readonly { readonly slug: string; readonly name: string; readonly count: number }[];
  readonly tools: readonly ListingRow[];
};

/** The directory for people: every category with its listings, or the one that was asked for. */
export function directoryView(body: DirectoryBody): readonly Block[] {
  return body.category === null ? wholeDirectory(body) : oneCategory(body, body.category);
}

function wholeDirectory(body: DirectoryBody): readonly Block[] {
  const { count, categories, tools } = body;
  const groups = categories.flatMap(({ slug, name }): Block[] => {
    const here = tools.filter((tool) => tool.categories[0] === slug);
    return here.length === 0
      ? []
      : [{ subheading: name, id: hyphened(slug) }, { list: here.map((tool) => row(tool)) }];
  });
  return [
    {
      text: [
        `${listingsText(count)} in ${categories.length} categories, each with the vendor’s own words and the day they were read: `,
        { link: 'how listings are checked', href: HOW_CHECKED_PATH },
        '.',
      ],
    },
    { heading: 'Categories', id: 'categories' },
    {
      list: [...categories]
        .sort(byName)
        .map(({ slug, name, count: here }) => [{ link: name, href: categoryPath(slug) }, ` (${here})`]),
    },
    { heading: 'Listings', id: 'listings' },
    {
      text: 'Each tool stands once, under its main category; a category’s own page also has those that cover it besides.',
    },
    ...groups,
    ...rest(body),
  ];
}

function oneCategory(body: DirectoryBody, slug: string): readonly Block[] {
  const names = new Map(body.categories.map((category) => [category.slug, category.name]));
  const nameOf = (other: string) => names.get(other) ?? other;
  const main = body.tools.filter((tool) => tool.categories[0] === slug);
  const besides = body.tools.filter((tool) => tool.categories[0] !== slug);
  return [
    { heading: `${nameOf(slug)}: ${listingsText(body.count)}`, id: hyphened(slug) },
    ...(main.length === 0 ? [] : [{ list: main.map((tool) => row(tool)) }]),
    ...(besides.length === 0
      ? []
      : [
          { subheading: 'Mainly for something else' },
          { list: besides.map((tool) => row(tool, nameOf(tool.categories[0] ?? ''))) },
        ]),
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

/** Name, what is free and the day checked; for a tool that is mainly something else, what that is. */
function row(tool: ListingRow, mainly?: string): Text {
  const { short } = PRICING[tool.pricing];
  const besides = mainly === undefined ? '' : ` Its main category is ${mainly}.`;
  return [
    { link: cleanLine(tool.name), href: listingPath(tool.id) },
    `, ${short}: ${limits(tool)}.${besides} Checked on ${dayWords(tool.check.checked_on)}.`,
  ];
}

function limits({ free_limits, pricing, licence }: ListingRow): string {
  if (free_limits !== null) return cleanLine(free_limits);
  if (pricing === 'open_source' && licence !== null) return `licence ${cleanLine(licence)}`;
  return 'limits are not evidenced';
}

/** Where an answer that was cut goes on. */
function rest({ count, category, next_offset, tools }: DirectoryBody): readonly Block[] {
  if (next_offset === null) return [];
  const query = new URLSearchParams({
    ...(category === null ? {} : { category }),
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
