import { describe, expect, it } from 'vitest';
import { mine } from '../support/chain-actions.ts';
import { chainApp, noticePath } from '../support/chain-app.ts';
import { paymentHeader } from '../support/payments.ts';
import { proxiedBench } from './proxied.ts';

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
  }, 40_000);
});
