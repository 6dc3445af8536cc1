import { expectStatus, httpClient } from './client.js';
import { inTurns } from './measure.js';

const CONNECTIONS = 8;
const WARM_UP = 8;

/**
 * Servers to compare, and the request that each of them gets.
 * @typedef {Record<string, { server: Awaited<ReturnType<typeof import('./servers.js').startServer>>, path: string }>} Subjects
 * @typedef {{ status: number, method?: string, headers?: Record<string, string>, body?: string }} Request
 */

/** Runs `turn` for each subject in turn, with a client of `connections`. */
async function compare(subjects, { status, ...options }, { connections, rounds, warmUp, turn }) {
  const client = httpClient(connections);
  const bound = Object.entries(subjects).map(([name, { server, path }]) => {
    const url = `${server.origin}${path}`;
    const send = async () => expectStatus(await client.call(url, options), status, url);
    return [name, () => turn(server, send)];
  });
  try {
    return await inTurns(Object.fromEntries(bound), { rounds, warmUp });
  } finally {
    client.close();
  }
}

/** Sends `total` requests with this many in flight; each starts when an earlier one is answered. */
export async function flood(send, total, inFlight = CONNECTIONS) {
  let left = total;
  const sendOn = async () => {
    while (left > 0) {
      left -= 1;
      await send();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, sendOn));
}

/**
 * Processor microseconds that each server spends on one request under load. Its own count is read, so it excludes the
 * load generator and other work on the machine.
 * @param {Subjects} subjects
 * @param {Request} request
 */
export function cpuEach(
  subjects,
  request,
  { rounds = 11, batch = 1_000, connections = CONNECTIONS, warmUp = WARM_UP } = {},
) {
  const turn = async (server, send) => {
    const before = await server.cpuMicroseconds();
    await flood(send, batch, connections);
    return ((await server.cpuMicroseconds()) - before) / batch;
  };
  return compare(subjects, request, { connections, rounds, warmUp, turn });
}
