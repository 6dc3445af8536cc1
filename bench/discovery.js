import { cpuEach } from './load.js';
import { row } from './measure.js';
import { startOurs, startServer } from './servers.js';
import { runAlone } from './table.js';

const TARGET = 1.3;
const peerFile = new URL('./peers/constant-server.js', import.meta.url);

const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd', accept: 'text/html,*/*;q=0.8' };
const documents = [
  { path: '/openapi.json', headers: {} },
  { path: '/openapi.json', headers: { 'accept-encoding': 'gzip' }, coding: ', gzip' },
  { path: '/.well-known/x402', headers: {} },
  { path: '/llms.txt', headers: {} },
  { path: '/', headers: BROWSER, coding: ', to a browser' },
];

/** The number of body bytes that a request really receives. */
async function bodyBytes(url, headers) {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'identity', ...headers } });
  return Number(answer.headers.get('content-length'));
}

/** Documents against a bare Hono route that returns a constant of the same length. */
export async function benchDiscovery() {
  const ours = await startOurs();
  try {
    const rows = [];
    for (const { path, headers, coding = '' } of documents) {
      const length = await bodyBytes(`${ours.origin}${path}`, headers);
      const peer = await startServer(peerFile, { BODY_BYTES: String(length) });
      try {
        const subjects = { ours: { server: ours, path }, peer: { server: peer, path: '/constant' } };
        const cpu = await cpuEach(subjects, { status: 200, headers }, { rounds: 9, batch: 1_000 });
        rows.push(row({ name: `${path}${coding}: server CPU`, unit: 'us', target: TARGET, ...cpu }));
      } finally {
        await peer.stop();
      }
    }
    return rows;
  } finally {
    await ours.stop();
  }
}

await runAlone(import.meta.url, benchDiscovery);
