// Folders are built elsewhere and moved into place, so that no process sees an incomplete one.
import { renameSync, rmSync } from 'node:fs';

// Windows returns these codes while a virus scanner reads new files, and every system does if the target exists.
const IN_THE_WAY = new Set(['EPERM', 'EACCES', 'EBUSY', 'EEXIST', 'ENOTEMPTY']);
const PATIENCE_MS = 5_000;
const PAUSE_MS = 50;

const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);

/** Removes a folder, even while another process has it open. */
export const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });

/**
 * Moves a folder to `place`. An existing folder there is replaced, unless `isWhole()` says that another process has
 * already put a complete one there.
 */
export function moveInto(place, folder, isWhole = () => false) {
  const before = `${folder}-before`;
  const endMs = performance.now() + PATIENCE_MS;
  try {
    while (!isWhole())
      try {
        renameSync(folder, place);
        return;
      } catch (error) {
        if (!IN_THE_WAY.has(error.code) || performance.now() > endMs) throw error;
        if (!isWhole()) moveAway(place, before);
      }
  } finally {
    remove(before);
  }
}

function moveAway(place, before) {
  try {
    remove(before);
    renameSync(place, before);
  } catch {
    pause();
  }
}
