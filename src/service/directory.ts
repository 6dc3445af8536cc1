import type { Directory } from '../directory/directory.ts';
import { DirectoryError } from '../directory/directory-error.ts';
import { loadDirectory } from '../directory/load.ts';
import { StartFault } from '../platform/start-fault.ts';

/** Loads the directory as of a day. Throws StartFault with a sentence that an operator can act on. */
export function readDirectory(nowMs: number): Directory {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  try {
    return loadDirectory(undefined, today);
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    const { aheadOn, faults } = error;
    throw new StartFault(
      aheadOn === null
        ? `The directory of tools has ${faults.length} faults: npm run directory:check names them, and npm run build brings what belongs to this release.`
        : `This machine's clock says ${today}, but the directory of tools was checked on ${aheadOn}: set the clock.`,
    );
  }
}
