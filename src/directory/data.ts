import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One file as it was read; `file` is its path inside the data folder. */
export type DataFile = { readonly file: string; readonly text: string };

/** The folder this module runs from; a build puts the data beside it. */
export const servedFolder = () => fileURLToPath(new URL('.', import.meta.url));

export const readOne = (folder: string, file: string): DataFile => ({
  file,
  text: readFileSync(`${folder}/${file}`, 'utf8'),
});

export type ServedData = {
  readonly listings: readonly DataFile[];
  readonly categories: DataFile;
  readonly shelves: DataFile;
};

/** What the service needs at start. */
export const readServed = (folder: string): ServedData => ({
  listings: readdirSync(`${folder}/listings`)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readOne(folder, `listings/${name}`)),
  categories: readOne(folder, 'categories.json'),
  shelves: readOne(folder, 'shelves.json'),
});
