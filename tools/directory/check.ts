import { faultText } from '../../src/directory/directory-error.ts';
import { checkEverything, EDITED_FOLDER, quoteDigest } from './everything.ts';
import { saveListing } from './save.ts';

const ACCEPT = '--accept-quotes';

/**
 * Checks all data in a folder: listings, categories, quotes, leads and the list of tools that were left out. Returns the lines to
 * print and the exit status. With `acceptQuotes`, every quote is pinned again first, for an editor who has replaced
 * a quote on purpose.
 */
export function checkFolder(folder: string, today: string, acceptQuotes: boolean) {
  if (acceptQuotes) pinQuotes(folder, today);
  const { faults, listings, leads } = checkEverything(folder, today);
  if (faults.length === 0)
    return { lines: [`${listings.length} listings and ${leads.length} leads are in order.`], status: 0 };
  const head = faults.length === 1 ? '1 fault:' : `${faults.length} faults:`;
  return { lines: [head, ...faults.map(faultText)], status: 1 };
}

/** Pins the quote of every valid listing; the check names the others. */
function pinQuotes(folder: string, today: string): void {
  for (const listing of checkEverything(folder, today).listings) {
    const quote_sha256 = quoteDigest(listing.check.quote);
    if (listing.editor.quote_sha256 !== quote_sha256)
      saveListing(folder, { ...listing, editor: { ...listing.editor, quote_sha256 } });
  }
}

/** The command; returns its exit status. */
export function main(args: readonly string[]): number {
  const folder = args.find((argument) => argument !== ACCEPT) ?? EDITED_FOLDER;
  const today = new Date().toISOString().slice(0, 10);
  const { lines, status } = checkFolder(folder, today, args.includes(ACCEPT));
  for (const line of lines) console[status === 0 ? 'log' : 'error'](line);
  return status;
}
