// Folders are made elsewhere and moved into place, so that nobody ever meets half of one.
import { renameSync, rmSync } from 'node:fs';

// What Windows answers while a scanner still reads new files, and what every system answers where something stands.
const IN_THE_WAY = new Set(['EPERM', 'EACCES', 'EBUSY', 'EEXIST', 'ENOTEMPTY']);
const PATIENCE_MS = 5_000;
const PAUSE_MS = 50;

const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);

/** Removes a folder, also where somebody is still looking into it. */
export const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });

/**
 * Moves a folder to `place`. What stands there gives way in a moment, unless it `isWhole`: somebody else was faster then.
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
