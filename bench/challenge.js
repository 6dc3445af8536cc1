import { cpuEach } from './load.js';
import { inTurns, microsecondsEach, row } from './measure.js';
import { oursApp } from './ours-app.js';
import { officialApp } from './peers/official-app.js';
import { notice } from './samples.js';
import { startOfficial, startOurs } from './servers.js';
import { runAlone } from './table.js';

const path = `${notice.path}${notice.query}`;

async function inProcess() {
  const [relayerKey, payTo] = [`0x${'5a'.repeat(32)}`, '0x00000000000000000000000000000000000000aa'];
  const apps = {
    ours: oursApp(),
    peer: await officialApp({ rpcUrl: 'http://127.0.0.1:1', relayerKey, payTo }),
  };
  const once = (app) => async () => {
    const response = await app.request(path);
    if (response.status !== 402) throw new Error(`Status ${response.status} instead of 402`);
    await response.text();
  };
  const turns = {
    ours: () => microsecondsEach(200, once(apps.ours)),
    peer: () => microsecondsEach(200, once(apps.peer)),
  };
  return row({
    name: 'challenge: 402 in process',
    unit: 'us',
    ...(await inTurns(turns, { rounds: 25, warmUp: 10 })),
  });
}

async function overSockets() {
  const servers = await Promise.all([startOurs(), startOfficial()]);
  try {
    const [ours, peer] = servers.map((server) => ({ server, path }));
    const figures = await cpuEach({ ours, peer }, { status: 402 }, { rounds: 11, batch: 1_000 });
    return row({ name: 'challenge: 402 over sockets, server CPU', unit: 'us', ...figures });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/**
 * What it costs to ask for money: ours validates the input and works out the answer before it names a price, the
 * official middleware does neither.
 */
export async function benchChallenge() {
  return [await inProcess(), await overSockets()];
}

await runAlone(import.meta.url, benchChallenge);
