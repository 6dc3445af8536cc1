import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type CheckedData, checkListings, read } from '../../src/directory/check.ts';
import { buildDirectory } from '../../src/directory/directory.ts';
import type { DataFault } from '../../src/directory/directory-error.ts';
import { https, type ListingFile, ListingFileSchema, line, slug } from '../../src/directory/listing.ts';
import { readOne, readServed } from '../../src/directory/load.ts';
import { TRADES } from '../../src/trades/trades.ts';
import { claimFaults } from './claims.ts';
import { contradictions } from './contradictions.ts';

/** The folder that an editor works in; npm starts its scripts in the folder of the project. */
export const EDITED_FOLDER = 'src/directory';

/** A tool that owners often name but that still lacks evidence from its vendor; never part of an answer. */
const LeadSchema = z.strictObject({
  id: ListingFileSchema.shape.id,
  name: line(80),
  vendor: line(80),
  homepage: https,
  source_url: https,
  categories: z.array(slug).min(1).max(8),
  expected: z.enum(['free_plan', 'not_free_or_doubtful']),
});
export type Lead = z.infer<typeof LeadSchema>;

const LeftOutSchema = z.strictObject({ id: ListingFileSchema.shape.id, reason: line(240) });

export const quoteDigest = (quote: string) => createHash('sha256').update(quote, 'utf8').digest('hex');

const quoteFaults = (listings: readonly ListingFile[]): DataFault[] =>
  listings.flatMap(({ id, check, editor }) => {
    if (editor.quote_sha256 === quoteDigest(check.quote)) return [];
    const detail =
      editor.quote_sha256 === null
        ? 'is not pinned yet'
        : "differs from the vendor's words as they were read";
    return [{ file: `listings/${id}.json`, field: '/check/quote', detail }];
  });

/** Checks that the tools of a trade are listings that cover the need. */
const tradeFaults = (listings: readonly ListingFile[]): DataFault[] => {
  const categories = new Map(listings.map(({ id, categories }) => [id, categories]));
  return TRADES.flatMap(({ id: trade, tools }) =>
    Object.entries(tools).flatMap(([need, named = []]) =>
      named
        .filter(({ id }) => !categories.get(id)?.includes(need))
        .map(({ id }) => ({
          file: 'trades/trades.json',
          field: `/${trade}/tools/${need}`,
          detail: `${id} is not a listing of it`,
        })),
    ),
  );
};

/** Everything that an editor can get wrong, including quotes, leads and the list of tools that were left out. */
export function checkEverything(
  folder: string,
  today: string,
): CheckedData & { readonly leads: readonly Lead[] } {
  const checked = checkListings(readServed(folder), today);
  const { value, faults: leadFaults } = read(z.array(LeadSchema), readOne(folder, 'leads.json'));
  const leads = value ?? [];
  const leftOut = read(z.array(LeftOutSchema), readOne(folder, 'left-out.json'));
  const ids = new Set(checked.listings.map(({ id }) => id));
  const doubled = (file: string, entries: readonly { id: string }[]): DataFault[] =>
    entries
      .filter(({ id }) => ids.has(id))
      .map(({ id }) => ({ file, field: `/${id}`, detail: 'is a listing' }));
  const { listings, categories, shelves, notChecked } = checked;
  const directory =
    checked.faults.length > 0 || categories === null || shelves === null
      ? null
      : buildDirectory(listings, categories, shelves, notChecked);
  const slugs = new Set(checked.categories?.categories.map(({ slug }) => slug));
  return {
    ...checked,
    leads,
    faults: [
      ...checked.faults,
      ...leadFaults,
      ...leftOut.faults,
      ...quoteFaults(checked.listings),
      ...(folder === EDITED_FOLDER ? tradeFaults(checked.listings) : []),
      ...(checked.shelves === null ? [] : claimFaults(checked.listings, checked.shelves)),
      ...contradictions(listings, directory),
      ...doubled('leads.json', leads),
      ...doubled('left-out.json', leftOut.value ?? []),
      ...leads.flatMap(({ id, categories }) =>
        categories
          .filter((slug) => !slugs.has(slug))
          .map((slug) => ({ file: 'leads.json', field: `/${id}`, detail: `unknown category ${slug}` })),
      ),
    ],
  };
}
