import { readFileSync } from 'node:fs';
import type { CategoriesFile } from './categories.ts';
import { buildDirectory, type Directory } from './directory.ts';
import { AheadOfClock } from './directory-error.ts';
import type { ListingFile, NotChecked } from './listing.ts';
import type { ShelvesFile } from './shelves.ts';

/** Data that a build has checked; `latestDay` (YYYY-MM-DD) is the last day that it mentions. */
type Checked = {
  readonly listings: readonly ListingFile[];
  readonly notChecked: readonly NotChecked[];
  readonly categories: CategoriesFile;
  readonly shelves: ShelvesFile;
  readonly latestDay: string;
};

/**
 * Replaces `load.ts` in a build. The build has already checked the data, so only the clock is checked. Throws
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
