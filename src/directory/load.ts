import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkListings, type DataFile, type ServedData } from './check.ts';
import { buildDirectory, type Directory } from './directory.ts';
import { DirectoryError } from './directory-error.ts';

/** The folder this module runs from; a build puts the data beside it. */
const servedFolder = () => fileURLToPath(new URL('.', import.meta.url));

export const readOne = (folder: string, file: string): DataFile => ({
  file,
  text: readFileSync(`${folder}/${file}`, 'utf8'),
});

/** The files that the service serves, as they were read. */
export const readServed = (folder = servedFolder()): ServedData => ({
  listings: readdirSync(`${folder}/listings`)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readOne(folder, `listings/${name}`)),
  categories: readOne(folder, 'categories.json'),
  shelves: readOne(folder, 'shelves.json'),
});

/**
 * Reads, checks, freezes and indexes the directory that lies beside this module. Call it once, at start. Throws
 * DirectoryError with every fault. A build has done this already and puts `load-checked.ts` in the place of this module.
 */
export function loadDirectory(folder?: string, today = new Date().toISOString().slice(0, 10)): Directory {
  const { listings, categories, shelves, faults } = checkListings(readServed(folder), today);
  if (categories === null || shelves === null || faults.length > 0) throw new DirectoryError(faults);
  return buildDirectory(listings, categories, shelves);
}
