// `npm run soak -- --seed 7 --purchases 2000`: sells answers from two instances (`--instances 4`) on one chain and one
// Redis while nodes, Redis and the instances themselves fail, then balances the books. The exit status is 1 if they do
// not balance.
import { optionsOf } from './options.js';
import { runSuite, SEED, whole } from './seeded-suite.js';

const USAGE = `Usage: npm run soak [-- --seed 7] [--purchases 2000] [--instances 2]
Sells answers while nodes, Redis and the instances fail, then balances the books. Exits with status 1 if they do not balance.`;
const { values } = optionsOf(USAGE, {
  options: {
    seed: SEED,
    purchases: { type: 'string', default: '2000' },
    instances: { type: 'string', default: '2' },
  },
});
runSuite('test/soak/soak.redis.test.ts', values.seed, {
  SOAK_SEED: whole('seed', values.seed),
  SOAK_PURCHASES: whole('purchases', values.purchases),
  SOAK_INSTANCES: whole('instances', values.instances),
});
