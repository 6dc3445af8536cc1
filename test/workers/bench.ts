import { spawnSync } from 'node:child_process';
import { Agent, get } from 'node:http';
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { listens, processes, type ServiceProcess } from '../operations/process.ts';
import { sharedChain } from '../support/chain.ts';
import { headerJson, noticePath } from '../support/chain-app.ts';
import { freePort } from '../support/listening.ts';
import { type OfficialFacilitator, startOfficialFacilitator } from '../support/official-facilitator.ts';
import { paymentHeader, SELLER, signAuthorization } from '../support/payments.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { until } from '../support/until.ts';

export const TOKEN = 'a-token-of-some-length';
export type Told = { status: number; body: { status: string; payments: string; reasons?: string[] } };

/** A service of several workers, a Redis, and a facilitator whose way to the chain can be made slow. */
export function workersBench() {
  const chain = sharedChain();
  const run = processes();
  let redis: RedisServer;
  let proxy: RpcProxy;
  let facilitator: OfficialFacilitator;
  beforeAll(async () => {
    redis = await startRedis();
    proxy = await startRpcProxy(chain().rpcUrl);
    facilitator = await startOfficialFacilitator(proxy.url, chain().buyers[8]?.privateKey as `0x${string}`);
  });
  afterEach(() => proxy.heal());
  afterAll(async () => {
    await facilitator?.stop();
    await proxy?.stop();
    await redis?.stop();
  });
  const launch = async (env: Record<string, string> = {}, node: string[] = []) =>
    run(
      {
        PORT: String(await freePort()),
        WORKERS: '2',
        SETTLERS: facilitator.url,
        RPC_URLS: chain().rpcUrl,
        PAY_TO: SELLER,
        REDIS_URL: redis.url,
        HEALTH_TOKEN: TOKEN,
        // Free requests are counted together where processes share a secret.
        RECEIPT_KEY: `0x${'2b'.repeat(32)}`,
        FREE_REQUESTS_PER_MINUTE: '1000000',
        ...env,
      },
      { node },
    );
  return {
    chain,
    proxy: () => proxy,
    launch,
    /** All workers serve, and take payments. */
    async start(env: Record<string, string> = {}, node: string[] = []): Promise<ServiceProcess> {
      const service = await launch(env, node);
      await listens(service, 60_000);
      await until(async () => (await healthOf(service)).body.reasons?.length === 0, 'health', 30_000);
      return service;
    },
    async payment(service: ServiceProcess): Promise<Record<string, string>> {
      const unpaid = await onNewConnection(service, noticePath());
      const required = headerJson<PaymentRequired>(unpaid, 'payment-required');
      const accepted = required?.accepts[0] as PaymentRequirements;
      const buyer = chain().buyers[0] as DevAccount;
      return { 'payment-signature': paymentHeader(await signAuthorization({ buyer, accepted })) };
    },
  };
}

/** A request on a connection of its own: workers take connections in turn. */
export function onNewConnection(
  service: ServiceProcess,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false });
    get(`${service.url}${path}`, { agent, headers }, (incoming) => {
      let body = '';
      incoming
        .setEncoding('utf8')
        .on('data', (part) => {
          body += part;
        })
        .once('error', reject)
        .once('end', () =>
          resolve(
            new Response(body, {
              status: incoming.statusCode ?? 0,
              headers: incoming.headers as Record<string, string>,
            }),
          ),
        );
    }).once('error', reject);
  });
}

/** What /readyz says to the bearer of the token. */
export async function healthOf(service: ServiceProcess): Promise<Told> {
  const response = await onNewConnection(service, '/readyz', { authorization: `Bearer ${TOKEN}` });
  return { status: response.status, body: (await response.json()) as Told['body'] };
}

/** The process ids of the workers, by their numbers. */
export function workersOf(service: Pick<ServiceProcess, 'child'>): ReadonlyMap<number, number> {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(service.child.pid)], {
    encoding: 'utf8',
  });
  return new Map(
    [...stdout.matchAll(/^ *(\d+) .* --worker=(\d+)$/gm)].map(([, pid, number]) => [
      Number(number),
      Number(pid),
    ]),
  );
}

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
