import { createHash } from 'node:crypto';
import { z } from 'zod';
import { BUSINESS_TYPES } from '../domain/stack-report-types.ts';
import { type CategoriesFile, CategoriesFileSchema } from './categories.ts';
import type { DataFile, DirectoryData } from './data.ts';
import { type Lead, LeadSchema, LeftOutSchema, type ListingFile, ListingFileSchema } from './listing.ts';

/** One thing wrong with the data: the file, the field inside it ('/check/quote') and a sentence. */
export type DataFault = { readonly file: string; readonly field: string; readonly detail: string };

type Read<T> = { readonly value: T | null; readonly faults: readonly DataFault[] };

const pointer = (path: readonly PropertyKey[]) => path.map((part) => `/${String(part)}`).join('') || '/';

function read<T>(schema: z.ZodType<T>, { file, text }: DataFile): Read<T> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { value: null, faults: [{ file, field: '/', detail: 'is not JSON' }] };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { value: parsed.data, faults: [] };
  const faults = parsed.error.issues.map(({ path, message }) => ({
    file,
    field: pointer(path),
    detail: message,
  }));
  return { value: null, faults };
}

export const quoteDigest = (quote: string) => createHash('sha256').update(quote, 'utf8').digest('hex');

function idFaults(entries: readonly { file: string; listing: ListingFile }[]): DataFault[] {
  const first = new Map<string, string>();
  return entries.flatMap(({ file, listing }) => {
    const faults: DataFault[] = [];
    const known = first.get(listing.id);
    if (known !== undefined)
      faults.push({ file, field: '/id', detail: `${listing.id} is already in ${known}` });
    else first.set(listing.id, file);
    if (file !== `listings/${listing.id}.json`)
      faults.push({ file, field: '/id', detail: `${listing.id} belongs in listings/${listing.id}.json` });
    return faults;
  });
}

function categoryFaults(file: string, listing: ListingFile, known: CategoriesFile): DataFault[] {
  const kindsOf = new Map(known.categories.map(({ slug, kinds }) => [slug, kinds]));
  return [
    ...listing.categories.flatMap((slug, index) =>
      kindsOf.has(slug) ? [] : [{ file, field: `/categories/${index}`, detail: `unknown category ${slug}` }],
    ),
    ...Object.entries(listing.editor.kinds).flatMap(([slug, kind]) =>
      listing.categories.includes(slug) && kindsOf.get(slug)?.[kind] !== undefined
        ? []
        : [
            {
              file,
              field: `/editor/kinds/${slug}`,
              detail: `${kind} is no kind of a category of this listing`,
            },
          ],
    ),
  ];
}

function dateFaults(file: string, { check }: ListingFile, today: string): DataFault[] {
  const faults: DataFault[] = [];
  if (check.checked_on > today)
    faults.push({ file, field: '/check/checked_on', detail: `${check.checked_on} is in the future` });
  if (check.source_dated !== null && check.source_dated > check.checked_on)
    faults.push({
      file,
      field: '/check/source_dated',
      detail: 'the text is dated after the day it was read',
    });
  return faults;
}

/** The categories file by itself: every name means one category, every need exists, every business type is served. */
function vocabularyFaults({ business_types, categories }: CategoriesFile): DataFault[] {
  const file = 'categories.json';
  const faults: DataFault[] = [];
  const words = new Set<string>();
  for (const { slug, aliases } of categories)
    for (const word of [slug, ...aliases]) {
      if (words.has(word)) faults.push({ file, field: `/categories/${slug}`, detail: `${word} is taken` });
      words.add(word);
    }
  const slugs = new Set(categories.map(({ slug }) => slug));
  for (const { slug, needs, needs_for_teams } of business_types)
    for (const need of [...needs, ...needs_for_teams])
      if (!slugs.has(need))
        faults.push({ file, field: `/business_types/${slug}`, detail: `unknown category ${need}` });
  for (const type of BUSINESS_TYPES)
    if (business_types.filter(({ slug }) => slug === type).length !== 1)
      faults.push({ file, field: '/business_types', detail: `${type} is not there exactly once` });
  return faults;
}

export type CheckedData = {
  readonly listings: readonly ListingFile[];
  readonly categories: CategoriesFile | null;
  readonly faults: readonly DataFault[];
};

/** Shape, ids, categories and dates of the listings; what the service itself insists on at start. */
export function checkListings(
  data: Pick<DirectoryData, 'listings' | 'categories'>,
  today: string,
): CheckedData {
  const categories = read(CategoriesFileSchema, data.categories);
  const reads = data.listings.map((entry) => ({ file: entry.file, ...read(ListingFileSchema, entry) }));
  const entries = reads.flatMap(({ file, value }) => (value === null ? [] : [{ file, listing: value }]));
  const known = categories.value;
  return {
    listings: entries.map(({ listing }) => listing),
    categories: known,
    faults: [
      ...categories.faults,
      ...(known === null ? [] : vocabularyFaults(known)),
      ...reads.flatMap(({ faults }) => faults),
      ...idFaults(entries),
      ...entries.flatMap(({ file, listing }) => dateFaults(file, listing, today)),
      ...(known === null ? [] : entries.flatMap(({ file, listing }) => categoryFaults(file, listing, known))),
    ],
  };
}

function quoteFaults(
  listings: readonly ListingFile[],
  digests: Readonly<Record<string, string>>,
  files: readonly DataFile[],
): DataFault[] {
  const here = new Set(files.map(({ file }) => file));
  return [
    ...listings.flatMap(({ id, check }) => {
      const file = `listings/${id}.json`;
      const digest = digests[id];
      if (digest === undefined)
        return [{ file, field: '/check/quote', detail: 'is not in quotes.sha256.json yet' }];
      return digest === quoteDigest(check.quote)
        ? []
        : [{ file, field: '/check/quote', detail: "differs from the vendor's words as they were read" }];
    }),
    ...Object.keys(digests)
      .filter((id) => !here.has(`listings/${id}.json`))
      .map((id) => ({ file: 'quotes.sha256.json', field: `/${id}`, detail: 'has no listing' })),
  ];
}

/** Everything an editor can get wrong, the quotes, leads and left-out list included. */
export function checkEverything(
  data: DirectoryData,
  today: string,
): CheckedData & { readonly leads: readonly Lead[] } {
  const checked = checkListings(data, today);
  const digests = read(z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)), data.quotes);
  const leads = read(z.array(LeadSchema), data.leads);
  const leftOut = read(z.array(LeftOutSchema), data.leftOut);
  const ids = new Set(checked.listings.map(({ id }) => id));
  const doubled = [
    ...(leads.value ?? []).map(({ id }) => ({ id, file: 'leads.json' })),
    ...(leftOut.value ?? []).map(({ id }) => ({ id, file: 'left-out.json' })),
  ].filter(({ id }) => ids.has(id));
  const slugs = new Set(checked.categories?.categories.map(({ slug }) => slug));
  return {
    ...checked,
    leads: leads.value ?? [],
    faults: [
      ...checked.faults,
      ...digests.faults,
      ...leads.faults,
      ...leftOut.faults,
      ...(digests.value === null ? [] : quoteFaults(checked.listings, digests.value, data.listings)),
      ...doubled.map(({ id, file }) => ({ file, field: `/${id}`, detail: 'is a listing' })),
      ...(leads.value ?? []).flatMap(({ id, categories }) =>
        categories
          .filter((slug) => !slugs.has(slug))
          .map((slug) => ({ file: 'leads.json', field: `/${id}`, detail: `unknown category ${slug}` })),
      ),
    ],
  };
}
