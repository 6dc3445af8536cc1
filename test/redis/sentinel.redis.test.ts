import type { PaymentRequirements } from '@x402/core/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import type { Claims } from '../../src/exchange/claims/claims.ts';
import { sharedChain } from '../support/chain.ts';
import { challengeOf, earned, headerJson, noticePath } from '../support/chain-app.ts';
import { paymentHeader, type SignedPayment, signAuthorization } from '../support/payments.ts';
import { redisMissing, until } from '../support/redis.ts';
import { type SentinelGroup, startSentinelGroup } from '../support/redis-groups.ts';
import { type Instance, instanceOn } from './instances.ts';

const CENT = 10_000n;
const LIMIT_MS = 300_000;
const PURCHASES = 40;

describe.skipIf(redisMissing)('a Redis that sentinels watch', () => {
  const chain = sharedChain();
  let group: SentinelGroup;
  let instances: Instance[] = [];
  let accepted: PaymentRequirements;
  let before: bigint;

  beforeEach(async () => {
    group = await startSentinelGroup();
    before = await earned(chain());
  });
  afterEach(async () => {
    for (const instance of instances) instance.close();
    instances = [];
    await group.stop();
  });

  async function instance(around?: (claims: Claims) => Claims): Promise<Instance> {
    const made = await instanceOn(chain(), group, around ? { around } : {});
    instances.push(made);
    accepted = await challengeOf(made);
    return made;
  }
  const sign = (account = 0): Promise<SignedPayment> =>
    signAuthorization({ buyer: chain().buyers[account] as DevAccount, accepted });
  const present = (at: Instance, payment: SignedPayment, name?: string) =>
    at.get(noticePath(name), { 'payment-signature': paymentHeader(payment) });
  const gain = async () => (await earned(chain())) - before;

  /** Repeats a purchase until it is answered; returns its transaction and every status on the way. */
  async function bought(at: readonly Instance[], payment: SignedPayment, name?: string) {
    const statuses: number[] = [];
    for (let tries = 0; tries < 600; tries += 1) {
      const response = await present(at[tries % at.length] as Instance, payment, name);
      statuses.push(response.status);
      if (response.status === 200)
        return {
          statuses,
          transaction: headerJson<{ transaction: string }>(response, 'payment-response')?.transaction,
        };
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`Never answered: ${statuses.join()}`);
  }

  it('is replaced by its successor when it crashes, and earlier answers can still be collected', {
    timeout: LIMIT_MS,
  }, async () => {
    const [a, b] = [await instance(), await instance()];
    const payment = await sign();
    const first = await bought([a], payment);
    const life = a.redis.serverRun();
    const dead = await group.primary();
    await dead.kill();
    await until(a.redis, 'down');
    expect((await present(b, await sign(1), 'Meanwhile')).status).toBe(503);
    for (const one of [a, b]) await expect.poll(() => one.redis.status()).toBe('ok');
    expect(a.redis.serverRun()).not.toBe(life);
    expect(await group.primary()).not.toBe(dead);
    expect((await bought([b], payment)).transaction).toBe(first.transaction);
    expect(await gain()).toBe(CENT);
    // The former primary is back as a replica, and is not used.
    await dead.start();
    expect((await bought([a, b], await sign(1), 'Later')).statuses.at(-1)).toBe(200);
    expect(await gain()).toBe(2n * CENT);
  });

  it('causes no payment to be sent if it crashes just before the send, and the payment can be used again', {
    timeout: LIMIT_MS,
  }, async () => {
    let isFirst = true;
    const a = await instance((claims) => ({
      ...claims,
      async save(key, claim) {
        if (isFirst && claim.state === 'sent') {
          isFirst = false;
          await (await group.primary()).kill();
        }
        return claims.save(key, claim);
      },
    }));
    const b = await instance();
    const payment = await sign();
    const refused = await present(a, payment);
    expect(refused.status).toBe(503);
    expect(await gain()).toBe(0n);
    const { statuses } = await bought([b, a], payment);
    expect(statuses.filter((status) => ![200, 409, 503].includes(status))).toEqual([]);
    expect(await gain()).toBe(CENT);
  });

  it('may crash while two instances sell: no answer is lost and no buyer pays twice', {
    timeout: LIMIT_MS,
  }, async () => {
    const both = [await instance(), await instance()];
    const transactions = new Set<string | undefined>();
    const strange: number[] = [];
    let next = 0;
    const buyer = async (account: number) => {
      while (next < PURCHASES) {
        const number = next++;
        if (number === PURCHASES / 4) void group.primary().then((primary) => primary.kill());
        const payment = await sign(account);
        const order = number % 2 === 0 ? both : both.toReversed();
        const { transaction, statuses } = await bought(order, payment, `Buyer ${number}`);
        transactions.add(transaction);
        strange.push(...statuses.filter((status) => ![200, 409, 503].includes(status)));
      }
    };
    await Promise.all([0, 1, 2, 3].map(buyer));
    expect(strange).toEqual([]);
    expect(transactions.size).toBe(PURCHASES);
    expect(await gain()).toBe(BigInt(PURCHASES) * CENT);
  });
});
