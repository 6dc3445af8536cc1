import { cpuEach } from './load.js';
import { inTurns, microsecondsEach, row } from './measure.js';
import { oursApp } from './ours-app.js';
import { bareApp } from './peers/bare-app.js';
import { lateFee, quote } from './samples.js';
import { startBare, startOurs } from './servers.js';
import { runAlone } from './table.js';

const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: quote.body };

const requests = [
  { name: 'quote, 20 lines', path: quote.path, request: json },
  { name: 'late fee', path: `${lateFee.path}${lateFee.query}`, request: {} },
];

async function inProcess() {
  const apps = { ours: oursApp(), peer: bareApp() };
  const rows = [];
  for (const { name, path, request } of requests) {
    const once = (app) => async () => {
      const response = await app.request(path, request);
      if (response.status !== 200) throw new Error(`Status ${response.status} instead of 200`);
      await response.text();
    };
    const turns = {
      ours: () => microsecondsEach(200, once(apps.ours)),
      peer: () => microsecondsEach(200, once(apps.peer)),
    };
    const figures = await inTurns(turns, { rounds: 25, warmUp: 10 });
    rows.push(row({ name: `calculators: ${name}, in process`, unit: 'us', ...figures }));
  }
  return rows;
}

async function overSockets() {
  const servers = await Promise.all([startOurs(), startBare()]);
  try {
    const rows = [];
    for (const { name, path, request } of requests) {
      const [ours, peer] = servers.map((server) => ({ server, path }));
      const figures = await cpuEach(
        { ours, peer },
        { ...request, status: 200 },
        { rounds: 11, batch: 1_000 },
      );
      rows.push(row({ name: `calculators: ${name}, over sockets, server CPU`, unit: 'us', ...figures }));
    }
    return rows;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** The free calculators against bare Hono routes that parse, validate with Zod and answer from memory. */
export async function benchCalculators() {
  return [...(await inProcess()), ...(await overSockets())];
}

await runAlone(import.meta.url, benchCalculators);
