import { readServed, servedFolder } from './data.ts';
import { buildDirectory, type Directory } from './directory.ts';
import { checkListings, type DataFault } from './faults.ts';

/** The data cannot be served; the message names every fault with its file and field. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError';
  readonly faults: readonly DataFault[];
  /** The latest day (YYYY-MM-DD) that the data speaks of, when all that is wrong is that it is to come. */
  readonly aheadOn: string | null;

  constructor(faults: readonly DataFault[]) {
    super(`The directory has ${faults.length} faults:\n${faults.map(faultText).join('\n')}`);
    this.faults = faults;
    const ahead = faults.flatMap(({ detail }) => AHEAD.exec(detail)?.[1] ?? []);
    this.aheadOn = ahead.length === faults.length ? (ahead.toSorted().at(-1) ?? null) : null;
  }
}

const AHEAD = /^(\d{4}-\d\d-\d\d) is in the future$/;

export const faultText = ({ file, field, detail }: DataFault) => `${file} ${field}: ${detail}`;

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
