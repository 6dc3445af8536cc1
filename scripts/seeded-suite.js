// The shared part of `npm run attacks` and `npm run soak`: one suite, run with a seed and a few settings from the
// command line.
import './node-version.js';
import './test-folder.js';
import { spawnSync } from 'node:child_process';
import { prepare } from './test-needs.js';

/** The option of both commands that repeats an earlier run. */
export const SEED = { type: 'string', default: String(1 + (Date.now() % 1_000_000)) };

/** The value of an option that takes a whole number; ends the command if it is not one. */
export function whole(name, text) {
  if (/^[1-9]\d{0,8}$/.test(text)) return text;
  console.error(`--${name} must be a whole number from 1 to 999999999`);
  process.exit(1);
}

/** Runs the suite and ends the command: with 0 if every test passed, otherwise with 1. */
export function runSuite(suite, seed, env) {
  const programs = prepare([suite]);
  for (const { reason } of programs.skipped) console.error(`${suite} cannot run: ${reason}`);
  if (programs.skipped.length > 0) process.exit(1);
  console.log(`The seed is ${seed}.`);
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', suite], {
    stdio: 'inherit',
    env: { ...process.env, ...programs.env, ...env },
  });
  process.exit(status === 0 ? 0 : 1);
}
