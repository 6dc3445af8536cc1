// `npm run attacks -- --seed 7 --rounds 5 --only wallets`: runs every attack of test/attacks against the built service,
// only on 127.0.0.1, and prints a table of the results. The exit status is 1 if a guarantee did not hold.
import { optionsOf } from './options.js';
import { runSuite, SEED, whole } from './seeded-suite.js';

const USAGE = `Usage: npm run attacks [-- --seed 7] [--rounds 3] [--only PART]
Attacks the built service on 127.0.0.1 and prints which promises held. Exits with status 1 if a promise was broken.
  --only PART   runs only the kinds whose name contains PART`;
const { values } = optionsOf(USAGE, {
  options: {
    seed: SEED,
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
});
const env = {
  ATTACKS_SEED: whole('seed', values.seed),
  ATTACKS_ROUNDS: whole('rounds', values.rounds),
  ATTACKS_ONLY: values.only,
};

runSuite('test/attacks/attacks.full.test.ts', values.seed, env);
