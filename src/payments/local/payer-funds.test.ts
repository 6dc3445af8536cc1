import { describe, expect, it } from 'vitest';
import { orderOf } from '../../../test/support/order.ts';
import { type Rpc, RpcFailure } from '../chain/rpc.ts';
import { payerFunds } from './payer-funds.ts';

const CENT = 10_000n;
const HOUR = 3_600_000;

/** A payer whose balance a test sets; counts how often it was asked for. */
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

describe('what a payer has under way', () => {
  it('is asked about only where there is more than one', async () => {
    const { funds, state } = payer(CENT);
    for (const nonce of [1, 2, 3]) {
      const share = funds.enter(orderOf(nonce));
      expect(await share.hold()).toBe('held');
      share.leave(true);
    }
    expect(state.asked).toBe(0);
  });

  it('never exceeds what the payer holds', async () => {
    const { funds, state } = payer(CENT);
    const shares = [1, 2, 3].map((nonce) => funds.enter(orderOf(nonce)));
    const [first, ...others] = shares.map((share) => share.hold());
    expect(await first).toBe('held');
    await settledTurns();
    state.balance = 0n;
    shares[0]?.leave(true);
    expect(await Promise.all(others)).toEqual(['short', 'short']);
  });

  it('that nobody can say is no reason to call the payer short of money', async () => {
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

  it('is one payment at first, and one more for each that the payer has paid for', async () => {
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
    // So many have begun after each round: one, two more, four more, and the last.
    expect(most).toEqual([1, 3, 7, 8]);
  });

  it('grows with nothing that ended otherwise, and for an hour only', async () => {
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
