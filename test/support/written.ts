import { type FSWatcher, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { until } from './until.ts';

/** The files below a folder that contain a text. */
export function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}

/** Watches folders for files that come and go; the returned function returns the names so far. */
export function filesMadeIn(folders: readonly string[]): () => Promise<string[]> {
  const made: string[] = [];
  const watchers: FSWatcher[] = folders.map((folder) =>
    watch(folder, (_, name) => made.push(join(basename(folder), name ?? ''))),
  );
  return async () => {
    // As soon as the last file is reported, all earlier ones have been reported.
    for (const folder of folders) {
      writeFileSync(join(folder, 'last'), '');
      await until(() => made.includes(join(basename(folder), 'last')), 'the last file is seen');
    }
    for (const watcher of watchers) watcher.close();
    return made.filter((name) => !name.endsWith('/last'));
  };
}
