import { afterEach, describe, expect, it, vi } from 'vitest';
import { type SettlerHealth, type SettlerWatch, watchSettler } from '../settler-watch.ts';
import type { Reply } from './http.ts';
import { supportedFault } from './messages.ts';

const answered = (status: number, body: unknown): Reply => ({
  kind: 'answered',
  status,
  body,
  extensions: null,
});
const kind = (changes: object = {}) => ({
  x402Version: 2,
  scheme: 'exact',
  network: 'eip155:8453',
  ...changes,
});
const listing = (...kinds: unknown[]): Reply => answered(200, { kinds, extensions: [], signers: {} });

describe('what a facilitator supports', () => {
  const watches: SettlerWatch[] = [];

  afterEach(() => {
    for (const watch of watches.splice(0)) watch.stop();
    vi.useRealTimers();
  });

  function watching(ask: () => Promise<Reply>, onChange?: (health: SettlerHealth) => void): SettlerWatch {
    vi.useFakeTimers();
    const watch = watchSettler({
      settler: 'facilitator_1',
      ask: async () => supportedFault(await ask(), 'eip155:8453'),
      retryMs: [100, 300],
      renewMs: 10_000,
      ...(onChange && { onChange }),
    });
    watches.push(watch);
    return watch;
  }

  async function healthAfter(reply: Reply): Promise<SettlerHealth> {
    const watch = watching(async () => reply);
    await vi.advanceTimersByTimeAsync(0);
    return watch.health();
  }

  it('is unknown until the facilitator has answered, and nothing waits for the answer', () => {
    expect(watching(() => new Promise(() => undefined)).health()).toEqual({
      settler: 'facilitator_1',
      state: 'unasked',
      reason: null,
    });
  });

  it('is accepted if it includes "exact" on our network, whatever else it lists', async () => {
    const reply = listing(null, 'x', kind({ network: 'solana:x' }), kind(), kind({ scheme: 'upto' }));
    expect(await healthAfter(reply)).toMatchObject({ state: 'ok', reason: null });
  });

  it('is reported as degraded if it is not accepted, with the reason in one fixed word', async () => {
    const cases: [Reply, string][] = [
      [listing(), 'not_listed'],
      [listing(kind({ network: 'eip155:84532' })), 'not_listed'],
      [listing(kind({ x402Version: 1 })), 'not_listed'],
      [listing(kind({ scheme: 'upto' })), 'not_listed'],
      [answered(200, { kinds: 'https://evil.example' }), 'unclear'],
      [answered(200, undefined), 'unclear'],
      [answered(502, undefined), 'unclear'],
      [answered(401, {}), 'unauthorized'],
      [{ kind: 'unreached' }, 'unreached'],
      [{ kind: 'unclear' }, 'unclear'],
    ];
    for (const [reply, reason] of cases)
      expect(await healthAfter(reply)).toEqual({ settler: 'facilitator_1', state: 'degraded', reason });
  });

  it('is requested again, sooner at first and then more rarely, and only changes are reported', async () => {
    const replies: Reply[] = [
      { kind: 'unreached' },
      { kind: 'unreached' },
      { kind: 'unreached' },
      listing(kind()),
      listing(kind()),
      listing(),
    ];
    let asked = 0;
    const told: string[] = [];
    watching(
      async () => replies[asked++] ?? listing(),
      ({ state }) => told.push(state),
    );
    const counts: number[] = [];
    for (const waitMs of [0, 100, 300, 300, 9_999, 1, 10_000]) {
      await vi.advanceTimersByTimeAsync(waitMs);
      counts.push(asked);
    }
    expect(counts).toEqual([1, 2, 3, 4, 4, 5, 6]);
    expect(told).toEqual(['degraded', 'ok', 'degraded']);
  });

  it('is not requested again after a stop', async () => {
    let asked = 0;
    const watch = watching(async () => {
      asked += 1;
      return listing();
    });
    await vi.advanceTimersByTimeAsync(0);
    watch.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(1);
  });
});
