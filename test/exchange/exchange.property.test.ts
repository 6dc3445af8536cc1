import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/exchange/purchase.ts';
import { fakePayment, NOON } from '../support/app.ts';

import { count, exchangeOf, FORGED, type Run, type Settles, type World } from './world.ts';

// The scheduler of fast-check lets every await of the exchange return in any order. Each world records the events in
// their order, and the tests check the record.

const runs = fc.constantFrom<Run>('answers', 'throws', 'invalid', 'no_answer');
const ends = fc.constantFrom<Settles>(
  'settled',
  'refused',
  'unknown',
  'not_sent',
  'throws',
  'throws_after_sending',
);
const inputs = fc.constantFrom('1', 'x');
const payments = fc.constantFrom(
  null,
  fakePayment(),
  fakePayment({ value: '1' }),
  fakePayment({ validBefore: NOON / 1000 - 1 }),
  '%',
);

describe('the exchange of payments and answers in any order of steps', () => {
  it('settles only after an answer exists, and reports "settled" only if money moved', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        runs,
        ends,
        inputs,
        payments,
        async (scheduler, run, settles, input, payment) => {
          const world: World = { record: [], run, settles };
          const { call } = exchangeOf(world, scheduler);
          const pending = call(input, payment);
          await scheduler.waitFor(pending);
          const outcome = await pending;
          const { record } = world;
          if (record.includes('settle')) expect(record.slice(0, 2)).toEqual(['run', 'settle']);
          expect(outcome.state === 'settled').toBe(record.includes('money'));
          expect(outcome.state === 'served').toBe(false);
          if (input === 'x') expect([outcome.state, record]).toEqual(['rejected', []]);
          else expect(outcome.state).toBe(expectedState(run, settles, payment));
        },
      ),
    );
  });

  it('runs and settles one authorization once, however often it is presented, and gives the same answer every time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 5 }), async (scheduler, times) => {
        const world: World = { record: [], run: 'answers', settles: 'settled' };
        const { call } = exchangeOf(world, scheduler);
        const pending = Promise.all(Array.from({ length: times }, () => call('1', fakePayment())));
        await scheduler.waitFor(pending);
        const outcomes = await pending;
        expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
        expect(outcomes[0]?.state).toBe('settled');
        expect([count(world, 'run'), count(world, 'settle'), count(world, 'money')]).toEqual([1, 1, 1]);
      }),
    );
  });

  it('gives one of two racing requests the answer and refuses the other, even if each has its own signature over one nonce', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.boolean(),
        fc.boolean(),
        async (scheduler, swapped, signedTwice) => {
          const world: World = { record: [], run: 'answers', settles: 'settled' };
          const { call } = exchangeOf(world, scheduler);
          // The payer may have signed the same nonce again with another validity.
          const again = fakePayment({ signature: '22', validBefore: NOON / 1_000 + 107 });
          const pay = (n: string) => call(n, n === '2' && signedTwice ? again : fakePayment());
          const pending = Promise.all((swapped ? ['2', '1'] : ['1', '2']).map(pay));
          await scheduler.waitFor(pending);
          const states = (await pending).map(stateOf).sort();
          expect(states).toEqual(['payment_already_used', 'settled']);
          expect(count(world, 'money')).toBe(1);
        },
      ),
    );
  });

  it('trusts nothing in a payment that its payer did not sign, before and after the real payment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.boolean(), async (scheduler, atOnce) => {
        const world: World = { record: [], run: 'answers', settles: 'settled' };
        const { call, claims } = exchangeOf(world, scheduler);
        const forge = async () => {
          const forged = call('1', fakePayment({ signature: FORGED }));
          await scheduler.waitFor(forged);
          return stateOf(await forged);
        };
        expect([await forge(), count(world, 'settle'), claims.size()]).toEqual(['challenged', 0, 0]);
        const real = call('1', fakePayment());
        const beside = atOnce ? call('1', fakePayment({ signature: FORGED })) : null;
        await scheduler.waitFor(Promise.all([real, beside]));
        expect(stateOf(await real)).toBe('settled');
        expect([await forge(), count(world, 'settle'), count(world, 'money')]).toEqual(['challenged', 1, 1]);
      }),
      { numRuns: 50 },
    );
  });

  it('returns a paid answer whose outcome was unknown, for one charge', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.constantFrom<Settles>('unknown', 'throws_after_sending'),
        async (scheduler, first) => {
          const world: World = { record: [], run: 'answers', settles: first };
          const { call } = exchangeOf(world, scheduler);
          const lost = call('1', fakePayment());
          await scheduler.waitFor(lost);
          expect(stateOf(await lost)).toBe('waiting');
          world.settles = 'settled';
          const again = call('1', fakePayment());
          await scheduler.waitFor(again);
          expect(stateOf(await again)).toBe('settled');
          const third = call('1', fakePayment());
          await scheduler.waitFor(third);
          expect(await third).toEqual(await again);
          expect(count(world, 'money')).toBe(1);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('forgets a refused authorization, so that the buyer can correct the fault and send it again', async () => {
    const world: World = { record: [], run: 'answers', settles: 'refused' };
    const scheduler = fc.sample(fc.scheduler(), 1)[0] as fc.Scheduler;
    let nowMs = NOON;
    const { call, claims } = exchangeOf(world, scheduler, () => nowMs);
    for (const settles of ['refused', 'not_sent', 'throws', 'settled'] as const) {
      world.settles = settles;
      // A refusal is remembered for five seconds.
      nowMs += 5_001;
      const pending = call('1', fakePayment());
      await scheduler.waitFor(pending);
      const states = { refused: 'challenged', not_sent: 'unavailable', throws: 'failed', settled: 'settled' };
      expect((await pending).state).toBe(states[settles]);
      expect(claims.size()).toBe(settles === 'settled' ? 1 : 0);
    }
  });
});

const stateOf = (outcome: Outcome): string => (outcome.state === 'conflict' ? outcome.code : outcome.state);

function expectedState(run: Run, settles: Settles, payment: string | null): Outcome['state'] {
  if (run === 'throws') return 'failed';
  if (run === 'invalid') return 'rejected';
  if (run === 'no_answer') return 'conflict';
  if (payment === '%') return 'rejected';
  if (payment !== fakePayment()) return 'challenged';
  const states: Record<Settles, Outcome['state']> = {
    settled: 'settled',
    refused: 'challenged',
    unknown: 'conflict',
    not_sent: 'unavailable',
    throws: 'failed',
    throws_after_sending: 'conflict',
  };
  return states[settles];
}
