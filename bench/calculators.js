import { cpuEach, waitEach } from './load.js';
import { row } from './measure.js';
import { lateFee, quote } from './samples.js';
import { startBare, startOurs } from './servers.js';
import { runAlone } from './table.js';

const status = 200;
const requests = {
  'quote of 20 lines': {
    path: quote.path,
    request: { status, method: 'POST', headers: { 'content-type': 'application/json' }, body: quote.body },
  },
  'late fee': { path: `${lateFee.path}${lateFee.query}`, request: { status } },
};

/** The free calculators against bare Hono routes that parse, validate with Zod and answer from memory. */
export async function benchCalculators() {
  const [ours, peer] = await Promise.all([startOurs(), startBare()]);
  try {
    const rows = [];
    for (const [name, { path, request }] of Object.entries(requests)) {
      const subjects = { ours: { server: ours, path }, peer: { server: peer, path } };
      const cpu = await cpuEach(subjects, request);
      const wait = await waitEach(subjects, request);
      rows.push(row({ name: `${name}: server CPU`, unit: 'us', ...cpu }));
      rows.push(row({ name: `${name}: waited for, one by one`, unit: 'us', ...wait }));
    }
    return rows;
  } finally {
    await Promise.all([ours.stop(), peer.stop()]);
  }
}

await runAlone(import.meta.url, benchCalculators);
