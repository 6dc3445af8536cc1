// `npm run directory:check`, `directory:picks`, `directory:refresh`: an editor's work on src/directory, in a full
// checkout with the development packages.
import './node-version.js';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { optionsOf } from './options.js';

const USAGES = {
  check: `Usage: npm run directory:check [-- FOLDER] [--accept-quotes]
Checks every listing and shelf, and prints what is wrong.`,
  picks: `Usage: npm run directory:picks
Prints which tools the report picks for each kind of business.`,
  refresh: `Usage: npm run directory:refresh [-- ID …] [--leads] [--changed-since=DAY]
Reads the quoted pages again and says which quotes are still there.`,
};
const [name, ...args] = process.argv.slice(2);
const flag = { type: 'boolean' };
const options = { 'accept-quotes': flag, leads: flag, 'changed-since': { type: 'string' } };
optionsOf(USAGES[name] ?? Object.values(USAGES).join('\n\n'), { options, allowPositionals: true });
const program = `tools/directory/${name}.ts`;
const rolldown = await import('rolldown').catch(() => null);
if (rolldown === null || !existsSync(program) || !existsSync('src/directory/listings')) {
  console.error(`npm run directory:${name} needs a full checkout: clone the repository and run npm ci.`);
  process.exit(2);
}
const file = `build/directory/${name}.js`;
await rolldown.build({ input: program, platform: 'node', external: /^[^./]/, output: { file } });
const { main } = await import(pathToFileURL(file).href);
process.exitCode = await main(args);
