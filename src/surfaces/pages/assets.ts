import { existsSync, readFileSync } from 'node:fs';
import type { Document } from '../discovery/document.ts';

const DAY_SECONDS = 86_400;

const served = [
  { path: '/style.css', file: 'style.css', type: 'text/css; charset=utf-8' },
  { path: '/favicon.svg', file: 'favicon.svg', type: 'image/svg+xml' },
  { path: '/favicon.ico', file: 'favicon.ico', type: 'image/x-icon' },
  { path: '/icon.png', file: 'icon.png', type: 'image/png' },
  { path: '/og.png', file: 'og.png', type: 'image/png' },
] as const;

const READER_TYPE = 'text/javascript; charset=utf-8';
const reader = [
  { path: '/docs/reader.js', file: 'reader.js', type: READER_TYPE },
  { path: '/docs/redoc.js', file: 'redoc.js', type: READER_TYPE },
] as const;

/** Scripts of the API reader, in the order in which they run. */
export const READER_SCRIPTS: readonly string[] = ['/docs/redoc.js', '/docs/reader.js'];

const location = (file: string): URL => new URL(`./assets/${file}`, import.meta.url);

/** The API reader is put in place by the build; without it the plain reference stands alone. */
export const hasReader = (): boolean => existsSync(location('redoc.js'));

/** Styles, icons, and the API reader where it is built in. */
export function assetDocuments(): Document[] {
  const files = hasReader() ? [...served, ...reader] : served;
  return files.map(({ path, file, type }) => ({
    path,
    make: () => ({
      forms: [{ type, body: readFileSync(location(file)) }],
      maxAgeSeconds: DAY_SECONDS,
    }),
  }));
}
