import { afterEach, expect, it, vi } from 'vitest';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import type { Order } from '../../src/payments/settlement.ts';
import { fakePayment, scriptedSettlement, testApp } from '../support/app.ts';

const PATH = '/v1/late-fee-notice?amount=1&due_date=2026-01-01';
const HASH = `0x${'cd'.repeat(32)}` as const;
const RAN_OUT = 'invalid_exact_evm_payload_authorization_valid_before';

afterEach(() => void vi.useRealTimers());

it('a second signature with the same idempotency key is not used while the first payment is in doubt, and lookups of that payment do not count as refusals', async () => {
  vi.useFakeTimers();
  let isOver = false;
  const nonceOf = ({ payment }: Order) => BigInt(payment.authorization.nonce);
  const { settlement, orders } = scriptedSettlement((order) => {
    if (nonceOf(order) !== 1n) return { state: 'not_sent', reason: 'payer_busy' };
    return isOver ? { state: 'refused', reason: RAN_OUT } : { state: 'unknown', transaction: HASH };
  });
  const claims = memoryClaims({ maxClaims: 10, now: () => Date.now() - 10_000 });
  const app = testApp({ claims, settlement, now: Date.now, refusedPaymentsPerMinute: 3 });
  const validBefore = Math.floor(Date.now() / 1_000) + 600;
  const present = async (nonce: string, name?: string) => {
    const payment = { 'payment-signature': fakePayment({ nonce, validBefore }) };
    const response = await app.get(PATH, { ...payment, ...(name && { 'idempotency-key': name }) });
    return response.status;
  };
  expect([await present('1', 'in-doubt'), await present('2', 'in-doubt')]).toEqual([409, 409]);
  isOver = true;
  // The service looks up the payment after one second, and again two seconds later.
  await vi.advanceTimersByTimeAsync(3_500);
  expect(orders.map(nonceOf)).toEqual([1n, 1n, 1n]);
  // An idempotency key that is free again can be used as before.
  expect([await present('1', 'in-doubt'), await present('3')]).toEqual([409, 503]);
});
