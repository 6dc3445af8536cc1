import type { z } from 'zod';
import { inRegions } from '../domain/regions.ts';
import { BUSINESS_TYPES } from '../domain/stack-report-types.ts';
import { type CategoriesFile, CategoriesFileSchema } from './categories.ts';
import type { DataFile, ServedData } from './data.ts';
import { type ListingFile, ListingFileSchema } from './listing.ts';
import { firmsOf } from './processors.ts';
import { type ShelvesFile, ShelvesFileSchema } from './shelves.ts';

/** One thing wrong with the data: the file, the field inside it ('/check/quote') and a sentence. */
export type DataFault = { readonly file: string; readonly field: string; readonly detail: string };

type Read<T> = { readonly value: T | null; readonly faults: readonly DataFault[] };

/** What is wrong with one file, said of its fields. */
const faultsOf =
  (file: string) =>
  (field: string, detail: string): DataFault => ({ file, field, detail });

const pointer = (path: readonly PropertyKey[]) => path.map((part) => `/${String(part)}`).join('') || '/';

/** The file as the schema reads it, or every fault of it. */
export function read<T>(schema: z.ZodType<T>, { file, text }: DataFile): Read<T> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { value: null, faults: [{ file, field: '/', detail: 'is not JSON' }] };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { value: parsed.data, faults: [] };
  const fault = faultsOf(file);
  return {
    value: null,
    faults: parsed.error.issues.map(({ path, message }) => fault(pointer(path), message)),
  };
}

function idFaults(entries: readonly { file: string; listing: ListingFile }[]): DataFault[] {
  const first = new Map<string, string>();
  return entries.flatMap(({ file, listing }) => {
    const faults: DataFault[] = [];
    const fault = faultsOf(file);
    const known = first.get(listing.id);
    if (known === undefined) first.set(listing.id, file);
    else faults.push(fault('/id', `${listing.id} is already in ${known}`));
    const own = `listings/${listing.id}.json`;
    if (file !== own) faults.push(fault('/id', `${listing.id} belongs in ${own}`));
    return faults;
  });
}

const categoryFaults = (file: string, listing: ListingFile, known: ReadonlySet<string>): DataFault[] =>
  listing.categories.flatMap((slug, index) =>
    known.has(slug) ? [] : [{ file, field: `/categories/${index}`, detail: `unknown category ${slug}` }],
  );

function dateFaults(file: string, { check, changed_on }: ListingFile, today: string): DataFault[] {
  const { checked_on, transcribed_by, source_dated } = check;
  const fault = faultsOf(file);
  const faults: DataFault[] = [];
  if (changed_on > today) faults.push(fault('/changed_on', `${changed_on} is in the future`));
  if (transcribed_by !== null && transcribed_by.read_on > checked_on)
    faults.push(
      fault('/check/transcribed_by/read_on', 'the words were written down after the day they were read'),
    );
  if (checked_on > today) faults.push(fault('/check/checked_on', `${checked_on} is in the future`));
  if (source_dated !== null && source_dated > checked_on)
    faults.push(fault('/check/source_dated', 'the text is dated after the day it was read'));
  return faults;
}

/** The categories file by itself: every name means one category. */
function vocabularyFaults({ categories }: CategoriesFile): DataFault[] {
  const fault = faultsOf('categories.json');
  const faults: DataFault[] = [];
  const words = new Set<string>();
  for (const { slug, aliases } of categories)
    for (const word of [slug, ...aliases]) {
      if (words.has(word)) faults.push(fault(`/categories/${slug}`, `${word} is taken`));
      words.add(word);
    }
  return faults;
}

type Shelf = ShelvesFile['needs'][string];

type Conditions = Pick<Shelf['shelf'][number], 'for' | 'not_for'>;

/** Whether two entries can both count for the same kind of business. */
const shareType = (one: Conditions, other: Conditions): boolean =>
  BUSINESS_TYPES.some((type) =>
    [one, other].every((entry) => (entry.for?.includes(type) ?? true) && !entry.not_for?.includes(type)),
  );

/** The shelf of one need: its entries are listings of it, and what they tie to and wait for exists. */
function shelfFaults(slug: string, shelf: Shelf, shelves: ShelvesFile, listings: Map<string, ListingFile>) {
  const faults: DataFault[] = [];
  const add = (field: string, detail: string) =>
    faults.push({ file: 'shelves.json', field: `/needs/${slug}/${field}`, detail });
  for (const [index, entry] of shelf.shelf.entries()) {
    const field = `shelf/${index}`;
    if ('same_as' in entry) {
      const other = shelves.needs[entry.same_as];
      if (other === undefined) add(field, `unknown need ${entry.same_as}`);
      else if (other.shelf.some((next) => 'same_as' in next && shareType(next, entry)))
        add(field, `${entry.same_as} itself goes by another need`);
      continue;
    }
    const listing = listings.get(entry.id);
    if (listing === undefined) {
      add(field, `${entry.id} is no listing`);
      continue;
    }
    if (!listing.categories.includes(slug)) add(field, `${entry.id} is not listed under ${slug}`);
    const { regions } = listing;
    const outside = entry.regions?.filter((region) => regions !== null && !inRegions(region, regions)) ?? [];
    if (outside.length > 0) add(field, `${entry.id} is not listed for ${outside.join(', ')}`);
  }
  for (const other of shelf.after) if (!(other in shelves.needs)) add('after', `unknown need ${other}`);
  const hasPick = shelf.shelf.some(
    (entry) => 'id' in entry && listings.get(entry.id)?.editor.proves !== 'mention',
  );
  if (!hasPick && shelf.way_out === null)
    add('way_out', 'no tool of the shelf can be a pick: say what to do');
  return faults;
}

/** Every category has a shelf, and every shelf and need a category. */
function shelvesFaults(
  shelves: ShelvesFile,
  listings: readonly ListingFile[],
  known: ReadonlySet<string>,
): DataFault[] {
  const fault = faultsOf('shelves.json');
  const byId = new Map(listings.map((listing) => [listing.id, listing]));
  return [
    ...[...known]
      .filter((slug) => !(slug in shelves.needs))
      .map((slug) => fault('/needs', `${slug} has no shelf`)),
    ...shelves.closed_to.flatMap(({ vendors = [], but }, index) =>
      [...vendors, ...but]
        .filter((vendor) => !listings.some((listing) => listing.vendor === vendor))
        .map((vendor) => fault(`/closed_to/${index}`, `${vendor} is the vendor of no listing`)),
    ),
    ...listings.flatMap(({ id, editor }) =>
      [...firmsOf(editor.paid_into ?? editor.extra_paid_into), ...editor.home_firms]
        .filter((firm) => !(firm in shelves.processors))
        .map((firm) => fault('/processors', `${firm}, which ${id} is paid through, is not there`)),
    ),
    ...Object.entries(shelves.needs).flatMap(([slug, shelf]) =>
      known.has(slug) ? shelfFaults(slug, shelf, shelves, byId) : [fault(`/needs/${slug}`, 'is no category')],
    ),
    ...Object.entries(shelves.business_types).flatMap(([type, { needs, needs_for_teams }]) =>
      [...needs, ...needs_for_teams]
        .filter((need) => !known.has(need))
        .map((need) => fault(`/business_types/${type}`, `unknown category ${need}`)),
    ),
  ];
}

export type CheckedData = {
  readonly listings: readonly ListingFile[];
  readonly categories: CategoriesFile | null;
  readonly shelves: ShelvesFile | null;
  readonly faults: readonly DataFault[];
};

/** Shape, ids, categories, dates and shelves; what the service itself insists on at start. */
export function checkListings(data: ServedData, today: string): CheckedData {
  const categories = read(CategoriesFileSchema, data.categories);
  const shelves = read(ShelvesFileSchema, data.shelves);
  const reads = data.listings.map((entry) => ({ file: entry.file, ...read(ListingFileSchema, entry) }));
  const entries = reads.flatMap(({ file, value }) => (value === null ? [] : [{ file, listing: value }]));
  const listings = entries.map(({ listing }) => listing);
  const known = categories.value && new Set(categories.value.categories.map(({ slug }) => slug));
  // A listing that cannot be read is named once, not again on every shelf.
  const areWhole = entries.length === reads.length;
  return {
    listings,
    categories: categories.value,
    shelves: shelves.value,
    faults: [
      ...categories.faults,
      ...shelves.faults,
      ...(categories.value === null ? [] : vocabularyFaults(categories.value)),
      ...reads.flatMap(({ faults }) => faults),
      ...idFaults(entries),
      ...entries.flatMap(({ file, listing }) => dateFaults(file, listing, today)),
      ...(known === null ? [] : entries.flatMap(({ file, listing }) => categoryFaults(file, listing, known))),
      ...(known === null || shelves.value === null || !areWhole
        ? []
        : shelvesFaults(shelves.value, listings, known)),
    ],
  };
}
