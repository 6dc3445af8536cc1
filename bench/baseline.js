import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const file = new URL('./baseline.json', import.meta.url);
const [release = ''] = process.versions.node.split('.');
/** The maximum effect of a busy machine on the ratio of two subjects that take turns. */
const FACTOR = 1.5;

/** Ratios by version of Node.js and name: microseconds of two machines cannot be compared. */
const known = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
const withRatio = (rows) => rows.filter(({ ratio }) => ratio !== null);

/**
 * Stores the ratios of these rows, and keeps the known ratios of others. @param {readonly import('./measure.js').Row[]}
 * rows
 */
export function writeBaseline(rows) {
  const ratios = withRatio(rows).map(({ name, ratio }) => [name, Number(ratio.toPrecision(3))]);
  const all = known();
  all[release] = { ...all[release], ...Object.fromEntries(ratios) };
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}

/** The ratios that have changed since then, as sentences. @param {readonly import('./measure.js').Row[]} rows */
export function movedSince(rows) {
  const before = known()[release] ?? {};
  return withRatio(rows).flatMap(({ name, ratio }) => {
    const was = before[name];
    if (was === undefined) return [`${name}: ${ratio.toFixed(2)}, and there is nothing to compare it with`];
    const times = ratio / was;
    if (times <= FACTOR && times >= 1 / FACTOR) return [];
    return [`${name}: ${ratio.toFixed(2)} instead of ${was}, ${times.toFixed(1)} times as much`];
  });
}
