// Part of the build: lists its third-party components (CycloneDX). The same lock file gives the same list.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './tool.js';

/** The part of a bill of materials for these components. */
function narrowed(bill, components) {
  const kept = new Set(components.map((component) => component['bom-ref']));
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref) || ref === bill.metadata.component['bom-ref'])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  return { ...bill, components, dependencies };
}

/** `name@version` of every package that ships. npm's `--omit=dev` also omits packages that development uses too. */
function shippedPackages({ packages }) {
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  return new Set(shipped.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`));
}

/** The entry of a package in a bill of materials; `known` is npm's own entry for it, if there is one. */
function componentOf({ name, version, license }, known) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const own = { 'bom-ref': `${name}@${version}`, type: 'library', name, version, purl };
  // An SPDX identifier, or an expression with several.
  const of = license.includes(' ') ? { expression: license } : { license: { id: license } };
  return known ?? { ...own, licenses: [of] };
}

const write = (folder, bill) =>
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);

/** Writes the list for a build and, into `bundle`, the list of the packages in the bundle. */
export function writeBillsOfMaterials(build, bundle, bundledPackages) {
  const listing = npm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], '.');
  if (listing.status !== 0) {
    console.log('Built without a bill of materials: npm sbom is not available here');
    return;
  }
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const { serialNumber: _serial, ...listed } = JSON.parse(listing.stdout);
  delete listed.metadata.timestamp;
  listed.metadata.component.name = lock.packages[''].name;
  const shipped = shippedPackages(lock);
  const bill = narrowed(
    listed,
    listed.components.filter(({ name, version }) => shipped.has(`${name}@${version}`)),
  );
  const bundled = bundledPackages.map((one) =>
    componentOf(
      one,
      bill.components.find(({ name, version }) => name === one.name && version === one.version),
    ),
  );
  write(build, bill);
  write(bundle, narrowed(bill, bundled));
}
