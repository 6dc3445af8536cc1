import { readFileSync } from 'node:fs';
import type { CategoriesFile } from './categories.ts';
import { servedFolder } from './data.ts';
import { buildDirectory, type Directory } from './directory.ts';
import { DirectoryError } from './directory-error.ts';
import type { ListingFile } from './listing.ts';
import type { ShelvesFile } from './shelves.ts';

/** What a build has found to be without a fault; `latestDay` (YYYY-MM-DD) is the last one that it speaks of. */
export type Checked = {
  readonly listings: readonly ListingFile[];
  readonly categories: CategoriesFile;
  readonly shelves: ShelvesFile;
  readonly latestDay: string;
};

/** Stands in for `load.ts` in what is built, for the build has checked the data: the clock alone is left to check. */
export function loadDirectory(
  folder = servedFolder(),
  today = new Date().toISOString().slice(0, 10),
): Directory {
  const file = 'checked.json';
  const { listings, categories, shelves, latestDay } = JSON.parse(
    readFileSync(`${folder}/${file}`, 'utf8'),
  ) as Checked;
  if (latestDay > today)
    throw new DirectoryError([{ file, field: '/latestDay', detail: `${latestDay} is in the future` }]);
  return buildDirectory(listings, categories, shelves);
}
