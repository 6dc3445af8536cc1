import type { PaymentRequirements } from '@x402/core/types';
import { expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import type { Claims } from '../../src/exchange/claims/claims.ts';
import { notSent, type Settlement, unknown } from '../../src/payments/settlement.ts';
import { sharedChain } from '../support/chain.ts';
import { challengeOf, earned, noticePath } from '../support/chain-app.ts';
import { frontRun, paymentHeader, signAuthorization } from '../support/payments.ts';
import { redisMissing, startRedis } from '../support/redis.ts';
import { DISTRUSTED_MS } from './bench.ts';
import { type Instance, instanceOn } from './instances.ts';

const CENT = 10_000n;
const LEASE_MS = 300;
const claimParts = { leaseMs: LEASE_MS, patienceMs: 0 };
const pause = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs));
const chain = sharedChain();

/**
 * Leaves a claim open in its own Redis: an instance stopped before its first send for a purchase, after Redis had run
 * long enough to be trusted.
 */
async function leftOpen(name?: string, purchase?: string) {
  const server = await startRedis({ appendOnly: true });
  let claimed = () => {};
  const isClaimed = new Promise<void>((resolve) => {
    claimed = resolve;
  });
  const stopping = (claims: Claims): Claims => ({
    ...claims,
    save: () => {
      claimed();
      return new Promise(() => {});
    },
  });
  const dying = await instanceOn(chain(), server, { claimParts, around: stopping });
  await pause(DISTRUSTED_MS);
  const before = await earned(chain());
  const accepted: PaymentRequirements = await challengeOf(dying);
  const sign = () => signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted });
  const payment = await sign();
  const present = (at: Instance, request = name, { payload } = { payload: payment }) =>
    at.get(noticePath(request), {
      'payment-signature': paymentHeader(payload),
      ...(purchase !== undefined && { 'idempotency-key': purchase }),
    });
  void present(dying);
  await isClaimed;
  dying.close();
  return {
    sign,
    present,
    /** Another instance on the same Redis. */
    instance: (options: Parameters<typeof instanceOn>[2] = {}) =>
      instanceOn(chain(), server, { claimParts, ...options }),
    /** A third party submits what the buyer signed, and Redis restarts. */
    async submittedByOthers() {
      await frontRun(chain(), payment.payload);
      await server.kill();
      await server.start();
    },
    gain: async () => (await earned(chain())) - before,
    async end(...instances: Instance[]) {
      for (const one of instances) one.close();
      await server.stop();
    },
  };
}

it.skipIf(redisMissing)(
  'a claim that was left open survives a restart of Redis, and a stranger’s submission is honored once',
  async () => {
    const { present, instance, submittedByOthers, gain, end } = await leftOpen();
    await submittedByOthers();
    const heir = await instance();
    await pause(LEASE_MS);
    // A stranger who has read the payment from the chain cannot take it away from its buyer.
    expect((await present(heir, 'Another request')).status).toBe(409);
    await expect.poll(async () => (await present(heir)).status).toBe(200);
    expect((await present(heir, 'Another request')).status).toBe(409);
    expect(await gain()).toBe(CENT);
    await end(heir);
  },
);

/** The settlement of a process that does not have the relayer key at the moment. */
const withoutKey: Settlement = {
  settle: async () => notSent('no_relayer_key'),
  reconcile: async (_order, transaction) => unknown(transaction),
  isWalletSigned: async () => null,
  refusal: async () => 'no_relayer_key',
};

/** The settlement of a process whose nodes cannot be reached at the moment. */
const withoutNode: Settlement = {
  ...withoutKey,
  settle: async () => notSent('unreached'),
  refusal: async () => null,
};

it.skipIf(redisMissing).each([
  ['without the relayer key', withoutKey, 409],
  ['that can send nothing', withoutNode, 503],
])(
  'a payment with an open claim still gets its answer after an instance %s has taken the claim over',
  async (_name, settlement, status) => {
    const { present, instance, submittedByOthers, gain, end } = await leftOpen();
    await submittedByOthers();
    await pause(LEASE_MS);
    const idle = await instance({ settlement });
    expect((await present(idle)).status).toBe(status);
    const heir = await instance();
    await expect.poll(async () => (await present(heir)).status).toBe(200);
    expect(await gain()).toBe(CENT);
    await end(idle, heir);
  },
);

it.skipIf(redisMissing)(
  'an idempotency key that was left open can buy with another payment, even after an instance that sent nothing',
  async () => {
    const { sign, present, instance, gain, end } = await leftOpen(undefined, 'order-4711');
    await pause(LEASE_MS);
    const idle = await instance({ settlement: withoutNode });
    expect((await present(idle)).status).toBe(503);
    const heir = await instance();
    const another = { payload: await sign() };
    await expect.poll(async () => (await present(heir, undefined, another)).status).toBe(200);
    expect(await gain()).toBe(CENT);
    await end(idle, heir);
  },
);

it.skipIf(redisMissing)(
  'a request that takes over a claim gets no answer for an earlier use of the payment',
  async () => {
    const { present, instance, submittedByOthers, end } = await leftOpen('One');
    await submittedByOthers();
    const heir = await instance();
    await expect.poll(async () => (await present(heir, 'Other')).status).toBe(409);
    await end(heir);
  },
);
