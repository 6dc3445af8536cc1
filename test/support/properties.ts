// The setup file of every project. `npm test` draws the same inputs for property tests in every run, and
// `npm run test:full` draws different ones. fast-check prints the seed of a failing property.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_124), numRuns: 300 });
