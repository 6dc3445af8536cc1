import { describe, expect, it, vi } from 'vitest';
import { freshClaim, TRANSACTION } from '../../test/exchange/claims-contract.ts';
import { orderOf } from '../../test/support/order.ts';
import type { End } from '../payments/settlement.ts';
import type { Claim, Claims, Saved } from './claims/claims.ts';
import type { PurchaseEnd } from './purchase.ts';
import { type Attempt, conclude } from './purchase-states.ts';

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const BODY = { double: 2 };
const SETTLED: End = { state: 'settled', transaction: TRANSACTION, payer: `0x${'bb'.repeat(20)}` };

/** Runs a settlement, and returns its outcome, the report about it, and the final state of the claim. */
async function ended(result: End, claim: Claim = freshClaim({ state: 'sent' }), saves: Saved = 'saved') {
  const reported: PurchaseEnd[] = [];
  const did: (string | Claim)[] = [];
  const claims: Pick<Claims, 'save' | 'drop' | 'leave'> = {
    async save(_key, saved) {
      did.push(saved);
      return saves;
    },
    async drop(key) {
      did.push(`dropped ${key}`);
    },
    async leave(key) {
      did.push(`left ${key}`);
    },
  };
  const { payment, requirements } = orderOf();
  const attempt = {
    purchase: { payment, requirements, operation: { name: 'paid' }, requestId: 'ours', askedAtMs: 5 },
    keys: { key: 'key' },
    shared: { claims, now: () => NOON_MS + 999, onEnd: (end: PurchaseEnd) => reported.push(end) },
  } as unknown as Attempt;
  const outcome = await conclude(attempt, { claim, opened: { kind: 'opened' }, result, body: BODY });
  return { outcome, reported, did };
}

describe('a payment that settled', () => {
  it('buys the answer, and its claim records when the answer was ready', async () => {
    const { outcome, did } = await ended(SETTLED, freshClaim({ state: 'sent', claimedAt: 5 }));
    const receipt = { transaction: TRANSACTION };
    expect(outcome).toMatchObject({ state: 'settled', body: BODY, receipt, claimedAt: 5 });
    expect(did).toEqual([
      freshClaim({ state: 'settled', transaction: TRANSACTION, claimedAt: 5, readyAt: NOON_MS / 1000 }),
    ]);
  });

  it.each([
    ['saved', 'sent', 'settled', 'settled'],
    ['saved', 'open', 'settled', 'settled'],
    ['unconfirmed', 'sent', 'settled', 'settled'],
    ['unconfirmed', 'open', 'unknown', 'waiting'],
    ['conflict', 'sent', 'conflict', 'payment_already_used'],
    ['conflict', 'open', 'conflict', 'payment_already_used'],
  ] as const)(
    'is reported correctly if its save is %s and its claim was %s: %s',
    async (saves, state, said, end) => {
      const { outcome, reported } = await ended(SETTLED, freshClaim({ state }), saves);
      expect(reported).toMatchObject([
        {
          operation: 'paid',
          outcome: said,
          reason: null,
          transaction: TRANSACTION,
          amount: '10000',
          requestId: 'ours',
        },
      ]);
      expect('code' in outcome ? outcome.code : outcome.state).toBe(end);
    },
  );
});

describe('a payment that was refused', () => {
  const REFUSED: End = { state: 'refused', reason: 'insufficient_funds' };

  it('leaves no claim if nothing was sent, and the payment can be presented again', async () => {
    const { outcome, reported, did } = await ended(REFUSED, freshClaim());
    expect(outcome).toMatchObject({ state: 'challenged', reason: 'insufficient_funds' });
    expect(did).toEqual(['dropped key']);
    expect(reported).toMatchObject([{ outcome: 'refused', reason: 'insufficient_funds', transaction: null }]);
  });

  it('is void after it was sent, unless another instance may have saved another result', async () => {
    const { outcome, did } = await ended(REFUSED);
    expect(outcome).toMatchObject({ state: 'conflict', code: 'rejected_or_not_received' });
    expect(did).toEqual([freshClaim({ state: 'void' })]);
    for (const saved of ['unconfirmed', 'conflict'] as const)
      expect((await ended(REFUSED, undefined, saved)).outcome).toMatchObject({ code: 'waiting' });
  });
});

describe('a payment that could not be sent', () => {
  it.each([
    ['unreached', 2, {}],
    ['unclear', 2, { isRefusal: true }],
    ['payer_busy', 2, { isRefusal: true }],
    ['wallet_gas_budget_spent', 2, { isRefusal: true }],
    ['payer_on_hold', 60, { isRefusal: true, detail: expect.any(String) }],
  ])(
    'because of %s leaves no claim, and may be presented again after %i seconds, counted as %j',
    async (reason, retryAfterSeconds, more) => {
      const { outcome, did, reported } = await ended({ state: 'not_sent', reason }, freshClaim());
      expect(outcome).toEqual({ state: 'unavailable', retryAfterSeconds, ...more });
      expect(did).toEqual(['dropped key']);
      expect(reported).toMatchObject([{ outcome: 'not_sent', reason }]);
    },
  );
});

describe('a payment with an unknown result', () => {
  const REASON = 'insufficient_funds';
  it.each([
    ['unknown', 'its result is not known yet', { state: 'unknown', transaction: null }],
    ['declined', 'did not go through', { state: 'declined', reason: REASON, transaction: null }],
    // A facilitator signs the transaction itself, so its hash is known only after it was sent.
    ['unknown', 'its result is not known yet', { state: 'unknown', transaction: TRANSACTION }],
    ['declined', 'did not go through', { state: 'declined', reason: REASON, transaction: TRANSACTION }],
  ] as const)(
    'is answered "waiting" if it is %s, with the remembered or the new transaction',
    async (said, words, result) => {
      const transaction = result.transaction === null ? TRANSACTION : null;
      const { outcome, did, reported } = await ended(result, freshClaim({ state: 'sent', transaction }));
      expect(outcome).toMatchObject({
        code: 'waiting',
        detail: expect.stringContaining(words),
        receipt: { transaction: TRANSACTION },
      });
      expect(did).toEqual([]);
      expect(reported).toMatchObject([{ outcome: said }]);
    },
  );
});

it('the duration of a purchase begins when its request arrived', async () => {
  vi.useFakeTimers({ now: 0 });
  vi.advanceTimersByTime(25);
  const { reported } = await ended(SETTLED);
  vi.useRealTimers();
  expect(reported).toMatchObject([{ durationMs: 20 }]);
});
