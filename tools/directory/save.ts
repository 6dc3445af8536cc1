import { renameSync, writeFileSync } from 'node:fs';
import type { ListingFile } from '../../src/directory/listing.ts';

/** Saves a listing so that other programs find either the old file or the new file, never a part. */
export function saveListing(folder: string, listing: ListingFile): void {
  const file = `${folder}/listings/${listing.id}.json`;
  writeFileSync(`${file}.new`, `${JSON.stringify(listing, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}
