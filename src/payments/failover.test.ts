import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { orderOf, PAYER } from '../../test/support/order.ts';
import {
  createFailover,
  type SettlerFault,
  type SettlerHealth,
  type SettlerReport,
  type SettlerWatch,
  watchSettler,
} from './failover.ts';
import type { End, Handover, Settlement } from './settlement.ts';
import type { Hex } from './x402/payment.ts';

const HASH: Hex = `0x${'12'.repeat(32)}`;
const settled: End = { state: 'settled', transaction: HASH, payer: PAYER };
const unknown: End = { state: 'unknown', transaction: null };
const refused: End = { state: 'refused', reason: 'insufficient_funds' };
const notSent = (reason = 'unreached'): End => ({ state: 'not_sent', reason });

/** Scripted settlers in one failover with an adjustable clock; `asked` records which settler received which call. */
function failoverOf(scripts: Record<string, () => End>) {
  const asked: string[] = [];
  const reports: SettlerReport[] = [];
  const clock = { nowMs: 0 };
  const settlers = Object.entries(scripts).map(([name, end]) => {
    const settlement: Settlement = {
      settle: async (_order, { proven, sending }) => {
        asked.push(name);
        const ending = end();
        if (ending.state === 'refused') return ending;
        const isHandedOver = (await proven()) && (await sending(null));
        return isHandedOver ? ending : { state: 'not_sent', reason: 'stopped' };
      },
      reconcile: async () => {
        asked.push(`${name} again`);
        const ending = end();
        return ending.state === 'not_sent' ? { state: 'unknown', transaction: null } : ending;
      },
      isWalletSigned: async () => null,
    };
    return { name, settlement };
  });
  const failover = createFailover({
    settlers,
    now: () => clock.nowMs,
    onSettler: (report) => reports.push(report),
    tries: 3,
    restMs: 10_000,
  });
  return { failover, asked, reports, clock };
}

const yes: Handover = { proven: async () => true, sending: async () => true };

describe('settlers in a given order', () => {
  it('are not asked once an earlier one has settled', async () => {
    const { failover, asked } = failoverOf({ a: () => settled, b: () => settled });
    expect(await failover.settle(orderOf(), yes)).toEqual(settled);
    expect(asked).toEqual(['a']);
  });

  it('settle for a wallet that is too expensive for our own account, and the payment is refused if there are no other settlers', async () => {
    const local: Settlement = {
      settle: async () => notSent('wallet_gas_too_dear'),
      reconcile: async () => unknown as Extract<End, { state: 'unknown' }>,
      isWalletSigned: async () => null,
    };
    const over = (...settlements: Settlement[]) =>
      createFailover({
        settlers: settlements.map((settlement, index) => ({ name: `settler ${index}`, settlement })),
        now: () => 0,
      });
    const tooDear: End = { state: 'refused', reason: 'wallet_gas_too_dear' };
    const away: Settlement = { ...local, settle: async () => notSent('unreached') };
    const hosted: Settlement = { ...local, settle: async () => settled };
    expect(await over(local).settle(orderOf(), yes)).toEqual(tooDear);
    expect(await over(local, away).settle(orderOf(), yes)).toEqual(tooDear);
    expect(await over(local, hosted).settle(orderOf(), yes)).toEqual(settled);
    // A payment that another settler has sent may still move money, so the buyer is not asked to sign again.
    const handsOver: Settlement = {
      ...local,
      async settle(_order, { sending }) {
        await sending(null);
        return notSent('unreached');
      },
    };
    expect(await over(local, handsOver).settle(orderOf(), yes)).toEqual(notSent('unreached'));
  });

  it('are asked in turn if nothing was sent, and the last answer counts if none of them could send', async () => {
    const first = failoverOf({ a: () => notSent(), b: () => notSent('rate_limited'), c: () => settled });
    expect(await first.failover.settle(orderOf(), yes)).toEqual(settled);
    expect(first.asked).toEqual(['a', 'b', 'c']);
    const none = failoverOf({ a: () => notSent(), b: () => notSent('rate_limited') });
    expect(await none.failover.settle(orderOf(), yes)).toEqual(notSent('rate_limited'));
  });

  it('are not asked after a settler that refused the payment or may have sent it', async () => {
    for (const end of [refused, unknown]) {
      const { failover, asked } = failoverOf({ a: () => end, b: () => settled });
      expect(await failover.settle(orderOf(), yes)).toEqual(end);
      expect(asked).toEqual(['a']);
    }
  });

  it('are not asked if the claim could not be kept', async () => {
    const { failover, asked } = failoverOf({ a: () => settled, b: () => settled });
    expect(await failover.settle(orderOf(), { ...yes, sending: async () => false })).toEqual(
      notSent('stopped'),
    );
    expect(asked).toEqual(['a']);
  });

  it("log in fixed words how each settler's attempt ended", async () => {
    const { failover, reports } = failoverOf({ a: () => notSent('rate_limited'), b: () => settled });
    await failover.settle(orderOf(), yes);
    expect(reports).toEqual([
      {
        settler: 'a',
        outcome: 'not_sent',
        reason: 'rate_limited',
        transaction: null,
        durationMs: expect.any(Number),
        requestId: null,
      },
      {
        settler: 'b',
        outcome: 'settled',
        reason: null,
        transaction: HASH,
        durationMs: expect.any(Number),
        requestId: null,
      },
    ]);
  });
});

describe('an order whose result is unknown', () => {
  it('is looked up by the settler that sent it', async () => {
    let b: End = unknown;
    const { failover, asked } = failoverOf({ a: () => notSent(), b: () => b, c: () => settled });
    await failover.settle(orderOf(), yes);
    asked.length = 0;
    expect(await failover.reconcile(orderOf(), null, yes)).toEqual(unknown);
    b = settled;
    expect(await failover.reconcile(orderOf(), null, yes)).toEqual(settled);
    expect(asked).toEqual(['b again', 'b again']);
  });

  it('is looked up at all settlers in order if none remembers sending it, as after a restart', async () => {
    const { failover, asked } = failoverOf({ a: () => unknown, b: () => settled, c: () => settled });
    expect(await failover.reconcile(orderOf(7), HASH, yes)).toEqual(settled);
    expect(asked).toEqual(['a again', 'b again']);
  });

  it('keeps its known transaction if no settler knows more', async () => {
    const { failover } = failoverOf({ a: () => notSent() });
    const end = await failover.reconcile(orderOf(7), HASH, yes);
    expect(end).toEqual({ state: 'unknown', transaction: HASH });
  });
});

describe('a settler that keeps failing', () => {
  it('is skipped after three unsent payments, and tried again after ten seconds', async () => {
    let a: End = notSent();
    const { failover, asked, clock } = failoverOf({ a: () => a, b: () => settled });
    for (let nonce = 1; nonce <= 4; nonce += 1) await failover.settle(orderOf(nonce), yes);
    expect(asked).toEqual(['a', 'b', 'a', 'b', 'a', 'b', 'b']);
    asked.length = 0;
    clock.nowMs = 10_000;
    a = settled;
    await failover.settle(orderOf(5), yes);
    await failover.settle(orderOf(6), yes);
    expect(asked).toEqual(['a', 'a']);
  });

  it('is skipped again at once if that trial also fails', async () => {
    const { failover, asked, clock } = failoverOf({ a: () => notSent(), b: () => settled });
    for (let nonce = 1; nonce <= 3; nonce += 1) await failover.settle(orderOf(nonce), yes);
    clock.nowMs = 10_000;
    asked.length = 0;
    await failover.settle(orderOf(4), yes);
    await failover.settle(orderOf(5), yes);
    expect(asked).toEqual(['a', 'b', 'b']);
  });

  it('is tried if every other settler is also skipped', async () => {
    let a: End = notSent();
    const { failover } = failoverOf({ a: () => a, b: () => notSent() });
    for (let nonce = 1; nonce <= 5; nonce += 1) await failover.settle(orderOf(nonce), yes);
    a = settled;
    expect(await failover.settle(orderOf(6), yes)).toEqual(settled);
  });

  it('does not count as failing because it refused a payment, was stopped or busy, or because the asset is paused', async () => {
    for (const end of [refused, notSent('asset_paused'), notSent('relayer_busy')]) {
      const { failover, asked } = failoverOf({ a: () => end, b: () => refused });
      for (let nonce = 1; nonce <= 5; nonce += 1) await failover.settle(orderOf(nonce), yes);
      expect(asked.filter((name) => name === 'a')).toHaveLength(5);
    }
    const { failover, asked } = failoverOf({ a: () => settled, b: () => settled });
    for (let nonce = 1; nonce <= 5; nonce += 1)
      await failover.settle(orderOf(nonce), { ...yes, sending: async () => false });
    expect(asked).toEqual(['a', 'a', 'a', 'a', 'a']);
  });
});

const NOT_SENT = { outcome: 'not_sent', reason: 'unreached' } as const;
const SETTLED = { outcome: 'settled', reason: null } as const;

describe('the watch over a settler', () => {
  let answer: () => Promise<SettlerFault | null>;
  let asked: number;
  let changes: SettlerHealth[];
  let watch: SettlerWatch;

  beforeEach(() => {
    vi.useFakeTimers();
    asked = 0;
    changes = [];
    answer = async () => null;
    watch = watchSettler({
      settler: 'local',
      ask: () => {
        asked += 1;
        return answer();
      },
      onChange: (health) => changes.push(health),
      retryMs: [100, 300],
      renewMs: 10_000,
    });
  });
  afterEach(() => {
    watch.stop();
    vi.useRealTimers();
  });

  const pass = (forMs: number) => vi.advanceTimersByTimeAsync(forMs);
  const health = () => [watch.health().state, watch.health().reason];

  it('asks again after each pause, and the pauses grow after a fault', async () => {
    await pass(0);
    expect([asked, health()]).toEqual([1, ['ok', null]]);
    answer = async () => 'chain_unreached';
    await pass(10_000);
    expect([asked, health()]).toEqual([2, ['degraded', 'chain_unreached']]);
    await pass(100);
    expect(asked).toBe(3);
    await pass(300);
    await pass(300);
    expect(asked).toBe(5);
    answer = async () => null;
    await pass(300);
    expect(health()).toEqual(['ok', null]);
    expect(changes.map(({ state }) => state)).toEqual(['ok', 'degraded', 'ok']);
  });

  it('asks at once after a payment could not be sent', async () => {
    await pass(0);
    answer = async () => 'chain_unreached';
    watch.note(NOT_SENT);
    await pass(0);
    expect([asked, health()]).toEqual([2, ['degraded', 'chain_unreached']]);
    // While the settler is known to be unreachable, new payments do not cause additional checks.
    for (let count = 0; count < 50; count += 1) watch.note(NOT_SENT);
    await pass(99);
    expect(asked).toBe(2);
  });

  it('asks again on a health request if the last answer is a minute old or the last fault is five seconds old', async () => {
    watch.stop();
    asked = 0;
    const ask = () => {
      asked += 1;
      return answer();
    };
    watch = watchSettler({ settler: 'local', ask, retryMs: [600_000] });
    watch.askSoon();
    await pass(0);
    expect(asked).toBe(1);
    await pass(59_999);
    watch.askSoon();
    await pass(0);
    expect(asked).toBe(1);
    await pass(1);
    answer = async () => 'no_gas_money';
    for (let count = 0; count < 50; count += 1) watch.askSoon();
    await pass(0);
    expect([asked, health()]).toEqual([2, ['degraded', 'no_gas_money']]);
    await pass(4_999);
    watch.askSoon();
    await pass(0);
    expect(asked).toBe(2);
    answer = async () => null;
    await pass(1);
    watch.askSoon();
    await pass(0);
    expect([asked, health()]).toEqual([3, ['ok', null]]);
  });

  it('does not wait longer for its next check because health requests started some in between', async () => {
    watch.stop();
    asked = 0;
    const ask = async () => {
      asked += 1;
      return 'unreached' as const;
    };
    watch = watchSettler({ settler: 'cdp', ask, retryMs: [20_000, 600_000] });
    await pass(0);
    for (let count = 0; count < 3; count += 1) {
      await pass(5_000);
      watch.askSoon();
    }
    await pass(0);
    expect(asked).toBe(4);
    await pass(20_000);
    expect(asked).toBe(5);
  });

  it('reports "failing" for a minute after the settler fails to send three payments in a row, even if the settler answers', async () => {
    await pass(0);
    watch.note(NOT_SENT);
    watch.note(NOT_SENT);
    await pass(0);
    expect(health()).toEqual(['ok', null]);
    watch.note(NOT_SENT);
    await pass(0);
    expect(health()).toEqual(['degraded', 'failing']);
    await pass(59_000);
    expect(health()).toEqual(['degraded', 'failing']);
    await pass(1_000);
    expect(health()).toEqual(['ok', null]);
  });

  it.each([
    ['a payment that settled', SETTLED],
    ['a payment that was refused', { outcome: 'refused', reason: 'insufficient_funds' } as const],
  ])('starts the count again after %s', async (_name, end) => {
    await pass(0);
    for (const report of [NOT_SENT, NOT_SENT, end, NOT_SENT, NOT_SENT]) watch.note(report);
    await pass(0);
    expect(health()).toEqual(['ok', null]);
  });

  it.each(['stopped', 'unsupported', 'not_understood'])(
    'does not count %s, which a caller can cause',
    async (reason) => {
      await pass(0);
      for (let count = 0; count < 5; count += 1) watch.note({ outcome: 'not_sent', reason });
      await pass(0);
      expect([asked, health()]).toEqual([1, ['ok', null]]);
    },
  );

  it('trusts a settled payment more than an answer', async () => {
    answer = async () => 'unclear';
    await pass(0);
    expect(health()).toEqual(['degraded', 'unclear']);
    watch.note(SETTLED);
    expect(health()).toEqual(['ok', null]);
  });

  it('knows nothing about a changed settler until it has asked', async () => {
    await pass(0);
    let tell: (fault: SettlerFault | null) => void = () => {};
    answer = () =>
      new Promise((resolve) => {
        tell = resolve;
      });
    watch.askAgain();
    // The receipt of a payment that the previous settler has sent.
    watch.note(SETTLED);
    expect(health()).toEqual(['unasked', null]);
    await pass(0);
    watch.askAgain();
    tell(null); // an answer of the previous settler
    await pass(0);
    expect([asked, health()]).toEqual([3, ['unasked', null]]);
    tell('no_gas_money');
    await pass(0);
    expect(health()).toEqual(['degraded', 'no_gas_money']);
  });

  it('survives a check that throws', async () => {
    answer = () => Promise.reject(new Error('https://rpc.example/key'));
    await pass(0);
    expect(health()).toEqual(['degraded', 'unclear']);
  });

  it('stops asking and listening once it is stopped', async () => {
    await pass(0);
    watch.stop();
    for (let count = 0; count < 3; count += 1) watch.note(NOT_SENT);
    await pass(60_000);
    expect([asked, health()]).toEqual([1, ['ok', null]]);
  });
});
