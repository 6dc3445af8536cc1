import { readServed, servedFolder } from './data.ts';
import { buildDirectory, type Directory } from './directory.ts';
import { DirectoryError } from './directory-error.ts';
import { checkListings } from './faults.ts';

/**
 * Reads, checks, freezes and indexes the directory that lies beside this module. To be called once, at start.
 * Throws DirectoryError with every fault, so a service with wrong data never opens its port.
 */
export function loadDirectory(
  folder = servedFolder(),
  today = new Date().toISOString().slice(0, 10),
): Directory {
  const { listings, categories, shelves, faults } = checkListings(readServed(folder), today);
  if (categories === null || shelves === null || faults.length > 0) throw new DirectoryError(faults);
  return buildDirectory(listings, categories, shelves);
}
