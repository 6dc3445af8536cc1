import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

type Vector = { readonly input: object; readonly expect: Readonly<Record<string, number>> };

/** Inputs with figures published by third parties. */
export const vectorsOf = (kind: string): readonly Vector[] =>
  JSON.parse(readFileSync(new URL(`../../vectors/${kind}.json`, import.meta.url), 'utf8'));

/** The program that calculates vectors in a page, bundled for a browser. */
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
