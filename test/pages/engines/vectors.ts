import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

type Vector = { readonly input: object; readonly expect: Readonly<Record<string, number>> };

/** Inputs with the figures that others publish for them. */
export const vectorsOf = (kind: string): readonly Vector[] =>
  JSON.parse(readFileSync(new URL(`../../vectors/${kind}.json`, import.meta.url), 'utf8'));

/** The program that works vectors out in a page, as a browser runs it. */
export async function bundled(): Promise<string> {
  const made = await build({
    input: fileURLToPath(new URL('vectors-in-page.ts', import.meta.url)),
    platform: 'browser',
    tsconfig: 'tsconfig.islands.json',
    write: false,
    output: { format: 'iife', minify: true },
  });
  return made.output[0].code;
}
