import { Agent, get } from 'node:http';
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { sharedChain } from '../support/chain.ts';
import { earned, headerJson, noticePath } from '../support/chain-app.ts';
import { signals } from '../support/here.ts';
import { freePort } from '../support/listening.ts';
import { paymentHeader, SELLER, signAuthorization } from '../support/payments.ts';
import { freeRelayerKeys, type RedisServer, redisMissing, startRedis } from '../support/redis.ts';
import { type Nginx, startNginx } from './nginx.ts';
import { listens, processes, type ServiceProcess } from './process.ts';

const FREE = '/v1/late-fee?amount=100&due_date=2026-09-01&paid_date=2026-11-21';
const PURCHASES = 300;
const FREE_REQUESTS = 20_000;
const BUYERS = 6;
const CALLERS = 8;
const CENT = 10_000n;

const isMissing = redisMissing || process.env.SKIP_NGINX !== undefined || signals.areMissing;

describe.skipIf(isMissing)(
  signals.named('two instances behind nginx with the block from docs/proxy.md'),
  () => {
    const chain = sharedChain();
    const run = processes();
    let redis: RedisServer;
    let proxy: Nginx;
    const ports: number[] = [];

    beforeAll(async () => {
      redis = await startRedis({ appendOnly: true });
      await freeRelayerKeys(
        redis,
        [0, 1].map((index) => keyOf(index)),
      );
      ports.push(await freePort(), await freePort());
    });
    afterAll(async () => {
      await proxy?.stop();
      await redis.stop();
    });

    const keyOf = (index: number) =>
      index === 0 ? chain().relayerKey : (chain().buyers[7] as DevAccount).privateKey;

    async function start(index: 0 | 1): Promise<ServiceProcess> {
      const service = run({
        PORT: String(ports[index]),
        NODE_ENV: 'development',
        SETTLERS: 'local',
        RPC_URLS: chain().rpcUrl,
        RELAYER_KEY: keyOf(index),
        PAY_TO: SELLER,
        REDIS_URL: redis.url,
        TRUSTED_PROXIES: '127.0.0.1/32',
        FREE_REQUESTS_PER_MINUTE: '1000000',
      });
      // The load uses the whole machine, so a start takes long.
      await listens(service, 60_000);
      return service;
    }

    it('are restarted and killed in turn under load: every request is answered, and every purchase is charged once', {
      timeout: 300_000,
    }, async () => {
      const running = [await start(0), await start(1)];
      proxy = await startNginx(ports.map((port) => `127.0.0.1:${port}`));
      const before = await earned(chain(), SELLER);
      let left = FREE_REQUESTS;
      const free: Counts = {};
      const underWay = new Set<Promise<void>>();
      const purchases = buyAll(proxy.url, chain().buyers, underWay);
      const calls = Array.from({ length: CALLERS }, () =>
        callFree(proxy.url, free, { underWay, isNext: () => left-- > 0 }),
      );

      for (const signal of ['SIGTERM', 'SIGKILL'] as const)
        for (const index of [0, 1] as const) {
          running[index]?.child.kill(signal);
          expect(await running[index]?.ended).toBe(signal === 'SIGTERM' ? 0 : signal);
          running[index] = await start(index);
          // nginx tries each instance once, so a request that met a stopped one needs the other.
          await Promise.all(underWay);
        }

      await Promise.all(calls);
      const { first, transactions } = await purchases;
      expect(free, proxy.logged()).toEqual({ 200: FREE_REQUESTS });
      expect(transactions.size).toBe(PURCHASES);
      expect((await earned(chain(), SELLER)) - before).toBe(BigInt(PURCHASES) * CENT);
      // An instance that was killed may have begun a purchase and sent nothing. The service, not nginx, tells the
      // buyer of such a purchase to repeat it.
      const strange = Object.keys(first).filter((status) => !['200', '409', '503'].includes(status));
      expect(strange, proxy.logged()).toEqual([]);
      // It is unknown whether a killed process still uses its key, so its successor waits ten seconds.
      expect(first[200] ?? 0).toBeGreaterThan(PURCHASES / 2);
    });
  },
);

type Counts = Record<string, number>;
const count = (counts: Counts, end: string | number): void => {
  counts[end] = (counts[end] ?? 0) + 1;
};

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

/**
 * Purchases of several buyers, one after another for each buyer: the result of each first attempt, and the transactions
 * that paid for them. `underWay` has the pending attempts.
 */
async function buyAll(url: string, accounts: readonly DevAccount[], underWay: Set<Promise<void>>) {
  const unpaid = await fetch(`${url}${noticePath()}`);
  const [accepted] = headerJson<PaymentRequired>(unpaid, 'payment-required')?.accepts ?? [];
  const first: Counts = {};
  const transactions = new Set<string>();
  let next = 0;
  const attempt = async (path: string, headers: Record<string, string>): Promise<number> => {
    const response = await fetch(`${url}${path}`, { headers });
    await response.text();
    if (response.status === 200)
      transactions.add(headerJson<{ transaction: string }>(response, 'payment-response')?.transaction ?? '');
    return response.status;
  };
  const buyer = async (account: DevAccount) => {
    while (next < PURCHASES) {
      const path = noticePath(`Buyer ${next++}`);
      const payment = await signAuthorization({ buyer: account, accepted: accepted as PaymentRequirements });
      const headers = { 'payment-signature': paymentHeader(payment) };
      let status = 0;
      for (let tries = 0; tries < 400 && status !== 200; tries += 1) {
        if (tries > 0) await new Promise((resolve) => setTimeout(resolve, 150));
        const attempted = attempt(path, headers);
        const ended = attempted.then(() => undefined);
        underWay.add(ended);
        status = await attempted;
        underWay.delete(ended);
        if (tries === 0) count(first, status);
      }
    }
  };
  await Promise.all(accounts.slice(0, BUYERS).map(buyer));
  return { first, transactions };
}
