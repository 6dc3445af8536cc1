import type fc from 'fast-check';
import type { Answer } from '../../src/catalog/operation.ts';
import type { Order, Settlement } from '../../src/payments/settlement.ts';
import { NOON } from '../support/app.ts';
import { exchangeWith } from './exchange-with.ts';

/** The result of the operation. */
export type Run = 'answers' | 'throws' | 'invalid' | 'no_answer';
/** The result of the settlement. */
export type Settles = 'settled' | 'refused' | 'unknown' | 'not_sent' | 'throws' | 'throws_after_sending';
/** The planned events, and the actual events in order. */
export type World = { record: string[]; run: Run; settles: Settles };

const HASH = `0x${'ab'.repeat(32)}` as const;

const ANSWERS: Record<Run, () => Answer<{ double: number }>> = {
  answers: () => ({ kind: 'answer', body: { double: 2 } }),
  throws: () => {
    throw new Error('a bug');
  },
  invalid: () => ({ kind: 'invalid', faults: [{ pointer: '/n', code: 'odd', detail: 'is odd' }] }),
  no_answer: () => ({ kind: 'no_answer', detail: 'nothing to say' }),
};

/** The result for a signature that its payer did not make. */
export const FORGED = '99';

function settlementOf(world: World, scheduler: fc.Scheduler): Settlement {
  const step = (name: string) => scheduler.schedule(Promise.resolve(), name);
  const settle: Settlement['settle'] = async (_order: Order, { proven, sending }) => {
    world.record.push('settle');
    await step('prove');
    if (world.settles === 'throws') throw new Error('a broken settler');
    if (world.settles === 'refused') return { state: 'refused', reason: 'insufficient_funds' };
    if (world.settles === 'not_sent') return { state: 'not_sent', reason: 'unreached' };
    if (!((await proven()) && (await sending(HASH)))) return { state: 'not_sent', reason: 'stopped' };
    world.record.push('sent');
    await step('send');
    if (world.settles === 'throws_after_sending') throw new Error('a broken settler');
    if (world.settles === 'unknown') return { state: 'unknown', transaction: HASH };
    world.record.push('money');
    return { state: 'settled', transaction: HASH, payer: '0x00000000000000000000000000000000000000bb' };
  };
  return {
    settle,
    reconcile: async () => {
      world.record.push('reconcile');
      await step('look');
      if (world.settles !== 'settled') return { state: 'unknown', transaction: HASH };
      if (!world.record.includes('money')) world.record.push('money');
      return { state: 'settled', transaction: HASH, payer: '0x00000000000000000000000000000000000000bb' };
    },
    isWalletSigned: async ({ payment }) => !payment.signature.endsWith(FORGED),
  };
}

/** An exchange in such a world, whose scheduler orders the awaits. */
export const exchangeOf = (world: World, scheduler: fc.Scheduler, now = () => NOON) =>
  exchangeWith({
    settlement: settlementOf(world, scheduler),
    run: () => {
      world.record.push('run');
      return ANSWERS[world.run]();
    },
    onBug: () => world.record.push('bug'),
    now,
  });

/** Counts how many times an event is in the record. */
export const count = (world: World, what: string) => world.record.filter((event) => event === what).length;
