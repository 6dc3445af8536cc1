import type { Directory } from '../directory/directory.ts';
import { AheadOfClock } from '../directory/directory-error.ts';
import { loadDirectory } from '../directory/load.ts';
import { StartFault } from '../platform/start-fault.ts';

/** Loads the directory as of a day. Throws StartFault with a sentence that tells an operator what to do. */
export function readDirectory(nowMs: number): Directory {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  try {
    return loadDirectory(undefined, today);
  } catch (error) {
    if (!(error instanceof AheadOfClock)) throw error;
    throw new StartFault(
      `This machine's clock says ${today}, but the directory of tools was checked later, on ${error.day}: set the clock.`,
    );
  }
}
