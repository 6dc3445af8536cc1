// `npm run lighthouse`: Lighthouse on every kind of page as a phone loads it; the median of each category over --runs 5
// must be at least 0.95, of accessibility 1. `npm run lighthouse -- --runs 1 /quote /tools` is the short form.
import './node-version.js';
import './test-folder.js';
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from './test-needs.js';
import { fetchTool } from './tool.js';

const SUITE = 'test/pages/home.browser.test.ts';
const PAGES = [
  '/',
  '/late-fee',
  '/quote',
  '/tools',
  '/tools/category/invoicing',
  '/tools/activepieces',
  '/late-fee-reminder',
  '/quote-pack',
  '/stack-report',
  '/pricing',
  '/developers',
  '/docs',
  '/terms',
];
const LEAST = { accessibility: 1 };
const LEAST_OF_OTHERS = 0.95;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '5' } },
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1 || runs > 20) {
  console.error('--runs must be a whole number from 1 to 20');
  process.exit(2);
}

const programs = prepare([SUITE]);
for (const { suite, reason } of programs.skipped) console.error(`${suite} cannot run: ${reason}`);
const browser = programs.env.CHROMIUM_PATH ?? process.env.CHROMIUM_PATH;
if (browser === undefined) process.exit(1);
const node = join(fetchTool('node-24'), 'node_modules/.bin/node');
const lighthouse = resolve(fetchTool('lighthouse'), 'node_modules/lighthouse/cli/index.js');

const port = await new Promise((found) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => found(port));
  });
});
// Port 9 is that of the discard protocol: nothing listens there, and nothing is settled.
const service = spawn(process.execPath, ['dist/bin/main.js'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    PATH: process.env.PATH,
    PORT: String(port),
    SETTLERS: 'local',
    RPC_URLS: 'http://127.0.0.1:9',
    RELAYER_KEY: `0x${'11'.repeat(32)}`,
    PAY_TO: '0x00000000000000000000000000000000000000aa',
  },
});
process.on('exit', () => service.kill('SIGKILL'));
await new Promise((listening) => {
  service.stdout.on('data', (part) => String(part).includes('"listening"') && listening());
});

// The browser did not record anything: that says nothing of the page.
const UNRECORDED = /NO_NAVSTART|PROTOCOL_TIMEOUT/;

/** One run: the score of each category, and what was found wanting. */
function measured(path, isAgain = false) {
  const ended = spawnSync(
    node,
    [
      lighthouse,
      `http://127.0.0.1:${port}${path}`,
      '--output=json',
      '--quiet',
      '--chrome-flags=--headless --no-sandbox',
    ],
    {
      env: { ...process.env, CHROME_PATH: browser },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      timeout: 180_000,
    },
  );
  if (!isAgain && UNRECORDED.test(ended.stderr)) return measured(path, true);
  if (ended.status !== 0)
    throw new Error(`Lighthouse ended with ${ended.status}: ${ended.stderr.slice(0, 500)}`);
  const { categories, audits } = JSON.parse(ended.stdout);
  const wanting = Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs
      .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.9)
      .map(({ id }) => id),
  );
  const scores = Object.entries(categories).map(([id, { score }]) => [id, score]);
  return { scores: Object.fromEntries(scores), wanting };
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

let misses = 0;
for (const path of positionals.length > 0 ? positionals : PAGES) {
  const results = Array.from({ length: runs }, () => measured(path));
  const scores = Object.keys(results[0].scores).map((id) => [
    id,
    median(results.map(({ scores }) => scores[id] ?? 0)),
  ]);
  const low = scores.filter(([id, score]) => score < (LEAST[id] ?? LEAST_OF_OTHERS));
  misses += low.length;
  const why =
    low.length === 0 ? '' : `  <- ${[...new Set(results.flatMap(({ wanting }) => wanting))].join(', ')}`;
  console.log(
    `${path.padEnd(28)} ${scores.map(([id, score]) => `${id} ${score.toFixed(2)}`).join('  ')}${why}`,
  );
}
console.log(misses === 0 ? 'Every page is good enough.' : `${misses} scores are too low.`);
process.exit(misses === 0 ? 0 : 1);
