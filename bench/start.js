import { inTurns, row } from './measure.js';
import { startOfficial, startOurs, startOursEmbedded } from './servers.js';
import { runAlone } from './table.js';

const bootMs = (start) => async () => {
  const server = await start();
  await server.stop();
  return server.bootMs;
};

/** From the spawn of `node dist/main.js` until it says that it listens. */
export async function benchStart({ rounds = 7 } = {}) {
  const turns = {
    without: bootMs(startOurs),
    embedded: bootMs(startOursEmbedded),
    official: bootMs(startOfficial),
  };
  const { without, embedded, official } = await inTurns(turns, { rounds, warmUp: 1 });
  return [
    row({ name: 'start: until it listens, no chain', unit: 'ms', ours: without, target: 500 }),
    row({ name: 'start: until it listens, embedded chain', unit: 'ms', ours: embedded, target: 1500 }),
    row({ name: 'start: against the official middleware', unit: 'ms', ours: without, peer: official }),
  ];
}

await runAlone(import.meta.url, benchStart);
