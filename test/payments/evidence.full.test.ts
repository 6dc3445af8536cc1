import { describe, expect, it } from 'vitest';
import { onCopyOf } from '../support/chain.ts';
import { increaseTime } from '../support/chain-actions.ts';
import { noticePath } from '../support/chain-app.ts';
import { frontRun, paymentHeader } from '../support/payments.ts';
import { proxiedBench } from './proxied.ts';

const CENT = 10_000n;

describe('a payment that somebody else has submitted', () => {
  const { app, chain, gain, proxy, sign } = proxiedBench();

  const present = async (payment: Awaited<ReturnType<typeof sign>>, key?: string) =>
    app().get(noticePath(), {
      'payment-signature': paymentHeader(payment),
      ...(key && { 'idempotency-key': key }),
    });

  it.each([
    ['shows the receipt of another transaction', 'eth_getTransactionReceipt', 'wrong-receipt'],
    ['omits the logs that follow its use', 'eth_getLogs', 'cut-logs'],
    ['reports it as used but does not have its log yet', 'eth_getLogs', 'no-receipt'],
  ] as const)('is not refused if a node %s', async (_what, method, fault) => {
    const payment = await sign();
    await frontRun(chain(), payment.payload);
    proxy().fail(method, fault);
    expect((await present(payment)).status).toBe(503);
    proxy().heal();
    expect([(await present(payment)).status, await gain()]).toEqual([200, CENT]);
  });

  it('is honored even after its expiry on the chain', async () => {
    await onCopyOf(chain(), async () => {
      const payment = await sign();
      await frontRun(chain(), payment.payload);
      await increaseTime(chain(), 600);
      expect([(await present(payment)).status, await gain()]).toEqual([200, CENT]);
    });
  });

  it('is refused as expired after its expiry on the chain if it was never used', async () => {
    await onCopyOf(chain(), async () => {
      await increaseTime(chain(), 600);
      const response = await present(await sign());
      expect(response.status).toBe(402);
      expect(await response.json()).toMatchObject({
        error: 'invalid_exact_evm_payload_authorization_valid_before',
      });
    });
  });

  it('is found under its idempotency key, and a second signature with the same key is not used', async () => {
    const first = await sign();
    await frontRun(chain(), first.payload);
    const paid = await present(first, 'submitted-by-another-4711');
    const again = await present(await sign(), 'submitted-by-another-4711');
    expect([paid.status, again.status, await gain()]).toEqual([200, 200, CENT]);
    expect(again.headers.get('payment-response')).toBe(paid.headers.get('payment-response'));
  });
});
