import { z } from 'zod';
import type { ValuesOf } from '../catalog/field.ts';
import * as field from '../catalog/fields.ts';
import { type Immutable, operation, type PartialInput } from '../catalog/operation.ts';
import type { Directory } from '../directory/directory.ts';
import { BUSINESS_TYPES } from '../domain/directory-labels.ts';
import { inRegions } from '../domain/regions.ts';
import type { Fault } from '../domain/result.ts';
import { listOf, nullableText, oneOf, text, texts, whole } from './answer-fields.ts';
import { listingAnswer, regions, requires } from './tool.ts';

/** The whole directory fits on one page. Agents usually request less. */
const MAX_PAGE = 1_000;
const TOOL_PAGE = 20;

const input = {
  category: field.text({
    describe: 'Only tools in this category: a slug from categories, or a common word for it.',
    maxCodePoints: 60,
    example: 'invoicing',
    default: null,
  }),
  country: field.country({
    describe: 'Only tools that serve this country: an ISO 3166-1 code such as GB.',
    example: 'GB',
  }),
  include_paid: field.flag({
    describe: 'true: also_known lists tools without a free plan.',
    default: false,
  }),
  limit: field.integer({
    describe: 'Maximum number of listings in one answer.',
    min: 1,
    max: MAX_PAGE,
    default: MAX_PAGE,
  }),
  offset: field.integer({
    describe: 'Number of listings to skip: next_offset of the previous answer.',
    min: 0,
    max: 100_000,
    default: 0,
  }),
};

const output = z.object({
  count: whole('Number of matching listings.'),
  category: nullableText(60, 'The category, or null for all.'),
  country: nullableText(2, 'As requested.'),
  next_offset: z.int().nullable().describe('offset of the next page; null on the last page.'),
  categories: listOf(100, 'Every category, with its number of listings.', {
    slug: text(60, 'Slug to send as category.'),
    name: text(80, 'Display name.'),
    count: whole('Number of listings.'),
  }),
  shelf: listOf(60, 'For a category: the editor’s choices, in order of preference.', {
    id: text(80, 'Id of the listing.'),
    reason: text(160, 'Why the editor put it here.'),
    for: z
      .array(z.enum(BUSINESS_TYPES))
      .max(8)
      .nullable()
      .describe('Business types that it is for; null for all.'),
    not_for: z.array(z.enum(BUSINESS_TYPES)).max(8).nullable().describe('Business types that it is not for.'),
    regions,
    requires,
  }),
  also_known: listOf(
    200,
    'Only with include_paid: well-known tools that cannot be recommended as free, sorted by id.',
    {
      id: text(80, 'Id, for GET /v1/tools/{id}.'),
      name: text(80, 'Name of the tool.'),
      homepage: text(500, 'The vendor’s page.'),
      categories: texts(12, 60, 'Categories, the main one first.'),
      pricing: oneOf(
        ['paid', 'not_checked'],
        'paid: no free plan; not_checked: the vendor’s page could not be read.',
      ),
      then: nullableText(160, 'What it costs, in our words; null if not checked.'),
      changed_on: text(10, 'Date of the last change, YYYY-MM-DD.'),
    },
  ).optional(),
  tools: z
    .array(listingAnswer)
    .max(MAX_PAGE)
    .describe('Listings on this page: for a category in the editor’s order, otherwise by id.'),
});

type Body = Immutable<z.input<typeof output>>;

/** The free directory of checked tools. Whole answers are built once, so that repeated requests cost nothing. */
export default function tools(directory: Directory) {
  const whole = new Map<string | null, Body>();
  const page = (slug: string | null, country: string | null, offset: number, limit: number): Body => {
    const all = slug === null ? directory.listings : directory.byCategory(slug);
    const matching = country === null ? all : all.filter(directory.serving(country, slug));
    const shelf = slug === null ? [] : directory.shelf(slug);
    // Tools on the shelf come first.
    const ids = new Set(matching.slice(0, shelf.length).map(({ id }) => id));
    const end = offset + limit;
    return {
      count: matching.length,
      category: slug,
      country,
      next_offset: end < matching.length ? end : null,
      categories: directory.categories,
      shelf: shelf.filter(({ id }) => ids.has(id)),
      tools: matching.slice(offset, end),
    };
  };
  for (const slug of [null, ...directory.categories.map((category) => category.slug)])
    whole.set(slug, page(slug, null, 0, MAX_PAGE));

  const check = ({ category }: PartialInput<ValuesOf<typeof input>>): readonly Fault[] =>
    category && directory.category(category) === null
      ? [unknownCategory(directory, '/category', category)]
      : [];

  return operation({
    name: 'list_tools',
    operationId: 'listTools',
    title: 'Free software directory',
    summary: 'Directory of checked free tools for small businesses',
    description:
      'Free. Directory of free and freemium software for small businesses (not this server’s MCP tools), each with a quotation from the vendor, its source and the day it was checked.',
    route: { method: 'GET', path: '/v1/tools' },
    page: {
      path: '/tools',
      heading: 'Free tools for small businesses',
      summary:
        'Free and freemium software, each with a quotation from the vendor on what is free, its source and the day it was checked.',
      synonyms: directory.synonyms,
      lead: 'Software with a free plan or an open-source license. Each listing quotes the vendor on what is free and shows the source and the date we read it.',
    },
    price: null,
    input,
    output,
    example: { category: 'e_signature', limit: 1 },
    toolDefaults: { limit: TOOL_PAGE },
    cacheable: true,
    check,
    run: ({ category, country = null, include_paid, limit, offset }) => {
      const slug = category === null ? null : (directory.category(category)?.slug ?? null);
      const known = country === null && limit === MAX_PAGE && offset === 0 ? whole.get(slug) : undefined;
      const body = known ?? page(slug, country, offset, limit);
      return {
        kind: 'answer',
        body: include_paid ? { ...body, also_known: alsoKnown(directory, slug, country) } : body,
      };
    },
  });
}

/** Tools of a category that serve the country but have no free plan or were not checked. */
const alsoKnown = (
  directory: Directory,
  slug: string | null,
  country: string | null,
): NonNullable<Body['also_known']> =>
  directory.known
    .filter(({ categories }) => slug === null || categories.includes(slug))
    .filter(({ regions }) => country === null || regions === null || inRegions(country, regions))
    .map(({ id, name, homepage, categories, pricing, then, changed_on }) => ({
      id,
      name,
      homepage,
      categories,
      pricing,
      then: then?.text ?? null,
      changed_on,
    }));

/** The fault of an unknown category, with the nearest known one. */
export function unknownCategory(directory: Directory, pointer: string, word: string): Fault {
  const close = directory.nearestCategory(word);
  const common = [...directory.categories].sort((a, b) => b.count - a.count).slice(0, 8);
  return {
    pointer,
    code: 'unknown_category',
    detail: 'is not a category in the directory',
    hint:
      close === null
        ? `list_tools (GET /v1/tools) gives all ${directory.categories.length} categories, such as ${common.map(({ slug }) => slug).join(', ')}`
        : `did you mean ${close}?`,
  };
}
