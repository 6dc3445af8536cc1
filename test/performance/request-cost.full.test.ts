import { afterAll, beforeAll, expect, it } from 'vitest';
import { benchPart, leastOf, type Started } from './bench-parts.ts';
import { kinds, type Sent } from './dear-requests.ts';

let server: Started;
beforeAll(async () => {
  server = await (await benchPart('servers')).startOurs();
});
afterAll(() => server?.stop());

/** As SECURITY.md promises: times the processor time of a late-fee call. */
const promised = ({ path, body }: Sent): number =>
  body === undefined ? (path.startsWith('/quote') ? 60 : 20) : path.startsWith('/quote') ? 80 : 60;

const LIMIT_MS = 60_000;
const ROUNDS = 3;
const LATE_FEE: Sent = { path: '/v1/late-fee?amount=1250&due_date=2026-09-01&paid_date=2026-11-21&rate=1.5' };

/** Processor time that the service spends on each of so many requests, in microseconds. */
async function cpuEach({ path, ...options }: Sent, times: number): Promise<number> {
  const before = await server.cpuMicroseconds();
  for (let turn = 0; turn < times; turn += 1) {
    const answer = await fetch(`${server.origin}${path}`, options);
    await answer.arrayBuffer();
    expect(answer.status).toBeLessThan(500);
  }
  return ((await server.cpuMicroseconds()) - before) / times;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

async function timesLateFee(sent: Sent): Promise<number> {
  const [dear, cheap]: [number[], number[]] = [[], []];
  await cpuEach(sent, 10);
  for (let round = 0; round < ROUNDS; round += 1) {
    cheap.push(await cpuEach(LATE_FEE, 50));
    dear.push(await cpuEach(sent, 10));
  }
  return median(dear) / median(cheap);
}

it(
  'a late-fee call is what everything else is measured by',
  async () => {
    expect(await cpuEach(LATE_FEE, 500)).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

it.each(kinds)(
  'one request costs a bounded multiple of it: $name',
  async ({ name, ...sent }) => {
    const limit = promised(sent);
    const times = await leastOf({ tries: 3, limit }, () => timesLateFee(sent));
    if (process.env.SHOW_COSTS) console.log(`${times.toFixed(1).padStart(6)} of ${limit}: ${name}`);
    expect(times).toBeLessThanOrEqual(limit);
  },
  LIMIT_MS,
);
