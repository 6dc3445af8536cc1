// Part of the build: the service and its operator's commands as a folder that runs without node_modules. It has the
// layout of the project, with package.json next to dist/, so the same commands and the same `.env` work in both.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative, resolve } from 'node:path';

const COMMANDS = {
  start: 'main',
  doctor: 'doctor',
  purchases: 'purchases',
};
/** Files that modules read at run time from their place in dist/. */
const DATA = ['surfaces/pages/assets', 'surfaces/discovery/buyers', 'directory/checked.json'];
const STAND_INS = {
  'src/devnet/chain.ts': 'src/devnet/chain-unavailable.ts',
  'src/directory/load.ts': 'src/directory/load-checked.ts',
};
const WASM = 'tiny-secp256k1/lib/secp256k1.wasm';
const READS_WASM = 'tiny-secp256k1/lib/wasm_path.js';

const slashed = (path) => path.replaceAll('\\', '/');
const ofProject = (id) => slashed(relative('.', id));
const inPackages = (id) => slashed(id).split('/node_modules/').at(-1);
const isPackaged = (id) => /[\\/]node_modules[\\/]/.test(id);
const slug = (name) => name.replace('@', '').replace('/', '-');
const packageOf = (id) => /^(?:@[^/]+\/)?[^/]+/.exec(inPackages(id))[0];

/** The folder of the package that a module belongs to. */
const packageFolder = (id) => {
  const path = slashed(id);
  return path.slice(0, path.length - inPackages(id).length) + packageOf(id);
};

const standIn = {
  name: 'stand-ins',
  async resolveId(source, importer, options) {
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    const instead = found === null ? undefined : STAND_INS[ofProject(found.id)];
    return instead === undefined ? found : { ...found, id: resolve(instead) };
  },
};

/**
 * A module can find the files next to it in dist/ from any file of the bundle, because all of these files are one
 * folder deep.
 */
const ownAddress = {
  name: 'own-address',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null;
    if (id.startsWith('\0') || id.startsWith('rolldown/')) return null;
    const isOurs = !isPackaged(id);
    if (!isOurs && inPackages(id) !== READS_WASM)
      throw new Error(`${inPackages(id)} reads files next to it: the bundle must include them`);
    const place = isOurs ? ofProject(id).replace(/^src\//, '') : `packages/${READS_WASM.split('/').at(-1)}`;
    return code.replaceAll('import.meta.url', `new URL('../${place}', import.meta.url).href`);
  },
};

/**
 * Packages are minified. Our code stays readable, because fault logs refer to its lines. V8 keeps a text in memory at
 * two bytes per character if any character is beyond Latin-1, so such characters are escaped.
 */
const shrunk = (minifySync) => ({
  name: 'shrunk',
  generateBundle(_options, files) {
    const names = { compress: false, mangle: { keepNames: true } };
    for (const file of Object.values(files)) {
      if (file.fileName.startsWith('dist/packages/')) {
        const { code, errors } = minifySync(file.fileName, file.code, { ...names, module: true });
        if (errors.length > 0) throw new Error(`${file.fileName} cannot be shrunk: ${errors[0].message}`);
        file.code = code;
      }
      if (/\\[\u0100-\uffff]/.test(file.code))
        throw new Error(`${file.fileName} has an escaped character beyond Latin-1`);
      file.code = file.code.replace(/[\u0100-\uffff]/g, escaped);
    }
  },
});
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const licenceText = (folder) => {
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  return files.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim());
};

/** Name, version and license of every package that any of these modules comes from. */
const packagesOf = (ids) =>
  [...new Set(ids.filter(isPackaged).map(packageFolder))].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { name, version, license, folder };
  });

const noticesOf = (packages) =>
  packages
    .map(({ name, version, license, folder }) =>
      [`${name} ${version} (${license})`, ...licenceText(folder)].join('\n\n'),
    )
    .join(`\n\n${'-'.repeat(80)}\n\n`);

const manifestOf = ({ name, version, description, license, type, engines }) => ({
  ...{ name, version, private: true, description, license, type, engines },
  scripts: Object.fromEntries(
    Object.entries(COMMANDS).map(([command, entry]) => {
      if (command !== 'start') return [command, `node dist/bin/${entry}.js`];
      // A small young generation saves 20 MB at rest. A shell forwards no signals, so `exec` replaces it; the Windows
      // shell has no exec.
      const program = `node --max-semi-space-size=4 dist/bin/${entry}.js`;
      return [command, `exec ${program} || ${program}`];
    }),
  ),
});

/** An import outside the bundle must be part of Node.js, or optional for the package that imports it. */
function refuseWhatIsMissing(output) {
  for (const { imports = [], dynamicImports = [], fileName } of output) {
    const wanted = [...imports, ...dynamicImports.filter((name) => existsSync(join('node_modules', name)))];
    const missing = wanted.filter((name) => !name.startsWith('dist/') && !isBuiltin(name));
    if (missing.length > 0) throw new Error(`${fileName} imports ${missing}, which is not in the bundle`);
  }
}

/**
 * Bundles the build into `folder`. `others` are other modules whose packages are in the bundle, such as those of the
 * page scripts. Resolves to the packages in the bundle.
 */
export async function writeBundle(folder, built, { rolldown, others }) {
  const { minifySync } = await import('rolldown/utils');
  const entries = Object.values(COMMANDS).map((name) => [name, `src/bin/${name}.ts`]);
  const { output } = await rolldown.build({
    input: Object.fromEntries(entries),
    platform: 'node',
    tsconfig: 'tsconfig.json',
    plugins: [standIn, ownAddress, shrunk(minifySync)],
    output: {
      dir: folder,
      format: 'esm',
      comments: false,
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
      entryFileNames: 'dist/bin/[name].js',
      chunkFileNames: ({ moduleIds }) =>
        moduleIds.some((id) => !isPackaged(id) && !id.includes('rolldown/'))
          ? 'dist/shared/[name].js'
          : 'dist/packages/[name].js',
      // Our code and the code of packages are in separate files, because fault logs give positions in our files only.
      codeSplitting: {
        groups: [{ debugName: 'packages', test: isPackaged, name: (id) => slug(packageOf(id)) }],
      },
    },
  });
  refuseWhatIsMissing(output);
  for (const data of DATA) cpSync(join(built, data), join(folder, 'dist', data), { recursive: true });
  cpSync(join('node_modules', WASM), join(folder, 'dist/packages', WASM.split('/').at(-1)));
  const packages = packagesOf([...output.flatMap(({ moduleIds }) => moduleIds ?? []), ...others]);
  const manifest = manifestOf(JSON.parse(readFileSync('package.json', 'utf8')));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), `${noticesOf(packages)}\n`);
  for (const name of ['LICENSE', '.env.example']) if (existsSync(name)) cpSync(name, join(folder, name));
  return packages;
}
