import type fc from 'fast-check';
import { z } from 'zod';
import { decimal } from '../../src/catalog/number-fields.ts';
import { type Answer, operation, usd } from '../../src/catalog/operation.ts';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { createExchange } from '../../src/exchange/exchange.ts';
import { createPurchases } from '../../src/exchange/purchases.ts';
import { unprovenPayments } from '../../src/exchange/unproven.ts';
import type { Order, Settlement } from '../../src/payments/settlement.ts';
import { challengeOf } from '../../src/payments/x402/challenge.ts';
import { decodePayment } from '../../src/payments/x402/payment.ts';
import { requirementsOf } from '../../src/payments/x402/requirements.ts';
import { signingOf } from '../../src/payments/x402/signature.ts';
import { refusalLimit } from '../../src/surfaces/calls/limits.ts';
import { NOON, terms } from '../support/app.ts';

/** How the operation ends. */
export type Run = 'answers' | 'throws' | 'invalid' | 'no_answer';
/** How settling ends. */
export type Settles = 'settled' | 'refused' | 'unknown' | 'not_sent' | 'throws' | 'throws_after_sending';
/** What is to happen, and what happened, in its order. */
export type World = { record: string[]; run: Run; settles: Settles };

const HASH = `0x${'ab'.repeat(32)}` as const;

function paidOperation(world: World) {
  const answers: Record<Run, () => Answer<{ double: number }>> = {
    answers: () => ({ kind: 'answer', body: { double: 2 } }),
    throws: () => {
      throw new Error('a bug');
    },
    invalid: () => ({ kind: 'invalid', faults: [{ pointer: '/n', code: 'odd', detail: 'is odd' }] }),
    no_answer: () => ({ kind: 'no_answer', detail: 'nothing to say' }),
  };
  return operation({
    name: 'paid',
    operationId: 'paid',
    title: 'Paid',
    summary: 'Paid',
    description: 'Paid',
    route: { method: 'GET', path: '/v1/paid' },
    price: usd('0.01'),
    input: z.strictObject({ n: decimal({ describe: 'N', min: '0', max: '9' }) }),
    output: z.object({ double: z.number() }),
    example: { n: 1 },
    run: () => {
      world.record.push('run');
      return answers[world.run]();
    },
  });
}

/** How a signature ends that its payer did not make. */
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

/** An exchange on such a world, whose awaits come back as the scheduler says. */
export function exchangeOf(world: World, scheduler: fc.Scheduler, now = () => NOON) {
  const paid = paidOperation(world);
  const requirements = requirementsOf(paid, terms);
  const resource = {
    url: 'https://x.example/v1/paid',
    description: 'x',
    mimeType: 'application/json',
    serviceName: 'x',
    tags: [],
  };
  const challenge = challengeOf(paid, requirements, resource, {});
  const claims = memoryClaims({ maxClaims: 100, now });
  const onBug = () => world.record.push('bug');
  const settlement = settlementOf(world, scheduler);
  const unproven = unprovenPayments({ limit: refusalLimit(1_000_000), now });
  const signing = signingOf(terms);
  const purchases = createPurchases({ claims, settlement, signing, unproven, now, onBug });
  const exchange = createExchange({ challenge: () => challenge, purchases, now, onBug });
  const call = async (n: string, payment: string | null) =>
    exchange.call({
      operation: paid,
      raw: { values: { n }, faults: [] },
      payment: payment === null ? null : decodePayment(payment),
      caller: '127.0.0.1',
    });
  return { call, claims };
}

/** How many times something is in the record. */
export const count = (world: World, what: string) => world.record.filter((event) => event === what).length;
