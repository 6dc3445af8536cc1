import type { PaymentRequirements } from '@x402/core/types';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { batcher, deal, placeBatcher, sendTogether } from '../support/batch.ts';
import { chainApp, earned, headerJson, noticePath } from '../support/chain-app.ts';
import { frontRun, frontRunTransaction, paymentHeader, type SignedPayment } from '../support/payments.ts';
import { delegate, deployLenientWallet, deploySmartWallet } from '../support/smart-wallet.ts';
import { proxiedBench } from './proxied.ts';

const CENT = 10_000n;

describe('a service that checks what a payer signed', () => {
  const bench = proxiedBench();
  const { chain, sign, gain } = bench;
  const present = (payment: SignedPayment, name = 'Acme') =>
    bench.app().get(noticePath(name), { 'payment-signature': paymentHeader(payment) });
  const sent = () => bench.proxy().calls('eth_sendRawTransactionSync');
  const reads = () => bench.proxy().requests() - sent();
  /** The same signature on other fields. */
  const rewritten = (
    payment: SignedPayment,
    changes: Partial<SignedPayment['payload']['authorization']>,
  ) => ({
    ...payment,
    payload: { ...payment.payload, authorization: { ...payment.payload.authorization, ...changes } },
  });
  let accepted: PaymentRequirements;
  beforeEach(async () => {
    accepted = bench.accepted();
    await placeBatcher(chain());
  });

  it('sells one answer for one transfer in a transaction, regardless of what else is in the transaction', async () => {
    const real = await sign();
    const stranger = chain().usdcOwner;
    const decoys = await Promise.all(
      Array.from({ length: 6 }, () => sign({ authorization: { to: stranger, value: '0' } })),
    );
    const calls = [real, ...decoys].map(({ payload }) =>
      frontRunTransaction(chain(), payload.authorization, payload.signature),
    );
    await sendTogether(chain(), calls as Parameters<typeof sendTogether>[1]);
    const asPaid = decoys.map((decoy) =>
      rewritten(decoy, { to: accepted.payTo as `0x${string}`, value: '10000' }),
    );
    const statuses = [];
    for (const [index, payment] of [real, ...asPaid].entries())
      statuses.push((await present(payment, `Client ${index}`)).status);
    expect(statuses).toEqual([200, 402, 402, 402, 402, 402, 402]);
    expect(await gain()).toBe(CENT);
  });

  it('sells one answer for each of several real payments in one transaction', async () => {
    const payments = [await sign(), await sign(), await sign()];
    const calls = payments.map(({ payload }) =>
      frontRunTransaction(chain(), payload.authorization, payload.signature),
    );
    await sendTogether(chain(), calls as Parameters<typeof sendTogether>[1]);
    for (const [index, payment] of payments.entries())
      expect((await present(payment, `Client ${index}`)).status).toBe(200);
    expect((await present(payments[0] as SignedPayment, 'Another')).status).toBe(409);
    expect(await gain()).toBe(3n * CENT);
  });

  it('refuses a payment to another seller by a wallet that accepts any signature, even next to a payment of the same amount', async () => {
    const owner = chain().buyers[3] as DevAccount;
    const wallet = await deployLenientWallet(chain(), owner.address, 1_000_000n);
    const ofWallet = (authorization = {}) =>
      sign({
        authorization: { from: wallet, ...authorization },
        signature: '0x'.padEnd(202, '11') as `0x${string}`,
      });
    const [away, real] = [await ofWallet({ to: batcher }), await ofWallet()];
    const calls = [away, real].map(({ payload }) =>
      frontRunTransaction(chain(), payload.authorization, payload.signature),
    );
    await sendTogether(chain(), calls as Parameters<typeof sendTogether>[1]);
    const here = rewritten(away, { to: accepted.payTo as `0x${string}` });
    // The wallet accepts its signature over anything, and the chain shows where the money went.
    const response = await present(here);
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ error: 'invalid_exact_evm_nonce_already_used' });
    expect([(await present(real, 'Another')).status, await gain()]).toEqual([200, CENT]);
  });

  it('refuses a payment read from the chain that has a different signature', async () => {
    const payment = await sign();
    await frontRun(chain(), payment.payload);
    const before = reads();
    const forged = {
      ...payment,
      payload: { ...payment.payload, signature: `0x${'11'.repeat(64)}1b` as const },
    };
    expect((await present(forged)).status).toBe(402);
    expect(reads() - before).toBe(1);
    expect((await present(forged)).status).toBe(402);
    expect(reads() - before).toBe(1);
    // The valid signature of another key is not accepted either.
    const stranger = chain().buyers[5] as DevAccount;
    const ofStranger = await sign({ buyer: stranger, authorization: payment.payload.authorization });
    expect((await present(ofStranger)).status).toBe(402);
    expect((await present(payment)).status).toBe(200);
  });

  it('treats a payment that was used two minutes before it was presented here as used for something else', async () => {
    const payment = await sign({
      authorization: { validBefore: String(Math.floor(Date.now() / 1000) + 3_600) },
    });
    await frontRun(chain(), payment.payload);
    const claims = memoryClaims({ maxClaims: 10, now: () => Date.now() - 60_000 });
    const later = chainApp(chain(), { claims, now: () => Date.now() + 125_000 });
    const header = { 'payment-signature': paymentHeader(payment) };
    expect((await later.get(noticePath(), header)).status).toBe(402);
    const sooner = chainApp(chain(), { claims, now: () => Date.now() + 110_000 });
    expect((await sooner.get(noticePath(), header)).status).toBe(200);
  });

  it('treats a payment that our own account has sent for another process as sold by that process', async () => {
    const payment = await sign();
    const header = { 'payment-signature': paymentHeader(payment) };
    const twin = chainApp(chain());
    expect((await twin.get(noticePath('One'), header)).status).toBe(200);
    expect((await present(payment, 'One')).status).toBe(402);
    expect((await present(payment, 'Other')).status).toBe(402);
    expect(await gain()).toBe(CENT);
  });

  it('treats a nonce that is signed twice as one payment, the one that came first', async () => {
    const payment = await sign();
    const { nonce, validBefore } = payment.payload.authorization;
    const longer = await sign({ authorization: { nonce, validBefore: String(Number(validBefore) + 1) } });
    expect((await present(payment)).status).toBe(200);
    const other = await present(longer);
    expect([other.status, await other.json()]).toMatchObject([409, { code: 'payment_already_used' }]);
    expect([(await present(payment)).status, await gain()]).toEqual([200, CENT]);
  });

  it('does not let a payment by a wallet that accepts any signature be collected with another validity window', async () => {
    const owner = chain().buyers[3] as DevAccount;
    const wallet = await deployLenientWallet(chain(), owner.address, 1_000_000n);
    const payment = await sign({
      authorization: { from: wallet },
      signature: '0x'.padEnd(202, '22') as `0x${string}`,
    });
    expect((await present(payment)).status).toBe(200);
    const { validBefore } = payment.payload.authorization;
    const longer = rewritten(payment, { validBefore: String(Number(validBefore) + 1) });
    expect([(await present(longer)).status, (await present(payment)).status]).toEqual([409, 200]);
    expect(await gain()).toBe(CENT);
  });

  it("accepts a payment from a delegated account if the account's own key signed it, and refuses a forged one", async () => {
    const owner = chain().buyers[4] as DevAccount;
    const wallet = await deploySmartWallet(chain(), owner.address, 1n);
    await delegate(chain(), owner.address, wallet);
    await deal(chain(), owner.address, 1_000_000n);
    await present(await sign());
    const before = reads();
    expect((await present(await sign({ buyer: owner }))).status).toBe(200);
    expect(reads() - before).toBe(1);
    const forged = await sign({
      buyer: chain().buyers[5] as DevAccount,
      authorization: { from: owner.address },
    });
    expect((await present(forged)).status).toBe(402);
  });

  it('accepts a recovery ID of 0 or 1, as some hardware wallets write it', async () => {
    const payment = await sign();
    const { signature } = payment.payload;
    const id = Number.parseInt(signature.slice(130), 16) - 27;
    const raw = {
      ...payment,
      payload: { ...payment.payload, signature: `${signature.slice(0, 130)}0${id}` as const },
    };
    const first = await present(raw as SignedPayment);
    expect(first.status).toBe(200);
    // Both notations are the same payment.
    const again = await present(payment);
    expect(headerJson(again, 'payment-response')).toEqual(headerJson(first, 'payment-response'));
    expect(await gain()).toBe(CENT);
  });

  it('makes three RPC requests for the signature of a contract wallet, and two for the signature of a key', async () => {
    const owner = chain().buyers[6] as DevAccount;
    const wallet = await deploySmartWallet(chain(), owner.address, 1_000_000n);
    await present(await sign());
    const before = [reads(), sent()];
    expect((await present(await sign({ buyer: owner, authorization: { from: wallet } }))).status).toBe(200);
    expect([reads() - (before[0] as number), sent() - (before[1] as number)]).toEqual([2, 1]);
  });

  it('does not create a claim or an idempotency key, or give an answer, for a signature by somebody else', async () => {
    const payment = await sign();
    const named = { 'payment-signature': paymentHeader(payment), 'idempotency-key': 'a-purchase-of-mine' };
    expect((await bench.app().get(noticePath(), named)).status).toBe(200);
    const anew = await sign({ signature: `0x${'22'.repeat(64)}1b` });
    const forged = { ...named, 'payment-signature': paymentHeader(anew) };
    expect((await bench.app().get(noticePath(), forged)).status).toBe(402);
    // The buyer's own second payment with the same idempotency key gets the answer and is not charged.
    const honest = { ...named, 'payment-signature': paymentHeader(await sign()) };
    expect((await bench.app().get(noticePath(), honest)).status).toBe(200);
    expect(await gain()).toBe(CENT);
    expect(await earned(chain())).toBeGreaterThan(0n);
  });
});
