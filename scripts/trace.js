// `npm run trace`: lists our files and functions that run during one warm request, according to V8's coverage counters.
// `--files` lists the files.
import { Session } from 'node:inspector/promises';
import { createServer } from 'node:net';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { optionsOf } from './options.js';

const ROUNDS = 10;
const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const USAGE = `Usage: npm run trace [-- --files]
Counts our own files and functions that one warm request runs through.
  --files   lists the files`;
const { values } = optionsOf(USAGE, { options: { files: { type: 'boolean', default: false } } });
const { readConfig } = await import('../dist/config/config.js');
const { createLog } = await import('../dist/platform/log.js');
const { startService } = await import('../dist/service/service.js');
const { createBuyer } = await import('../dist/demo/buyer.js');
const { buyTool } = await import('../dist/demo/buyer.js');

/** A port with no listener. */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const reading = readConfig({ PORT: String(await freePort()), FREE_REQUESTS_PER_MINUTE: '1000000' });
if (!reading.ok) throw new Error('The settings of the trace are wrong');
const log = createLog({ level: 'silent', write: () => {} });
const service = await startService(reading.config, log);
const { chain, url } = service;
const key = chain.buyers[0].privateKey;
const buyer = createBuyer(key, `eip155:${chain.chainId}`, () => {});
const late = 'amount=1250&due_date=2026-09-01&paid_date=2026-11-21';
const notice = `${url}/v1/late-fee-notice?amount=1250&due_date=2026-09-01&client_name=Ada`;
const read = async (asked) => (await asked).arrayBuffer();
const requests = {
  'GET /v1/late-fee, free': () => read(fetch(`${url}/v1/late-fee?${late}`)),
  'GET /v1/late-fee-notice, unpaid': () => read(fetch(notice)),
  'GET /v1/late-fee-notice, 402 and paid': () => read(buyer.fetch(notice)),
  'MCP late_fee_notice, unpaid and paid': () =>
    buyTool(
      `${url}/mcp`,
      { key, network: `eip155:${chain.chainId}` },
      { name: 'late_fee_notice', args: { amount: 1250, due_date: '2026-09-01', client_name: 'Ada' } },
    ),
};

/** The functions called since the last call, for each of our files. */
async function taken() {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = new Map();
  for (const { url: script, functions } of result) {
    if (!script.startsWith('file:')) continue;
    const file = relative(dist, fileURLToPath(script));
    // The demo is the buyer, and the embedded chain takes the place of a node.
    if (file.startsWith('..') || /^(demo|devnet)/.test(file)) continue;
    const called = functions.filter(({ ranges }) => ranges[0].count > 0).length;
    if (called > 0) files.set(file, called);
  }
  return files;
}

for (const [name, request] of Object.entries(requests)) {
  const rounds = [];
  for (let round = 0; round < 3 + ROUNDS; round += 1) {
    // Waits until nothing of the previous round is in progress.
    while (service.openRequests() > 0) await new Promise((resolve) => setImmediate(resolve));
    await taken();
    await request();
    rounds.push(await taken());
  }
  // Service timers ran during some rounds; the smallest warm round contains only the request.
  const [files] = rounds.slice(3).toSorted((a, b) => a.size - b.size);
  const functions = [...files.values()].reduce((sum, called) => sum + called, 0);
  process.stdout.write(`${name}: ${files.size} files, ${functions} functions\n`);
  if (values.files)
    for (const [file, called] of [...files].toSorted()) process.stdout.write(`  ${file} ${called}\n`);
}
await service.stop();
session.disconnect();
process.exit(0);
