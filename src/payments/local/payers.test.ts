import { describe, expect, it } from 'vitest';
import { orderOf } from '../../../test/support/order.ts';
import { type Rpc, RpcFailure } from '../chain/rpc.ts';
import type { Hex } from '../x402/payment.ts';
import { payerFunds, payerHolds } from './payers.ts';

const CENT = 10_000n;
const HOUR = 3_600_000;

/** A payer whose balance a test sets; counts the balance requests. */
function payer(balance: bigint) {
  const state = { balance, asked: 0, nowMs: 0, isAway: false };
  const rpc: Rpc = {
    async call<Result>() {
      state.asked += 1;
      if (state.isAway) throw new RpcFailure('unreached');
      return `0x${state.balance.toString(16).padStart(64, '0')}` as Result;
    },
    batch: async () => [],
    onOneNode: (work) => work(rpc),
  };
  return { state, funds: payerFunds({ rpc, now: () => state.nowMs }) };
}

const settledTurns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe('the pending payments of a payer', () => {
  it("are compared with the payer's balance only if there is more than one", async () => {
    const { funds, state } = payer(CENT);
    for (const nonce of [1, 2, 3]) {
      const share = funds.enter(orderOf(nonce));
      expect(await share.hold()).toBe('held');
      share.leave(true);
    }
    expect(state.asked).toBe(0);
  });

  it("never exceed the payer's balance", async () => {
    const { funds, state } = payer(CENT);
    const shares = [1, 2, 3].map((nonce) => funds.enter(orderOf(nonce)));
    const [first, ...others] = shares.map((share) => share.hold());
    expect(await first).toBe('held');
    await settledTurns();
    state.balance = 0n;
    shares[0]?.leave(true);
    expect(await Promise.all(others)).toEqual(['short', 'short']);
  });

  it('are not refused for lack of money if the balance is unknown', async () => {
    const { funds, state } = payer(CENT);
    const [first, second] = [funds.enter(orderOf(1)), funds.enter(orderOf(2))];
    expect(await first.hold()).toBe('held');
    const waiting = second.hold();
    await settledTurns();
    state.isAway = true;
    first.leave(true);
    expect(await waiting).toBe('busy');
    state.isAway = false;
    expect(await second.hold()).toBe('held');
  });

  it('are limited to one at first, and to one more for each payment that has settled', async () => {
    const { funds } = payer(1_000n * CENT);
    const shares = Array.from({ length: 8 }, (_, nonce) => funds.enter(orderOf(nonce)));
    let underWay = 0;
    const ends = shares.map(async (share) => {
      await share.hold();
      underWay += 1;
      return share;
    });
    const most = [];
    for (let round = 0; round < 4; round += 1) {
      await settledTurns();
      most.push(underWay);
      const holding = await Promise.all(ends.slice(0, underWay));
      for (const share of holding.slice(most.slice(0, -1).reduce((sum, count) => Math.max(sum, count), 0)))
        share.leave(true);
    }
    // The test compares the number of payments that have begun after each round: one, two more, four more, and the
    // last.
    expect(most).toEqual([1, 3, 7, 8]);
  });

  it('may become more numerous only after settled payments, and only for an hour', async () => {
    const { funds, state } = payer(1_000n * CENT);
    const pay = async (hasSettled: boolean) => {
      const share = funds.enter(orderOf());
      await share.hold();
      share.leave(hasSettled);
    };
    await pay(false);
    await pay(true);
    state.nowMs = HOUR;
    const first = funds.enter(orderOf());
    const second = funds.enter(orderOf());
    await first.hold();
    let hasBegun = false;
    void second.hold().then(() => {
      hasBegun = true;
    });
    await settledTurns();
    expect(hasBegun).toBe(false);
    first.leave(true);
    await settledTurns();
    expect(hasBegun).toBe(true);
  });
});

const FIRST: Hex = `0x${'01'.repeat(32)}`;
const SECOND: Hex = `0x${'02'.repeat(32)}`;

/** The judgment of a revert of an account without code. */
const says = (isAtFault: boolean | null) => async () => ({ isAtFault, code: null });
const revertIn = (transaction: Hex, code: string | null = null) => ({ transaction, code });

describe('a payer who is put on hold for two reverts', () => {
  const order = orderOf();
  const payer = order.payment.authorization.from;

  it.each([
    ['stays on hold after the second if it caused the first', true],
    ['stays on hold after the second while the cause of the first is unknown', null],
    ['is released if nobody caused either', false],
  ])('%s', async (_title, judgment) => {
    let nowMs = 0;
    const held = payerHolds({ now: () => nowMs });
    let first: boolean | null = null;
    held.note(order, revertIn(FIRST), () => says(first)());
    held.note(order, revertIn(SECOND), says(false));
    expect(await held.isHeld(payer)).toBe(true);
    first = judgment;
    nowMs += 2_000;
    expect(await held.isHeld(payer)).toBe(judgment !== false);
  });

  it('is at fault only for reverts of its own payments', async () => {
    const held = payerHolds({ now: () => 0 });
    held.note(order, revertIn(FIRST), says(true));
    held.note(order, revertIn(SECOND), says(false));
    expect(await held.isHeld(payer)).toBe(true);
    expect([await held.isAtFault(order, FIRST), await held.isAtFault(order, SECOND)]).toEqual([true, false]);
  });

  it('is the only payer at fault for a transaction in which many payments failed', async () => {
    const held = payerHolds({ now: () => 0 });
    const other = orderOf(2);
    held.note(order, revertIn(FIRST), says(false));
    held.note(other, revertIn(FIRST), says(true));
    expect([await held.isAtFault(order, FIRST), await held.isAtFault(other, FIRST)]).toEqual([false, true]);
  });
});

describe('accounts with the code of a payer whose payment reverted', () => {
  const SHARED = 'a wallet that many people use';
  const held = payerHolds({ now: () => 0 });
  /** Starts work for two accounts; returns how many work at once, and a function that ends the work. */
  function twoOf(code: string | null) {
    const running: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => running.push(resolve));
    const ends = [held.serialize(code, work), held.serialize(code, work)];
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

  it('take turns as soon as the receipt is there, before anybody has judged the revert', async () => {
    let judge = (_isGuilty: boolean | null) => {};
    const judgment = new Promise<boolean | null>((resolve) => {
      judge = resolve;
    });
    held.note(orderOf(), revertIn(FIRST, SHARED), async () => ({ isAtFault: await judgment, code: SHARED }));
    const [same, other, none] = [twoOf(SHARED), twoOf('another wallet'), twoOf(null)];
    expect([same.running(), other.running(), none.running()]).toEqual([1, 2, 2]);
    for (const pair of [same, other, none]) await pair.end();
    judge(false);
    await new Promise(setImmediate);
    const innocent = twoOf(SHARED);
    expect(innocent.running()).toBe(2);
    await innocent.end();
  });

  it('take turns even if the payer got that code after the simulation', async () => {
    held.note(orderOf(3), revertIn(SECOND), async () => ({ isAtFault: true, code: SHARED }));
    await new Promise(setImmediate);
    const late = twoOf(SHARED);
    expect(late.running()).toBe(1);
    await late.end();
  });
});
