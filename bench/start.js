import { inTurns, row } from './measure.js';
import { startOfficial, startOurs, startOursBundled, startOursEmbedded } from './servers.js';
import { runAlone } from './table.js';

const bootMs = (start) => async () => {
  const server = await start();
  await server.stop();
  return server.bootMs;
};

// A whole second on a shared machine is rarely undisturbed, and a median would include other work: the best start
// counts against a limit in milliseconds.
const best = (values) => [Math.min(...values)];

/** The time from the spawn of `node dist/bin/main.js` until it reports that it listens. */
export async function benchStart({ rounds = 9 } = {}) {
  const turns = {
    without: bootMs(startOurs),
    bundled: bootMs(startOursBundled),
    embedded: bootMs(startOursEmbedded),
    official: bootMs(startOfficial),
  };
  const { without, bundled, embedded, official } = await inTurns(turns, { rounds, warmUp: 1 });
  const name = `start: best of ${rounds} until it listens`;
  return [
    row({ name: `${name}, no chain`, unit: 'ms', ours: best(without), target: 500 }),
    row({
      name: `${name}, the bundle (what it is made of)`,
      unit: 'ms',
      ours: best(bundled),
      peer: best(without),
      target: 0.65,
    }),
    row({ name: `${name}, embedded chain`, unit: 'ms', ours: best(embedded), target: 1500 }),
    row({
      name: 'start: median, no chain, and the official middleware',
      unit: 'ms',
      ours: without,
      peer: official,
    }),
    row({ name: 'start: median, embedded chain', unit: 'ms', ours: embedded }),
  ];
}

await runAlone(import.meta.url, benchStart);
