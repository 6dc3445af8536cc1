// Compiles src/ to dist/. With --if-stale, it does so only if a source is newer than the last build, so that `npm
// start` takes no extra time if the build is current.
import './node-version.js';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { writeBillsOfMaterials } from './bill-of-materials.js';
import { writeBundle } from './bundle.js';
import { islandOptions } from './islands.js';
import { moveInto, remove } from './moving.js';
import { optionsOf } from './options.js';

const stamp = 'dist/.built';
const ASSETS = 'surfaces/pages/assets';
const USAGE = `Usage: npm run build
Compiles src to dist, and writes dist/bundle.`;
const isLazy = optionsOf(USAGE, { options: { 'if-stale': { type: 'boolean' } } }).values['if-stale'] === true;

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
  return newest('src') <= built && statSync('tsconfig.build.json').mtimeMs <= built;
};

if (isLazy && isFresh()) process.exit(0);

// A production install has no bundler.
const rolldown = await import('rolldown').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error(
    'These sources are not built, and the packages for a build are missing: run npm ci without --omit=dev.',
  );
  process.exit(1);
});

/**
 * The folder to build in, because another build may be running and a service may be starting from the last one. It is
 * one level below a private folder, because the service may run as another user.
 */
const prepared = () => {
  try {
    mkdirSync('build', { recursive: true });
    const around = mkdtempSync('build/dist-');
    process.on('exit', () => remove(around));
    mkdirSync(join(around, 'dist'));
    return join(around, 'dist');
  } catch ({ code }) {
    console.error(
      `The folder of the project cannot be written to (${code}): run npm run build as its owner.`,
    );
    return process.exit(1);
  }
};
const making = prepared();

// Changes from here on are newer than the build.
writeFileSync(join(making, '.built'), '');
const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', making];
const tsc = spawnSync(process.execPath, compiler, { stdio: 'inherit' });
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

// Data files that the compiled modules read at startup.
for (const data of [ASSETS, 'surfaces/discovery/buyers'])
  cpSync(`src/${data}`, join(making, data), { recursive: true });

/** The listings without faults, in one file; if there are faults, the build fails and names them. */
async function checkedListings() {
  const of = (file) => import(pathToFileURL(resolve(making, 'directory', file)).href);
  const [{ readServed }, { checkListings }, { DirectoryError }] = await Promise.all(
    ['load.js', 'check.js', 'directory-error.js'].map(of),
  );
  const data = readServed('src/directory');
  // The service checks for future days when it starts, because a build does not use the clock.
  const { listings, notChecked, categories, shelves, faults } = checkListings(data, '9999-12-31');
  if (faults.length > 0) {
    console.error(new DirectoryError(faults).message);
    process.exit(1);
  }
  const days = [
    ...listings.flatMap(({ changed_on, check }) => [changed_on, check.checked_on]),
    ...notChecked.map(({ changed_on }) => changed_on),
  ];
  const latestDay = days.toSorted().at(-1);
  return JSON.stringify({ listings, notChecked, categories, shelves, latestDay });
}
// Data checked here is not checked again each time the service starts.
writeFileSync(join(making, 'directory/checked.json'), await checkedListings());
renameSync(join(making, 'directory/load-checked.js'), join(making, 'directory/load.js'));

/**
 * The page scripts, each in one file with everything it needs at once; code that it needs later is in a separate file.
 * Names contain a digest of the content, so that browsers may keep the files forever. Returns every module in them.
 */
async function bundleIslands() {
  const files = {};
  const modules = [];
  for (const name of [
    'late-invoice',
    'quote',
    'on-this-device',
    'plan',
    'play-money',
    'tools',
    'home',
    'chat',
  ]) {
    const { output } = await rolldown.build({
      input: { [name]: `src/islands/${name}.ts` },
      ...islandOptions,
      output: {
        dir: join(making, ASSETS, 'islands'),
        format: 'esm',
        minify: true,
        entryFileNames: '[name]-[hash].js',
        chunkFileNames: '[name]-[hash].js',
      },
    });
    files[name] = output.find(({ isEntry }) => isEntry).fileName;
    modules.push(...output.flatMap(({ moduleIds }) => moduleIds ?? []));
  }
  writeFileSync(join(making, ASSETS, 'islands/islands.json'), JSON.stringify(files));
  return modules;
}

/** A style sheet without comments and redundant space; strings do not change. */
const smaller = (css) =>
  css
    .replace(
      /("[^"]*")|\/\*[\s\S]*?\*\/|\s*([{};,])\s*|(:)\s+|\s+/g,
      (_, text = '', mark = '', colon = '', at, all) => {
        if (text || mark || colon) return text || mark || colon;
        return all.startsWith('/*', at) ? '' : ' ';
      },
    )
    .replaceAll(';}', '}')
    .trim();

/** Minifies style sheets, and compresses assets for browsers at the highest level, because nobody waits for it here. */
function shrinkAssets() {
  const folder = join(making, ASSETS);
  for (const file of readdirSync(folder, { recursive: true }).map(String)) {
    const path = join(folder, file);
    if (file.endsWith('.css')) writeFileSync(path, smaller(readFileSync(path, 'utf8')));
    if (/\.(?:js|css|svg)$/.test(file)) writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
  }
}

const others = await bundleIslands();
shrinkAssets();
const bundle = join(making, 'bundle');
const bundledPackages = await writeBundle(bundle, making, { rolldown, others });
writeBillsOfMaterials(making, bundle, bundledPackages);
moveInto('dist', making, () => isLazy && isFresh());
