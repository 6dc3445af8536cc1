import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Whether the tests use the bundle, the second of the two programs that a build makes: `dist/bundle/dist` runs
 * without node_modules.
 */
export const isBundle = process.env.TEST_BUILD === 'dist/bundle/dist';

/** The name of a test that needs the program's own embedded chain, with the reason if it is skipped. */
export const withChain = (name: string): string =>
  isBundle ? `${name} (the bundle has no embedded chain)` : name;

/** A program of the build as an operator starts it. */
export const builtProgram = (name: 'main' | 'doctor' | 'purchases'): string =>
  `${root}${isBundle ? 'dist/bundle/dist' : 'dist'}/bin/${name}.js`;
