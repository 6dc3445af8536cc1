// Compares the imports between the folders of src with the table in ARCHITECTURE.md, which defines the rules. Part of
// `npm run check`. Types count like everything else.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { optionsOf } from './options.js';

const IMPORT =
  /^(?:import|export)\s+(?<type>type\s)?(?:[^;'"]*?\sfrom\s+)?'(?<from>[^']+)'|\bimport\('(?<late>[^']+)'\)/gm;

/** @typedef {{ file: string, folder: string, target: string, isType: boolean }} Import */
/** @typedef {{ holds: string, folders: Set<string>, typesOf: Set<string>, packages: Set<string> }} Rule */

const names = (text) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

/**
 * The rows of the table: | `folder` | holds | may import; types of … | packages |
 * @returns {Map<string, Rule>}
 */
export function rulesOf(markdown) {
  const rows = [...markdown.matchAll(/^\| `([\w/-]+)` \|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)];
  return new Map(
    rows.map(([, folder, holds, imports, packages]) => {
      const [values, types = ''] = imports.split('types of ');
      const rule = { folders: new Set(names(values)), typesOf: new Set(names(types)) };
      return [folder, { ...rule, holds: holds.trim(), packages: new Set(names(packages)) }];
    }),
  );
}

/** @returns {string[]} The sources below a folder that are not tests, with forward slashes. */
function sourcesOf(root) {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map((entry) =>
      relative(root, join(entry.parentPath ?? entry.path, entry.name))
        .split(sep)
        .join('/'),
    )
    .toSorted();
}

/** The row of a file: the row of its folder, or of the nearest parent folder that has one. */
function rowOf(file, rules) {
  for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder))
    if (rules.has(folder)) return folder;
  return file.includes('/') ? posix.dirname(file) : 'src';
}

/** @returns {Import[]} Every import that leaves its row; `target` is a row or a package. */
export function importsOf(root, rules) {
  return sourcesOf(root).flatMap((file) => {
    const folder = rowOf(file, rules);
    const found = [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)];
    return found.flatMap(({ groups: { type, from, late } }) => {
      const target = targetOf(from ?? late, file, rules);
      return target === folder ? [] : [{ file, folder, target, isType: type !== undefined }];
    });
  });
}

function targetOf(name, file, rules) {
  if (name.startsWith('.')) return rowOf(posix.join(posix.dirname(file), name), rules);
  if (name.startsWith('node:')) return 'node';
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

/** @returns {string[]} Imports that the table forbids, permissions that no import uses, and cycles. */
export function faultsOf(root, markdown) {
  const rules = rulesOf(markdown);
  const imports = importsOf(root, rules);
  const isOurs = (name) => rules.has(name) || imports.some(({ folder }) => folder === name);
  const unlisted = [...new Set(imports.map(({ folder }) => folder))]
    .filter((folder) => !rules.has(folder))
    .map((folder) => `${folder} has no row`);
  const forbidden = imports
    .filter(({ folder, target, isType }) => {
      const { folders, typesOf, packages } = rules.get(folder) ?? {};
      return !(folders?.has(target) || packages?.has(target) || (isType && typesOf?.has(target)));
    })
    .map(
      ({ file, target, isType }) =>
        `${file} imports ${isType ? 'types of ' : ''}${target}, which its row forbids`,
    );
  const isUsed = (folder, target, isType) =>
    imports.some(
      (one) => one.folder === folder && one.target === target && (isType || !one.isType || !isOurs(target)),
    );
  const idle = [...rules].flatMap(([folder, { folders, typesOf, packages }]) => [
    ...[...folders, ...packages]
      .filter((target) => !isUsed(folder, target, false))
      .map((target) => `${folder} may import ${target} and does not`),
    ...[...typesOf]
      .filter((target) => !isUsed(folder, target, true))
      .map((target) => `${folder} may import types of ${target} and does not`),
  ]);
  const around = circles(imports.filter(({ target }) => isOurs(target)));
  return [...unlisted, ...new Set(forbidden), ...idle, ...around, ...pictureFaults(markdown, rules)];
}

/** Folders in an import cycle; each cycle is named once, from its first folder. */
function circles(imports) {
  const next = new Map();
  for (const { folder, target } of imports) next.set(folder, (next.get(folder) ?? new Set()).add(target));
  const way = (from, to, seen = new Set()) => {
    for (const step of next.get(from) ?? []) {
      if (step === to) return [from, to];
      if (seen.has(step)) continue;
      seen.add(step);
      const rest = way(step, to, seen);
      if (rest !== null) return [from, ...rest];
    }
    return null;
  };
  const found = [...next.keys()].flatMap((folder) => {
    const around = way(folder, folder);
    return around === null || around.toSorted()[0] !== folder ? [] : [around.join(' -> ')];
  });
  return found.map((around) => `${around} is a circle`);
}

/** @returns {[string, string][]} The arrows of the first picture: `a & b --> c`. */
function arrowsOf(markdown) {
  const picture = /```mermaid\nflowchart[^\n]*\n([^`]*)```/.exec(markdown)?.[1] ?? '';
  return picture.split('\n').flatMap((line) => {
    const stops = line.split('-->').map((stop) => stop.split('&').map((name) => name.trim()));
    return stops
      .slice(1)
      .flatMap((to, index) => to.flatMap((end) => stops[index].map((from) => [from, end])));
  });
}

/** @returns {string[]} Arrows that are not in the table, and folders that are not in the picture. */
function pictureFaults(markdown, rules) {
  const arrows = arrowsOf(markdown);
  const shown = new Set(arrows.flat());
  const isKnown = ([from, to]) => rules.get(from)?.folders.has(to) || rules.get(from)?.typesOf.has(to);
  return [
    ...arrows
      .filter((arrow) => !isKnown(arrow))
      .map(([from, to]) => `the picture shows ${from} --> ${to}, which is not in the table`),
    ...[...rules]
      .filter(([row, { folders, typesOf }]) => folders.size + typesOf.size > 0 && !shown.has(row))
      .map(([row]) => `the picture omits ${row}`),
  ];
}

/** The table as the current imports require it, for developers who update ARCHITECTURE.md. */
function tableOf(root, markdown) {
  const rules = rulesOf(markdown);
  const imports = importsOf(root, rules);
  const list = (found) => [...new Set(found.map(({ target }) => `\`${target}\``))].toSorted().join(', ');
  return [...rules].map(([folder, { holds }]) => {
    const own = imports.filter((one) => one.folder === folder);
    const ours = own.filter(({ target }) => rules.has(target));
    const values = ours.filter(({ isType }) => !isType);
    const types = ours.filter(({ target }) => !values.some((one) => one.target === target));
    const cells = [list(values), types.length > 0 && `types of ${list(types)}`].filter(Boolean).join('; ');
    const packages = list(own.filter(({ target }) => !rules.has(target)));
    return ['', ` \`${folder}\` `, ` ${holds} `, ` ${cells} `, ` ${packages} `, '']
      .join('|')
      .replaceAll('|  ', '| ');
  });
}

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const markdown = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const USAGE = `Usage: node scripts/imports.js [--table]
Compares the imports between folders with the table in ARCHITECTURE.md; --table prints the current table.`;
  const { values } = optionsOf(USAGE, { options: { table: { type: 'boolean' } } });
  if (values.table) console.log(tableOf(join(root, 'src'), markdown).join('\n'));
  else {
    const faults = faultsOf(join(root, 'src'), markdown);
    for (const fault of faults) console.error(fault);
    process.exitCode = faults.length > 0 ? 1 : 0;
  }
}
