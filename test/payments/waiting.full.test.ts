import { randomBytes } from 'node:crypto';
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { toHex } from 'viem/utils';
import { afterEach, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
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
