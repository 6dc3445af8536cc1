// `npm run attacks -- --seed 7 --rounds 5 --only redis`: attacks the built service in every way that test/attacks knows,
// on 127.0.0.1 alone, and tells in a table what held. Ends with 1 when a promise was not held.
import './node-version.js';
import './test-folder.js';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { prepare } from './test-needs.js';

const SUITE = 'test/attacks/attacks.redis.test.ts';

const whole = (name, text) => {
  if (/^[1-9]\d{0,8}$/.test(text)) return text;
  console.error(`--${name} must be a whole number from 1 to 999999999`);
  process.exit(1);
};

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(1 + (Date.now() % 1_000_000)) },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
});
const env = {
  ATTACKS_SEED: whole('seed', values.seed),
  ATTACKS_ROUNDS: whole('rounds', values.rounds),
  ATTACKS_ONLY: values.only,
};

if (process.platform !== 'linux') {
  console.error(
    'The attacks need Linux: what they cost is read in /proc, and they come from all of 127.0.0.0/8.',
  );
  process.exit(1);
}
const programs = prepare([SUITE]);
for (const { suite, reason } of programs.skipped) console.error(`${suite} cannot run: ${reason}`);
if (programs.skipped.length > 0) process.exit(1);

console.log(`The seed is ${env.ATTACKS_SEED}.`);
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', SUITE], {
  stdio: 'inherit',
  env: { ...process.env, ...programs.env, ...env },
});
process.exit(status === 0 ? 0 : 1);
