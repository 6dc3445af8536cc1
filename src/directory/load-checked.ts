import { readFileSync } from 'node:fs';
import type { CategoriesFile } from './categories.ts';
import { buildDirectory, type Directory } from './directory.ts';
import { AheadOfClock } from './directory-error.ts';
import type { ListingFile, NotChecked } from './listing.ts';
import type { ShelvesFile } from './shelves.ts';

/** The data that a build has checked; `latestDay` (YYYY-MM-DD) is the last one that it speaks of. */
type Checked = {
  readonly listings: readonly ListingFile[];
  readonly notChecked: readonly NotChecked[];
  readonly categories: CategoriesFile;
  readonly shelves: ShelvesFile;
  readonly latestDay: string;
};

/**
 * Takes the place of `load.ts` in a build. The build has checked the data, so only the clock is left to check. Throws
 * AheadOfClock.
 */
export function loadDirectory(
  folder = new URL('.', import.meta.url),
  today = new Date().toISOString().slice(0, 10),
): Directory {
  const { listings, notChecked, categories, shelves, latestDay }: Checked = JSON.parse(
    readFileSync(new URL('checked.json', folder), 'utf8'),
  );
  if (latestDay > today) throw new AheadOfClock(latestDay);
  return buildDirectory(listings, categories, shelves, notChecked);
}
