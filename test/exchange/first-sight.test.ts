import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, vi } from 'vitest';
import { COLLECT_SECONDS, memoryClaims } from '../../src/exchange/claims/claims.ts';
import type { End } from '../../src/payments/settlement.ts';
import { signingOf } from '../../src/payments/x402/signature.ts';
import { fakePayment, NOON, PAYEE, scriptedSettlement, terms, testApp } from '../support/app.ts';
import { paymentHeader, requirementsFor, signAuthorization } from '../support/payments.ts';
import { exchangeWith } from './exchange-with.ts';

const PATH = '/v1/late-fee-notice?amount=1&due_date=2026-01-01';

/** A service that has run for a while, with its own clock. By default its nodes do not answer. */
function shop(end: () => End = () => ({ state: 'not_sent', reason: 'unclear' })) {
  const clock = { nowMs: NOON };
  const { settlement, orders } = scriptedSettlement(end);
  const kept = memoryClaims({ maxClaims: 10, now: () => clock.nowMs - 3_600_000 });
  const memory = { isAway: false };
  const find: typeof kept.find = async (key) => (memory.isAway ? { kind: 'down' } : kept.find(key));
  const app = testApp({ claims: { ...kept, find }, settlement, now: () => clock.nowMs });
  const validBefore = NOON / 1_000 + 3_600;
  const header = { 'payment-signature': fakePayment({ nonce: '1', validBefore }) };
  return { app, clock, orders, header, memory };
}

/** A service that ends while it settles a payment, and the claims that it leaves. */
function dying() {
  const claims = memoryClaims({ maxClaims: 10, now: () => NOON - 3_600_000 });
  const never = new Promise<never>(() => undefined);
  const dead = testApp({
    claims,
    settlement: {
      settle: async (_order, { proven }) => ((await proven()) ? never : never),
      reconcile: () => never,
      isWalletSigned: async () => true,
    },
  });
  return { claims, dead };
}

describe('a payment that could not be checked when it first arrived', () => {
  it('is checked even after it has expired, for as long as its answer may be collected', async () => {
    const { app, clock, orders, header } = shop();
    const seen = [];
    for (const aheadSeconds of [0, 3_601, 3_600 + COLLECT_SECONDS, 3_601 + COLLECT_SECONDS]) {
      clock.nowMs = NOON + aheadSeconds * 1_000;
      seen.push([(await app.get(PATH, header)).status, orders.length]);
    }
    expect(seen).toEqual([
      [503, 1],
      [503, 2],
      [503, 3],
      [402, 3],
    ]);
  });

  it('counts as first seen at that time, even while the claims are unavailable', async () => {
    const { app, clock, orders, memory } = shop();
    const privateKey = `0x${'1'.repeat(64)}` as const;
    const payment = await signAuthorization({
      buyer: { address: privateKeyToAccount(privateKey).address, privateKey },
      accepted: requirementsFor(PAYEE.toLowerCase() as `0x${string}`, 10_000n),
      authorization: { validBefore: `${NOON / 1_000 + 3_600}` },
    });
    const header = { 'payment-signature': paymentHeader(payment) };
    memory.isAway = true;
    expect((await app.get(PATH, header)).status).toBe(503);
    memory.isAway = false;
    clock.nowMs += 3_601_000;
    expect((await app.get(PATH, header)).status).toBe(503);
    expect(orders.map(({ usedSince }) => usedSince)).toEqual([NOON / 1_000 - 120]);
  });

  it('counts as first seen when it was claimed, if its process is gone and a lookup found nothing', async () => {
    const { claims, dead } = dying();
    const clock = { nowMs: NOON };
    const { settlement, orders } = scriptedSettlement(() => ({ state: 'not_sent', reason: 'unclear' }));
    // The lease has expired, so anybody may take the claim.
    const open: typeof claims.open = async (key, fresh) => {
      await claims.drop(key);
      return claims.open(key, fresh);
    };
    const app = testApp({ claims: { ...claims, open }, settlement, now: () => clock.nowMs });
    const header = { 'payment-signature': fakePayment({ nonce: '1', validBefore: NOON / 1_000 + 60 }) };
    void dead.get(PATH, header);
    await vi.waitFor(() => expect(claims.size()).toBe(1));
    clock.nowMs += 90_000;
    expect([(await app.get(PATH, header)).status, claims.size()]).toEqual([503, 0]);
    clock.nowMs += 90_000;
    expect((await app.get(PATH, header)).status).toBe(503);
    expect(orders.at(-1)?.usedSince).toBe(NOON / 1_000 - 120);
    expect(orders).toHaveLength(2);
  });

  it('counts from the time in a claim that was taken over from a process that is gone', async () => {
    const { claims, dead } = dying();
    const header = { 'payment-signature': fakePayment({ nonce: '1', validBefore: NOON / 1_000 + 3_600 }) };
    void dead.get(PATH, header);
    await vi.waitFor(() => expect(claims.size()).toBe(1));
    const usedSince = NOON / 1_000 - 1_000;
    const open: typeof claims.open = async () => ({ kind: 'opened', usedSince });
    const { settlement, orders } = scriptedSettlement(() => ({ state: 'not_sent', reason: 'unclear' }));
    const app = testApp({ claims: { ...claims, open }, settlement });
    expect((await app.get(PATH, header)).status).toBe(503);
    expect(orders.map((order) => order.usedSince)).toEqual([usedSince]);
  });

  it('costs no lookup after it has expired if it was refused in the meantime', async () => {
    const ends: End[] = [
      { state: 'not_sent', reason: 'unclear' },
      { state: 'refused', reason: 'insufficient_funds' },
    ];
    const { app, clock, orders, header } = shop(() => ends.shift() as End);
    expect((await app.get(PATH, header)).status).toBe(503);
    expect((await app.get(PATH, header)).status).toBe(402);
    clock.nowMs += 3_601_000;
    expect([(await app.get(PATH, header)).status, orders.length]).toEqual([402, 2]);
  });

  it('costs no lookup if it had already expired by then', async () => {
    const { app, clock, orders, header } = shop();
    clock.nowMs += 3_601_000;
    expect([(await app.get(PATH, header)).status, orders.length]).toEqual([402, 0]);
  });

  it('counts as first seen at that time, however long it takes until it can be checked', async () => {
    const { app, clock, orders, header } = shop();
    clock.nowMs += 999;
    expect((await app.get(PATH, header)).status).toBe(503);
    clock.nowMs += 600_000;
    expect((await app.get(PATH, header)).status).toBe(503);
    expect(orders.map(({ usedSince }) => usedSince)).toEqual([NOON / 1_000 - 120, NOON / 1_000 - 120]);
  });

  it('counts as first seen later for another request, because an earlier use was not for that request', async () => {
    const { app, clock, orders, header } = shop();
    expect((await app.get(PATH, header)).status).toBe(503);
    clock.nowMs += 600_000;
    expect((await app.get(`${PATH}&client_name=Acme`, header)).status).toBe(503);
    expect(orders.map(({ usedSince }) => usedSince)).toEqual([NOON / 1_000 - 120, NOON / 1_000 + 480]);
  });

  it('is not forgotten if its caller reaches the limit of refusals before it is presented again', async () => {
    const state = { nowMs: NOON, restSeconds: null as number | null };
    const { call } = exchangeWith({
      settlement: scriptedSettlement(() => ({ state: 'not_sent', reason: 'unclear' })).settlement,
      signing: { ...signingOf(terms), ofKey: async (payment) => payment },
      limit: { restSeconds: async () => state.restSeconds, count: async () => undefined },
      now: () => state.nowMs,
      onBug: (_, error) => {
        throw error;
      },
    });
    const payment = fakePayment({ validBefore: NOON / 1_000 + 60 });
    expect((await call('1', payment)).state).toBe('unavailable');
    state.restSeconds = 60;
    expect((await call('1', payment)).state).toBe('limited');
    state.restSeconds = null;
    state.nowMs += 61_000;
    // If the answer were final, a buyer would have to sign again a payment that was presented in time.
    expect((await call('1', payment)).state).toBe('unavailable');
  });
});
