import type { PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type DevAccount, devAccounts } from '../../src/devnet/chain-accounts.ts';
import { usdcBalance } from '../../src/devnet/usdc.ts';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { proves } from '../spec/clauses.ts';
import type { TestApp } from '../support/app.ts';
import { onCopyOf, sharedChain } from '../support/chain.ts';
import { blacklist, mint, pause } from '../support/chain-actions.ts';
import { chainApp, challengeOf, earned, headerJson, noticePath } from '../support/chain-app.ts';
import {
  cancelAuthorization,
  faultyPayments,
  frontRun,
  paymentHeader,
  signAuthorization,
} from '../support/payments.ts';
import { deployLenientWallet, deploySmartWallet } from '../support/smart-wallet.ts';

type Receipt = {
  success: boolean;
  transaction: string;
  network: string;
  payer: string;
  errorReason?: string;
};

const POLLING = { timeout: 10_000, interval: 200 };
const PACK_BODY = { items: [{ description: 'Design', quantity: 2, unit_price: 450 }] };
const CENT = 10_000n;

describe('purchases on the real USDC contract', () => {
  const chain = sharedChain();
  let app: TestApp;
  let accepted: PaymentRequirements;
  let buyer: DevAccount;

  beforeAll(async () => {
    app = chainApp(chain());
    accepted = await challengeOf(app);
    buyer = chain().buyers[0] as DevAccount;
  });

  /** Signs for the notice and presents it; the payee's gain comes with the response. */
  async function buy(options: Partial<Parameters<typeof signAuthorization>[0]> = {}, path = noticePath()) {
    const before = await earned(chain());
    const payment = await signAuthorization({ buyer, accepted, ...options });
    const response = await app.get(path, { 'payment-signature': paymentHeader(payment) });
    return { payment, response, gain: (await earned(chain())) - before };
  }

  async function officialClient(account: DevAccount) {
    const client = new x402Client().register(
      'eip155:8453',
      new ExactEvmScheme(privateKeyToAccount(account.privateKey)),
    );
    return wrapFetchWithPayment(async (input, init) => app.http.request(new Request(input, init)), client);
  }

  it(
    proves(
      ['4-late-fee-notice', '8-prices', '3-settled', '5-payment-response', '5-x402', '2.5-content-type'],
      'sells a notice for exactly one cent to the official client',
    ),
    async () => {
      const account = chain().buyers[1] as DevAccount;
      const [payee, payer] = await Promise.all([
        earned(chain()),
        usdcBalance(chain().rpcUrl, account.address),
      ]);
      const pay = await officialClient(account);
      const response = await pay(`https://calc.example${noticePath()}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.headers.get('cache-control')).toBe('no-store');
      const receipt = headerJson<Receipt>(response, 'payment-response');
      expect(receipt).toMatchObject({
        success: true,
        network: 'eip155:8453',
        payer: account.address.toLowerCase(),
      });
      expect(receipt?.transaction).toMatch(/^0x[0-9a-f]{64}$/);
      expect(await response.json()).toMatchObject({ fee: { late_fee: 50.63 }, reminder: { tone: 'polite' } });
      expect((await earned(chain())) - payee).toBe(CENT);
      expect(payer - (await usdcBalance(chain().rpcUrl, account.address))).toBe(CENT);
    },
  );

  it(proves('4-quote-pack', 'sells a quote pack for exactly five cents to the official client'), async () => {
    const before = await earned(chain());
    const pay = await officialClient(chain().buyers[1] as DevAccount);
    const response = await pay('https://calc.example/v1/quote-pack', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(PACK_BODY),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ options: [{ tier: 'good', total: 900 }, {}, {}] });
    expect((await earned(chain())) - before).toBe(50_000n);
  });

  it('gives the answer again for the same payment and request, with the same bytes, receipt and one charge', async () => {
    const { payment, response, gain } = await buy();
    const header = { 'payment-signature': paymentHeader(payment) };
    expect([response.status, gain]).toEqual([200, CENT]);
    const before = await earned(chain());
    const again = await app.get(noticePath(), header);
    expect(again.status).toBe(200);
    expect(again.headers.get('payment-response')).toBe(response.headers.get('payment-response'));
    expect(await again.text()).toBe(await response.text());
    expect(await earned(chain())).toBe(before);
  });

  it('refuses a payment that is presented for another request, before and after it is used', async () => {
    const { payment, response } = await buy();
    expect(response.status).toBe(200);
    const other = await app.get(noticePath('Somebody else'), { 'payment-signature': paymentHeader(payment) });
    expect(other.status).toBe(409);
    expect(await other.json()).toMatchObject({ code: 'payment_already_used', charged: false });
    expect(other.headers.get('payment-required')).toBeNull();
  });

  it('takes a payment from a contract wallet (ERC-1271)', async () => {
    const wallet = await deploySmartWallet(chain(), buyer.address, 1_000_000n);
    const { response, gain } = await buy({ authorization: { from: wallet } });
    expect([response.status, gain]).toEqual([200, CENT]);
    expect(headerJson<Receipt>(response, 'payment-response')?.payer).toBe(wallet.toLowerCase());
  });

  it.each([640, 3_600])('takes a signature of %d bytes, as passkey wallets make', async (bytes) => {
    const wallet = await deployLenientWallet(chain(), buyer.address, 1_000_000n);
    const { response, gain } = await buy({
      authorization: { from: wallet },
      signature: `0x${'5a'.repeat(bytes)}`,
    });
    expect([response.status, gain]).toEqual([200, CENT]);
  });

  const stranger = '0x00000000000000000000000000000000000000c1';
  const faults = faultyPayments(stranger);
  const reasons = [
    ['expired', 'invalid_exact_evm_payload_authorization_valid_before'],
    ['future', 'invalid_exact_evm_payload_authorization_valid_after'],
    ['wrongValue', 'invalid_exact_evm_payload_authorization_value_mismatch'],
    ['raisedAfterSigning', 'invalid_exact_evm_payload_authorization_value_mismatch'],
    ['wrongRecipient', 'invalid_exact_evm_payload_recipient_mismatch'],
    ['badSignature', 'invalid_exact_evm_payload_signature'],
  ] as const;
  for (const [fault, reason] of reasons)
    it(`refuses a payment that is ${fault} with ${reason}, and charges nothing`, async () => {
      const { response, gain } = await buy(faults[fault]);
      expect([response.status, gain]).toEqual([402, 0n]);
      expect(headerJson<{ error: string }>(response, 'payment-required')?.error).toBe(reason);
      expect(await response.json()).toMatchObject({
        code: 'payment_required',
        error: reason,
        charged: false,
      });
    });

  it('refuses a signature by somebody else for the payer', async () => {
    const { response, gain } = await buy({
      authorization: { from: (chain().buyers[2] as DevAccount).address },
    });
    expect([response.status, gain]).toEqual([402, 0n]);
    expect(await response.json()).toMatchObject({ error: 'invalid_exact_evm_payload_signature' });
  });

  it('refuses a payer without funds, who may pay with the same authorization once funded', async () => {
    const poor = devAccounts(13)[12] as DevAccount;
    const { payment, response, gain } = await buy({ buyer: poor });
    expect([response.status, gain]).toEqual([402, 0n]);
    expect(await response.json()).toMatchObject({ error: 'insufficient_funds' });
    await mint(chain(), poor.address, 1_000_000n);
    // A refusal is remembered for five seconds, so that repeating it costs no further call.
    const header = { 'payment-signature': paymentHeader(payment) };
    await expect.poll(async () => (await app.get(noticePath(), header)).status, POLLING).toBe(200);
  });

  it('refuses an authorization that its payer canceled', async () => {
    const payment = await signAuthorization({ buyer, accepted });
    await cancelAuthorization(chain(), buyer, payment.payload.authorization.nonce);
    const response = await app.get(noticePath(), { 'payment-signature': paymentHeader(payment) });
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ error: 'invalid_exact_evm_nonce_already_used' });
  });

  it('honours once an authorization that somebody else submitted first', async () => {
    const before = await earned(chain());
    const payment = await signAuthorization({ buyer, accepted });
    await frontRun(chain(), payment.payload);
    const header = { 'payment-signature': paymentHeader(payment) };
    const response = await app.get(noticePath(), header);
    expect(response.status).toBe(200);
    expect((await earned(chain())) - before).toBe(CENT);
    expect((await app.get(noticePath('Other'), header)).status).toBe(409);
  });

  it('does not honour an authorization that was used before this process could have known it', async () => {
    const payment = await signAuthorization({ buyer, accepted });
    await frontRun(chain(), payment.payload);
    const claims = memoryClaims({ maxClaims: 10, now: () => Date.now() + 3_000 });
    const later = chainApp(chain(), { claims });
    const response = await later.get(noticePath(), { 'payment-signature': paymentHeader(payment) });
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ error: 'invalid_exact_evm_nonce_already_used' });
  });

  it('names a blacklisted payer and does not ask to retry', async () => {
    await onCopyOf(chain(), async () => {
      await blacklist(chain(), buyer.address);
      const { response, gain } = await buy();
      expect([response.status, gain]).toEqual([402, 0n]);
      expect(await response.json()).toMatchObject({ error: 'payer_or_payee_blacklisted' });
    });
  });

  it(proves(['7-5xx', '3-failed'], 'answers 503 and sends nothing while the asset is paused'), async () => {
    await onCopyOf(chain(), async () => {
      await pause(chain());
      const { response, gain } = await buy();
      expect([response.status, gain]).toEqual([503, 0n]);
      expect(response.headers.get('retry-after')).toBe('2');
      expect(await response.json()).toMatchObject({ code: 'settlement_unavailable', charged: false });
    });
  });

  it('settles twenty purchases in parallel with one key', async () => {
    const before = await earned(chain());
    const payments = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        signAuthorization({ buyer: chain().buyers[index % 9] as DevAccount, accepted }),
      ),
    );
    const responses = await Promise.all(
      payments.map((payment, index) =>
        app.get(noticePath(`Client ${index}`), { 'payment-signature': paymentHeader(payment) }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect((await earned(chain())) - before).toBe(20n * CENT);
    expect(
      new Set(responses.map((response) => headerJson<Receipt>(response, 'payment-response')?.transaction))
        .size,
    ).toBe(20);
  });

  it('charges once for the same payment presented five times at once', async () => {
    const before = await earned(chain());
    const header = { 'payment-signature': paymentHeader(await signAuthorization({ buyer, accepted })) };
    const responses = await Promise.all(Array.from({ length: 5 }, () => app.get(noticePath(), header)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1);
    expect((await earned(chain())) - before).toBe(CENT);
  });

  it(proves('5-payment-signature', 'takes base64url and any letter case of addresses'), async () => {
    const payment = await signAuthorization({ buyer, accepted });
    const shouting = {
      ...payment,
      accepted: { ...accepted, payTo: accepted.payTo.toLowerCase(), asset: accepted.asset.toLowerCase() },
    };
    const header = Buffer.from(JSON.stringify(shouting)).toString('base64url');
    expect((await app.get(noticePath(), { 'payment-signature': header })).status).toBe(200);
  });

  it(proves(['3-rejected', '4-rule-400'], 'never charges an invalid request, paid or not'), async () => {
    const { response, gain } = await buy({}, '/v1/late-fee-notice?amount=-1&due_date=2026-02-30&tone=rude');
    expect([response.status, gain]).toEqual([400, 0n]);
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/amount', '/due_date', '/tone']);
  });

  it('runs nothing paid for HEAD, whatever it carries', async () => {
    const before = await earned(chain());
    const payment = await signAuthorization({ buyer, accepted });
    const head = await app.http.request(noticePath(), {
      method: 'HEAD',
      headers: { 'payment-signature': paymentHeader(payment) },
    });
    expect([head.status, await head.text()]).toEqual([402, '']);
    expect(await earned(chain())).toBe(before);
  });
});
