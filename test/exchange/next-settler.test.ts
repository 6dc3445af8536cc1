import { describe, expect, it } from 'vitest';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { createFailover } from '../../src/payments/failover.ts';
import type { End, Settlement } from '../../src/payments/settlement.ts';
import { fakePayment, NOON, testApp } from '../support/app.ts';

const PATH = '/v1/late-fee-notice?amount=1&due_date=2026-01-01';
const HASH = `0x${'cd'.repeat(32)}` as const;
const PAYER = '0x00000000000000000000000000000000000000bb';
const HEADER = { 'payment-signature': fakePayment({ nonce: '1' }) };

/**
 * Creates a settler that sends every accepted payment and then returns the scripted result. As with every settler, a
 * rejection comes before the send.
 */
const settlerOf = (end: () => End): Settlement => ({
  async settle(_order, { proven, sending }) {
    const ending = end();
    if (ending.state === 'refused') return ending;
    return (await proven()) && (await sending(HASH)) ? ending : { state: 'not_sent', reason: 'stopped' };
  },
  reconcile: async () => ({ state: 'unknown', transaction: HASH }),
  isWalletSigned: async () => true,
});

/** Opens a service whose first settler accepts payments and is then rejected by its nodes. */
function shopWith(second: () => End) {
  const claims = memoryClaims({ maxClaims: 10, now: () => NOON });
  const turnedAway = settlerOf(() => ({ state: 'not_sent', reason: 'unreached' }));
  const settlement = createFailover({
    settlers: [
      { name: 'first', settlement: turnedAway },
      { name: 'second', settlement: settlerOf(second) },
    ],
    now: () => NOON,
    tries: 1_000,
  });
  return { app: testApp({ claims, settlement }), claims };
}

describe('a payment that one settler could not send and the next one refuses', () => {
  it('is not finally refused while it is valid, and buys its answer later', async () => {
    let end: End = { state: 'refused', reason: 'insufficient_funds' };
    const { app, claims } = shopWith(() => end);
    const first = await app.get(PATH, HEADER);
    expect([first.status, await first.json()]).toMatchObject([503, { code: 'settlement_unavailable' }]);
    expect(claims.size()).toBe(0);
    end = { state: 'settled', transaction: HASH, payer: PAYER };
    expect((await app.get(PATH, HEADER)).status).toBe(200);
  });
});
