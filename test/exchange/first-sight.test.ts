import { describe, expect, it } from 'vitest';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { fakePayment, NOON, scriptedSettlement, testApp } from '../support/app.ts';

const PATH = '/v1/late-fee-notice?amount=1&due_date=2026-01-01';

/** A service that has run for a while and whose nodes say nothing, on a clock of its own. */
function shop() {
  const clock = { nowMs: NOON };
  const { settlement, orders } = scriptedSettlement(() => ({ state: 'not_sent', reason: 'unclear' }));
  const claims = memoryClaims({ maxClaims: 10, now: () => clock.nowMs - 3_600_000 });
  const app = testApp({ claims, settlement, now: () => clock.nowMs });
  const validBefore = NOON / 1_000 + 3_600;
  const header = { 'payment-signature': fakePayment({ nonce: '1', validBefore }) };
  return { app, clock, orders, header };
}

describe('a payment that nobody could look into when it first came', () => {
  it('is looked into once it has run out too, for as long as what it bought may be collected', async () => {
    const { app, clock, orders, header } = shop();
    const seen = [];
    for (const aheadMs of [0, 3_601_000, 4_200_000, 4_201_000]) {
      clock.nowMs = NOON + aheadMs;
      seen.push([(await app.get(PATH, header)).status, orders.length]);
    }
    expect(seen).toEqual([
      [503, 1],
      [503, 2],
      [503, 3],
      [402, 3],
    ]);
  });

  it('is not one that came too late at first: that costs no look', async () => {
    const { app, clock, orders, header } = shop();
    clock.nowMs += 3_601_000;
    expect([(await app.get(PATH, header)).status, orders.length]).toEqual([402, 0]);
  });

  it('is first seen then, however long it takes until somebody can', async () => {
    const { app, clock, orders, header } = shop();
    expect((await app.get(PATH, header)).status).toBe(503);
    clock.nowMs += 600_000;
    expect((await app.get(PATH, header)).status).toBe(503);
    expect(orders.map(({ usedSince }) => usedSince)).toEqual([NOON / 1_000 - 120, NOON / 1_000 - 120]);
  });

  it('is first seen later for another request: what it was used for meanwhile is not that', async () => {
    const { app, clock, orders, header } = shop();
    expect((await app.get(PATH, header)).status).toBe(503);
    clock.nowMs += 600_000;
    expect((await app.get(`${PATH}&client_name=Acme`, header)).status).toBe(503);
    expect(orders.map(({ usedSince }) => usedSince)).toEqual([NOON / 1_000 - 120, NOON / 1_000 + 480]);
  });
});
