import { httpClient } from './client.js';
import { cpuEach, flood } from './load.js';
import { row } from './measure.js';
import { lateFee } from './samples.js';
import { startOurs, startPeer } from './servers.js';
import { runAlone } from './table.js';

const path = `${lateFee.path}${lateFee.query}`;
const MANY = 100_000;
const MB = 1_000_000;

/** Sends this many late-fee requests, 50 at once. */
async function serve(server, total) {
  const client = httpClient(50);
  try {
    await flood(() => client.call(`${server.origin}${path}`), total, 50);
  } finally {
    client.close();
  }
}

/** The memory of the process after many requests, and its growth after as many again. */
async function memoryRows({ ours, peer }) {
  const held = [];
  for (const server of [ours, peer]) {
    await serve(server, MANY);
    held.push((await server.residentBytes()) / MB);
  }
  const before = await ours.liveBytes();
  await serve(ours, MANY);
  const grown = ((await ours.liveBytes()) - before) / MB;
  return [
    row({ name: `memory after ${MANY} late fees`, unit: 'MB', ours: [held[0]], peer: [held[1]] }),
    row({ name: `memory in use that ${MANY} more add`, unit: 'MB', ours: [Math.max(0, grown)], target: 1 }),
  ];
}

/** The late fee with 1, 10 and 50 requests in flight, and the memory of a server after many of them. */
export async function benchLasting() {
  const servers = { ours: await startOurs(), peer: await startPeer('bare') };
  try {
    const rows = [];
    const subjects = { ours: { server: servers.ours, path }, peer: { server: servers.peer, path } };
    for (const connections of [1, 10, 50]) {
      const cpu = await cpuEach(subjects, { status: 200 }, { rounds: 7, batch: 500, connections });
      rows.push(
        row({
          name: `late fee, ${connections} in flight: CPU (Hono + Zod, from memory)`,
          unit: 'us',
          ...cpu,
        }),
      );
    }
    return [...rows, ...(await memoryRows(servers))];
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

await runAlone(import.meta.url, benchLasting);
