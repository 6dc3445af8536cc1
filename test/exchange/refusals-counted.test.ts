import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Claim, Claims } from '../../src/exchange/claims/claims.ts';
import type { Order, Settlement } from '../../src/payments/settlement.ts';
import { type Signing, signingOf } from '../../src/payments/x402/signature.ts';
import { refusalLimit } from '../../src/surfaces/calls/limits.ts';
import { fakePayment, NOON, terms } from '../support/app.ts';
import { exchangeWith, type Parts } from './exchange-with.ts';

const HASH = `0x${'cd'.repeat(32)}` as const;
const PAYER = '0x00000000000000000000000000000000000000bb';
const SETTLED = { state: 'settled', transaction: HASH, payer: PAYER } as const;
const PAST = NOON / 1000 - 100;

/** A settler that sends every payment, but cannot reach a node to check a wallet's signature. */
const settling: Settlement = {
  settle: async (_order, { proven, sending }) => {
    if (!((await proven()) && (await sending(HASH)))) return { state: 'not_sent', reason: 'stopped' };
    return SETTLED;
  },
  reconcile: async () => SETTLED,
  isWalletSigned: async () => null,
};
const bugs: unknown[] = [];
const exchangeOf = (parts: Partial<Parts>) =>
  exchangeWith({ settlement: settling, signing: ofKeys, onBug: (...told) => bugs.push(told), ...parts });
const ofKeys: Signing = { ...signingOf(terms), ofKey: async (payment) => payment };
const ofWallets: Signing = { ...signingOf(terms), ofKey: async () => null };

afterEach(() => {
  expect(bugs.splice(0)).toEqual([]);
  vi.restoreAllMocks();
});

describe('the exchange of payments and answers', () => {
  it('limits a caller whose payments get no answer from any node', async () => {
    const { call } = exchangeOf({ signing: ofWallets, limit: refusalLimit(2) });
    const states: string[] = [];
    for (const nonce of ['1', '2', '3', '4']) states.push((await call('1', fakePayment({ nonce }))).state);
    expect(states).toEqual(['unavailable', 'unavailable', 'limited', 'limited']);
  });

  it.each([
    ['the same request', {}, 'settled'],
    ['another request', { request: 'c'.repeat(64) }, 'conflict'],
  ])(
    'counts a payment that was proven, but which another instance had already used for %s',
    async (_for, other, state) => {
      let counted = 0;
      const limit = {
        restSeconds: async () => null,
        count: async () => {
          counted += 1;
        },
      };
      const { call, claims } = exchangeOf({ limit });
      vi.spyOn(claims as { open: Claims['open'] }, 'open').mockImplementationOnce(async (_key, fresh) => ({
        kind: 'held',
        claim: { ...fresh, ...other, state: 'settled', transaction: HASH },
      }));
      expect((await call('1', fakePayment({ nonce: '1' }))).state).toBe(state);
      expect(counted).toBe(1);
      expect((await call('1', fakePayment({ nonce: '2' }))).state).toBe('settled');
      expect(counted).toBe(1);
    },
  );

  it.each([
    ['wallet', 'buys its answer', SETTLED, 'settled', 0],
    ['wallet', 'has an unknown result', { state: 'unknown', transaction: HASH }, 'conflict', 1],
    ['wallet', 'was refused', { state: 'refused', reason: 'insufficient_funds' }, 'challenged', 2],
    ['wallet', 'cannot be sent', { state: 'not_sent', reason: 'unreached' }, 'unavailable', 1],
    ['wallet', 'cannot be checked', { state: 'not_sent', reason: 'unclear' }, 'unavailable', 1],
    ['key', 'has an unknown result', { state: 'unknown', transaction: HASH }, 'conflict', 0],
    ['key', 'was refused', { state: 'refused', reason: 'insufficient_funds' }, 'challenged', 1],
    ['key', 'cannot be sent', { state: 'not_sent', reason: 'unreached' }, 'unavailable', 0],
  ] as const)(
    'counts what a payment cost that was signed with a %s and %s',
    async (signedBy, _result, end, state, counted) => {
      const callers: string[] = [];
      const { call } = exchangeOf({
        signing: signedBy === 'key' ? ofKeys : ofWallets,
        limit: { restSeconds: async () => null, count: async (caller) => void callers.push(caller) },
        settlement: { ...settling, isWalletSigned: async () => true, settle: async () => end },
      });
      expect((await call('1', fakePayment())).state).toBe(state);
      expect(callers).toEqual(Array(counted).fill('127.0.0.1'));
    },
  );

  it("does not ask a node again about a wallet's signature that it has already accepted", async () => {
    let asked = 0;
    const isWalletSigned = async () => {
      asked += 1;
      return true;
    };
    const { call } = exchangeOf({ signing: ofWallets, settlement: { ...settling, isWalletSigned } });
    for (const n of ['1', '1', '2']) await call(n, fakePayment());
    await call('1', fakePayment({ signature: '22' }));
    // Another request and another signature must be checked.
    expect(asked).toBe(3);
  });

  it.each(['full', 'down'] as const)('sells nothing while its claims are %s', async (kind) => {
    const mayBeSent: boolean[] = [];
    const settlement: Settlement = {
      ...settling,
      async settle(order, handover) {
        const proven = async () => {
          const may = await handover.proven();
          mayBeSent.push(may);
          return may;
        };
        return settling.settle(order, { ...handover, proven });
      },
    };
    const { call, claims } = exchangeOf({ settlement });
    vi.spyOn(claims as { open: Claims['open'] }, 'open').mockResolvedValueOnce({ kind });
    expect((await call('1', fakePayment())).state).toBe('unavailable');
    expect((await call('1', fakePayment())).state).toBe('settled');
    expect(mayBeSent).toEqual([false, true]);
  });

  it("checks a wallet's signature as of the second in which the payment arrived", async () => {
    const orders: Order[] = [];
    const { call } = exchangeOf({
      signing: ofWallets,
      settlement: {
        ...settling,
        isWalletSigned: async (order) => {
          orders.push(order);
          return false;
        },
      },
      now: () => NOON + 999,
    });
    expect((await call('1', fakePayment())).state).toBe('challenged');
    expect(orders.map(({ usedSince }) => usedSince)).toEqual([NOON / 1000]);
  });

  it('does not say that a payment arrived too late while its own settler may have the wrong time', async () => {
    const late = fakePayment({ validBefore: PAST });
    const reason = 'invalid_exact_evm_payload_authorization_valid_before';
    expect(await exchangeOf({}).call('1', late)).toMatchObject({ state: 'challenged', reason });
    const settlement: Settlement = { ...settling, refusal: async () => 'clock_off' };
    expect((await exchangeOf({ settlement }).call('1', late)).state).toBe('unavailable');
  });

  it.each([
    ['has no answer any more', 'conflict'],
    ['comes from a caller that has reached the limit of refused payments', 'limited'],
    ['cannot be checked against the claims', 'unavailable'],
    ['buys its answer', 'settled'],
  ] as const)('leaves no open claim if an interrupted purchase %s', async (_why, state) => {
    const current = { state: null as typeof state | null };
    const { call, claims } = exchangeOf({
      limit: { restSeconds: async () => (current.state === 'limited' ? 60 : null), count: async () => {} },
      run: () =>
        current.state === 'conflict'
          ? { kind: 'no_answer', detail: 'nothing to say' }
          : { kind: 'answer', body: { double: 2 } },
    });
    const { key, fresh, opening } = await claimOfFirst(call, claims);
    await claims.save(key, fresh);
    current.state = state;
    if (state === 'unavailable')
      vi.spyOn(claims as { completeSince: Claims['completeSince'] }, 'completeSince').mockResolvedValue(null);
    // The process that opened the claim is gone, so the claim may be taken over.
    opening.mockResolvedValueOnce({ kind: 'opened' });
    expect((await call('1', fakePayment())).state).toBe(state);
    const left = state === 'settled' ? { kind: 'held', claim: { state } } : { kind: 'absent' };
    expect(await claims.find(key)).toMatchObject(left);
  });

  it.each([
    ['has no answer', 'conflict'],
    ['fails because of a bug', 'failed'],
  ] as const)('leaves the open claim of another request alone if this request %s', async (_why, state) => {
    const current = { state: null as typeof state | null };
    const { call, claims } = exchangeOf({
      run: () =>
        current.state === 'conflict'
          ? { kind: 'no_answer', detail: 'nothing to say' }
          : { kind: 'answer', body: { double: 2 } },
      settlement: {
        ...settling,
        async settle(order, handover) {
          if (current.state === 'failed') throw new Error('a broken settler');
          return settling.settle(order, handover);
        },
      },
      onBug: () => undefined,
    });
    const { key, fresh } = await claimOfFirst(call, claims);
    const other: Claim = { ...fresh, request: 'c'.repeat(64) };
    await claims.save(key, other);
    current.state = state;
    expect((await call('1', fakePayment())).state).toBe(state);
    expect(await claims.find(key)).toEqual({ kind: 'held', claim: other });
  });
});

/** The claim that the first purchase opens, which is then dropped. */
async function claimOfFirst(call: ReturnType<typeof exchangeOf>['call'], claims: Claims) {
  const opening = vi.spyOn(claims as { open: Claims['open'] }, 'open');
  expect((await call('1', fakePayment())).state).toBe('settled');
  const [key, fresh] = opening.mock.calls[0] as Parameters<Claims['open']>;
  await claims.drop(key);
  return { key, fresh, opening };
}
