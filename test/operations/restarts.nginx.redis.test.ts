import { Agent, get } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { earned } from '../support/chain-app.ts';
import { signals } from '../support/here.ts';
import { SELLER } from '../support/payments.ts';
import { redisMissing } from '../support/redis.ts';
import { type Nginx, startNginx } from './nginx.ts';
import { buyAll, type Counts, count, twoInstances } from './two-instances.ts';

const FREE = '/v1/late-fee?amount=100&due_date=2026-09-01&paid_date=2026-11-21';
const PURCHASES = 100;
const BUYERS = 6;
const CALLERS = 8;
const CENT = 10_000n;

const isMissing = redisMissing || process.env.SKIP_NGINX !== undefined || signals.areMissing;

describe.skipIf(isMissing)(
  signals.named('two instances behind nginx with the block from docs/proxy.md'),
  () => {
    const { chain, addresses, start } = twoInstances();
    let proxy: Nginx;
    afterAll(() => proxy?.stop());

    it('are restarted and killed in turn under load: every request is answered, and every purchase is charged once', {
      timeout: 300_000,
    }, async () => {
      const running = [await start(0), await start(1)];
      proxy = await startNginx(addresses());
      const before = await earned(chain(), SELLER);
      let isOver = false;
      const free: Counts = {};
      const underWay = new Set<Promise<void>>();
      const purchases = buyAll(proxy.url, chain().buyers.slice(0, BUYERS), {
        purchases: PURCHASES,
        underWay,
      });
      const calls = Array.from({ length: CALLERS }, () =>
        callFree(proxy.url, free, { underWay, isNext: () => !isOver }),
      );

      for (const signal of ['SIGTERM', 'SIGKILL'] as const)
        for (const index of [0, 1] as const) {
          running[index]?.child.kill(signal);
          expect(await running[index]?.ended).toBe(signal === 'SIGTERM' ? 0 : signal);
          running[index] = await start(index);
          // nginx tries each instance once, so a request that met a stopped one needs the other.
          await Promise.all(underWay);
        }

      const { first, lost, transactions } = await purchases;
      isOver = true;
      await Promise.all(calls);
      expect(Object.keys(free), proxy.logged()).toEqual(['200']);
      expect([transactions.size, lost]).toEqual([PURCHASES, 0]);
      expect((await earned(chain(), SELLER)) - before).toBe(BigInt(PURCHASES) * CENT);
      // An instance that was killed may have begun a purchase and sent nothing. The service, not nginx, tells the
      // buyer of such a purchase to repeat it.
      const strange = Object.keys(first).filter((status) => !['200', '409', '503'].includes(status));
      expect(strange, proxy.logged()).toEqual([]);
      // It is unknown whether a killed process still uses its key, so its successor waits ten seconds. Until then, nginx
      // gives every second purchase to it.
      expect(first[200] ?? 0).toBeGreaterThan(PURCHASES / 4);
    });
  },
);

type Calling = { readonly underWay: Set<Promise<void>>; readonly isNext: () => boolean };

/** Sends free requests one after another until `isOver` is true; counts the results. */
async function callFree(url: string, counts: Counts, { underWay, isNext }: Calling): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (isNext()) {
    const answered = new Promise<string>((resolve) => {
      get(`${url}${FREE}`, { agent }, (incoming) =>
        incoming.resume().once('end', () => resolve(String(incoming.statusCode))),
      ).once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'lost'));
    }).then((end) => count(counts, end));
    underWay.add(answered);
    await answered;
    underWay.delete(answered);
  }
  agent.destroy();
}
