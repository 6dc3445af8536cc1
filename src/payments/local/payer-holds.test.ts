import { describe, expect, it } from 'vitest';
import { orderOf } from '../../../test/support/order.ts';
import type { Hex } from '../x402/payment.ts';
import { payerHolds } from './payer-holds.ts';

const FIRST: Hex = `0x${'01'.repeat(32)}`;
const SECOND: Hex = `0x${'02'.repeat(32)}`;

/** A judgement of an account without code. */
const says = (isGuilty: boolean | null) => async () => ({ isGuilty, code: null });
const revertIn = (transaction: Hex, code: string | null = null) => ({ transaction, code });

describe('a payer who is held for two reverts', () => {
  const order = orderOf();
  const payer = order.payment.authorization.from;

  it.each([
    ['is not let go for the second once the first was its doing', true],
    ['is not let go for the second while nobody can say anything of the first', null],
    ['is let go when both were nobody’s doing', false],
  ])('%s', async (_title, judgement) => {
    let nowMs = 0;
    const held = payerHolds({ now: () => nowMs });
    let first: boolean | null = null;
    held.note(order, revertIn(FIRST), () => says(first)());
    held.note(order, revertIn(SECOND), says(false));
    expect(await held.isHeld(payer)).toBe(true);
    first = judgement;
    nowMs += 2_000;
    expect(await held.isHeld(payer)).toBe(judgement !== false);
  });

  it('is guilty of what is its doing alone', async () => {
    const held = payerHolds({ now: () => 0 });
    held.note(order, revertIn(FIRST), says(true));
    held.note(order, revertIn(SECOND), says(false));
    expect(await held.isHeld(payer)).toBe(true);
    expect([await held.isGuilty(order, FIRST), await held.isGuilty(order, SECOND)]).toEqual([true, false]);
  });

  it('is guilty by itself of what many failed in', async () => {
    const held = payerHolds({ now: () => 0 });
    const other = orderOf(2);
    held.note(order, revertIn(FIRST), says(false));
    held.note(other, revertIn(FIRST), says(true));
    expect([await held.isGuilty(order, FIRST), await held.isGuilty(other, FIRST)]).toEqual([false, true]);
  });
});

describe('accounts with the code of a payer whose payment reverted', () => {
  const SHARED = 'a wallet that many people use';
  const held = payerHolds({ now: () => 0 });
  /** Starts work for two accounts; tells how many of them run, and ends them. */
  function twoOf(code: string | null) {
    const running: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => running.push(resolve));
    const ends = [held.inTurn(code, work), held.inTurn(code, work)];
    return {
      running: () => running.length,
      async end() {
        while (running.length > 0) {
          running.shift()?.();
          await new Promise(setImmediate);
        }
        await Promise.all(ends);
      },
    };
  }

  it('take turns from the receipt on, before anybody has said whose fault it was', async () => {
    let judge = (_isGuilty: boolean | null) => {};
    const judgement = new Promise<boolean | null>((resolve) => {
      judge = resolve;
    });
    held.note(orderOf(), revertIn(FIRST, SHARED), async () => ({ isGuilty: await judgement, code: SHARED }));
    const [same, other, none] = [twoOf(SHARED), twoOf('another wallet'), twoOf(null)];
    expect([same.running(), other.running(), none.running()]).toEqual([1, 2, 2]);
    for (const pair of [same, other, none]) await pair.end();
    judge(false);
    await new Promise(setImmediate);
    const innocent = twoOf(SHARED);
    expect(innocent.running()).toBe(2);
    await innocent.end();
  });

  it('take turns as well when the payer got that code only after the simulation', async () => {
    held.note(orderOf(3), revertIn(SECOND), async () => ({ isGuilty: true, code: SHARED }));
    await new Promise(setImmediate);
    const late = twoOf(SHARED);
    expect(late.running()).toBe(1);
    await late.end();
  });
});
