import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type Document, once } from '../http/documents.ts';
import type { Body } from '../http/reply.ts';
import type { Router } from '../http/router.ts';
import { OG_PICTURES, type OgPicture, ogAddress } from './og-pictures.ts';

const DAY_SECONDS = 86_400;

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
};

/** The files that are served under fixed names. */
const served: readonly string[] = [
  'style.css',
  'home.css',
  'directory.css',
  'documents.css',
  'quote.css',
  'pay.css',
  'late-invoice.css',
  'plan.css',
  'favicon.svg',
  'favicon.ico',
  'icon.png',
];

/** The pictures of link previews, drawn by scripts/og-pictures.js. */
const pictures = (Object.keys(OG_PICTURES) as OgPicture[]).map((name) => ({
  path: ogAddress(name),
  file: `og/${name}.png`,
}));

const location = (file: string): URL => new URL(`./assets/${file}`, import.meta.url);

/** The page scripts by name, bundled by the build; without them, forms are submitted to the server. */
const islands = once((): Readonly<Record<string, string>> => {
  const list = location('islands/islands.json');
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
});

export type Island =
  | 'late-invoice'
  | 'quote'
  | 'on-this-device'
  | 'plan'
  | 'play-money'
  | 'tools'
  | 'home'
  | 'chat';

export function islandScripts(name: Island): readonly string[] {
  const file = islands()[name];
  return file === undefined ? [] : [`/islands/${file}`];
}

/** The text of a style sheet. */
export const assetText = (file: string): string => readFileSync(location(file), 'utf8');

/** The text of a script; null without a build. */
export function islandText(name: Island): string | null {
  const file = islands()[name];
  return file === undefined ? null : assetText(`islands/${file}`);
}

const versions = new Map<string, string>();

/** A short digest of an asset. */
function versionOf(file: string): string {
  const version =
    versions.get(file) ??
    createHash('sha256')
      .update(readFileSync(location(file)))
      .digest('base64url')
      .slice(0, 12);
  versions.set(file, version);
  return version;
}

/** The address of an asset with its version, so that a cache never serves an older one. */
export function assetAddress(path: string): string {
  const file = path.slice(1);
  if (!served.includes(file)) throw new Error(`No asset is served at ${path}`);
  return `${path}?v=${versionOf(file)}`;
}

function formOf(file: string): Body {
  const brotli = location(`${file}.br`);
  return {
    type: TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    body: readFileSync(location(file)),
    ...(existsSync(brotli) && { brotli: readFileSync(brotli) }),
  };
}

/** Styles, icons, pictures and the scripts of the pages. */
export function assetDocuments(): Document[] {
  const files = [...served.map((file) => ({ path: `/${file}`, file })), ...pictures];
  return [
    ...files.map(({ path, file }) => ({
      path,
      make: () => ({ forms: [formOf(file)] as const, maxAgeSeconds: DAY_SECONDS, version: versionOf(file) }),
    })),
    ...islandDocuments(),
  ];
}

function islandDocuments(): Document[] {
  const folder = location('islands/');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .map((file) => ({
      path: `/islands/${file}`,
      // The file name contains a digest of the content, so the address needs no version.
      make: () => ({ forms: [formOf(`islands/${file}`)] as const, version: '' }),
    }));
}

/** Redirects scripts of an older build, which a cached page may still request, to the scripts of this build. */
export function mountOlderIslands(router: Router): void {
  router.on(['GET'], '/islands/{file}', (_requested, file) => {
    const name = /^(.+)-[\w-]{8}\.js$/.exec(file)?.[1] ?? '';
    const [script] = Object.hasOwn(islands(), name) ? islandScripts(name as Island) : [];
    if (script === undefined) return null;
    return { status: 302, headers: { 'cache-control': 'no-store', location: script }, body: null };
  });
}
