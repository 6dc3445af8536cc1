import { describe, expect, it } from 'vitest';
import { submittedElsewhere, USED, unknown } from './settlement.ts';

const HASH = `0x${'ab'.repeat(32)}` as const;

describe('a payment that somebody else submitted and that has too few confirmations', () => {
  it.each([
    { proven: true, sending: true, ends: unknown(HASH), calls: ['proven', HASH] },
    { proven: false, sending: true, ends: { state: 'not_sent', reason: 'stopped' }, calls: ['proven'] },
    { proven: true, sending: false, ends: { state: 'not_sent', reason: 'stopped' }, calls: ['proven', HASH] },
  ])('waits only if it is claimed ($proven) and remembered ($sending)', async ({ ends, calls, ...is }) => {
    const called: unknown[] = [];
    const handover = {
      proven: async () => called.push('proven') > 0 && is.proven,
      sending: async (transaction: unknown) => called.push(transaction) > 0 && is.sending,
    };
    expect(await submittedElsewhere(unknown(HASH), handover)).toEqual(ends);
    expect(called).toEqual(calls);
  });

  it('is not sent if no node can check it, and needs no claim for a final result', async () => {
    const never = () => Promise.reject(new Error('asked'));
    const handover = { proven: never, sending: never };
    expect(await submittedElsewhere(null, handover)).toEqual({ state: 'not_sent', reason: 'unclear' });
    expect(await submittedElsewhere(USED, handover)).toEqual(USED);
  });
});
