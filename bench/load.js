import { expectStatus, httpClient } from './client.js';
import { inTurns } from './measure.js';

const CONNECTIONS = 8;

/** Sends `total` requests over a few connections, each as soon as the one before it is answered. */
async function flood(client, url, { total, status, ...options }) {
  let left = total;
  const sendOn = async () => {
    while (left > 0) {
      left -= 1;
      expectStatus(await client.call(url, options), status, url);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendOn));
}

/**
 * Processor microseconds that each server spends on one request, under load over sockets. Its own count is read, so
 * neither the load generator nor the machine's other work is in it.
 * @param {Record<string, { server: Awaited<ReturnType<typeof import('./servers.js').startServer>>, path: string }>} subjects
 * @param {{ status: number, method?: string, headers?: Record<string, string>, body?: string }} request
 * @param {{ rounds: number, batch: number }} options
 */
export async function cpuEach(subjects, request, { rounds, batch }) {
  const client = httpClient(CONNECTIONS);
  try {
    const turns = Object.entries(subjects).map(([name, { server, path }]) => [
      name,
      async () => {
        const before = await server.cpuMicroseconds();
        await flood(client, `${server.origin}${path}`, { ...request, total: batch });
        return ((await server.cpuMicroseconds()) - before) / batch;
      },
    ]);
    return await inTurns(Object.fromEntries(turns), { rounds, warmUp: 3 });
  } finally {
    client.close();
  }
}
