// `npm test` proves the product in memory and on one real chain; `npm run test:full` (--full) also proves the rest. It
// provides the programs and tools that the suites use, builds, runs vitest, names the skipped tests, and ends with the
// line `N passed, N failed`, plus `, N skipped`. Files that are named run in either command.
import './node-version.js';
import './test-folder.js';
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { optionsOf } from './options.js';
import { prepare } from './test-needs.js';

const USAGE = `Usage: npm test [-- FILE …] [-t PART-OF-A-TITLE] [-u] [--reporter NAME], or npm run test:full
npm test runs the tests in memory and on one real chain; npm run test:full runs all tests. Named files run with either
command. -u records snapshots; the options are those of vitest.`;
const text = { type: 'string' };
const { values, positionals: filters } = optionsOf(USAGE, {
  allowPositionals: true,
  options: {
    full: { type: 'boolean' },
    reporter: text,
    testNamePattern: { ...text, short: 't' },
    update: { type: 'boolean', short: 'u' },
  },
});
const args = process.argv.slice(2).filter((arg) => arg !== '--full');
const isCi = ['true', '1'].includes(process.env.CI ?? '');
const scope = values.full ? 'full' : filters.length > 0 ? 'named' : 'quick';

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
  const reporters = [...(values.reporter === undefined ? ['default'] : []), ours];
  const vitestArgs = ['run', ...reporters.map((reporter) => `--reporter=${reporter}`)];
  const own = { TEST_COUNTS_FILE: countsFile, TEST_LEFT_OUT: left.join('\n') };
  const status = run('node_modules/vitest/vitest.mjs', [...vitestArgs, ...args], { ...env, ...own });
  try {
    return { status, counts: JSON.parse(readFileSync(countsFile, 'utf8')) };
  } catch {
    console.log(`vitest ended (${status ?? 'by a signal'}) without a test result`);
    return { status, counts: { passed: 0, failed: 1, skipped: 0, skippedNames: [], retriedNames: [] } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const { env, skipped } = prepare(filters, scope);
// The tools are fetched before the build, because the build contains files from them.
for (const args of [['scripts/build.js'], ['scripts/client-types.js', '--if-stale']])
  if (run(args[0], args.slice(1)) !== 0) finish({ passed: 0, failed: 1, skipped: 0 }, false);

const suites = skipped.map(({ suite }) => suite).filter((suite) => existsSync(suite));
const seed = process.env.PROPERTY_SEED ?? (scope === 'full' ? String(randomInt(2 ** 31)) : undefined);
if (seed !== undefined) console.log(`Property tests draw with PROPERTY_SEED=${seed}`);
const { status, counts } = runVitest(
  { ...env, TEST_SCOPE: scope, ...(seed !== undefined && { PROPERTY_SEED: seed }) },
  suites,
);
for (const { suite, reason } of skipped) console.log(`${isCi ? 'FAILED' : 'skipped'} ${suite}: ${reason}`);
for (const name of counts.skippedNames) console.log(`skipped ${name}`);
for (const name of counts.retriedNames) console.log(`passed only at the second try: ${name}`);
// In CI, a suite that could not run has proven nothing, and neither has a test that was skipped without a reason.
const unexplained = counts.skippedNames.filter((name) => !/\((skipped: |the bundle has no )/.test(name));
if (isCi)
  for (const name of unexplained) console.log(`FAILED ${name}: its name does not say why it was skipped`);
counts[isCi ? 'failed' : 'skipped'] += skipped.length;
if (isCi) counts.failed += unexplained.length;
finish(counts, status === 0);
