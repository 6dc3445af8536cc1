import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Document } from '../http/document.ts';

const DAY_SECONDS = 86_400;

const served = [
  { path: '/style.css', file: 'style.css', type: 'text/css; charset=utf-8' },
  { path: '/calculator.css', file: 'calculator.css', type: 'text/css; charset=utf-8' },
  { path: '/documents.css', file: 'documents.css', type: 'text/css; charset=utf-8' },
  { path: '/favicon.svg', file: 'favicon.svg', type: 'image/svg+xml' },
  { path: '/favicon.ico', file: 'favicon.ico', type: 'image/x-icon' },
  { path: '/icon.png', file: 'icon.png', type: 'image/png' },
  { path: '/og.png', file: 'og.png', type: 'image/png' },
] as const;

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const reader = [
  { path: '/docs/reader.js', file: 'reader.js', type: SCRIPT_TYPE },
  { path: '/docs/redoc.js', file: 'redoc.js', type: SCRIPT_TYPE },
] as const;

const islands = [
  { path: '/islands/free.js', file: 'free.js', type: SCRIPT_TYPE },
  { path: '/islands/paid.js', file: 'paid.js', type: SCRIPT_TYPE },
  { path: '/islands/play-money.js', file: 'play-money.js', type: SCRIPT_TYPE },
] as const;

/** Scripts of the API reader, in the order in which they run. */
export const READER_SCRIPTS: readonly string[] = ['/docs/redoc.js', '/docs/reader.js'];

const location = (file: string): URL => new URL(`./assets/${file}`, import.meta.url);

/** The API reader is put in place by the build; without it the plain reference stands alone. */
export const hasReader = (): boolean => existsSync(location('redoc.js'));

/** The scripts of the calculators, which the build bundles; without them forms are sent to the server. */
export const islandScripts = (path: (typeof islands)[number]['path']): readonly string[] =>
  islands.some((one) => one.path === path && existsSync(location(one.file))) ? [assetAddress(path)] : [];

const digests = new Map<string, string>();

/** The address of one of our files that changes with its content, so that no page meets an older script. */
export function assetAddress(path: string): string {
  const known = digests.get(path);
  if (known !== undefined) return known;
  const found = [...served, ...reader, ...islands].find((one) => one.path === path);
  if (found === undefined) throw new Error(`No asset is served at ${path}`);
  const digest = createHash('sha256')
    .update(readFileSync(location(found.file)))
    .digest('base64url');
  const address = `${path}?v=${digest.slice(0, 12)}`;
  digests.set(path, address);
  return address;
}

/** Styles, icons, and the API reader where it is built in. */
export function assetDocuments(): Document[] {
  const bundled = islands.filter(({ file }) => existsSync(location(file)));
  const files = [...served, ...(hasReader() ? reader : []), ...bundled];
  return files.map(({ path, file, type }) => ({
    path,
    make: () => ({
      forms: [{ type, body: readFileSync(location(file)) }],
      maxAgeSeconds: DAY_SECONDS,
    }),
  }));
}
