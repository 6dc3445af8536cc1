import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakePayment, NOON, scriptedSettlement, testApp } from '../support/app.ts';
import { noticePath } from '../support/chain-app.ts';

const HASH = `0x${'cd'.repeat(32)}` as const;
const PAYER = '0x00000000000000000000000000000000000000bb';
const settled = { state: 'settled', transaction: HASH, payer: PAYER } as const;

describe('a statement to a buyer', () => {
  afterEach(() => void vi.useRealTimers());

  it('that a failed request settled nothing stays true: the purchase is not sold later without the buyer', async () => {
    vi.useFakeTimers();
    let calls = 0;
    const { settlement, orders } = scriptedSettlement(() => {
      calls += 1;
      return calls === 1 ? 'throws' : settled;
    });
    const app = testApp({ settlement });
    const payment = { 'payment-signature': fakePayment() };
    expect((await app.get(noticePath(), payment)).status).toBe(500);
    // The service would look up a payment after one second, and again later.
    await vi.advanceTimersByTimeAsync(60_000);
    expect(orders).toHaveLength(1);
    expect((await app.get(noticePath(), payment)).status).toBe(200);
  });

  it('about how long a payment can be used refers to the payment that was sent, not to the one that repeated its idempotency key', async () => {
    const { settlement } = scriptedSettlement(() => ({ state: 'unknown', transaction: HASH }));
    const app = testApp({ settlement });
    const at = (nonce: string, validBefore: number) =>
      app.get(noticePath(), {
        'payment-signature': fakePayment({ nonce, validBefore }),
        'idempotency-key': 'one-name',
      });
    await at('1', NOON / 1_000 + 100);
    const again = await at('2', NOON / 1_000 + 5_000);
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({
      detail: expect.stringContaining('2026-11-21T12:01:40.000Z'),
    });
  });
});
