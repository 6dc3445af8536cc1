// The setup file of every project. `npm test` draws the same inputs for property tests in every run, and
// `npm run test:full` draws different ones. fast-check prints the seed of a failing property.
import fc from 'fast-check';

const drawn = process.env.PROPERTY_SEED;

/**
 * Whether every run draws the same inputs. Only then may a test require that they reach each case: new inputs may miss a
 * rare one by chance.
 */
export const hasSameInputs = drawn === undefined;

fc.configureGlobal({ seed: Number(drawn ?? 20_261_124), numRuns: 300 });
