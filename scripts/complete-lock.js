// npm omits the optional packages of other platforms from the lock file if it cannot look them up, and `npm ci` then
// rejects the whole file. This script adds their entries from the requirements of their parents. Run it after each
// change of a dependency: node scripts/complete-lock.js
import './node-version.js';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { optionsOf } from './options.js';
import { toolFolder, toolNames } from './tool.js';

optionsOf('Usage: node scripts/complete-lock.js\nAdds the packages of other platforms to the lock files.');

const platforms = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  openharmony: 'openharmony',
  win32: 'win32',
};
const processors = ['arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64', 'loong64', 'wasm32'];

/** The platform that a package's name ends in, as npm's `os`, `cpu` and `libc`; null if it names none. */
function platformOf(name) {
  const words = name.split('/').at(-1).split('-');
  const os = words.map((word) => platforms[word]).find(Boolean);
  const cpu = words.find((word) => processors.includes(word));
  if (cpu === 'wasm32') return { cpu: [cpu] };
  if (!os || !cpu) return null;
  const libc = words.find((word) => /^musl|^gnu/.test(word));
  const kind = libc?.startsWith('musl') ? 'musl' : 'glibc';
  return { os: [os], cpu: [cpu], ...(os === 'linux' && libc && { libc: [kind] }) };
}

/** Adds the missing entries to one lock file; returns their number. */
function complete(file) {
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const { packages } = lock;
  let added = 0;
  for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    if (path === '') continue;
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const own = `${path}/node_modules/${name}`;
      const shared = `node_modules/${name}`;
      const platform = platformOf(name);
      if (packages[own] || packages[shared] || platform === null || !/^\d+\.\d+\.\d+[\w.-]*$/.test(version))
        continue;
      const { os, cpu, libc } = platform;
      packages[shared] = {
        version,
        cpu,
        ...(dev && { dev }),
        ...(libc && { libc }),
        optional: true,
        ...(os && { os }),
      };
      added += 1;
    }
  }
  lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  return added;
}

const root = fileURLToPath(new URL('..', import.meta.url));
for (const folder of [root, ...toolNames().map(toolFolder)]) {
  const added = complete(join(folder, 'package-lock.json'));
  if (added > 0) console.log(`${added} platform packages added to the lock file of ${folder}`);
}
