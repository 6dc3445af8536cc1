// The setup file of every project. Property tests draw the same inputs in every run of `npm test`. `npm run test:full`
// draws different inputs, and more of them, and fast-check prints the seed of a failing property.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_124) });
