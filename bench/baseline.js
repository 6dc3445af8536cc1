import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const file = new URL('./baseline.json', import.meta.url);
const [release = ''] = process.versions.node.split('.');
/** What a busy machine hardly does to a ratio of two that take turns. */
const FACTOR = 1.5;

/** Ratios by version of Node.js and name: microseconds of two machines say nothing of each other. */
const known = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
const withRatio = (rows) => rows.filter(({ ratio }) => ratio !== null);

/** Keeps the ratios of these rows, beside those that are known of others. @param {readonly import('./measure.js').Row[]} rows */
export function writeBaseline(rows) {
  const ratios = withRatio(rows).map(({ name, ratio }) => [name, Number(ratio.toPrecision(3))]);
  const all = known();
  all[release] = { ...all[release], ...Object.fromEntries(ratios) };
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}

/** What moved since, as sentences. @param {readonly import('./measure.js').Row[]} rows */
export function movedSince(rows) {
  const before = known()[release] ?? {};
  return withRatio(rows).flatMap(({ name, ratio }) => {
    const was = before[name];
    if (was === undefined) return [`${name}: ${ratio.toFixed(2)}, and nothing to compare it with`];
    const times = ratio / was;
    if (times <= FACTOR && times >= 1 / FACTOR) return [];
    return [`${name}: ${ratio.toFixed(2)} instead of ${was}, ${times.toFixed(1)} times as much`];
  });
}
