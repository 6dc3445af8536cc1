import { nearest } from '../domain/nearest.ts';
import { inRegions } from '../domain/regions.ts';
import { proofOf } from '../domain/stack-report-proof.ts';
import { isBarredIn, isLater } from '../domain/stack-report-shelf.ts';
import type {
  BusinessType,
  Need,
  Processor,
  Proof,
  SameAs,
  ShelfTool,
  ToolDirectory,
} from '../domain/stack-report-types.ts';
import { type CategoriesFile, type Category, wordIndex } from './categories.ts';
import type { ListingFile } from './listing.ts';
import { processorIndex, processorsIn, unpaidIn } from './processors.ts';
import type { ShelvesFile } from './shelves.ts';

/** A listing as the public sees it: without the editor's own notes, with what follows from them. */
export type Listing = Omit<ListingFile, 'editor'> & {
  /** On the day of the latest check in the directory; a report judges it on its own day. */
  readonly proof: Proof;
  readonly seats_unlimited: boolean;
};

/** One place on the shelf of a category as the public sees it. */
export type ShelfPlace = {
  readonly id: string;
  readonly reason: string;
  readonly for: readonly BusinessType[] | null;
  readonly not_for: readonly BusinessType[] | null;
  readonly regions: readonly string[] | null;
  readonly requires: ShelfTool['requires'];
};

/** The listings in their public shape, indexed once. A failed or withdrawn listing is in none of the answers. */
export type Directory = ToolDirectory & {
  /** Sorted by id, frozen. */
  readonly listings: readonly Listing[];
  /** Listings of a category, those on its shelf first and in its order, then by id. Empty for an unknown slug. */
  readonly byCategory: (slug: string) => readonly Listing[];
  /** The shelf of a category in the order of choice. */
  readonly shelf: (slug: string) => readonly ShelfPlace[];
  /** Tells of each listing whether it serves a country, as far as is known; in a category also by the shelf's limits. */
  readonly serving: (country: string, slug: string | null) => (listing: Listing) => boolean;
  /** A slug, an alias or either with hyphens, in any case; some words mean another category to some businesses. */
  readonly category: (text: string, businessType?: BusinessType) => { readonly slug: string } | null;
  readonly nearestCategory: (text: string) => string | null;
  readonly categories: readonly { readonly slug: string; readonly name: string; readonly count: number }[];
  /** By slug, common words for a category. */
  readonly synonyms: Readonly<Record<string, readonly string[]>>;
  readonly find: (id: string) => Listing | null;
};

const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
};

const byId = <T extends { readonly id: string }>(a: T, b: T) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
const asSlug = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

const union = <T>(one: readonly T[], other: readonly T[] = []): T[] => [...new Set([...one, ...other])];

/** Software under an open licence on one's own machines has no limit of users. */
const areSeatsUnlimited = ({ pricing, hosting, team_size_max, editor }: ListingFile): boolean =>
  editor.seats_unlimited ||
  (pricing === 'open_source' && team_size_max === null && !hosting.includes('saas'));

type Entry = ShelvesFile['needs'][string]['shelf'][number];

type Closed = ShelvesFile['closed_to'];

const isMeant = (
  { vendors, but }: Closed[number],
  { vendor, hosting }: Pick<ListingFile, 'vendor' | 'hosting'>,
): boolean => vendors?.includes(vendor) ?? (hosting.includes('saas') && !but.includes(vendor));

/** Countries that the vendor does not serve, or where it is blocked. */
const closedTo = (file: ListingFile, closed: Closed): string[] =>
  closed.filter((of) => isMeant(of, file)).flatMap(({ regions }) => regions);

/** What keeps tools out of countries, whatever stands on the shelf. */
type Barred = { readonly closed: Closed; readonly firms: ReadonlyMap<string, Processor> };

function placeOf(
  entry: Exclude<Entry, { same_as: string }>,
  file: ListingFile,
  takesMoney: boolean,
  { closed, firms }: Barred,
): ShelfTool {
  const { editor, ...tool } = file;
  const caps = [file.team_size_max, entry.max_seats].filter((cap) => typeof cap === 'number');
  const unlimited = areSeatsUnlimited(file) ? 'unlimited' : null;
  const processors = processorsIn(file, firms);
  const unpaid = takesMoney && editor.paid_into !== null ? unpaidIn(processors) : [];
  return {
    tool,
    notes: editor,
    reason: entry.reason,
    for: entry.for,
    not_for: entry.not_for,
    teams: entry.teams,
    purpose: entry.purpose ?? null,
    minus: entry.minus ?? null,
    regions: entry.regions ?? file.regions,
    not_regions: union(entry.not_regions ?? [], unpaid),
    closed_to: closedTo(file, closed),
    processors,
    seats: caps.length > 0 ? Math.min(...caps) : unlimited,
    max_team: entry.max_team ?? null,
    requires: union(file.requires, entry.requires),
    approved_in: entry.approved_in ?? [],
  };
}

/** The needs with their shelves; a place whose listing is not shown is left out. */
function needIndex(
  shown: ReadonlyMap<string, ListingFile>,
  categories: readonly Category[],
  shelves: ShelvesFile,
): ReadonlyMap<string, Need> {
  const barred = { closed: shelves.closed_to, firms: processorIndex(shelves) };
  return new Map(
    categories.flatMap(({ slug, name, note }) => {
      const written = shelves.needs[slug];
      if (written === undefined) return [];
      const shelf = written.shelf.flatMap((entry): (ShelfTool | SameAs)[] => {
        if ('same_as' in entry) return [entry];
        const file = shown.get(entry.id);
        return file === undefined ? [] : [placeOf(entry, file, written.takes_money, barred)];
      });
      return [[slug, freeze({ ...written, slug, name, note, shelf, later: isLater(shelf) })] as const];
    }),
  );
}

const EMPTY_NEED: Need = freeze({
  slug: '',
  name: '',
  purpose: '',
  note: null,
  seats: 'owner',
  seats_for: {},
  takes_money: false,
  setup_minutes: 0,
  after: [],
  way_out: null,
  ways_out: {},
  ways_out_in: [],
  from_team: 1,
  law: { bars: [], ways_out: {}, notes: [], unplaced: null },
  shelf: [],
  later: false,
  also_well_known: [],
});

const publicPlace = ({ tool, reason, for: types, not_for, regions, requires }: ShelfTool): ShelfPlace => ({
  id: tool.id,
  reason,
  for: types ?? null,
  not_for: not_for ?? null,
  regions,
  requires,
});

const placesOf = ({ shelf }: Need): readonly ShelfTool[] => shelf.filter((entry) => 'tool' in entry);

/** The listings of each category in the order of its shelf, the others behind. */
function categoryIndex(
  listings: readonly Listing[],
  categories: readonly Category[],
  needs: ReadonlyMap<string, Need>,
): ReadonlyMap<string, readonly Listing[]> {
  const here = new Map(categories.map(({ slug }) => [slug, [] as Listing[]]));
  for (const listing of listings) for (const slug of listing.categories) here.get(slug)?.push(listing);
  return new Map(
    [...here].map(([slug, found]) => {
      const ids = placesOf(needs.get(slug) ?? EMPTY_NEED).map(({ tool }) => tool.id);
      const order = new Map([...new Set(ids)].map((id, index) => [id, index]));
      const rank = ({ id }: Listing) => order.get(id) ?? order.size;
      return [slug, freeze(found.toSorted((a, b) => rank(a) - rank(b) || byId(a, b)))];
    }),
  );
}

/** Builds the index from checked files; costs time only here, so that a request does not. */
export function buildDirectory(
  files: readonly ListingFile[],
  { categories }: CategoriesFile,
  shelves: ShelvesFile,
): Directory {
  const shown = files.filter(({ check }) => check.status === 'found').toSorted(byId);
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
  const needs = needIndex(new Map(shown.map((file) => [file.id, file])), categories, shelves);
  const { words, special } = wordIndex(categories);
  const found = new Map(listings.map((listing) => [listing.id, listing]));
  const perCategory = categoryIndex(listings, categories, needs);
  const need = (slug: string) => needs.get(slug) ?? { ...EMPTY_NEED, slug, name: slug };
  return Object.freeze({
    listings: freeze(listings),
    need,
    byCategory: (slug: string) => perCategory.get(slug) ?? [],
    shelf: (slug: string) => placesOf(need(slug)).map(publicPlace),
    serving: (country: string, slug: string | null) => {
      // What depends on the country alone is looked up once, and not for each listing.
      const closed = shelves.closed_to.filter(({ regions }) => regions.includes(country));
      const of = slug === null ? EMPTY_NEED : need(slug);
      const barred = placesOf(of).filter(
        (place) => inRegions(country, place.not_regions) || isBarredIn(of, place, country),
      );
      const ids = new Set(barred.map(({ tool }) => tool.id));
      return (listing: Listing) =>
        (listing.regions === null || inRegions(country, listing.regions)) &&
        !closed.some((those) => isMeant(those, listing)) &&
        !ids.has(listing.id);
    },
    needsOf: (type: BusinessType) => {
      const { needs: always, needs_for_teams: forTeams } = shelves.business_types[type];
      return { always, forTeams };
    },
    category: (text: string, businessType?: BusinessType) => {
      const word = asSlug(text);
      const slug = special.get(`${businessType}/${word}`) ?? words.get(word);
      return slug === undefined ? null : { slug };
    },
    nearestCategory: (text: string) => words.get(nearest(asSlug(text), [...words.keys()]) ?? '') ?? null,
    categories: freeze(
      categories
        .map(({ slug, name }) => ({ slug, name, count: perCategory.get(slug)?.length ?? 0 }))
        .sort((a, b) => (a.slug < b.slug ? -1 : 1)),
    ),
    synonyms: freeze(
      Object.fromEntries(
        categories.map(({ slug, aliases }) => [slug, aliases.map((alias) => alias.replaceAll('_', ' '))]),
      ),
    ),
    find: (id: string) => found.get(id) ?? null,
    firstChecked: days[0] ?? '',
    lastChecked,
  });
}
