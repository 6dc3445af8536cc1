import { cpuEach, waitEach } from './load.js';
import { row } from './measure.js';
import { notice } from './samples.js';
import { startOfficial, startOurs } from './servers.js';
import { runAlone } from './table.js';

const path = `${notice.path}${notice.query}`;

/**
 * What it costs to ask for money: ours validates the input and works out the answer before it names a price, the
 * official middleware does neither.
 */
export async function benchChallenge() {
  const [ours, peer] = await Promise.all([startOurs(), startOfficial()]);
  try {
    const subjects = { ours: { server: ours, path }, peer: { server: peer, path } };
    const request = { status: 402 };
    return [
      row({ name: 'challenge: server CPU', unit: 'us', ...(await cpuEach(subjects, request)) }),
      row({ name: 'challenge: waited for, one by one', unit: 'us', ...(await waitEach(subjects, request)) }),
    ];
  } finally {
    await Promise.all([ours.stop(), peer.stop()]);
  }
}

await runAlone(import.meta.url, benchChallenge);
