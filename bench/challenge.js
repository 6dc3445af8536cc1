import { cpuEach } from './load.js';
import { row } from './measure.js';
import { notice } from './samples.js';
import { startOfficial, startOfficialExpress, startOurs } from './servers.js';
import { runAlone } from './table.js';

const path = `${notice.path}${notice.query}`;

/**
 * The cost of a price request: our service validates the input and knows that there is an answer before it states a
 * price; the official middlewares do neither.
 */
export async function benchChallenge() {
  const servers = {
    ours: await startOurs(),
    hono: await startOfficial(),
    express: await startOfficialExpress(),
  };
  try {
    const subjects = Object.fromEntries(
      Object.entries(servers).map(([who, server]) => [who, { server, path }]),
    );
    const { ours, hono, express } = await cpuEach(
      subjects,
      { status: 402 },
      { rounds: 9, batch: 500, warmUp: 24 },
    );
    return [
      row({ name: 'challenge: CPU (@x402/hono)', unit: 'us', ours, peer: hono, target: 0.65 }),
      row({ name: 'challenge: CPU (@x402/express)', unit: 'us', ours, peer: express }),
    ];
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

await runAlone(import.meta.url, benchChallenge);
