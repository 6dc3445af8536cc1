import { answersIn, getBytes, type Wire, wire } from '../client.ts';
import type { Kind } from '../kind.ts';
import { FREE, type Shop, wait, within } from '../shop.ts';

/** Measures how long other callers wait for an answer during the attack. */
async function othersDuring(
  shop: Shop,
  attack: () => Promise<unknown>,
): Promise<{ calmMs: number; worstMs: number; failed: number }> {
  const calm: number[] = [];
  for (let count = 0; count < 10; count += 1)
    calm.push((await shop.get(FREE, { from: '127.0.7.7' })).durationMs);
  let isOver = false;
  let worstMs = 0;
  let failed = 0;
  const watching = (async () => {
    while (!isOver) {
      const { status, durationMs } = await shop.get(FREE, { from: '127.0.7.7', timeoutMs: 30_000 });
      worstMs = Math.max(worstMs, durationMs);
      if (status !== 200) failed += 1;
      await wait(25);
    }
  })();
  await attack();
  isOver = true;
  await watching;
  calm.sort((one, other) => one - other);
  return { calmMs: calm[5] ?? 1, worstMs, failed };
}

/** The tolerable wait for other callers, as a multiple of the wait without an attack. */
const MOST_TIMES = 150;
const LEAST_BOUND_MS = 1_500;
const MOST_GROWTH_MB = 250;

const flood = (
  name: string,
  promise: string,
  attack: (shop: Shop) => Promise<readonly Wire[]>,
  heldMs = 2_500,
): Kind => ({
  name,
  promise,
  ...(name !== 'a thousand requests in one write' && { isLong: true }),
  alone: true,
  async run(scene) {
    const shop = await scene.shop({ settings: { FREE_REQUESTS_PER_MINUTE: '100000' } });
    await shop.get(FREE);
    const before = shop.seller.residentMb();
    let most = before;
    const { calmMs, worstMs, failed } = await othersDuring(shop, async () => {
      const wires = await attack(shop);
      const end = Date.now() + heldMs;
      while (Date.now() < end) {
        most = Math.max(most, shop.seller.residentMb());
        await wait(50);
      }
      scene.tried(wires.length);
      for (const one of wires) one.end();
    });
    const bound = Math.max(LEAST_BOUND_MS, MOST_TIMES * calmMs);
    scene.held(
      worstMs <= bound,
      `somebody else waited ${Math.round(worstMs)} ms, ${Math.round(worstMs / calmMs)} times as long`,
    );
    scene.held(failed === 0, `${failed} of the others were not served`);
    scene.held(most - before <= MOST_GROWTH_MB, `${most - before} MB more memory`);
  },
});

export const floodKinds: readonly Kind[] = [
  flood(
    'a thousand requests in one write',
    'a thousand requests in one write whose answers are not read delay others little and use little memory',
    async (shop) => {
      const one = wire(shop.seller.port, { reads: false });
      one.write(getBytes('/quote?rows=100').repeat(1_400));
      return [one];
    },
    6_000,
  ),
  flood(
    'pipelining on many connections',
    'many connections with many unanswered requests each delay others little and use little memory',
    async (shop) => {
      const wires = Array.from({ length: 40 }, () => wire(shop.seller.port, { reads: false }));
      for (const one of wires) one.write(getBytes('/quote?rows=100').repeat(150));
      return wires;
    },
    5_000,
  ),
  flood('large unread answers', 'unread answers of megabytes are not kept in memory', async (shop) => {
    const wires = Array.from({ length: 60 }, () => wire(shop.seller.port, { reads: false }));
    for (const one of wires)
      one.write(
        (getBytes('/docs') + getBytes('/openapi.json') + getBytes('/tools') + getBytes('/v1/tools')).repeat(
          4,
        ),
      );
    return wires;
  }),
  flood('many connections', 'a thousand silent connections do not keep others out', async (shop) => {
    const wires = Array.from({ length: 1_000 }, () => wire(shop.seller.port));
    await wait(300);
    return wires;
  }),
  flood(
    'slow heads and bodies',
    'connections that send a byte now and then do not keep others out',
    async (shop) => {
      const wires = Array.from({ length: 300 }, () => wire(shop.seller.port));
      for (const [index, one] of wires.entries())
        one.write(
          index % 2 === 0
            ? 'GET /healthz HTTP/1.1\r\nHost: a\r\nX-'
            : 'POST /v1/quote HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{',
        );
      for (let count = 0; count < 6; count += 1) {
        await wait(200);
        for (const one of wires) one.write('a');
      }
      return wires;
    },
    500,
  ),
  {
    name: 'more than sixteen unanswered requests',
    promise:
      'a connection may have a limited number of unanswered requests, and further ones are not processed',
    async run(scene) {
      const shop = await scene.shop();
      const one = wire(shop.seller.port, { reads: false });
      const before = shop.seller.processorMs();
      one.write(getBytes('/quote?rows=100').repeat(600));
      await wait(4_000);
      const spent = shop.seller.processorMs() - before;
      one.end();
      scene.held(spent < 1_500, `${spent} ms of processor for one connection that reads nothing`);
      // A client that reads its answers is still served.
      const reader = wire(shop.seller.port);
      reader.write(getBytes('/healthz').repeat(8));
      const isServed = await within(8_000, () => answersIn(reader.heard()) === 8);
      scene.held(isServed, `${answersIn(reader.heard())} of 8 pipelined answers`);
      reader.end();
    },
  },
];
