import type { PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { beforeAll } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { sharedChain } from '../support/chain.ts';
import { headerJson, noticePath } from '../support/chain-app.ts';
import { freePort } from '../support/listening.ts';
import { paymentHeader, SELLER, signAuthorization } from '../support/payments.ts';
import { freeRelayerKeys, type RedisServer, startRedis } from '../support/redis.ts';
import { listens, processes, type ServiceProcess } from './process.ts';

/** Numbers of results by what they were. */
export type Counts = Record<string, number>;
export const count = (counts: Counts, end: string | number): void => {
  counts[end] = (counts[end] ?? 0) + 1;
};

/** Two instances on one chain and one Redis, each with its own relayer key and port; call it in a describe block. */
export function twoInstances(settings: Record<string, string> = {}) {
  const chain = sharedChain();
  const run = processes();
  const ports: number[] = [];
  let redis: RedisServer;
  const keys = () => [chain().relayerKey, (chain().buyers[7] as DevAccount).privateKey];

  beforeAll(async () => {
    redis = await startRedis({ appendOnly: true });
    await freeRelayerKeys(redis, keys());
    ports.push(await freePort(), await freePort());
    return () => redis.stop();
  });

  return {
    chain,
    /** The host and port of each. */
    addresses: () => ports.map((port) => `127.0.0.1:${port}`),
    async start(index: 0 | 1): Promise<ServiceProcess> {
      const service = run({
        PORT: String(ports[index]),
        NODE_ENV: 'development',
        SETTLERS: 'local',
        RPC_URLS: chain().rpcUrl,
        RELAYER_KEY: keys()[index] as string,
        PAY_TO: SELLER,
        REDIS_URL: redis.url,
        TRUSTED_PROXIES: '127.0.0.1/32',
        FREE_REQUESTS_PER_MINUTE: '1000000',
        ...settings,
      });
      // The load uses the whole machine, so starting takes a long time.
      await listens(service, 60_000);
      return service;
    },
  };
}

type Buying = {
  readonly purchases: number;
  /** Has the pending attempts. */
  readonly underWay?: Set<Promise<void>>;
};

/**
 * Purchases of several buyers, one after another for each buyer, each repeated until it is answered. Returns the result
 * of each first attempt, the number of attempts without any answer, and the transactions that paid.
 */
export async function buyAll(
  url: string,
  accounts: readonly DevAccount[],
  { purchases, underWay = new Set() }: Buying,
) {
  const unpaid = await fetch(`${url}${noticePath()}`);
  const [accepted] = headerJson<PaymentRequired>(unpaid, 'payment-required')?.accepts ?? [];
  const first: Counts = {};
  const transactions = new Set<string>();
  let lost = 0;
  let next = 0;
  const attempt = async (path: string, headers: Record<string, string>): Promise<number> => {
    const response = await fetch(`${url}${path}`, { headers }).catch(() => null);
    await response?.text();
    if (response === null) lost += 1;
    else if (response.status === 200)
      transactions.add(headerJson<{ transaction: string }>(response, 'payment-response')?.transaction ?? '');
    return response?.status ?? 0;
  };
  const buyer = async (account: DevAccount) => {
    while (next < purchases) {
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
  await Promise.all(accounts.map(buyer));
  return { first, lost, transactions };
}
