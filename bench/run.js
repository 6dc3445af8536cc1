// `npm run bench`: runs every part, or those named as arguments; prints one table, and exits with 1 if a target is
// missed.
// --write adds it to the day's report in docs/reports, and --baseline writes its ratios to baseline.json. --check
// reports the ratios that have changed since, and always exits with 0, because a busy machine must not stop a release.
import '../scripts/node-version.js';
import { existsSync } from 'node:fs';
import { optionsOf } from '../scripts/options.js';
import { fetchTool } from '../scripts/tool.js';
import { movedSince, writeBaseline } from './baseline.js';
import { misses } from './measure.js';
import { tableOf } from './table.js';

const files = {
  purchase: new URL('./purchase.js', import.meta.url),
  crowd: new URL('./crowd.js', import.meta.url),
  challenge: new URL('./challenge.js', import.meta.url),
  calculators: new URL('./calculators.js', import.meta.url),
  lasting: new URL('./lasting.js', import.meta.url),
  growth: new URL('./growth.js', import.meta.url),
  domain: new URL('./domain.js', import.meta.url),
  start: new URL('./start.js', import.meta.url),
  mcp: new URL('./mcp.js', import.meta.url),
  dear: new URL('./dear.js', import.meta.url),
  discovery: new URL('./discovery.js', import.meta.url),
};

const known = Object.keys(files).filter((name) => existsSync(files[name]));
const USAGE = `Usage: npm run bench [-- PART …] [--check] [--write] [--baseline]
Measures every part, or only those that you name: ${known.join(', ')}.
  --check      says which ratios moved since the baseline; always exits with status 0
  --write      writes the table into the documents
  --baseline   writes the ratios into bench/baseline.json`;
const flag = { type: 'boolean' };
const { values: told, positionals: wanted } = optionsOf(USAGE, {
  allowPositionals: true,
  options: { write: flag, baseline: flag, check: flag },
});
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no part called ${unknown.join(', ')}; the parts are ${known.join(', ')}.`);
  process.exit(2);
}

// The peers of some parts, fetched before any part waits for one to start.
for (const tool of ['x402', 'bench-peers']) fetchTool(tool);
const rows = [];
for (const name of wanted.length > 0 ? wanted : known) {
  const part = await import(files[name]);
  const bench = part[`bench${name[0].toUpperCase()}${name.slice(1)}`];
  console.error(`${name} ...`);
  rows.push(...(await bench()));
}
console.log(tableOf(rows));
if (told.check) for (const moved of movedSince(rows)) console.log(`moved: ${moved}`);
if (told.baseline) writeBaseline(rows);
if (told.write) await (await import('./report.js')).writeReport(rows);
const missed = rows.filter(misses);
if (missed.length > 0) console.error(`Missed: ${missed.map(({ name }) => name).join('; ')}.`);
process.exitCode = missed.length > 0 && !told.check ? 1 : 0;
