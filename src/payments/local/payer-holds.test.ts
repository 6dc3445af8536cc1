import { describe, expect, it } from 'vitest';
import { orderOf } from '../../../test/support/order.ts';
import type { Rpc } from '../chain/rpc.ts';
import type { Hex } from '../x402/payment.ts';
import { payerHolds } from './payer-holds.ts';

const FIRST: Hex = `0x${'01'.repeat(32)}`;
const SECOND: Hex = `0x${'02'.repeat(32)}`;

/** A node at which nobody has code. */
const plain: Rpc = {
  call: async () => '0x' as never,
  onOneNode: (work) => work(plain),
};

describe('a payer who is held for two reverts', () => {
  const order = orderOf();
  const payer = order.payment.authorization.from;

  it.each([
    ['is not let go for the second once the first was its doing', true],
    ['is not let go for the second while nobody can say anything of the first', null],
    ['is let go when both were nobody’s doing', false],
  ])('%s', async (_title, judgement) => {
    let nowMs = 0;
    const held = payerHolds({ rpc: plain, now: () => nowMs });
    let first: boolean | null = null;
    held.note(order, FIRST, async () => first);
    held.note(order, SECOND, async () => false);
    expect(await held.isHeld(payer)).toBe(true);
    first = judgement;
    nowMs += 2_000;
    expect(await held.isHeld(payer)).toBe(judgement !== false);
  });

  it('is guilty of what is its doing alone', async () => {
    const held = payerHolds({ rpc: plain, now: () => 0 });
    held.note(order, FIRST, async () => true);
    held.note(order, SECOND, async () => false);
    expect(await held.isHeld(payer)).toBe(true);
    expect([await held.isGuilty(order, FIRST), await held.isGuilty(order, SECOND)]).toEqual([true, false]);
  });

  it('is guilty by itself of what many failed in', async () => {
    const held = payerHolds({ rpc: plain, now: () => 0 });
    const other = orderOf(2);
    held.note(order, FIRST, async () => false);
    held.note(other, FIRST, async () => true);
    expect([await held.isGuilty(order, FIRST), await held.isGuilty(other, FIRST)]).toEqual([false, true]);
  });
});
