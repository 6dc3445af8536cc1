import { z } from 'zod';
import { BUSINESS_TYPES } from '../domain/directory-labels.ts';
import { inRegions } from '../domain/regions.ts';
import { type CategoriesFile, CategoriesFileSchema } from './categories.ts';
import type { DataFault } from './directory-error.ts';
import { type ListingFile, ListingFileSchema, type NotChecked, NotCheckedSchema } from './listing.ts';
import { firmsOf } from './needs.ts';
import { type ShelvesFile, ShelvesFileSchema } from './shelves.ts';

/** One file as it was read; `file` is its path inside the data folder. */
export type DataFile = { readonly file: string; readonly text: string };

export type ServedData = {
  readonly listings: readonly DataFile[];
  readonly notChecked: DataFile;
  readonly categories: DataFile;
  readonly shelves: DataFile;
};

export type CheckedData = {
  readonly listings: readonly ListingFile[];
  readonly notChecked: readonly NotChecked[];
  readonly categories: CategoriesFile | null;
  readonly shelves: ShelvesFile | null;
  readonly faults: readonly DataFault[];
};

/** Checks the shape of each file, then ids, days, categories and shelves. */
export function checkListings(data: ServedData, today: string): CheckedData {
  const categories = read(CategoriesFileSchema, data.categories);
  const shelves = read(ShelvesFileSchema, data.shelves);
  const reads = data.listings.map((entry) => ({ file: entry.file, ...read(ListingFileSchema, entry) }));
  const entries = reads.flatMap(({ file, value }) => (value === null ? [] : [{ file, listing: value }]));
  const listings = entries.map(({ listing }) => listing);
  const others = read(z.array(NotCheckedSchema), data.notChecked);
  const notChecked = others.value ?? [];
  const known = categories.value && new Set(categories.value.categories.map(({ slug }) => slug));
  const faults = [categories, shelves, ...reads, others].flatMap((one) => one.faults);
  faults.push(...listingFaults(entries, known, today));
  const ids = new Set(listings.map(({ id }) => id));
  faults.push(...notCheckedFaults(data.notChecked.file, notChecked, { ids, known, today }));
  // A listing that cannot be read is named once, not again on every shelf.
  if (known !== null && shelves.value !== null && entries.length === reads.length)
    faults.push(...shelvesFaults(shelves.value, listings, known));
  return { listings, notChecked, categories: categories.value, shelves: shelves.value, faults };
}

/** Parses a file by its schema. Returns the value, or every fault of the file. */
export function read<T>(schema: z.ZodType<T>, { file, text }: DataFile) {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { value: null, faults: [{ file, field: '/', detail: 'is not JSON' }] };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { value: parsed.data, faults: [] };
  const faults = parsed.error.issues.map(({ path, message }): DataFault => {
    const field = path.map((part) => `/${String(part)}`).join('') || '/';
    return { file, field, detail: message };
  });
  return { value: null, faults };
}

type Entry = { readonly file: string; readonly listing: ListingFile };

function* listingFaults(
  entries: readonly Entry[],
  known: ReadonlySet<string> | null,
  today: string,
): Iterable<DataFault> {
  const first = new Map<string, string>();
  for (const { file, listing } of entries) {
    const { id, categories, check, changed_on } = listing;
    const place = first.get(id);
    if (place === undefined) first.set(id, file);
    else yield { file, field: '/id', detail: `${id} is already in ${place}` };
    const own = `listings/${id}.json`;
    if (file !== own) yield { file, field: '/id', detail: `${id} belongs in ${own}` };
    for (const [field, day] of Object.entries({
      '/changed_on': changed_on,
      '/check/checked_on': check.checked_on,
    }))
      if (day > today) yield { file, field, detail: `${day} is in the future` };
    for (const [index, slug] of categories.entries())
      if (known?.has(slug) === false)
        yield { file, field: `/categories/${index}`, detail: `unknown category ${slug}` };
  }
}

/** Checks that each known tool is listed once, has valid days and categories, and is not also a listing. */
function* notCheckedFaults(
  file: string,
  tools: readonly NotChecked[],
  of: {
    readonly ids: ReadonlySet<string>;
    readonly known: ReadonlySet<string> | null;
    readonly today: string;
  },
): Iterable<DataFault> {
  const seen = new Set(of.ids);
  for (const { id, categories, changed_on } of tools) {
    const fault = (detail: string) => ({ file, field: `/${id}`, detail });
    if (seen.has(id)) yield fault(of.ids.has(id) ? 'is a listing' : 'is there twice');
    seen.add(id);
    if (changed_on > of.today) yield fault(`${changed_on} is in the future`);
    for (const slug of categories) if (of.known?.has(slug) === false) yield fault(`unknown category ${slug}`);
  }
}

/**
 * Checks that every category has a shelf, that every shelf and need has a category, and that every name in them exists.
 */
function* shelvesFaults(
  shelves: ShelvesFile,
  listings: readonly ListingFile[],
  known: ReadonlySet<string>,
): Iterable<DataFault> {
  const fault = (field: string, detail: string) => ({ file: 'shelves.json', field, detail });
  const byId = new Map(listings.map((listing) => [listing.id, listing]));
  for (const slug of known) if (!(slug in shelves.needs)) yield fault('/needs', `${slug} has no shelf`);
  for (const [index, { vendors = [], but }] of shelves.closed_to.entries())
    for (const vendor of [...vendors, ...but])
      if (!listings.some((listing) => listing.vendor === vendor))
        yield fault(`/closed_to/${index}`, `no listing is from the vendor ${vendor}`);
  for (const { id, editor } of listings)
    for (const firm of [...firmsOf(editor.paid_into ?? editor.extra_paid_into), ...editor.home_firms])
      if (!(firm in shelves.processors))
        yield fault('/processors', `${firm}, which ${id} is paid through, is not there`);
  for (const slug of Object.keys(shelves.needs))
    if (!known.has(slug)) yield fault(`/needs/${slug}`, 'is not a category');
    else
      for (const [field, detail] of shelfFaults(slug, shelves, byId))
        yield fault(`/needs/${slug}/${field}`, detail);
  for (const { needs } of shelves.gaps)
    for (const need of needs) if (!known.has(need)) yield fault('/gaps', `unknown category ${need}`);
  for (const [type, { needs, needs_for_teams }] of Object.entries(shelves.business_types))
    for (const need of [...needs, ...needs_for_teams])
      if (!known.has(need)) yield fault(`/business_types/${type}`, `unknown category ${need}`);
}

/** Checks the shelf of a need: every entry is a listing for that need, and the needs that it refers to exist. */
function* shelfFaults(
  slug: string,
  { needs }: ShelvesFile,
  listings: ReadonlyMap<string, ListingFile>,
): Iterable<readonly [field: string, detail: string]> {
  const { shelf, after, way_out } = needs[slug] as Shelf;
  for (const [index, entry] of shelf.entries()) {
    const field = `shelf/${index}`;
    if ('same_as' in entry) {
      const other = needs[entry.same_as];
      if (other === undefined) yield [field, `unknown need ${entry.same_as}`];
      else if (other.shelf.some((next) => 'same_as' in next && shareType(next, entry)))
        yield [field, `${entry.same_as} itself uses the tool of another need`];
      continue;
    }
    const listing = listings.get(entry.id);
    if (listing === undefined) {
      yield [field, `${entry.id} is not a listing`];
      continue;
    }
    const { categories, regions, pricing } = listing;
    if (pricing === 'paid') yield [field, `${entry.id} has no free plan`];
    if (!categories.includes(slug)) yield [field, `${entry.id} is not listed under ${slug}`];
    const outside = entry.regions?.filter((region) => regions !== null && !inRegions(region, regions)) ?? [];
    if (outside.length > 0) yield [field, `${entry.id} is not listed for ${outside.join(', ')}`];
  }
  for (const other of after) if (!(other in needs)) yield ['after', `unknown need ${other}`];
  const hasPick = shelf.some((entry) => 'id' in entry && listings.get(entry.id)?.editor.proves !== 'mention');
  if (!hasPick && way_out === null) yield ['way_out', 'no tool of the shelf can be a pick: say what to do'];
}

type Shelf = ShelvesFile['needs'][string];
type Conditions = Pick<Shelf['shelf'][number], 'for' | 'not_for'>;

/** Whether two entries can both apply to the same business type. */
const shareType = (one: Conditions, other: Conditions): boolean =>
  BUSINESS_TYPES.some((type) =>
    [one, other].every((entry) => (entry.for?.includes(type) ?? true) && !entry.not_for?.includes(type)),
  );
