// `npm run directory:check`, `directory:picks`, `directory:refresh`: an editor's work on src/directory, in a full checkout
// with the packages for development.
import './node-version.js';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [name, ...args] = process.argv.slice(2);
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
