import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchPart, type Started } from './bench-parts.ts';
import { kinds, type Sent } from './dear-requests.ts';

let server: Started;
beforeAll(async () => {
  server = await (await benchPart('servers')).startOurs();
});
afterAll(() => server?.stop());

const ROUNDS = 5;
const CHEAP: Sent = { path: '/v1/late-fee?amount=1250&due_date=2026-09-01&paid_date=2026-11-21&rate=1.5' };

/** Processor time that the service spends on each of `times` requests, in microseconds. */
async function cost(sent: Sent, times: number): Promise<number> {
  const { path, status, ...options } = sent;
  const before = await server.cpuMicroseconds();
  for (let turn = 0; turn < times; turn += 1) {
    const reply = await fetch(`${server.origin}${path}`, options);
    await reply.arrayBuffer();
    if (status !== undefined && reply.status !== status) throw new Error(`${path}: ${reply.status}`);
  }
  return ((await server.cpuMicroseconds()) - before) / times;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

describe('one request costs at most so many times the processor time of a late-fee call', () => {
  const lateFees: number[] = [];
  beforeAll(async () => {
    await cost(CHEAP, 300);
  });

  it.each(kinds)('$name: $most', async ({ name, most, ...sent }) => {
    await cost(sent, 10);
    const spent: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      lateFees.push(await cost(CHEAP, 50));
      spent.push(await cost(sent, 10));
    }
    const times = median(spent) / median([...lateFees]);
    if (process.env.SHOW)
      console.log(`${times.toFixed(1).padStart(6)}  ${name} (${Math.round(median(spent))} us)`);
    expect(times).toBeLessThanOrEqual(most);
  });
});
