import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { createFailover } from '../../src/payments/failover.ts';
import type { End, Handover, Order, Settlement } from '../../src/payments/settlement.ts';
import { fakePayment, NOON, scriptedSettlement, testApp } from '../support/app.ts';
import { noticePath } from '../support/chain-app.ts';

const PATH = '/v1/late-fee-notice?amount=1&due_date=2026-01-01';
const HASH = `0x${'cd'.repeat(32)}` as const;
const PAYER = '0x00000000000000000000000000000000000000bb';
const SETTLED = { state: 'settled', transaction: HASH, payer: PAYER } as const;
const HEADER = { 'payment-signature': fakePayment({ nonce: '1' }) };

afterEach(() => void vi.useRealTimers());

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
    SETTLED,
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
    end = SETTLED;
    expect((await app.get(PATH, HEADER)).status).toBe(200);
  });
});

const USED = { state: 'refused', reason: 'invalid_exact_evm_nonce_already_used' } as const;

/** Two instances with one memory: the second checks the payment while the first sells. */
function twoInstances(first: (handover: Handover) => Promise<End>) {
  const claims = memoryClaims({ maxClaims: 10, now: () => NOON });
  const instance = (settle: Settlement['settle']) =>
    testApp({
      claims,
      settlement: {
        settle,
        reconcile: async () => ({ state: 'unknown', transaction: HASH }),
        isWalletSigned: async () => true,
      },
    });
  const one = instance((_order, handover) => first(handover));
  const replies: Response[] = [];
  const two = instance(async () => {
    replies.push(await one.get(PATH, HEADER));
    return USED;
  });
  return { replies, two };
}

async function sell({ proven, sending }: Handover): Promise<End> {
  await proven();
  await sending(HASH);
  return SETTLED;
}

describe('a payment that another instance sold while it was being checked here', () => {
  it('gets the same answer for the same request', async () => {
    const { replies, two } = twoInstances(sell);
    const second = await two.get(PATH, HEADER);
    expect(replies.map(({ status }) => status)).toEqual([200]);
    expect(second.status).toBe(200);
    expect(await second.json()).toEqual(await replies[0]?.json());
  });

  it('gets no answer for another request, and replies do not say that it was not paid', async () => {
    const { replies, two } = twoInstances(sell);
    const second = await two.get(`${PATH}&client_name=Acme`, HEADER);
    expect(replies.map(({ status }) => status)).toEqual([200]);
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ code: 'payment_already_used' });
  });

  it('waits while the result at the other instance is unknown', async () => {
    const { two } = twoInstances(async ({ proven, sending }) => {
      await proven();
      await sending(HASH);
      return { state: 'unknown', transaction: HASH };
    });
    const second = await two.get(PATH, HEADER);
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ code: 'waiting' });
  });
});

const RAN_OUT = 'invalid_exact_evm_payload_authorization_valid_before';

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

describe('a statement to a buyer', () => {
  it('that a failed request settled nothing remains true: the purchase is not completed later without the buyer', async () => {
    vi.useFakeTimers();
    let calls = 0;
    const { settlement, orders } = scriptedSettlement(() => {
      calls += 1;
      return calls === 1 ? 'throws' : SETTLED;
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
