import { expect, it } from 'vitest';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import type { End } from '../../src/payments/settlement.ts';
import { fakePayment, NOON, testApp } from '../support/app.ts';

const PATH = '/v1/late-fee-notice?amount=1&due_date=2026-01-01';
const HASH = `0x${'cd'.repeat(32)}` as const;
const PAYER = '0x00000000000000000000000000000000000000bb';

it('a payment that can no longer move money is looked up when it is presented again, and never sent', async () => {
  const clock = { nowMs: NOON };
  const looks: boolean[] = [];
  let known: Exclude<End, { state: 'not_sent' }> = {
    state: 'refused',
    reason: 'invalid_exact_evm_nonce_already_used',
  };
  const app = testApp({
    now: () => clock.nowMs,
    claims: memoryClaims({ maxClaims: 10, now: () => clock.nowMs }),
    settlement: {
      settle: async (_order, { proven, sending }) =>
        (await proven()) && (await sending(HASH)) ? known : { state: 'not_sent', reason: 'stopped' },
      reconcile: async (_order, _transaction, handover) => {
        looks.push(handover !== null);
        return known;
      },
      isWalletSigned: async () => true,
    },
  });
  const header = { 'payment-signature': fakePayment({ validBefore: NOON / 1_000 + 3_600 }) };
  const present = async () => {
    const response = await app.get(PATH, header);
    return response.status === 200 ? 200 : ((await response.json()) as { code: string }).code;
  };
  const replies = [await present()];
  // Only a transfer changes the result of the payment; a pending or rejected one does not.
  for (const end of [
    { state: 'unknown', transaction: HASH },
    { state: 'declined', reason: 'invalid_transaction_state', transaction: HASH },
    { state: 'settled', transaction: HASH, payer: PAYER },
  ] as const) {
    known = end;
    clock.nowMs += 600_000;
    replies.push(await present());
  }
  const final = 'rejected_or_not_received';
  expect([replies, looks]).toEqual([
    [final, final, final, 200],
    [false, false, false],
  ]);
});
