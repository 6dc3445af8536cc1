// `npm run soak -- --seed 7 --purchases 2000`: sells answers from two instances (`--instances 4`) on one chain and one
// Redis while nodes, Redis and the instances themselves fail, then balances the books. Ends with 1 when they do not balance.
import './node-version.js';
import './test-folder.js';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { prepare } from './test-needs.js';

const SUITE = 'test/soak/soak.redis.test.ts';

const whole = (name, text) => {
  if (/^[1-9]\d{0,8}$/.test(text)) return text;
  console.error(`--${name} must be a whole number from 1 to 999999999`);
  process.exit(1);
};

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(1 + (Date.now() % 1_000_000)) },
    purchases: { type: 'string', default: '2000' },
    instances: { type: 'string', default: '2' },
    together: { type: 'boolean', default: false },
  },
});
const env = {
  SOAK_SEED: whole('seed', values.seed),
  SOAK_PURCHASES: whole('purchases', values.purchases),
  SOAK_INSTANCES: whole('instances', values.instances),
  ...(values.together && { SOAK_TOGETHER: 'yes' }),
};

const programs = prepare([SUITE]);
for (const { suite, reason } of programs.skipped) console.error(`${suite} cannot run: ${reason}`);
if (programs.skipped.length > 0) process.exit(1);

console.log(`The seed is ${env.SOAK_SEED}.`);
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', SUITE], {
  stdio: 'inherit',
  env: { ...process.env, ...programs.env, ...env },
});
process.exit(status === 0 ? 0 : 1);
