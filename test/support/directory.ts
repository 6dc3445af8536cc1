import { CategoriesFileSchema } from '../../src/directory/categories.ts';
import { buildDirectory } from '../../src/directory/directory.ts';
import { type ListingFile, ListingFileSchema, NotCheckedSchema } from '../../src/directory/listing.ts';
import { readServed } from '../../src/directory/load.ts';
import { ShelvesFileSchema } from '../../src/directory/shelves.ts';

const served = readServed();

/** Ignores failed source checks, which hide a listing from callers but must not change a test. */
const asSigned = (file: ListingFile): ListingFile =>
  file.check.status === 'failed' ? { ...file, check: { ...file.check, status: 'found' } } : file;

/** The directory as its editor approved it. */
export const listingFiles = served.listings.map(({ text }) =>
  asSigned(ListingFileSchema.parse(JSON.parse(text))),
);
export const notChecked = NotCheckedSchema.array().parse(JSON.parse(served.notChecked.text));
export const categories = CategoriesFileSchema.parse(JSON.parse(served.categories.text));
export const shelves = ShelvesFileSchema.parse(JSON.parse(served.shelves.text));
export const directory = buildDirectory(listingFiles, categories, shelves, notChecked);
