import type { PaymentRequirements } from '@x402/core/types';
import { privateKeyToAddress } from 'viem/accounts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc as ask } from '../../src/devnet/chain-rpc.ts';
import type { Claims } from '../../src/exchange/claims/claims.ts';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { healthOf } from '../../src/health/health.ts';
import type { KeyOwnership, Settlers } from '../../src/payments/settlers/settlers.ts';
import type { TestApp } from '../support/app.ts';
import { mine, setAutomine } from '../support/chain-actions.ts';
import { chainApp, challengeOf, noticePath } from '../support/chain-app.ts';
import { paymentHeader, type SignedPayment, signAuthorization } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { ownSettlers, proxiedBench } from './proxied.ts';

const CENT = 10_000n;
const { chain, proxy, gain } = proxiedBench();
let told: Parameters<KeyOwnership['onChange']>[0];
let isUsable: () => boolean;
let settlers: Settlers;
let app: TestApp;
let onSending: (() => void) | null;
let accepted: PaymentRequirements;
let spare: RpcProxy;

/** The process gets the key and may use it until `isOver`. */
function begin(): { isOver: boolean } {
  const state = { isOver: false };
  isUsable = () => !state.isOver;
  told(true);
  return state;
}

beforeEach(async () => {
  isUsable = () => false;
  onSending = null;
  spare = await startRpcProxy(chain().rpcUrl);
  const remembered = memoryClaims({ maxClaims: 100, now: () => Date.now() - 10_000 });
  const claims: Claims = {
    ...remembered,
    async save(key, claim) {
      const saved = await remembered.save(key, claim);
      if (claim.state === 'sent') onSending?.();
      return saved;
    },
  };
  settlers = ownSettlers(chain(), [proxy().url, spare.url], {
    ownership: {
      mayUse: () => isUsable(),
      onChange(listener) {
        told = listener;
      },
    },
    isShared: true,
  });
  app = chainApp(chain(), { settlement: settlers.settlement, claims });
  accepted = await challengeOf(app);
});
afterEach(async () => {
  settlers.stop();
  await setAutomine(chain(), true);
  await spare.stop();
});

const sign = () => signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted });
const present = (payment: SignedPayment) =>
  app.get(noticePath(), { 'payment-signature': paymentHeader(payment) });
const sends = () => proxy().sends() + spare.sends();
const health = () =>
  healthOf({
    isDraining: false,
    redis: 'ok',
    hasChainEnded: false,
    lowBalanceSettlers: new Set(),
    isPayeeShared: false,
    settlers: settlers.health(),
  });
it('without a relayer key nothing is claimed or sent, health says why, and the same payment is valid as soon as there is a key', async () => {
  const payment = await sign();
  const refused = await present(payment);
  expect([refused.status, app.claims.size(), sends(), await gain()]).toEqual([503, 0, 0, 0n]);
  await expect
    .poll(health)
    .toEqual({ status: 'degraded', payments: 'unavailable', reasons: ['local_relayer_in_use'] });
  begin();
  const paid = await present(payment);
  expect([paid.status, await gain()]).toEqual([200, CENT]);
  await expect.poll(health).toEqual({ status: 'ok', payments: 'ok', reasons: [] });
});

it('if a relayer key is lost between saving and broadcast, nothing is sent, and the payment buys once the key is back', async () => {
  const held = begin();
  expect((await present(await sign())).status).toBe(200);
  const sent = sends();
  onSending = () => {
    held.isOver = true;
  };
  const payment = await sign();
  expect((await present(payment)).status).toBe(503);
  expect([sends(), await gain()]).toEqual([sent, CENT]);
  onSending = null;
  told(false);
  begin();
  expect([(await present(payment)).status, await gain()]).toEqual([200, 2n * CENT]);
});

it('a failing node gets no more transactions once the relayer key must not be used any longer', async () => {
  begin();
  expect((await present(await sign())).status).toBe(200);
  for (const node of [proxy(), spare]) node.resetCalls();
  proxy().fail('eth_sendRawTransactionSync', 'dead');
  // The key is lost as soon as the first node has been called.
  isUsable = () => sends() === 0;
  const payment = await sign();
  expect((await present(payment)).status).toBe(409);
  expect([sends(), proxy().calls('eth_sendRawTransactionSync'), await gain()]).toEqual([1, 1, CENT]);
  proxy().heal();
  begin();
  await expect.poll(async () => (await present(payment)).status, { timeout: 90_000 }).toBe(200);
  expect(await gain()).toBe(2n * CENT);
});

it('a process that has lost its relayer key no longer sends or raises a pending transaction, but any process can find the result', async () => {
  const held = begin();
  await setAutomine(chain(), false);
  const payment = await sign();
  expect((await present(payment)).status).toBe(409);
  held.isOver = true;
  told(false);
  const before = sends();
  // Repeating a request does not send a transaction of the former holder again.
  expect((await present(payment)).status).toBe(409);
  expect(sends()).toBe(before);
  await setAutomine(chain(), true);
  await mine(chain());
  await expect.poll(async () => (await present(payment)).status, { timeout: 90_000 }).toBe(200);
  expect([await gain(), sends()]).toEqual([CENT, before]);
});

it("a relayer key that is regained starts from the chain's transaction count, whatever was counted before", async () => {
  const first = begin();
  expect((await present(await sign())).status).toBe(200);
  first.isOver = true;
  told(false);
  // Another holder has used the key in the meantime.
  const from = privateKeyToAddress(chain().relayerKey);
  await ask(chain().rpcUrl, 'anvil_impersonateAccount', from);
  for (let count = 0; count < 3; count += 1)
    await ask(chain().rpcUrl, 'eth_sendTransaction', { from, to: from, value: '0x0' });
  await ask(chain().rpcUrl, 'anvil_stopImpersonatingAccount', from);
  const taken = sends();
  begin();
  const paid = await present(await sign());
  expect([paid.status, await gain(), sends()]).toEqual([200, 2n * CENT, taken + 1]);
});
