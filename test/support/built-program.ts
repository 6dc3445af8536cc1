import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Which of the two that a build makes is tried: `dist/bundle/dist` is the one that runs without node_modules. */
export const isBundle = process.env.TEST_BUILD === 'dist/bundle/dist';

/** The name of a test that needs the embedded chain of the program itself, with why it is left out. */
export const withChain = (name: string): string =>
  isBundle ? `${name} (the bundle has no embedded chain)` : name;

/** A program of the build as an operator starts it. */
export const builtProgram = (name: 'main' | 'doctor' | 'purchases'): string =>
  `${root}${isBundle ? 'dist/bundle/dist' : 'dist'}/bin/${name}.js`;
