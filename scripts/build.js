// Compiles src/ to dist/. With --if-stale it does so only when a source is newer than the last build,
// so that `npm start` costs an operator nothing when the build is there.
import './node-version.js';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFetched, toolFolder } from './tool.js';

const stamp = 'dist/.built';
const READER_SOURCE = join(toolFolder('reference'), 'node_modules/redoc/bundles/redoc.standalone.js');
const READER_TARGET = 'dist/surfaces/pages/assets/redoc.js';

const newest = (folder) =>
  Math.max(
    0,
    ...readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs),
  );

const isFresh = () => {
  if (!existsSync('src')) return existsSync(stamp);
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  if (isFetched('reference') && !existsSync(READER_TARGET)) return false;
  return newest('src') <= built && statSync('tsconfig.build.json').mtimeMs <= built;
};

if (process.argv.includes('--if-stale') && isFresh()) process.exit(0);

// Only who builds has it: an install for production brings no bundler.
const { build } = await import('rolldown');

rmSync('dist', { recursive: true, force: true });
const tsc = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

// Data files that the compiled modules read at start.
for (const data of [
  'directory/listings',
  'directory/categories.json',
  'directory/shelves.json',
  'surfaces/pages/assets',
])
  if (existsSync(`src/${data}`)) cpSync(`src/${data}`, `dist/${data}`, { recursive: true });
// The API reader of /docs/reference, served by us, where it has been fetched. It would fetch a logo from its maker; ours
// takes the place.
if (isFetched('reference')) {
  const logo = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
  const reader = readFileSync(READER_SOURCE, 'utf8');
  if (reader.split(logo).length !== 2)
    throw new Error('redoc names its logo otherwise than this build expects');
  writeFileSync(READER_TARGET, reader.replace(logo, '/favicon.svg'));
} else
  console.log(
    'Built without the reader at /docs/reference; to have it: node scripts/tool.js reference && npm run build',
  );
// The scripts of the pages for people, with all that they need in one file each.
for (const name of ['free', 'paid', 'play-money'])
  await build({
    input: `src/islands/${name}.ts`,
    platform: 'browser',
    tsconfig: 'tsconfig.islands.json',
    output: { file: `dist/surfaces/pages/assets/${name}.js`, format: 'iife', minify: true },
  });
writeFileSync(stamp, '');
