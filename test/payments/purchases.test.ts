import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { usdcBalance } from '../../src/devnet/usdc.ts';
import { proves } from '../spec/clauses.ts';
import { earned, headerJson, noticePath } from '../support/chain-app.ts';
import { frontRun, paymentHeader, signAuthorization } from '../support/payments.ts';
import { deployLenientWallet, deploySmartWallet } from '../support/smart-wallet.ts';
import { buyingBench } from './buying.ts';

type Receipt = {
  success: boolean;
  transaction: string;
  network: string;
  payer: string;
  errorReason?: string;
};

const PACK_BODY = { items: [{ description: 'Design', quantity: 2, unit_price: 450 }] };
const CENT = 10_000n;

describe('the service on the real USDC contract', () => {
  const { chain, app, accepted, buyer, buy } = buyingBench();

  async function officialClient(account: DevAccount) {
    const client = new x402Client().register(
      'eip155:8453',
      new ExactEvmScheme(privateKeyToAccount(account.privateKey)),
    );
    return wrapFetchWithPayment(async (input, init) => app().http.request(new Request(input, init)), client);
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

  it('gives the answer again for the same payment and request, with the same bytes and receipt, for one charge', async () => {
    const { payment, response, gain } = await buy();
    const header = { 'payment-signature': paymentHeader(payment) };
    expect([response.status, gain]).toEqual([200, CENT]);
    const before = await earned(chain());
    const again = await app().get(noticePath(), header);
    expect(again.status).toBe(200);
    expect(again.headers.get('payment-response')).toBe(response.headers.get('payment-response'));
    expect(await again.text()).toBe(await response.text());
    expect(await earned(chain())).toBe(before);
  });

  it('refuses a payment that is presented for another request, before and after it is used', async () => {
    const { payment, response } = await buy();
    expect(response.status).toBe(200);
    const other = await app().get(noticePath('Somebody else'), {
      'payment-signature': paymentHeader(payment),
    });
    expect(other.status).toBe(409);
    expect(await other.json()).toMatchObject({ code: 'payment_already_used', charged: false });
    expect(other.headers.get('payment-required')).toBeNull();
  });

  it('accepts a payment from a contract wallet (ERC-1271)', async () => {
    const wallet = await deploySmartWallet(chain(), buyer().address, 1_000_000n);
    const { response, gain } = await buy({ authorization: { from: wallet } });
    expect([response.status, gain]).toEqual([200, CENT]);
    expect(headerJson<Receipt>(response, 'payment-response')?.payer).toBe(wallet.toLowerCase());
  });

  it.each([640, 3_600])('accepts a signature of %d bytes, as passkey wallets make', async (bytes) => {
    const wallet = await deployLenientWallet(chain(), buyer().address, 1_000_000n);
    const { response, gain } = await buy({
      authorization: { from: wallet },
      signature: `0x${'5a'.repeat(bytes)}`,
    });
    expect([response.status, gain]).toEqual([200, CENT]);
  });

  it('honors once an authorization that somebody else submitted first', async () => {
    const before = await earned(chain());
    const payment = await signAuthorization({ buyer: buyer(), accepted: accepted() });
    await frontRun(chain(), payment.payload);
    const header = { 'payment-signature': paymentHeader(payment) };
    const response = await app().get(noticePath(), header);
    expect(response.status).toBe(200);
    expect((await earned(chain())) - before).toBe(CENT);
    expect((await app().get(noticePath('Other'), header)).status).toBe(409);
  });

  it('charges once for the same payment presented five times at once', async () => {
    const before = await earned(chain());
    const header = {
      'payment-signature': paymentHeader(await signAuthorization({ buyer: buyer(), accepted: accepted() })),
    };
    const responses = await Promise.all(Array.from({ length: 5 }, () => app().get(noticePath(), header)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1);
    expect((await earned(chain())) - before).toBe(CENT);
  });

  it(proves('5-payment-signature', 'accepts base64url and any letter case of addresses'), async () => {
    const payment = await signAuthorization({ buyer: buyer(), accepted: accepted() });
    const shouting = {
      ...payment,
      accepted: {
        ...accepted(),
        payTo: accepted().payTo.toLowerCase(),
        asset: accepted().asset.toLowerCase(),
      },
    };
    const header = Buffer.from(JSON.stringify(shouting)).toString('base64url');
    expect((await app().get(noticePath(), { 'payment-signature': header })).status).toBe(200);
  });

  it(proves(['3-rejected', '4-rule-400'], 'never charges an invalid request, paid or not'), async () => {
    const { response, gain } = await buy({}, '/v1/late-fee-notice?amount=-1&due_date=2026-02-30&tone=rude');
    expect([response.status, gain]).toEqual([400, 0n]);
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/amount', '/due_date', '/tone']);
  });

  it('runs no paid operation for HEAD, regardless of its headers', async () => {
    const before = await earned(chain());
    const payment = await signAuthorization({ buyer: buyer(), accepted: accepted() });
    const head = await app().http.request(noticePath(), {
      method: 'HEAD',
      headers: { 'payment-signature': paymentHeader(payment) },
    });
    expect([head.status, await head.text()]).toEqual([402, '']);
    expect(await earned(chain())).toBe(before);
  });
});
