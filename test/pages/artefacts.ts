import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const POPPLER = '/usr/bin/pdftoppm';

/** Stores a PDF, and its pages as pictures, in the folder in PAGES_ARTEFACTS, for review. */
export function keepPdf(name: string, pdf: Buffer): void {
  const folder = process.env.PAGES_ARTEFACTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, pdf);
  if (existsSync(POPPLER)) execFileSync(POPPLER, ['-r', '80', '-png', path, path.replace(/\.pdf$/, '')]);
}

export const pagesOf = (pdf: Buffer): number =>
  pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
