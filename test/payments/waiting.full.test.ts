import { randomBytes } from 'node:crypto';
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { toHex } from 'viem/utils';
import { afterEach, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { type Claims, memoryClaims } from '../../src/exchange/claims/claims.ts';
import type { TestApp } from '../support/app.ts';
import { deal } from '../support/batch.ts';
import { onCopyOf } from '../support/chain.ts';
import { mine, setAutomine } from '../support/chain-actions.ts';
import { type ChainAppOptions, chainApp, noticePath } from '../support/chain-app.ts';
import { paymentHeader, type SignedPayment } from '../support/payments.ts';
import { proxiedBench } from './proxied.ts';

const CENT = 10_000n;

describe('a payment beyond the limit of transactions in flight', () => {
  const { chain, proxy, sign, gain } = proxiedBench();
  afterEach(() => setAutomine(chain(), true));

  const appOf = (options: ChainAppOptions = {}): TestApp =>
    chainApp(chain(), { rpcUrl: proxy().url, patienceMs: 20_000, mostInFlight: 1, ...options });
  const present = (app: TestApp, payment: SignedPayment) =>
    app.get(noticePath(payment.payload.authorization.nonce), { 'payment-signature': paymentHeader(payment) });
  async function buyerWithACent(): Promise<DevAccount> {
    const privateKey = toHex(randomBytes(32));
    const address = privateKeyToAddress(privateKey);
    await deal(chain(), address, CENT);
    return { privateKey, address };
  }
  /** Fills the only slot with a purchase that waits for its block. */
  async function fillPlace(app: TestApp): Promise<{ end: Promise<Response> }> {
    await setAutomine(chain(), false);
    const end = present(app, await sign({ buyer: await buyerWithACent() }));
    const pooled = () =>
      rpc<{ pending: Hex }>(chain().rpcUrl, 'txpool_status').then(({ pending }) => pending);
    await expect.poll(pooled).toBe('0x1');
    return { end };
  }

  it('gets 503, is not sent and can be used later if no slot becomes free in time', async () => {
    await onCopyOf(chain(), async () => {
      const app = appOf({ roomMs: 300 });
      const first = await fillPlace(app);
      const payment = await sign({ buyer: await buyerWithACent() });
      expect([(await present(app, payment)).status, proxy().sends()]).toEqual([503, 1]);
      await setAutomine(chain(), true);
      await mine(chain());
      expect((await first.end).status).toBe(200);
      expect([(await present(app, payment)).status, await gain()]).toEqual([200, 2n * CENT]);
    });
  });

  it('is checked again before it is signed, and refused if the payer has no money by then', async () => {
    await onCopyOf(chain(), async () => {
      const app = appOf({ proofAgeMs: 0 });
      const first = await fillPlace(app);
      const buyer = await buyerWithACent();
      const payment = await sign({ buyer });
      const waiting = present(app, payment);
      const nonce = payment.payload.authorization.nonce.slice(2);
      await expect.poll(() => proxy().answered('eth_call', nonce)).toBeGreaterThan(0);
      await deal(chain(), buyer.address, 0n);
      await setAutomine(chain(), true);
      await mine(chain());
      expect([(await first.end).status, (await waiting).status, proxy().sends()]).toEqual([200, 402, 1]);
    });
  });

  it('is sent in the order of arrival', async () => {
    await onCopyOf(chain(), async () => {
      const app = appOf();
      const first = await fillPlace(app);
      const order: string[] = [];
      const waiting = [];
      for (let count = 0; count < 4; count += 1) {
        const payment = await sign({ buyer: await buyerWithACent() });
        const nonce = payment.payload.authorization.nonce.slice(2);
        order.push(nonce);
        waiting.push(present(app, payment));
        await expect.poll(() => proxy().answered('eth_call', nonce)).toBeGreaterThan(0);
      }
      const sent: string[] = [];
      for (let block = 0; block < 5; block += 1) {
        type Pool = { pending: Record<string, Record<string, { input: string }>> };
        let input = '';
        await expect
          .poll(async () => {
            const { pending } = await rpc<Pool>(chain().rpcUrl, 'txpool_content');
            input = Object.values(pending).flatMap((mine) => Object.values(mine))[0]?.input ?? '';
            return input;
          })
          .not.toBe('');
        sent.push(order.find((nonce) => input.includes(nonce)) ?? 'first');
        await mine(chain());
      }
      expect(sent).toEqual(['first', ...order]);
      const statuses = (await Promise.all([first.end, ...waiting])).map(({ status }) => status);
      expect(statuses).toEqual(Array(5).fill(200));
    });
  });
});

describe('a payment that expires between its check and its broadcast because of slow nodes', () => {
  const { chain, proxy, sign, gain } = proxiedBench();

  it('is not sent, and its payer is not blamed for it', async () => {
    const app = chainApp(chain(), { rpcUrl: proxy().url, patienceMs: 4_000 });
    const present = async (payment: Awaited<ReturnType<typeof sign>>, name: string) =>
      (await app.get(noticePath(name), { 'payment-signature': paymentHeader(payment) })).status;
    proxy().fail('eth_call', 'slow', { delayMs: 3_000, times: 1 });
    proxy().fail('eth_getTransactionCount', 'slow', { delayMs: 3_000 });
    const validBefore = `${Math.floor(Date.now() / 1000) + 9}`;
    const short = await sign({ authorization: { validBefore } });
    expect(await present(short, 'A')).toBe(503);
    proxy().heal();
    await mine(chain());
    expect([await present(await sign(), 'B'), await gain()]).toEqual([200, 10_000n]);
  });
});

describe('a transaction of our own account', () => {
  const { chain, proxy, sign, gain } = proxiedBench();

  it('is sent only after the store has confirmed that it is saved', async () => {
    const kept = memoryClaims({ maxClaims: 1_000, now: () => Date.now() - 10_000 });
    const sentBefore: number[] = [];
    let isAway = true;
    const save: Claims['save'] = async (key, claim) => {
      if (claim.state !== 'sent') return kept.save(key, claim);
      await new Promise((resolve) => setTimeout(resolve, 150));
      sentBefore.push(proxy().sends());
      return isAway ? 'unconfirmed' : kept.save(key, claim);
    };
    const app = chainApp(chain(), { rpcUrl: proxy().url, claims: { ...kept, save } });
    const header = { 'payment-signature': paymentHeader(await sign()) };
    const away = await app.get(noticePath(), header);
    expect([away.status, proxy().sends(), await gain()]).toEqual([503, 0, 0n]);
    isAway = false;
    const back = await app.get(noticePath(), header);
    expect([back.status, proxy().sends(), await gain()]).toEqual([200, 1, 10_000n]);
    expect(sentBefore).toEqual([0, 0]);
  });
});
