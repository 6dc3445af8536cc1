import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type SettlerFault, type SettlerHealth, type SettlerWatch, watchSettler } from './settler-watch.ts';

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
