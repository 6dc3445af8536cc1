import type { PaymentRequirements } from '@x402/core/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { sharedChain } from '../support/chain.ts';
import { challengeOf, earned, headerJson, noticePath } from '../support/chain-app.ts';
import { paymentHeader, type SignedPayment, signAuthorization } from '../support/payments.ts';
import { redisMissing, until } from '../support/redis.ts';
import { type RedisCluster, startCluster } from '../support/redis-groups.ts';
import { type Instance, instanceOn } from './instances.ts';

const CENT = 10_000n;
const LIMIT_MS = 120_000;
const FREE = '/v1/late-fee?amount=100&due_date=2026-09-01&paid_date=2026-11-21';

describe.skipIf(redisMissing)('a cluster of three servers', () => {
  const chain = sharedChain();
  let cluster: RedisCluster;
  let instances: Instance[] = [];
  let accepted: PaymentRequirements;
  let before: bigint;

  beforeEach(async () => {
    cluster = await startCluster();
    before = await earned(chain());
    for (let count = 0; count < 2; count += 1)
      instances.push(await instanceOn(chain(), cluster, { freeRequestsPerMinute: 30 }));
    for (const { redis } of instances) await until(redis, 'ok');
    accepted = await challengeOf(instances[0] as Instance);
  });
  afterEach(async () => {
    for (const instance of instances) instance.close();
    instances = [];
    await cluster.stop();
  });

  const sign = (account = 0): Promise<SignedPayment> =>
    signAuthorization({ buyer: chain().buyers[account] as DevAccount, accepted });
  const present = (at: Instance | undefined, payment: SignedPayment, name?: string) =>
    (at as Instance).get(noticePath(name), { 'payment-signature': paymentHeader(payment) });
  const gain = async () => (await earned(chain())) - before;
  const transactionOf = (response: Response) =>
    headerJson<{ transaction: string }>(response, 'payment-response')?.transaction;

  it('keeps claims, names and limits on the one server that has their slot, by the names they always had', {
    timeout: LIMIT_MS,
  }, async () => {
    const payment = await sign();
    const [first, second] = [await present(instances[0], payment), await present(instances[1], payment)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(transactionOf(second)).toBe(transactionOf(first));
    expect(await gain()).toBe(CENT);
    const owner = await cluster.owner();
    for (const server of cluster.servers) {
      const keys = (await server.command('KEYS', '*')) as string[];
      expect(keys.filter((key) => !key.startsWith('{paid}:'))).toEqual([]);
      expect(keys.some((key) => key.startsWith('{paid}:claim:'))).toBe(server === owner);
    }
    const statuses: number[] = [];
    for (let count = 0; count < 34; count += 1)
      statuses.push((await (instances[count % 2] as Instance).get(FREE)).status);
    expect(statuses.filter((status) => status === 200).length).toBe(30);
  });

  it('is followed when the slot moves: what was bought can be had, and is not sold twice', {
    timeout: LIMIT_MS,
  }, async () => {
    const [a, b] = instances;
    const payment = await sign();
    const first = await present(a, payment);
    const former = await cluster.owner();
    await cluster.moveSlot();
    expect(await cluster.owner()).not.toBe(former);
    const again = async (at: Instance | undefined) => {
      const end = Date.now() + 20_000;
      for (;;) {
        const response = await present(at, payment);
        if (response.status === 200 || Date.now() > end) return response;
        expect(response.status).toBe(503);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    expect(transactionOf(await again(b))).toBe(transactionOf(first));
    expect((await present(b, payment, 'Another request')).status).toBe(409);
    expect(await gain()).toBe(CENT);
    const later = await sign(1);
    await until((b as Instance).redis, 'ok');
    expect((await present(b, later, 'Later')).status).toBe(200);
    expect(await gain()).toBe(2n * CENT);
  });

  it('without the server of the slot takes no payment, and takes it when that is back', {
    timeout: LIMIT_MS,
  }, async () => {
    const [a] = instances as [Instance];
    const payment = await sign();
    const owner = await cluster.owner();
    await owner.kill();
    await until(a.redis, 'down');
    expect((await present(a, payment)).status).toBe(503);
    expect((await a.get(FREE)).status).toBe(200);
    expect(await gain()).toBe(0n);
    await owner.start();
    await expect.poll(() => a.redis.status()).toBe('ok');
    await expect.poll(async () => (await present(a, payment)).status, { timeout: 30_000 }).toBe(200);
    expect(await gain()).toBe(CENT);
  });
});
