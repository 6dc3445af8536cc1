import { BUSINESS_TYPES, type BusinessType, type Proof } from '../domain/directory-labels.ts';
import { nearest } from '../domain/nearest.ts';
import { inRegions } from '../domain/regions.ts';
import { asSlug, type CategoriesFile, type Category, wordIndex } from './categories.ts';
import { type FreeListingFile, type ListingFile, type NotChecked, proofOf } from './listing.ts';
import {
  areSeatsUnlimited,
  freeze,
  isBarredIn,
  isClosedTo,
  type Need,
  needIndex,
  type ShelfTool,
  type Tool,
} from './needs.ts';
import type { ShelvesFile } from './shelves.ts';

/** A listing as the public sees it: without the editor's private notes, but with the facts derived from them. */
export type Listing = Tool & {
  /** Judged on the day of the directory's latest check; a report judges it on the day of the report. */
  readonly proof: Proof;
  readonly seats_unlimited: boolean;
};

/** A tool that owners know but that is not a free pick, because it has no free plan or its price was not checked. */
export type KnownTool = Omit<Listing, 'pricing' | 'check' | 'proof'> & {
  readonly pricing: 'paid' | 'not_checked';
  /** The evidence; null if no words of the vendor could be read. */
  readonly check: Listing['check'] | null;
  readonly proof: Proof | null;
};

/** One entry on the shelf of a category, as the public sees it. */
export type ShelfPlace = {
  readonly id: string;
  readonly reason: string;
  readonly for: readonly BusinessType[] | null;
  readonly not_for: readonly BusinessType[] | null;
  readonly regions: readonly string[] | null;
  readonly requires: ShelfTool['requires'];
};

/** The listings in their public shape, indexed once. Failed and withdrawn listings are excluded. */
export type Directory = ReturnType<typeof needIndex> & {
  /** Tools that are free or have a free plan, sorted by id and frozen. */
  readonly listings: readonly Listing[];
  /** Other tools that owners know, without a category or shelf; sorted by id and frozen. */
  readonly known: readonly KnownTool[];
  /**
   * Listings of a category: those on its shelf first, in shelf order, then the others by id. Empty for an unknown slug.
   */
  readonly byCategory: (slug: string) => readonly Listing[];
  /** The shelf of a category in the order of choice. */
  readonly shelf: (slug: string) => readonly ShelfPlace[];
  /**
   * A function that returns whether a listing serves a country, as far as is known; with a category, it also applies
   * the limits of the shelf.
   */
  readonly serving: (country: string, slug: string | null) => (listing: Listing) => boolean;
  /**
   * Accepts a slug or an alias in any case, also with hyphens. For some businesses, a word means a different category.
   */
  readonly category: (text: string, businessType?: BusinessType) => { readonly slug: string } | null;
  readonly nearestCategory: (text: string) => string | null;
  readonly categories: readonly { readonly slug: string; readonly name: string; readonly count: number }[];
  /** Common words for each category, by its slug. */
  readonly synonyms: Readonly<Record<string, readonly string[]>>;
  readonly find: (id: string) => Listing | KnownTool | null;
  readonly needsOf: (type: BusinessType) => ShelvesFile['business_types'][BusinessType];
  /** The paid plans of a tool for teams, smallest first. */
  readonly plansOf: (id: string) => ListingFile['editor']['team_plans'];
  readonly gaps: ShelvesFile['gaps'];
  readonly musts: ShelvesFile['musts'];
  readonly firstChecked: string;
  readonly lastChecked: string;
};

const byId = <T extends { readonly id: string }>(a: T, b: T) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
/** The ids of the tools that a shelf does not offer in a country. */
const barredIn = (of: Need, country: string): string[] =>
  placesOf(of)
    .filter((place) => inRegions(country, place.not_regions) || isBarredIn(of, place, country))
    .map(({ tool }) => tool.id);

const publicPlace = ({ tool, reason, for: types, not_for, regions, requires }: ShelfTool): ShelfPlace => ({
  id: tool.id,
  reason,
  for: types ?? null,
  not_for: not_for ?? null,
  regions,
  requires,
});

/** The business types that a place applies to. */
const typesOf = ({ for: types, not_for }: ShelfPlace): readonly BusinessType[] =>
  BUSINESS_TYPES.filter((type) => types?.includes(type) !== false && !not_for?.includes(type));

const isSameBut = (one: ShelfPlace, other: ShelfPlace): boolean => {
  const none = { for: null, not_for: null };
  return JSON.stringify({ ...one, ...none }) === JSON.stringify({ ...other, ...none });
};

/** Adjacent places that differ only in their business types or in private fields become one. */
function merged(places: readonly ShelfPlace[]): readonly ShelfPlace[] {
  const shown: ShelfPlace[] = [];
  for (const place of places) {
    const before = shown.at(-1);
    if (before === undefined || !isSameBut(before, place)) {
      shown.push(place);
      continue;
    }
    const types = new Set([...typesOf(before), ...typesOf(place)]);
    const others = BUSINESS_TYPES.filter((type) => !types.has(type));
    const isForMost = types.size > others.length;
    shown[shown.length - 1] = {
      ...before,
      for: isForMost ? null : [...types],
      not_for: isForMost && others.length > 0 ? others : null,
    };
  }
  return shown;
}

const placesOf = ({ shelf }: Need): readonly ShelfTool[] => shelf.filter((entry) => 'tool' in entry);

/** The listings of each category in shelf order, followed by the others. */
function categoryIndex(
  listings: readonly Listing[],
  categories: readonly Category[],
  need: (slug: string) => Need,
): ReadonlyMap<string, readonly Listing[]> {
  const here = new Map(categories.map(({ slug }) => [slug, [] as Listing[]]));
  for (const listing of listings) for (const slug of listing.categories) here.get(slug)?.push(listing);
  return new Map(
    [...here].map(([slug, found]) => {
      const ids = placesOf(need(slug)).map(({ tool }) => tool.id);
      const order = new Map([...new Set(ids)].map((id, index) => [id, index]));
      const rank = ({ id }: Listing) => order.get(id) ?? order.size;
      return [slug, freeze(found.toSorted((a, b) => rank(a) - rank(b) || byId(a, b)))];
    }),
  );
}

const isFree = (file: ListingFile): file is FreeListingFile => file.pricing !== 'paid';

const publicPaid = ({ editor, ...tool }: ListingFile, day: string): KnownTool => ({
  ...tool,
  pricing: 'paid',
  proof: proofOf(tool, editor, day),
  seats_unlimited: false,
});

const publicNotChecked = ({ changed_on, good_for, regions, caveats, ...tool }: NotChecked): KnownTool => ({
  ...tool,
  pricing: 'not_checked',
  hosting: [],
  requires: [],
  free_limits: null,
  limits_by_need: {},
  then: null,
  leave: null,
  cost: null,
  team_size_max: null,
  good_for,
  regions,
  licence: null,
  caveats,
  changed_on,
  check: null,
  proof: null,
  seats_unlimited: false,
});

/** Builds the index from checked files. This work is done once, not for each request. */
export function buildDirectory(
  files: readonly ListingFile[],
  { categories }: CategoriesFile,
  shelves: ShelvesFile,
  notChecked: readonly NotChecked[] = [],
): Directory {
  const found = files.filter(({ check }) => check.status === 'found').toSorted(byId);
  const shown = found.filter(isFree);
  const days = shown.map(({ check }) => check.checked_on).sort();
  const lastChecked = days.at(-1) ?? '';
  const listings = shown.map((file): Listing => {
    const { editor, ...tool } = file;
    return freeze({
      ...tool,
      proof: proofOf(tool, editor, lastChecked),
      seats_unlimited: areSeatsUnlimited(file),
    });
  });
  const paid = found.filter((file) => !isFree(file)).map((file) => publicPaid(file, lastChecked));
  const known = freeze([...paid, ...notChecked.map(publicNotChecked)].sort(byId));
  const { need, place } = needIndex(new Map(shown.map((file) => [file.id, file])), categories, shelves);
  const { words, special, searched } = wordIndex(categories);
  const all = new Map([...listings, ...known].map((tool) => [tool.id, tool]));
  const plans = new Map(found.map(({ id, editor }) => [id, freeze(editor.team_plans)]));
  const perCategory = categoryIndex(listings, categories, need);
  return Object.freeze({
    listings: freeze(listings),
    known,
    need,
    place,
    byCategory: (slug: string) => perCategory.get(slug) ?? [],
    shelf: (slug: string) => merged(placesOf(need(slug)).map(publicPlace)),
    serving: (country: string, slug: string | null) => {
      // Facts that depend only on the country are looked up once, not for each listing.
      const closed = shelves.closed_to.filter(({ regions }) => regions.includes(country));
      const ids = new Set(slug === null ? [] : barredIn(need(slug), country));
      return (listing: Listing) =>
        (listing.regions === null || inRegions(country, listing.regions)) &&
        !closed.some((those) => isClosedTo(those, listing)) &&
        !ids.has(listing.id);
    },
    needsOf: (type: BusinessType) => shelves.business_types[type],
    category: (text: string, businessType?: BusinessType) => {
      const word = asSlug(text);
      const slug = special.get(`${businessType}/${word}`) ?? words.get(word);
      return slug === undefined ? null : { slug };
    },
    nearestCategory: (text: string) =>
      searched.get(asSlug(text)) ?? words.get(nearest(asSlug(text), [...words.keys()]) ?? '') ?? null,
    categories: freeze(
      categories
        .map(({ slug, name }) => ({ slug, name, count: perCategory.get(slug)?.length ?? 0 }))
        .sort((a, b) => (a.slug < b.slug ? -1 : 1)),
    ),
    synonyms: freeze(
      Object.fromEntries(
        categories.map(({ slug, aliases, searched_as }) => [
          slug,
          [...aliases.map((alias) => alias.replaceAll('_', ' ')), ...searched_as],
        ]),
      ),
    ),
    find: (id: string) => all.get(id) ?? null,
    gaps: shelves.gaps,
    musts: shelves.musts,
    plansOf: (id: string) => plans.get(id) ?? [],
    firstChecked: days[0] ?? '',
    lastChecked,
  });
}
