import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One file as it was read; `file` is its path inside the data folder. */
export type DataFile = { readonly file: string; readonly text: string };

export type DirectoryData = {
  readonly listings: readonly DataFile[];
  readonly categories: DataFile;
  readonly shelves: DataFile;
  readonly leads: DataFile;
  readonly leftOut: DataFile;
};

/** The folder this module runs from; a build puts the data beside it. */
export const servedFolder = () => fileURLToPath(new URL('.', import.meta.url));

/** The folder an editor works in: the sources where they exist, else the served copy. */
export function editedFolder(): string {
  const sources = fileURLToPath(new URL('../../src/directory/', import.meta.url));
  return existsSync(sources) ? sources : servedFolder();
}

const readOne = (folder: string, file: string): DataFile => ({
  file,
  text: readFileSync(`${folder}/${file}`, 'utf8'),
});

export type ServedData = Pick<DirectoryData, 'listings' | 'categories' | 'shelves'>;

/** What the service needs at start. */
export const readServed = (folder: string): ServedData => ({
  listings: readdirSync(`${folder}/listings`)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readOne(folder, `listings/${name}`)),
  categories: readOne(folder, 'categories.json'),
  shelves: readOne(folder, 'shelves.json'),
});

/** What an editor can get wrong. */
export const readEverything = (folder: string): DirectoryData => ({
  ...readServed(folder),
  leads: readOne(folder, 'leads.json'),
  leftOut: readOne(folder, 'left-out.json'),
});
