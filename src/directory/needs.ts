import { COUNTRY_CODES, inRegions } from '../domain/regions.ts';
import { isLater } from '../domain/stack-report-shelf.ts';
import type { Processor, SameAs, ShelfTool, ToolDirectory } from '../domain/stack-report-types.ts';
import type { Category } from './categories.ts';
import type { FreeListingFile, ListingFile } from './listing.ts';
import type { ShelvesFile } from './shelves.ts';

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

type Entry = ShelvesFile['needs'][string]['shelf'][number];

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
  entry: Exclude<Entry, { same_as: string }>,
  file: FreeListingFile,
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
    first_hour: entry.first_hour,
    regions: entry.regions ?? file.regions,
    not_regions: union(entry.not_regions ?? [], unpaid),
    closed_to: closed.filter((countries) => isClosedTo(countries, file)).flatMap(({ regions }) => regions),
    processors,
    seats: caps.length > 0 ? Math.min(...caps) : unlimited,
    max_team: entry.max_team ?? null,
    requires: union(file.requires, entry.requires),
    approved_in: entry.approved_in ?? [],
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
): Pick<ToolDirectory, 'need' | 'place'> {
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
      return [[slug, freeze({ ...written, slug, name, note, shelf, later: isLater(shelf) })] as const];
    }),
  );
  return {
    need: (slug) => {
      const need = needs.get(slug);
      if (need === undefined) throw new RangeError(`no category is called ${slug}`);
      return need;
    },
    place: (slug, id) => {
      const file = shown.get(id);
      const takesMoney = shelves.needs[slug]?.takes_money ?? false;
      return file?.categories.includes(slug) ? placeOf({ id, reason: '' }, file, takesMoney, barred) : null;
    },
  };
}
