import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkListings, type DataFile, type ServedData } from './check.ts';
import { buildDirectory, type Directory } from './directory.ts';
import { AheadOfClock, DirectoryError } from './directory-error.ts';

/** The folder this module runs from; a build puts the data next to it. */
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
  notChecked: readOne(folder, 'not-checked.json'),
  categories: readOne(folder, 'categories.json'),
  shelves: readOne(folder, 'shelves.json'),
});

/**
 * Reads, checks, freezes and indexes the directory next to this module. Call it once, at startup. Throws DirectoryError
 * with every fault, or AheadOfClock if the clock is the only problem. A build does this in advance and replaces this
 * module with `load-checked.ts`.
 */
export function loadDirectory(folder?: string, today = new Date().toISOString().slice(0, 10)): Directory {
  const served = readServed(folder);
  const { listings, notChecked, categories, shelves, faults } = checkListings(served, today);
  const latestDay = listings.reduce((latest, { check }) => max(latest, check.checked_on), '');
  if (latestDay > today && checkListings(served, latestDay).faults.length === 0)
    throw new AheadOfClock(latestDay);
  if (categories === null || shelves === null || faults.length > 0) throw new DirectoryError(faults);
  return buildDirectory(listings, categories, shelves, notChecked);
}

/** The later of two days (YYYY-MM-DD). */
const max = (a: string, b: string): string => (a > b ? a : b);
