import { describe, expect, it } from 'vitest';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import type { End } from '../../src/payments/settlement.ts';
import { fakePayment, NOON, scriptedSettlement, testApp } from '../support/app.ts';

const PATH = '/v1/late-fee-notice?amount=1250&due_date=2026-11-04&rate=1.5';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const VALID_SECONDS = 100;
const SETTLED: End = {
  state: 'settled',
  transaction: `0x${'cd'.repeat(32)}`,
  payer: '0x00000000000000000000000000000000000000bb',
};
const UNKNOWN: End = { state: 'unknown', transaction: SETTLED.transaction };

/**
 * A service with room for this many purchases and its own clock. Each purchase has the result that `end` returns at
 * that moment.
 */
function shop(maxClaims = 10) {
  const clock = { nowMs: NOON };
  const state: { end: End } = { end: SETTLED };
  const { settlement, orders } = scriptedSettlement(() => state.end);
  const now = () => clock.nowMs;
  const app = testApp({ claims: memoryClaims({ maxClaims, now }), settlement, now });
  let nonce = 0;
  /** A payment signed now. */
  const signed = (signature = '11') => {
    nonce += 1;
    const validBefore = clock.nowMs / 1_000 + VALID_SECONDS;
    const payment = { nonce: nonce.toString(16), signature, validBefore };
    return { payment, header: { 'payment-signature': fakePayment(payment) } };
  };
  return { app, clock, state, orders, signed };
}

const problem = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { readonly code?: string }).code;

/** The ages go from just after the purchase until shortly before a day after the payment expires. */
const AGES = [
  ['a second', 1_000],
  ['13 minutes', 13 * MINUTE],
  ['13 hours, past midnight', 13 * HOUR],
  ['six hours', 6 * HOUR],
  ['a day', 24 * HOUR + (VALID_SECONDS - 1) * 1_000],
] as const;

describe.each(AGES)('an answer %s after its reply was lost', (_age, ageMs) => {
  it('is collected with the same bytes and receipt, and no payment is sent again', async () => {
    const { app, clock, orders, signed } = shop();
    const { header } = signed();
    const lost = await app.get(PATH, header);
    expect(lost.status).toBe(200);
    clock.nowMs += ageMs;
    for (const _time of [1, 2]) {
      const found = await app.get(PATH, header);
      expect([found.status, await found.text()]).toEqual([200, await lost.clone().text()]);
      expect(found.headers.get('payment-response')).toBe(lost.headers.get('payment-response'));
    }
    expect(orders).toHaveLength(1);
  });

  it('is returned for a payment with an unknown result as soon as the transfer is visible, and not before', async () => {
    const { app, clock, state, orders, signed } = shop();
    state.end = UNKNOWN;
    const { header } = signed();
    expect((await app.get(PATH, header)).status).toBe(409);
    clock.nowMs += ageMs;
    const waiting = await app.get(PATH, header);
    expect([waiting.status, await problem(waiting)]).toEqual([409, 'waiting']);
    state.end = SETTLED;
    clock.nowMs += MINUTE / 6;
    const found = await app.get(PATH, header);
    expect([found.status, await found.json()]).toEqual([
      200,
      expect.objectContaining({ fee: expect.objectContaining({ days_late: 17 }) }),
    ]);
    const looks = orders.length;
    expect((await app.get(PATH, header)).status).toBe(200);
    expect(orders).toHaveLength(looks);
  });

  it('is never returned for a payment that moved no money', async () => {
    const { app, clock, state, signed } = shop();
    state.end = UNKNOWN;
    const { header } = signed();
    await app.get(PATH, header);
    state.end = { state: 'refused', reason: 'invalid_exact_evm_payload_authorization_valid_before' };
    clock.nowMs += ageMs;
    const over = await app.get(PATH, header);
    expect([over.status, await problem(over)]).toEqual([409, 'rejected_or_not_received']);
  });

  it('is not returned for another request, or for another signature over the same authorization', async () => {
    const { app, clock, orders, signed } = shop();
    const { payment, header } = signed();
    await app.get(PATH, header);
    clock.nowMs += ageMs;
    const forged = { 'payment-signature': fakePayment({ ...payment, signature: '22' }) };
    const tries = [await app.get(`${PATH}&client_name=Acme`, header), await app.get(PATH, forged)];
    for (const { status } of tries) expect(status).toBe(409);
    expect(orders).toHaveLength(1);
  });

  it('is returned for a second signature with the same idempotency key, and that signature is not used', async () => {
    const { app, clock, orders, signed } = shop();
    const name = { 'idempotency-key': 'the-reply-that-was-lost' };
    const lost = await app.get(PATH, { ...signed().header, ...name });
    clock.nowMs += ageMs;
    const found = await app.get(PATH, { ...signed().header, ...name });
    expect([found.status, await found.text()]).toEqual([200, await lost.text()]);
    expect(found.headers.get('payment-response')).toBe(lost.headers.get('payment-response'));
    expect(orders).toHaveLength(1);
  });
});

describe('a service with more purchases than its memory has room for', () => {
  it('continues to sell, and forgets only the oldest of the expired purchases', async () => {
    const { app, clock, orders, signed } = shop(20);
    const bought = [];
    for (let count = 0; count < 20; count += 1) {
      const { header } = signed();
      bought.push(header);
      expect((await app.get(PATH, header)).status).toBe(200);
      clock.nowMs += MINUTE;
    }
    // The newest claim must not be forgotten for another ten minutes; all others may be.
    clock.nowMs += 11 * MINUTE;
    expect((await app.get(PATH, signed().header)).status).toBe(200);
    const statuses = [];
    for (const header of bought) statuses.push((await app.get(PATH, header)).status);
    expect(statuses).toEqual([402, 402, ...Array(18).fill(200)]);
    expect(orders).toHaveLength(21);
  });
});
