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
const pause = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs));
const patiently = { timeout: 10_000 };
const chain = sharedChain();

/** Claims of an instance that stops before the first thing it would send; `isClaimed` once it has come to that. */
function stopping() {
  let claimed = () => {};
  const isClaimed = new Promise<void>((resolve) => {
    claimed = resolve;
  });
  const around = (claims: Claims): Claims => ({
    ...claims,
    save: () => {
      claimed();
      return new Promise(() => {});
    },
  });
  return { isClaimed, around };
}

it.skipIf(redisMissing)(
  'a claim that was left open outlasts a restart of Redis: what a stranger submitted meanwhile is honoured once',
  async () => {
    const server = await startRedis({ appendOnly: true });
    const claimParts = { leaseMs: LEASE_MS, patienceMs: 0 };
    const stop = stopping();
    const dying = await instanceOn(chain(), server, {
      claimParts,
      around: stop.around,
    });
    await pause(DISTRUSTED_MS);
    const before = await earned(chain());
    const accepted: PaymentRequirements = await challengeOf(dying);
    const payment = await signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted });
    const present = (at: Instance, name?: string) =>
      at.get(noticePath(name), { 'payment-signature': paymentHeader(payment) });
    void present(dying);
    await stop.isClaimed;
    dying.close();
    await frontRun(chain(), payment.payload);
    await server.kill();
    await server.start();
    const heir = await instanceOn(chain(), server, { claimParts });
    await pause(LEASE_MS);
    // Whoever read the payment off the chain takes nothing away from its buyer.
    expect((await present(heir, 'Another request')).status).toBe(409);
    await expect.poll(async () => (await present(heir)).status, patiently).toBe(200);
    expect((await present(heir, 'Another request')).status).toBe(409);
    expect((await earned(chain())) - before).toBe(CENT);
    heir.close();
    await server.stop();
  },
);

/** As a process settles that has no relayer key at the moment. */
const withoutKey: Settlement = {
  settle: async () => notSent('no_relayer_key'),
  reconcile: async (_order, transaction) => unknown(transaction),
  isWalletSigned: async () => null,
  refusal: async () => 'no_relayer_key',
};

/** As a process settles whose nodes cannot be reached at the moment. */
const withoutNode: Settlement = {
  ...withoutKey,
  settle: async () => notSent('unreached'),
  refusal: async () => null,
};

it.skipIf(redisMissing).each([
  ['that may not settle', withoutKey, 409],
  ['that can send nothing', withoutNode, 503],
])(
  'a claim that was left open is left to others by an instance %s, with the trust that it has',
  async (_name, settlement, status) => {
    const server = await startRedis({ appendOnly: true });
    const claimParts = { leaseMs: LEASE_MS, patienceMs: 0 };
    const stop = stopping();
    const dying = await instanceOn(chain(), server, { claimParts, around: stop.around });
    await pause(DISTRUSTED_MS);
    const before = await earned(chain());
    const accepted: PaymentRequirements = await challengeOf(dying);
    const payment = await signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted });
    const present = (at: Instance) => at.get(noticePath(), { 'payment-signature': paymentHeader(payment) });
    void present(dying);
    await stop.isClaimed;
    dying.close();
    await frontRun(chain(), payment.payload);
    await server.kill();
    await server.start();
    await pause(LEASE_MS);
    const idle = await instanceOn(chain(), server, { claimParts, settlement });
    expect((await present(idle)).status).toBe(status);
    const heir = await instanceOn(chain(), server, { claimParts });
    await expect.poll(async () => (await present(heir)).status, patiently).toBe(200);
    expect((await earned(chain())) - before).toBe(CENT);
    idle.close();
    heir.close();
    await server.stop();
  },
);

it.skipIf(redisMissing)(
  'a name whose purchase was left open buys with another payment, also after an instance that could send nothing',
  async () => {
    const server = await startRedis({ appendOnly: true });
    const claimParts = { leaseMs: LEASE_MS, patienceMs: 0 };
    const stop = stopping();
    const dying = await instanceOn(chain(), server, { claimParts, around: stop.around });
    await pause(DISTRUSTED_MS);
    const before = await earned(chain());
    const accepted: PaymentRequirements = await challengeOf(dying);
    const signed = async () =>
      paymentHeader(await signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted }));
    const present = (at: Instance, payment: string) =>
      at.get(noticePath(), { 'payment-signature': payment, 'idempotency-key': 'order-4711' });
    const first = await signed();
    void present(dying, first);
    await stop.isClaimed;
    dying.close();
    await pause(LEASE_MS);
    const idle = await instanceOn(chain(), server, { claimParts, settlement: withoutNode });
    expect((await present(idle, first)).status).toBe(503);
    const heir = await instanceOn(chain(), server, { claimParts });
    const another = await signed();
    await expect.poll(async () => (await present(heir, another)).status, patiently).toBe(200);
    expect((await earned(chain())) - before).toBe(CENT);
    idle.close();
    heir.close();
    await server.stop();
  },
);

it.skipIf(redisMissing)('a claim taken over for another request inherits no trust', async () => {
  const server = await startRedis({ appendOnly: true });
  const claimParts = { leaseMs: LEASE_MS, patienceMs: 0 };
  const stop = stopping();
  const dying = await instanceOn(chain(), server, { claimParts, around: stop.around });
  await pause(DISTRUSTED_MS);
  const accepted: PaymentRequirements = await challengeOf(dying);
  const payment = await signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted });
  const headers = { 'payment-signature': paymentHeader(payment) };
  void dying.get(noticePath('One'), headers);
  await stop.isClaimed;
  dying.close();
  await frontRun(chain(), payment.payload);
  await server.kill();
  await server.start();
  const heir = await instanceOn(chain(), server, { claimParts });
  await expect.poll(async () => (await heir.get(noticePath('Other'), headers)).status, patiently).toBe(409);
  heir.close();
  await server.stop();
});
