import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { kinds } from '../../bench/dear-requests.js';
import { procFiles } from '../support/here.ts';
import { freePort } from '../support/listening.ts';
import { UNSETTLED } from '../support/unsettled.ts';
import { until } from '../support/until.ts';
import { bytesOf, listens, processes } from './process.ts';

const start = processes();
const SETTINGS = {
  ...UNSETTLED,
  FREE_REQUESTS_PER_MINUTE: '1000000',
};
const REQUESTS = 1_400;
const pipelined = 'GET /quote?rows=100 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(REQUESTS);

it.skipIf(procFiles.areMissing)(
  procFiles.named(
    '1,400 requests written at once to connections that read nothing use little memory, and the connections are closed',
  ),
  async () => {
    const service = start({ ...SETTINGS, PORT: String(await freePort()) });
    await listens(service);
    const answers = async (path: string, times: number) => {
      for (let turn = 0; turn < times; turn += 1) await (await fetch(`${service.url}${path}`)).arrayBuffer();
    };
    await answers('/quote?rows=100', 1);
    await answers('/healthz', 20);
    const before = bytesOf(service);

    let ended = 0;
    const sockets: Socket[] = Array.from({ length: 8 }, () => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.on('close', () => {
        ended += 1;
      });
      socket.write(pipelined);
      return socket;
    });
    await answers('/healthz', 20);
    await until(() => ended === sockets.length, 'every connection ends');
    // Without a limit, the first of these connections would take a gigabyte.
    expect(bytesOf(service) - before).toBeLessThan(100_000_000);
  },
  300_000,
);

it('twenty simultaneous bodies of each expensive kind fit into a heap of 96 MB', async () => {
  const service = start(
    { ...SETTINGS, PORT: String(await freePort()) },
    { node: ['--max-old-space-size=96'] },
  );
  await listens(service);
  for (const { name, path, ...options } of kinds.filter(({ body }) => body !== undefined)) {
    const one = async () => {
      const answer = await fetch(`${service.url}${path}`, options);
      await answer.arrayBuffer();
      return answer.status < 500;
    };
    expect([name, await Promise.all(Array.from({ length: 20 }, one))]).toEqual([name, Array(20).fill(true)]);
  }
}, 300_000);
