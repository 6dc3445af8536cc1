import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NOON } from '../../test/support/app.ts';
import type { Outcome, SignedPurchase } from './purchase.ts';
import { createWatch } from './purchases.ts';

const WAITING: Outcome = {
  state: 'conflict',
  code: 'waiting',
  detail: '',
  receipt: null,
  retryAfterSeconds: 2,
};
const UNAVAILABLE: Outcome = { state: 'unavailable', retryAfterSeconds: 2 };
const FAILED: Outcome = { state: 'failed' };
const SETTLED = { state: 'settled' } as Outcome;
const HOUR_MS = 3_600_000;
/** Valid for two minutes. */
const purchase = {
  payment: { authorization: { validBefore: BigInt(NOON / 1000 + 120) } },
} as SignedPurchase;

describe('a payment whose result is not known', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: NOON });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /**
   * Returns the time of each lookup, in seconds after the purchase was noted. Each lookup returns the next result in
   * the list, and the last one repeats.
   */
  async function looksOf(first: Outcome, ends: readonly Outcome[], forSeconds: number): Promise<number[]> {
    const looks: number[] = [];
    // Vitest controls the clock here.
    const seconds = () => Date.now() / 1_000;
    const since = seconds();
    const watch = createWatch(async (of) => {
      const end = ends[Math.min(looks.length, ends.length - 1)] as Outcome;
      looks.push(seconds() - since);
      watch.note('key', of, end);
      return end;
    }, Date.now);
    watch.note('key', purchase, first);
    await vi.advanceTimersByTimeAsync(forSeconds * 1_000);
    watch.stop();
    return looks;
  }

  it('is looked up after 1, 2, 4… seconds and then every 30 s, until two minutes after it expires', async () => {
    expect(await looksOf(WAITING, [WAITING], 600)).toEqual([
      1, 3, 7, 15, 31, 61, 91, 121, 151, 181, 211, 241,
    ]);
  });

  it.each([
    ['that found no room, or no store to ask', UNAVAILABLE, [1, 3, 7, 15]],
    ['that failed because of a bug', FAILED, [1, 3, 7, 15]],
  ])('is looked up again after a lookup %s', async (_how, end, looks) => {
    expect(await looksOf(WAITING, [end], 20)).toEqual(looks);
  });

  it('is looked up only if something may have been sent, and never after its result is known', async () => {
    expect(await looksOf(WAITING, [SETTLED], 20)).toEqual([1]);
    expect(await looksOf(UNAVAILABLE, [WAITING], 20)).toEqual([]);
    expect(await looksOf(FAILED, [WAITING], 20)).toEqual([]);
  });

  it('is not looked up once the watch has stopped, even if it is added afterward', async () => {
    let looks = 0;
    const watch = createWatch(async () => {
      looks += 1;
      return WAITING;
    }, Date.now);
    watch.note('key', purchase, WAITING);
    watch.stop();
    watch.note('key', purchase, WAITING);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(looks).toBe(0);
  });

  it('is looked up less often the longer its result is unknown, if it is valid for long', async () => {
    let looks = 0;
    const watch = createWatch(async () => {
      looks += 1;
      return WAITING;
    }, Date.now);
    const authorization = { validBefore: BigInt(NOON / 1000 + 86_400) };
    const note = () => watch.note('key', { payment: { authorization } } as SignedPurchase, WAITING);
    for (let noted = 0; noted < 20; noted += 1) note();
    vi.setSystemTime(NOON + 6 * HOUR_MS);
    note();
    await vi.advanceTimersByTimeAsync((6 * HOUR_MS) / 20 - 1);
    expect(looks).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(looks).toBe(1);
    watch.stop();
  });

  it('is one of at most a thousand that are watched at once, and stays among them', async () => {
    const looks = new Map<SignedPurchase, number>();
    const watch = createWatch(async (of) => {
      looks.set(of, (looks.get(of) ?? 0) + 1);
      return WAITING;
    }, Date.now);
    const noted = Array.from({ length: 1_001 }, () => ({ ...purchase }));
    for (const [index, one] of noted.entries()) watch.note(`key ${index}`, one, WAITING);
    // If a purchase is noted twice, it is still looked up once.
    for (const [index, one] of noted.entries()) watch.note(`key ${index}`, one, WAITING);
    await vi.advanceTimersByTimeAsync(2_000);
    watch.stop();
    expect([...looks.values()]).toEqual(Array(1_000).fill(1));
    expect(looks.has(noted[1_000] as SignedPurchase)).toBe(false);
  });
});
