import { describe, expect, it } from 'vitest';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import type { Hex } from '../../src/payments/x402/payment.ts';
import type { Requirements } from '../../src/payments/x402/requirements.ts';
import { claimKey } from '../../src/payments/x402/requirements.ts';
import { proves } from '../spec/clauses.ts';
import { onCopyOf } from '../support/chain.ts';
import { dropTransaction, increaseTime, mine, setAutomine } from '../support/chain-actions.ts';
import { chainApp, headerJson, noticePath } from '../support/chain-app.ts';
import { frontRun, paymentHeader } from '../support/payments.ts';
import { nodeSecret } from '../support/rpc-proxy.ts';
import { proxiedBench } from './proxied.ts';

type Receipt = { success: boolean; transaction: `0x${string}`; errorReason?: string };
const CENT = 10_000n;

describe('a payment whose outcome is not known at once', () => {
  const { app, chain, gain, proxy, sign } = proxiedBench();

  const present = async (header: string, name?: string) => {
    const response = await app().get(noticePath(name), { 'payment-signature': header });
    const text = await response.clone().text();
    expect(text).not.toContain(nodeSecret);
    expect(text).not.toContain(proxy().url);
    return response;
  };

  it('is answered if the reply to the broadcast was lost, because its hash was stored before', async () => {
    proxy().fail('eth_sendRawTransactionSync', 'drop-reply', { times: 1 });
    const response = await present(paymentHeader(await sign()));
    expect([response.status, await gain()]).toEqual([200, CENT]);
  });

  it(
    proves(
      ['3-waiting', '7-409'],
      'is reported as waiting while there are no receipts, and then gets the answer for one charge',
    ),
    async () => {
      proxy().fail('eth_sendRawTransactionSync', 'drop-reply');
      proxy().fail('eth_getTransactionReceipt', 'no-receipt');
      proxy().fail('eth_getLogs', 'no-receipt');
      const header = paymentHeader(await sign());
      const first = await present(header);
      expect(first.status).toBe(409);
      expect(await first.json()).toMatchObject({ code: 'waiting', state: 'waiting', charged: false });
      expect(first.headers.get('retry-after')).toBe('2');
      expect(first.headers.get('payment-required')).toBeNull();
      const pending = headerJson<Receipt>(first, 'payment-response');
      expect(pending).toMatchObject({ success: false, errorReason: 'settlement_pending' });
      expect(pending?.transaction).toMatch(/^0x[0-9a-f]{64}$/);
      proxy().heal();
      const second = await present(header);
      expect([second.status, await gain()]).toEqual([200, CENT]);
      expect(headerJson<Receipt>(second, 'payment-response')?.transaction).toBe(pending?.transaction);
      expect((await present(header, 'Other')).status).toBe(409);
    },
  );

  it('is followed without its buyer, even after the payment was presented for another request', async () => {
    for (const method of ['eth_getTransactionReceipt', 'eth_getLogs']) proxy().fail(method, 'no-receipt');
    proxy().fail('eth_sendRawTransactionSync', 'drop-reply');
    const payment = await sign();
    expect((await present(paymentHeader(payment))).status).toBe(409);
    const other = await present(paymentHeader(payment), 'Other');
    expect(await other.json()).toMatchObject({ code: 'payment_already_used' });
    proxy().heal();
    const { accepted, payload } = payment;
    const from = payload.authorization.from.toLowerCase() as Hex;
    const nonce = payload.authorization.nonce as Hex;
    const key = claimKey(accepted as Requirements, { from, nonce });
    const state = async () => {
      const found = await app().claims.find(key);
      return found.kind === 'held' && found.claim.state;
    };
    await expect.poll(state).toBe('settled');
  });

  it('gets 503 without a claim if no node can be reached, and can be used later', async () => {
    proxy().fail('*', 'dead');
    const header = paymentHeader(await sign());
    const first = await present(header);
    expect([first.status, app().claims.size(), await gain()]).toEqual([503, 0, 0n]);
    proxy().heal();
    expect([(await present(header)).status, await gain()]).toEqual([200, CENT]);
  });

  it('is answered even by nodes that do not wait for receipts', async () => {
    proxy().fail('eth_sendRawTransactionSync', 'unsupported');
    // Long enough for the block of each payment, even on a busy machine.
    const patient = chainApp(chain(), { rpcUrl: proxy().url, patienceMs: 20_000 });
    for (const name of ['A', 'B']) {
      const header = { 'payment-signature': paymentHeader(await sign()) };
      expect((await patient.get(noticePath(name), header)).status).toBe(200);
    }
    expect(await gain()).toBe(2n * CENT);
    expect(proxy().calls('eth_sendRawTransactionSync')).toBe(1);
  });

  it(
    proves(
      '3-rejected-or-not-received',
      'is finally rejected_or_not_received if what was sent has expired unused',
    ),
    async () => {
      await onCopyOf(chain(), async () => {
        await setAutomine(chain(), false);
        proxy().fail('eth_sendRawTransactionSync', 'unsupported');
        const header = paymentHeader(await sign());
        const first = await present(header);
        expect([first.status, ((await first.clone().json()) as { code: string }).code]).toEqual([
          409,
          'waiting',
        ]);
        const hash = headerJson<Receipt>(first, 'payment-response')?.transaction as `0x${string}`;
        await dropTransaction(chain(), hash);
        await increaseTime(chain(), 3_600);
        await mine(chain());
        for (const _again of [1, 2]) {
          const last = await present(header);
          expect(last.status).toBe(409);
          expect(await last.json()).toMatchObject({ code: 'rejected_or_not_received', charged: false });
        }
        expect(await gain()).toBe(0n);
        await setAutomine(chain(), true);
      });
    },
  );

  it('is sent again if a node dropped it from its pool', async () => {
    await onCopyOf(chain(), async () => {
      await setAutomine(chain(), false);
      proxy().fail('eth_sendRawTransactionSync', 'unsupported');
      const header = paymentHeader(await sign());
      const first = await present(header);
      expect(first.status).toBe(409);
      await dropTransaction(
        chain(),
        headerJson<Receipt>(first, 'payment-response')?.transaction as `0x${string}`,
      );
      await setAutomine(chain(), true);
      const second = await present(header);
      expect([second.status, await gain()]).toEqual([200, CENT]);
    });
  });

  it("is honored if somebody else's submission wins the race between simulation and block", async () => {
    await onCopyOf(chain(), async () => {
      await setAutomine(chain(), false);
      proxy().fail('eth_sendRawTransactionSync', 'unsupported');
      const payment = await sign();
      const header = paymentHeader(payment);
      const racing = present(header);
      const sent = async () => (await rpc<{ pending: Hex }>(chain().rpcUrl, 'txpool_status')).pending;
      await expect.poll(sent, { interval: 20 }).toBe('0x1');
      await setAutomine(chain(), true);
      await frontRun(chain(), payment.payload).catch(() => undefined);
      await mine(chain());
      expect((await racing).status).toBeOneOf([200, 409]);
      await expect.poll(async () => (await present(header)).status).toBe(200);
      expect(await gain()).toBe(CENT);
    });
  });

  it("never shows a node's own text: the node's errors become fixed codes", async () => {
    for (const [method, status] of [
      ['eth_call', 503],
      ['eth_sendRawTransactionSync', 409],
      ['eth_getTransactionCount', 503],
      ['eth_getBlockByNumber', 503],
    ] as const) {
      const fresh = chainApp(chain(), { rpcUrl: proxy().url });
      proxy().fail(method, 'error');
      const header = paymentHeader(await sign());
      const response = await fresh.get(noticePath(), { 'payment-signature': header });
      const shown = `${await response.clone().text()}${[...response.headers].join('\n')}`;
      expect(shown).not.toContain(nodeSecret);
      expect(response.status).toBe(status);
      proxy().heal();
    }
  });
});
