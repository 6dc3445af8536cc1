import type { BusinessType } from '../domain/directory-labels.ts';
import { COUNTRY_CODES, inRegions } from '../domain/regions.ts';
import type { Category } from './categories.ts';
import type { FreeListingFile, ListingFile } from './listing.ts';
import type { ShelvesFile } from './shelves.ts';

type NeedFile = ShelvesFile['needs'][string];
type Entry = NeedFile['shelf'][number];
/** An entry that takes the tool picked for another need. */
export type SameAs = Extract<Entry, { same_as: string }>;
type OwnEntry = Exclude<Entry, SameAs>;

/** The conditions under which an entry applies; absent conditions hold for everybody. */
type Conditions = {
  readonly for?: readonly BusinessType[] | undefined;
  readonly not_for?: readonly BusinessType[] | undefined;
  /** The smallest and the largest business, in people. */
  readonly teams?: readonly [number, number] | undefined;
};

export type Tool = Omit<FreeListingFile, 'editor'>;

/** A firm that processes payments, and the countries that it does not serve. */
type Processor = {
  readonly name: string;
  readonly not_in: readonly string[];
  /**
   * Whether the firm is local to certain countries. It is named only where an international firm does not serve the
   * country.
   */
  readonly at_home: boolean;
};

type FromShelf = 'reason' | 'purpose' | 'minus' | 'first_hour' | 'max_team' | 'approved_in';

/** A tool on the shelf of a need, with the conditions of its listing and of the shelf merged. */
export type ShelfTool = Conditions &
  Pick<OwnEntry, FromShelf> & {
    readonly tool: Tool;
    /** The editor's notes on the tool. */
    readonly notes: ListingFile['editor'];
    readonly regions: readonly string[] | null;
    readonly not_regions: readonly string[];
    /** Countries that the vendor does not serve, or that block it; shown only to callers from there. */
    readonly closed_to: readonly string[];
    readonly processors: readonly Processor[];
    /** Maximum number of people on the free plan; null if the vendor does not say. */
    readonly seats: number | 'unlimited' | null;
    readonly requires: Tool['requires'];
    /** Whether the tool comes first because the caller's trade uses it. */
    readonly isOfTrade?: boolean;
  };

/** What a business needs, with the editor's shelf for it. */
export type Need = Omit<NeedFile, 'shelf'> & {
  readonly slug: string;
  readonly name: string;
  readonly note: string | null;
  readonly shelf: readonly (ShelfTool | SameAs)[];
};

type Business = { readonly businessType: BusinessType; readonly teamSize: number | null };

/** Whether an entry applies to a business type and size. */
export const isFor = (
  { for: types, not_for, teams: [from, to] = [1, Number.POSITIVE_INFINITY] }: Conditions,
  { businessType, teamSize }: Business,
): boolean =>
  (types?.includes(businessType) ?? true) &&
  !not_for?.includes(businessType) &&
  (teamSize ?? 1) >= from &&
  (teamSize ?? 1) <= to;

/** Whether the law of a country rules a tool out for a need; with a business type, only rules for that type count. */
export const isBarredIn = (
  { law }: Pick<Need, 'law'>,
  { approved_in = [] }: Pick<ShelfTool, 'approved_in'>,
  country: string | null,
  businessType?: BusinessType,
): boolean =>
  country !== null &&
  !inRegions(country, approved_in) &&
  law.bars.some(
    (bar) =>
      inRegions(country, bar.regions) &&
      (businessType === undefined ? bar.for === undefined : isFor(bar, { businessType, teamSize: null })),
  );

/** Freezes a value and everything in it; returns the value. */
export function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}

/** The firms that can hold a payment account: 'PayPal or Stripe account' names two. */
export const firmsOf = (account: string | null): readonly string[] =>
  account === null ? [] : account.replace(/ account$/, '').split(' or ');

/** Every firm with the countries that it does not serve. */
const processorIndex = ({ processors }: Pick<ShelvesFile, 'processors'>): ReadonlyMap<string, Processor> =>
  new Map(
    Object.entries(processors).map(([name, { regions, not_regions = [] }]) => {
      const isOut = (country: string) =>
        (regions !== undefined && !inRegions(country, regions)) || inRegions(country, not_regions);
      return [name, { name, not_in: COUNTRY_CODES.filter(isOut), at_home: false }];
    }),
  );

/** The firms that process a tool's payments. */
const processorsIn = (
  { editor }: Pick<ListingFile, 'editor'>,
  index: ReadonlyMap<string, Processor>,
): Processor[] => [
  ...firmsOf(editor.paid_into ?? editor.extra_paid_into).flatMap((name) => index.get(name) ?? []),
  ...editor.home_firms.flatMap((name) => index.get(name) ?? []).map((firm) => ({ ...firm, at_home: true })),
];

/** Countries in which none of the firms pays money to the business. */
const unpaidIn = ([first, ...others]: readonly Processor[]): string[] =>
  first?.not_in.filter((country) => others.every(({ not_in }) => not_in.includes(country))) ?? [];

const union = <T>(one: readonly T[], other: readonly T[] = []): T[] => [...new Set([...one, ...other])];

/** Whether a tool has no user limit. Software under an open license on the owner's machines has none. */
export const areSeatsUnlimited = ({ pricing, hosting, team_size_max, editor }: ListingFile): boolean =>
  editor.seats_unlimited ||
  (pricing === 'open_source' && team_size_max === null && !hosting.includes('saas'));

type Closed = ShelvesFile['closed_to'];

/**
 * Whether an entry of closed countries covers a tool: by its vendor, or because it covers every tool hosted by its
 * vendor.
 */
export const isClosedTo = (
  { vendors, but }: Closed[number],
  { vendor, hosting }: Pick<ListingFile, 'vendor' | 'hosting'>,
): boolean => vendors?.includes(vendor) ?? (hosting.includes('saas') && !but.includes(vendor));

/** The rules that bar tools in some countries, for every shelf. */
type Barred = { readonly closed: Closed; readonly firms: ReadonlyMap<string, Processor> };

function placeOf(
  { id: _, max_seats, ...entry }: OwnEntry,
  file: FreeListingFile,
  takesMoney: boolean,
  { closed, firms }: Barred,
): ShelfTool {
  const { editor, ...tool } = file;
  const caps = [file.team_size_max, max_seats].filter((cap) => typeof cap === 'number');
  const unlimited = areSeatsUnlimited(file) ? 'unlimited' : null;
  const processors = processorsIn(file, firms);
  const unpaid = takesMoney && editor.paid_into !== null ? unpaidIn(processors) : [];
  return {
    ...entry,
    tool,
    notes: editor,
    regions: entry.regions ?? file.regions,
    not_regions: union(entry.not_regions ?? [], unpaid),
    closed_to: closed.filter((countries) => isClosedTo(countries, file)).flatMap(({ regions }) => regions),
    processors,
    seats: caps.length > 0 ? Math.min(...caps) : unlimited,
    requires: union(file.requires, entry.requires),
  };
}

/**
 * Returns two functions. `need` returns the need of a category with its shelf, without places whose listing is not
 * shown; every category has a shelf. `place` returns a listing of the category as a place on its shelf, even if it is
 * not on the shelf.
 */
export function needIndex(
  shown: ReadonlyMap<string, FreeListingFile>,
  categories: readonly Category[],
  shelves: ShelvesFile,
) {
  const barred = { closed: shelves.closed_to, firms: processorIndex(shelves) };
  const needs = new Map(
    categories.flatMap(({ slug, name, note }) => {
      const written = shelves.needs[slug];
      if (written === undefined) return [];
      const shelf = written.shelf.flatMap((entry): (ShelfTool | SameAs)[] => {
        if ('same_as' in entry) return [entry];
        const file = shown.get(entry.id);
        return file === undefined ? [] : [placeOf(entry, file, written.takes_money, barred)];
      });
      return [[slug, freeze({ ...written, slug, name, note, shelf })] as const];
    }),
  );
  return {
    need: (slug: string): Need => {
      const need = needs.get(slug);
      if (need === undefined) throw new RangeError(`no category is called ${slug}`);
      return need;
    },
    place: (slug: string, id: string): ShelfTool | null => {
      const file = shown.get(id);
      const takesMoney = shelves.needs[slug]?.takes_money ?? false;
      return file?.categories.includes(slug) ? placeOf({ id, reason: '' }, file, takesMoney, barred) : null;
    },
  };
}
