// Compiles src/ to dist/. With --if-stale it does so only when a source is newer than the last build,
// so that `npm start` costs an operator nothing when the build is there.
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
import { writeBundle } from './bundle.js';
import { moveInto, remove } from './moving.js';
import { npm } from './tool.js';

const stamp = 'dist/.built';
const ASSETS = 'surfaces/pages/assets';
const isLazy = process.argv.includes('--if-stale');

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

// Only who builds has it: an install for production brings no bundler.
const rolldown = await import('rolldown').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error(
    'There is no build of these sources, and nothing here to build with: run npm ci, without --omit=dev.',
  );
  process.exit(1);
});

// Somebody else may be building, and a service may be starting from what was built before.
// One folder deeper than what nobody else may look into: the service may run as another user.
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

// What changes from here on is newer than the build.
writeFileSync(join(making, '.built'), '');
const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', making];
const tsc = spawnSync(process.execPath, compiler, { stdio: 'inherit' });
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

// Data files that the compiled modules read at start.
for (const data of [ASSETS, 'surfaces/discovery/buyers'])
  cpSync(`src/${data}`, join(making, data), { recursive: true });

/** The listings without a fault, in one file; the build ends with the names of the faults otherwise. */
async function checkedListings() {
  const of = (file) => import(pathToFileURL(resolve(making, 'directory', file)).href);
  const [{ readServed }, { checkListings }, { DirectoryError }] = await Promise.all(
    ['data.js', 'faults.js', 'directory-error.js'].map(of),
  );
  const data = readServed('src/directory');
  // Whether a day is to come is asked when the service starts: a build asks no clock.
  const { listings, categories, shelves, faults } = checkListings(data, '9999-12-31');
  if (faults.length > 0) {
    console.error(new DirectoryError(faults).message);
    process.exit(1);
  }
  const latestDay = new DirectoryError(checkListings(data, '0000-00-00').faults).aheadOn;
  return JSON.stringify({ listings, categories, shelves, latestDay });
}
// What was checked here is not checked again at each start.
writeFileSync(join(making, 'directory/checked.json'), await checkedListings());
renameSync(join(making, 'directory/load-checked.js'), join(making, 'directory/load.js'));

// The scripts of the pages for people, each with all that it needs at once in one file; what it wants later is a file of
// its own. Names hold a digest of the content, so that browsers may keep them for good.
const islands = {};
const others = [];
for (const name of ['late-fee', 'quote', 'paid', 'play-money', 'tools', 'home']) {
  const { output } = await rolldown.build({
    input: { [name]: `src/islands/${name}.ts` },
    platform: 'browser',
    tsconfig: 'tsconfig.islands.json',
    // Without the libraries: two thirds of a script would be what they can do besides.
    resolve: {
      alias: {
        zod: resolve('src/islands/schemas.ts'),
      },
    },
    output: {
      dir: join(making, ASSETS, 'islands'),
      format: 'esm',
      minify: true,
      entryFileNames: '[name]-[hash].js',
      chunkFileNames: '[name]-[hash].js',
    },
  });
  islands[name] = output.find(({ isEntry }) => isEntry).fileName;
  others.push(...output.flatMap(({ moduleIds }) => moduleIds ?? []));
}
writeFileSync(join(making, ASSETS, 'islands/islands.json'), JSON.stringify(islands));

/** A style sheet without comments and space that says nothing; texts in it stay as they are. */
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
for (const file of readdirSync(join(making, ASSETS)).filter((one) => one.endsWith('.css'))) {
  const path = join(making, ASSETS, file);
  writeFileSync(path, smaller(readFileSync(path, 'utf8')));
}

// Nobody waits for these to be compressed.
for (const file of readdirSync(join(making, ASSETS), { recursive: true }).map(String))
  if (/\.(?:js|css|svg)$/.test(file)) {
    const path = join(making, ASSETS, file);
    writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
  }

const bundle = join(making, 'bundle');
const bundled = await writeBundle(bundle, making, { rolldown, others });

/** The part of a bill of materials that these packages are; one that it does not know is added. */
const onlyOf = (sbom, packages) => {
  const components = packages.map(({ name, version, license }) => {
    const known = sbom.components.find((one) => one.name === name && one.version === version);
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    const own = { 'bom-ref': `${name}@${version}`, type: 'library', name, version, purl };
    return known ?? { ...own, licenses: [{ license: { id: license } }] };
  });
  const refs = new Set(components.map((component) => component['bom-ref']));
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  return { ...sbom, components, dependencies };
};

// What of others is in it (CycloneDX), the same for the same lock file. `--omit=dev` of npm also leaves out what
// packages for development share with the others, so the lock file says which ones ship.
const listing = npm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], '.');
if (listing.status === 0) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const nameOf = (path) => path.split('node_modules/').at(-1);
  const shipped = new Set(
    Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && !dev)
      .map(([path, { version }]) => `${nameOf(path)}@${version}`),
  );
  const { serialNumber: _serial, ...sbom } = JSON.parse(listing.stdout);
  delete sbom.metadata.timestamp;
  sbom.metadata.component.name = packages[''].name;
  sbom.components = sbom.components.filter(({ name, version }) => shipped.has(`${name}@${version}`));
  const kept = new Set(sbom.components.map((component) => component['bom-ref']));
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => kept.has(ref) || ref === sbom.metadata.component['bom-ref'])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  writeFileSync(join(making, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);
  writeFileSync(join(bundle, 'sbom.cdx.json'), `${JSON.stringify(onlyOf(sbom, bundled), null, 2)}\n`);
} else console.log('Built without a bill of materials: npm sbom is not to be had here');

moveInto('dist', making, () => isLazy && isFresh());
