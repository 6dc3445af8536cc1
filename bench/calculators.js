import { cpuEach } from './load.js';
import { row } from './measure.js';
import { lateFee, quote } from './samples.js';
import { startOurs, startPeer } from './servers.js';
import { runAlone } from './table.js';

// Each server gets 12,000 requests of a kind before it is measured: until then V8 is still compiling, newer versions
// even more.
const TURNS = { rounds: 15, batch: 500, warmUp: 24 };

const status = 200;
const requests = {
  'quote of 20 lines': {
    path: quote.path,
    request: { status, method: 'POST', headers: { 'content-type': 'application/json' }, body: quote.body },
  },
  'late fee': { path: `${lateFee.path}${lateFee.query}`, request: { status } },
};

/**
 * Peers, and the share of their processor time that we may take: Hono and Zod that answer from memory, and three that
 * calculate the same answer with big.js.
 */
const peers = {
  bare: { is: 'Hono + Zod, from memory', targets: { 'late fee': 1.5, 'quote of 20 lines': 2.2 } },
  working: { is: 'Hono + Zod + big.js', targets: { 'late fee': 0.7, 'quote of 20 lines': 0.7 } },
  fastify: { is: 'Fastify 5 + big.js', targets: {} },
  express: { is: 'Express 5 + Zod + big.js', targets: { 'late fee': 0.5, 'quote of 20 lines': 0.5 } },
};

/** The free calculators against routes that parse, validate and answer. */
export async function benchCalculators() {
  const servers = { ours: await startOurs() };
  try {
    for (const name of Object.keys(peers)) servers[name] = await startPeer(name);
    const rows = [];
    for (const [name, { path, request }] of Object.entries(requests)) {
      const subjects = Object.fromEntries(
        Object.entries(servers).map(([who, server]) => [who, { server, path }]),
      );
      const { ours, ...others } = await cpuEach(subjects, request, TURNS);
      for (const [who, { is, targets }] of Object.entries(peers)) {
        const target = targets[name] ?? null;
        rows.push(row({ name: `${name}: CPU (${is})`, unit: 'us', ours, peer: others[who], target }));
      }
    }
    return [...rows, await directoryRow(servers.ours)];
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

/** The whole directory, compared with the same number of constant bytes from node:http. */
async function directoryRow(server) {
  const answer = await fetch(`${server.origin}/v1/tools`, { headers: { 'accept-encoding': 'identity' } });
  const floor = await startPeer('floor', { BODY_BYTES: String((await answer.arrayBuffer()).byteLength) });
  try {
    const path = '/v1/tools';
    const subjects = { ours: { server, path }, peer: { server: floor, path } };
    const cpu = await cpuEach(subjects, { status: 200 }, { ...TURNS, batch: 200, warmUp: 60 });
    return row({ name: '/v1/tools: CPU (constant bytes of node:http)', unit: 'us', target: 1.3, ...cpu });
  } finally {
    await floor.stop();
  }
}

await runAlone(import.meta.url, benchCalculators);
