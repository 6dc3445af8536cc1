import { writeFileSync } from 'node:fs';
import { isCommand } from './command.ts';
import { editedFolder, readEverything } from './data.ts';
import { checkEverything, quoteDigest } from './faults.ts';
import { faultText } from './load.ts';

const ACCEPT = '--accept-quotes';

/**
 * Checks all the data in a folder, listings, categories, quotes, leads and the left-out list. Answers the lines to
 * print and the exit status. With `acceptQuotes` the digests are written anew first, for an editor who has replaced
 * a quote on purpose.
 */
export function checkFolder(folder: string, today: string, acceptQuotes: boolean) {
  if (acceptQuotes) writeDigests(folder, today);
  const { faults, listings, leads } = checkEverything(readEverything(folder), today);
  if (faults.length === 0)
    return { lines: [`${listings.length} listings and ${leads.length} leads are in order.`], status: 0 };
  const head = faults.length === 1 ? '1 fault:' : `${faults.length} faults:`;
  return { lines: [head, ...faults.map(faultText)], status: 1 };
}

function writeDigests(folder: string, today: string): void {
  const { listings } = checkEverything(readEverything(folder), today);
  const digests = listings
    .map(({ id, check }) => [id, quoteDigest(check.quote)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(`${folder}/quotes.sha256.json`, `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`);
}

if (isCommand(import.meta.url)) {
  const args = process.argv.slice(2);
  const folder = args.find((argument) => argument !== ACCEPT) ?? editedFolder();
  const today = new Date().toISOString().slice(0, 10);
  const { lines, status } = checkFolder(folder, today, args.includes(ACCEPT));
  for (const line of lines) console[status === 0 ? 'log' : 'error'](line);
  process.exitCode = status;
}
