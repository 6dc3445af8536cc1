// `npm test`: everything that proves the service. Gets the programs and tools that suites drive, builds, runs vitest
// (further arguments go to it), names what was skipped and ends with the line `N passed, N failed`, plus `, N skipped`.
import './node-version.js';
import './test-folder.js';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './test-needs.js';

const args = process.argv.slice(2);
const isCi = ['true', '1'].includes(process.env.CI ?? '');

const finish = ({ passed, failed, skipped }, isSound) => {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exit(isSound && failed === 0 && passed > 0 ? 0 : 1);
};

const run = (file, fileArgs, env = {}) =>
  spawnSync(process.execPath, [file, ...fileArgs], { stdio: 'inherit', env: { ...process.env, ...env } })
    .status;

const runVitest = (env, left) => {
  const folder = mkdtempSync(join(tmpdir(), 'test-counts-'));
  const countsFile = join(folder, 'counts.json');
  const ours = fileURLToPath(new URL('test-reporter.js', import.meta.url));
  const reporters = [...(args.some((arg) => arg.startsWith('--reporter')) ? [] : ['default']), ours];
  const vitestArgs = ['run', ...reporters.map((reporter) => `--reporter=${reporter}`)];
  const own = { TEST_COUNTS_FILE: countsFile, TEST_LEFT_OUT: left.join('\n') };
  const status = run('node_modules/vitest/vitest.mjs', [...vitestArgs, ...args], { ...env, ...own });
  try {
    return { status, counts: JSON.parse(readFileSync(countsFile, 'utf8')) };
  } catch {
    console.log(`vitest ended (${status ?? 'by a signal'}) without saying how the tests went`);
    return { status, counts: { passed: 0, failed: 1, skipped: 0, skippedNames: [] } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

// An option's value looks like a filter: with options, every suite counts as selected.
const { env, skipped } = prepare(args.some((arg) => arg.startsWith('-')) ? [] : args);
// After that, for the build takes along what the tools bring.
if (run('scripts/build.js', []) !== 0) finish({ passed: 0, failed: 1, skipped: 0 }, false);

// Where the chain's program has to be fetched, nobody waits for that inside a test.
const { findAnvil } = await import('../dist/devnet/anvil.js');
await findAnvil(process.env).catch(({ message }) => console.log(message));

const suites = skipped.map(({ suite }) => suite).filter((suite) => existsSync(suite));
const { status, counts } = runVitest(env, suites);
for (const { suite, reason } of skipped) console.log(`${isCi ? 'FAILED' : 'skipped'} ${suite}: ${reason}`);
for (const name of counts.skippedNames) console.log(`skipped ${name}`);
// In CI a suite that cannot run has not proven anything.
counts[isCi ? 'failed' : 'skipped'] += skipped.length;
finish(counts, status === 0);
