import { describe, expect, it } from 'vitest';
import { type Claims, memoryClaims, type Saved } from '../../src/exchange/claims/claims.ts';
import type { End, Handover } from '../../src/payments/settlement.ts';
import { fakePayment, NOON, testApp } from '../support/app.ts';

const PATH = '/v1/late-fee-notice?amount=1&due_date=2026-01-01';
const HASH = `0x${'cd'.repeat(32)}` as const;
const PAYER = '0x00000000000000000000000000000000000000bb';
const SETTLED: End = { state: 'settled', transaction: HASH, payer: PAYER };
const RAN_OUT: End = {
  state: 'refused',
  reason: 'invalid_exact_evm_payload_authorization_valid_before',
};

/** Returns the result of a purchase if the store gives this reply to the last save. */
async function endWith(end: End, saved: Saved, isSent: boolean) {
  const kept = memoryClaims({ maxClaims: 10, now: () => NOON });
  const save: Claims['save'] = async (key, claim) => (claim.state === 'sent' ? kept.save(key, claim) : saved);
  const settle = async (_order: unknown, { proven, sending }: Handover): Promise<End> => {
    if (isSent) expect((await proven()) && (await sending(HASH))).toBe(true);
    return end;
  };
  const settlement = {
    settle,
    reconcile: async () => ({ state: 'unknown', transaction: HASH }) as const,
    isWalletSigned: async () => true,
  };
  const app = testApp({ claims: { ...kept, save }, settlement });
  const response = await app.get(PATH, { 'payment-signature': fakePayment() });
  const { code = null } = (await response.json()) as { code?: string };
  return [response.status, code];
}

describe('the result of a purchase that the store did not save', () => {
  it('is not final if the settler reported that no money moved', async () => {
    expect(await endWith(RAN_OUT, 'saved', true)).toEqual([409, 'rejected_or_not_received']);
    expect(await endWith(RAN_OUT, 'unconfirmed', true)).toEqual([409, 'waiting']);
    expect(await endWith(RAN_OUT, 'conflict', true)).toEqual([409, 'waiting']);
  });

  it('is an answer for a payment that we sent, but only after it is saved for a payment that somebody else submitted', async () => {
    expect(await endWith(SETTLED, 'unconfirmed', true)).toEqual([200, null]);
    expect(await endWith(SETTLED, 'unconfirmed', false)).toEqual([409, 'waiting']);
    expect(await endWith(SETTLED, 'saved', false)).toEqual([200, null]);
  });

  it('is not an answer if the payment by then belongs to another request', async () => {
    expect(await endWith(SETTLED, 'conflict', true)).toEqual([409, 'payment_already_used']);
    expect(await endWith(SETTLED, 'conflict', false)).toEqual([409, 'payment_already_used']);
  });
});
